// The surface of a hull, a mesh or a height field in a scene.
#include <filesystem>

#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"
#include "io/scene_parts.hpp"

namespace delassus::io {
namespace {

/// As many points as a mesh may have.
constexpr int kMostRows = 1 << 20;

std::vector<Vec3<double>> read_vertices(const JsonCursor& cursor) {
  const std::vector<double> numbers = cursor.numbers();
  if (numbers.size() % 3 != 0)
    cursor.fail("has " + std::to_string(numbers.size()) + " numbers; give three for each vertex");
  std::vector<Vec3<double>> out;
  for (std::size_t i = 0; i < numbers.size(); i += 3) out.push_back({{numbers[i], numbers[i + 1], numbers[i + 2]}});
  return out;
}

std::vector<Triangle> read_triangles(const JsonCursor& cursor, int vertices) {
  const std::vector<double> numbers = cursor.numbers();
  if (numbers.size() % 3 != 0)
    cursor.fail("has " + std::to_string(numbers.size()) + " numbers; give three for each triangle");
  std::vector<Triangle> out(numbers.size() / 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!(numbers[i] >= 0 && numbers[i] < vertices) || numbers[i] != static_cast<double>(static_cast<int>(numbers[i])))
      cursor.fail("triangle " + std::to_string(i / 3) + " names no vertex; give numbers from 0 to " +
                  std::to_string(vertices - 1));
    out[i / 3][i % 3] = static_cast<std::int32_t>(numbers[i]);
  }
  return out;
}

HeightGrid read_grid(const JsonCursor& cursor) {
  HeightGrid grid;
  grid.rows = cursor.at("rows").integer(2, kMostRows);
  grid.columns = cursor.at("columns").integer(2, kMostRows);
  const Vec<double, 2> half = cursor.at("half").matrix<2, 1>();
  grid.half_x = half[0];
  grid.half_y = half[1];
  grid.heights = cursor.at("heights").numbers();
  return grid;
}

SurfacePointer read_file(const JsonCursor& cursor) {
  Vec3<double> scale{{1, 1, 1}};
  if (const auto given = cursor.find("scale")) scale = given->matrix<3, 1>();
  const std::filesystem::path path = cursor.at("file").string();
  return load_surface((std::filesystem::path(cursor.file()).parent_path() / path).string(), scale);
}

}  // namespace

SurfacePointer read_surface(const JsonCursor& cursor) {
  cursor.allow_keys({"vertices", "triangles", "rows", "columns", "half", "heights", "file", "scale"});
  if (cursor.has("file")) return read_file(cursor);
  try {
    if (cursor.has("heights")) return make_height_field(read_grid(cursor));
    std::vector<Vec3<double>> vertices = read_vertices(cursor.at("vertices"));
    const int count = static_cast<int>(vertices.size());
    return make_surface(std::move(vertices), read_triangles(cursor.at("triangles"), count));
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (message.starts_with("surface: ")) cursor.fail(message.substr(9));
    throw;
  }
}

}  // namespace delassus::io
