// <mesh>: its vertices and triangles, from a file or from the element itself.
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/surface.hpp"
#include "io/mesh_path.hpp"
#include "io/mjcf_assets.hpp"
#include "io/surface_collector.hpp"

namespace delassus::io {
namespace {

/// What make() throws, with the place of the element.
template <class Make>
SurfacePointer located(const XmlElement& element, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    element.fail(error.what());
  }
}

std::vector<Vec3<double>> read_vertices(const XmlElement& element) {
  const std::vector<double> numbers = element.all_numbers("vertex");
  if (numbers.size() % 3 != 0) element.fail(fmt::format("{} numbers as vertex; give three each", numbers.size()));
  std::vector<Vec3<double>> out;
  for (std::size_t i = 0; i < numbers.size(); i += 3) out.push_back({{numbers[i], numbers[i + 1], numbers[i + 2]}});
  return out;
}

std::vector<Triangle> read_faces(const XmlElement& element, std::size_t vertices) {
  const std::vector<double> numbers = element.all_numbers("face");
  if (numbers.size() % 3 != 0) element.fail(fmt::format("{} numbers as face; give three each", numbers.size()));
  std::vector<Triangle> out(numbers.size() / 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers[i];
    if (!(x >= 0 && x < static_cast<double>(vertices)) || x != std::floor(x)) {
      element.fail(fmt::format("face {} names vertex {}; there are 0 to {}", i / 3, x, vertices - 1));
    }
    out[i / 3][i % 3] = static_cast<std::int32_t>(x);
  }
  return out;
}

/// Without faces it is the convex hull.
SurfacePointer read_own_points(const XmlElement& element) {
  const std::vector<Vec3<double>> vertices = read_vertices(element);
  if (!element.has("face")) return located(element, [&] { return make_hull(vertices, "vertex"); });
  const std::vector<Triangle> faces = read_faces(element, vertices.size());
  return located(element, [&] { return make_surface(vertices, faces, "vertex and face"); });
}

/// In MuJoCo's order: shifted by refpos, turned by refquat, scaled.
SurfacePointer placed(const Surface& surface, const MjcfElement& element, const std::string& source) {
  const Vec3<double> scale = element.vector_or<3>("scale", {{1, 1, 1}});
  for (const double factor : scale.a) {
    if (factor == 0) element.fail("its scale has a zero; give factors such as 0.001 0.001 0.001");
  }
  const Vec3<double> shift = element.vector_or<3>("refpos", {{0, 0, 0}});
  const Mat3<double> turn =
      element.own().has("refquat") ? mjcf_rotation(element.own(), "refquat") : Mat3<double>::identity();
  SurfaceCollector out(scale);
  for (const Vec3<double>& x : surface.vertices()) out.add_vertex(transposed_times(turn, x - shift));
  for (const Triangle& t : surface.triangles()) out.add_triangle(t[0], t[1], t[2]);
  return located(element.own(), [&] { return out.make(source); });
}

/// Null if there is no such file, or it is of another kind: robots are often passed on without them.
SurfacePointer read_file(const XmlElement& element, const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / element.text("file")).string();
  std::error_code none;
  const bool is_there = std::filesystem::is_regular_file(path, none);
  if (is_there && is_surface_file(path)) return located(element, [&] { return load_surface(path); });
  element.ignore(is_there ? " (neither .stl nor .obj)" : " (its file is not there)");
  if (!is_there) element.miss(std::string(element.text("file")), {path});
  return nullptr;
}

}  // namespace

bool MjcfMesh::read(const MjcfSettings& settings, const std::string& folder) {
  if (is_tried_) return surface_ != nullptr;
  is_tried_ = true;
  const MjcfElement element = this->element();
  const XmlElement& own = element.own();
  own.ignore_all_but({"name", "class", "file", "vertex", "face", "scale", "refpos", "refquat", "inertia"}, {});
  if (own.has("file") == own.has("vertex")) own.fail("needs either a file or vertex; give one of them");
  if (own.has("face") && !own.has("vertex")) own.fail("has face without vertex; add the vertices");
  read_how(element, settings);
  const SurfacePointer raw = own.has("file") ? read_file(own, folder) : read_own_points(own);
  if (raw != nullptr) surface_ = placed(*raw, element, own.has("file") ? raw->source() : label_);
  return surface_ != nullptr;
}

void MjcfMesh::read_how(const MjcfElement& element, const MjcfSettings& settings) {
  constexpr int kShell = 3;
  const int how =
      element.word_or("inertia", {"legacy", "exact", "convex", "shell"}, settings.exact_mesh_inertia ? 1 : 0);
  if (how == kShell)
    element.own().warn("inertia is shell, which is not computed; its mass is taken as that of a solid");
  how_ = how == kShell ? How::kExact : static_cast<How>(how);
}

SurfacePointer MjcfMesh::hull() const {
  if (hull_ == nullptr) {
    const MjcfElement element = this->element();
    hull_ = located(element.own(), [&] { return make_hull(surface_->vertices(), surface_->source()); });
  }
  return hull_;
}

}  // namespace delassus::io
