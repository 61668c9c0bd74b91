// <link>: its mass and its collision shapes.
#include <fmt/format.h>

#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/surface.hpp"
#include "io/mesh_path.hpp"
#include "io/urdf_document.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

Sym3<double> read_inertia_matrix(const XmlElement& inertia) {
  inertia.ignore_all_but({"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {});
  Sym3<double> I;
  I(0, 0) = inertia.number("ixx");
  I(1, 1) = inertia.number("iyy");
  I(2, 2) = inertia.number("izz");
  I(0, 1) = inertia.number_or("ixy", 0);
  I(0, 2) = inertia.number_or("ixz", 0);
  I(1, 2) = inertia.number_or("iyz", 0);
  return I;
}

Inertial read_inertial(const XmlElement& element) {
  element.ignore_all_but({}, {"origin", "mass", "inertia"});
  const XmlElement mass = element.required_child("mass");
  mass.ignore_all_but({"value"}, {});
  Inertial inertial;
  inertial.mass = mass.number("value");
  if (inertial.mass < 0) mass.fail("its mass is negative; a mass is zero or more");
  const Pose<double> origin = read_urdf_origin(element);
  inertial.com = origin.p;
  inertial.inertia = congruence(origin.R, read_inertia_matrix(element.required_child("inertia")));
  return inertial;
}

/// Fills in kind and size of a primitive; false if it is none. A URDF has full lengths where we have halves.
bool read_primitive(const XmlElement& geometry, ShapeDescription& shape) {
  if (geometry.tag() == "sphere") {
    geometry.ignore_all_but({"radius"}, {});
    shape.kind = ShapeKind::kSphere;
    shape.size = {{geometry.number("radius"), 0, 0}};
  } else if (geometry.tag() == "box") {
    geometry.ignore_all_but({"size"}, {});
    shape.kind = ShapeKind::kBox;
    shape.size = 0.5 * geometry.vector<3>("size");
  } else if (geometry.tag() == "cylinder" || geometry.tag() == "capsule") {
    geometry.ignore_all_but({"radius", "length"}, {});
    shape.kind = geometry.tag() == "cylinder" ? ShapeKind::kCylinder : ShapeKind::kCapsule;
    shape.size = {{geometry.number("radius"), 0.5 * geometry.number("length"), 0}};
  } else {
    return false;
  }
  return true;
}

/// Null for a surface without a volume, such as a sticker: the robot moves without it.
SurfacePointer hull_or_warn(const XmlElement& mesh, const Surface& surface) {
  try {
    return make_hull(surface.vertices(), surface.source());
  } catch (const Error& error) {
    mesh.warn(fmt::format("<mesh> is left out: {}", error.what()));
    return nullptr;
  }
}

/// What the meshes of a link depend on beside themselves.
struct MeshContext {
  bool on_world;
  const std::vector<std::string>& package_paths;
};

/// A mesh whose file is there, as the convex hull of its points; on the world as it is. Files that are missing, or of another
/// kind, are not read, as it is with visuals: robots are often passed on without them.
bool read_mesh(const XmlElement& mesh, const MeshContext& context, ShapeDescription& shape) {
  mesh.ignore_all_but({"filename", "scale"}, {});
  const std::string name(mesh.text("filename"));
  MeshSearch search = find_mesh_file(mesh.file_name(), name, context.package_paths);
  if (!search.found() || !is_surface_file(search.path)) {
    mesh.ignore(search.found() ? " (neither .stl nor .obj)" : " (its file is not there)");
    if (!search.found()) mesh.miss(name, std::move(search.tried));
    return false;
  }
  const SurfacePointer surface = load_surface(search.path, mesh.vector_or<3>("scale", {{1, 1, 1}}));
  shape.kind = context.on_world ? ShapeKind::kMesh : ShapeKind::kHull;
  shape.surface = context.on_world ? surface : hull_or_warn(mesh, *surface);
  return shape.surface != nullptr;
}

bool has_extent(const ShapeDescription& shape) {
  for (int i = 0; i < size_count(shape.kind); ++i) {
    if (!(shape.size[i] > 0)) return false;
  }
  return true;
}

void read_collision(const XmlElement& element, const MeshContext& context, std::vector<ShapeDescription>& shapes) {
  element.ignore_all_but({"name"}, {"origin", "geometry"});
  ShapeDescription shape;
  if (element.has("name")) shape.name = element.text("name");
  shape.placement = read_urdf_origin(element);
  const std::optional<XmlElement> geometry = element.child("geometry");
  if (!geometry) return element.warn("<collision> has no <geometry>; it is left out");
  geometry->ignore_all_but({}, {"sphere", "box", "cylinder", "capsule", "mesh"});
  geometry->each_child([&](const XmlElement& primitive) {
    if (primitive.tag() == "mesh" ? !read_mesh(primitive, context, shape) : !read_primitive(primitive, shape)) return;
    if (has_extent(shape)) {
      shapes.push_back(shape);
    } else {
      primitive.warn(fmt::format("<{}> has a size that is not above zero; it is left out", primitive.tag()));
    }
  });
}

}  // namespace

UrdfLink read_urdf_link(XmlFile& file, pugi::xml_node node, const std::vector<std::string>& package_paths) {
  UrdfLink link;
  link.name = read_urdf_name(file, node);
  link.line = file.line(node);
  const std::string owner = "link " + in_quotes(link.name);
  const XmlElement element(file, node, owner);
  element.ignore_all_but({"name"}, {"inertial", "collision"});
  if (const auto inertial = element.child("inertial")) link.inertial = read_inertial(*inertial);
  const MeshContext context{link.name == kUrdfWorld, package_paths};
  element.each_child("collision",
                     [&](const XmlElement& collision) { read_collision(collision, context, link.shapes); });
  return link;
}

}  // namespace delassus::io
