#include "delassus/io/load.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "io/files_beside.hpp"
#include "io/little_endian.hpp"
#include "io/mesh_path.hpp"
#include "io/number.hpp"
#include "io/surface_collector.hpp"
#include "io/text_file.hpp"

namespace delassus {
namespace io {
namespace {

void check_scale(const Vec3<double>& scale, const std::string& file_name) {
  for (const double s : scale.a) {
    if (!std::isfinite(s) || s == 0)
      throw Error(file_name + ": its scale has a zero or is not finite; give factors such as 0.001 0.001 0.001");
  }
}

/// Calls visit(line number from 1, words) for each line that is not empty.
template <class Visit>
void visit_lines(std::string_view text, const Visit& visit) {
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++number;
    const auto words = split_words(text.substr(0, end), std::size_t{1} << 16U);
    if (!words.empty()) visit(number, words);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

[[noreturn]] void fail_at(const std::string& file, int line, const std::string& message) {
  throw Error(fmt::format("{}:{}: {}", file, line, message));
}

Vec3<double> read_point(const std::string& file, int line, const std::vector<std::string_view>& words) {
  Vec3<double> out;
  for (int k = 0; k < 3; ++k) {
    const auto word = static_cast<std::size_t>(k) + 1;
    const auto value = word < words.size() ? parse_number(words[word]) : std::nullopt;
    if (!value) fail_at(file, line, fmt::format("'{}' needs three numbers", words[0]));
    out[k] = *value;
  }
  return out;
}

// --------------------------------------------------------------------------------------------- STL

constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;  // bytes

SurfacePointer parse_binary_stl(std::string_view data, const std::string& file, const Vec3<double>& scale) {
  const std::size_t count = little_endian(data, kStlHeader - 4);
  const std::size_t held = (data.size() - kStlHeader) / kStlTriangle;
  if (count > held)
    throw Error(
        fmt::format("{}: byte {}: says that {} triangles follow, but there are {}; the file is cut short, or no STL",
                    file, kStlHeader - 4, count, held));
  SurfaceCollector out(scale);
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t corner[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = kStlHeader + i * kStlTriangle + 12 * (k + 1);  // after the normal
      Vec3<double> x;
      for (int c = 0; c < 3; ++c)
        x[c] = std::bit_cast<float>(little_endian(data, at + 4 * static_cast<std::size_t>(c)));
      if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
        throw Error(
            fmt::format("{}: byte {}: triangle {} has a corner that is not finite; export it again", file, at, i));
      corner[k] = out.weld_vertex(x);
    }
    out.add_triangle(corner[0], corner[1], corner[2]);
  }
  return out.make(file);
}

SurfacePointer parse_text_stl(std::string_view text, const std::string& file, const Vec3<double>& scale) {
  SurfaceCollector out(scale);
  std::vector<std::int32_t> loop;
  visit_lines(text, [&](int line, const std::vector<std::string_view>& words) {
    if (words[0] == "vertex") {
      loop.push_back(out.weld_vertex(read_point(file, line, words)));
    } else if (words[0] == "endloop") {
      if (loop.size() != 3) fail_at(file, line, fmt::format("a loop of {} vertices; STL has triangles", loop.size()));
      out.add_triangle(loop[0], loop[1], loop[2]);
      loop.clear();
    } else if (words[0] != "solid" && words[0] != "facet" && words[0] != "outer" && words[0] != "endfacet" &&
               words[0] != "endsolid") {
      fail_at(file, line, "is no line of an STL file in text; is the file cut short, or of another kind?");
    }
  });
  if (!loop.empty()) throw Error(file + ": ends inside a triangle; the file is cut short");
  return out.make(file);
}

/// Files in binary may begin with "solid" too; but then their length is what their number of triangles asks for.
bool is_text_stl(std::string_view data) {
  if (!data.starts_with("solid")) return false;
  if (data.size() < kStlHeader) return true;
  return data.size() != kStlHeader + kStlTriangle * std::size_t{little_endian(data, kStlHeader - 4)};
}

// --------------------------------------------------------------------------------------------- OBJ

/// "7", "7/1", "7//3" or "-1/..": the position alone counts.
std::int32_t read_corner(std::string_view word, const std::string& file, int line, std::int32_t vertices) {
  const auto value = parse_number(word.substr(0, word.find('/')));
  if (!value || *value != std::floor(*value) || *value == 0)
    fail_at(file, line, fmt::format("'{}' is no corner of a face; give the number of a vertex, from 1", word));
  const double index = *value > 0 ? *value - 1 : vertices + *value;
  if (index < 0 || index >= vertices)
    fail_at(file, line, fmt::format("the face names vertex {}, and {} stand before it", *value, vertices));
  return static_cast<std::int32_t>(index);
}

}  // namespace
}  // namespace io

SurfacePointer parse_stl(std::string_view data, const std::string& file_name, const Vec3<double>& scale) {
  io::check_scale(scale, file_name);
  if (io::is_text_stl(data)) return io::parse_text_stl(data, file_name, scale);
  if (data.size() < io::kStlHeader)
    throw Error(fmt::format("{}: has {} bytes, and an STL file has at least {}; it is cut short, or no STL", file_name,
                            data.size(), io::kStlHeader));
  return io::parse_binary_stl(data, file_name, scale);
}

SurfacePointer parse_obj(std::string_view text, const std::string& file_name, const Vec3<double>& scale) {
  io::check_scale(scale, file_name);
  io::SurfaceCollector out(scale);
  io::visit_lines(text, [&](int line, const std::vector<std::string_view>& words) {
    if (words[0] == "v") {
      out.add_vertex(io::read_point(file_name, line, words));
    } else if (words[0] == "f") {
      if (words.size() < 4) io::fail_at(file_name, line, "a face needs three corners or more");
      const auto corner = [&](std::size_t k) { return io::read_corner(words[k], file_name, line, out.num_vertices()); };
      const std::int32_t first = corner(1);
      std::int32_t before = corner(2);
      for (std::size_t k = 3; k < words.size(); ++k) {
        const std::int32_t last = corner(k);
        out.add_triangle(first, before, last);
        before = last;
      }
    }
  });
  return out.make(file_name);
}

SurfacePointer load_surface(const std::string& path, const Vec3<double>& scale) {
  if (!io::is_surface_file(path))
    throw Error(fmt::format("{}: surfaces are read from .stl and .obj files; convert it to one of them", path));
  std::error_code none;  // a name that cannot even be looked at is no file
  if (!std::filesystem::exists(path, none)) throw Error(path + ": there is no such file" + nearest_file_hint(path));
  const std::string data = io::read_text_file(path);
  const bool is_obj = std::tolower(static_cast<unsigned char>(path[path.size() - 3])) == 'o';
  return is_obj ? parse_obj(data, path, scale) : parse_stl(data, path, scale);
}

}  // namespace delassus
