#include "delassus/model/surface.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

/// Indices are 32 bits; features of contacts have room for as many triangles.
constexpr std::size_t kMostTriangles = std::size_t{1} << 24;

[[noreturn]] void refuse_surface(const std::string& source, const std::string& message) {
  throw Error((source.empty() ? "surface: " : source + ": ") + message);
}

void check_grid(const HeightGrid& grid, const std::string& source) {
  if (grid.rows < 2 || grid.columns < 2)
    refuse_surface(source, "a height field of " + std::to_string(grid.rows) + " rows and " +
                               std::to_string(grid.columns) + " columns; it needs two or more of both");
  const auto points = static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns);
  if (grid.heights.size() != points)
    refuse_surface(source, std::to_string(grid.heights.size()) + " heights for " + std::to_string(grid.rows) +
                               " rows of " + std::to_string(grid.columns) + "; give " + std::to_string(points));
  for (const double half : {grid.half_x, grid.half_y}) {
    if (!(half > 0) || !std::isfinite(half))
      refuse_surface(source, "a half extent of a height field is not positive and finite; give metres");
  }
}

std::vector<Vec3<double>> grid_vertices(const HeightGrid& grid) {
  std::vector<Vec3<double>> out;
  out.reserve(grid.heights.size());
  for (int row = 0; row < grid.rows; ++row) {
    const double y = grid.half_y * (2.0 * row / (grid.rows - 1) - 1);
    for (int column = 0; column < grid.columns; ++column) {
      const double x = grid.half_x * (2.0 * column / (grid.columns - 1) - 1);
      out.push_back({{x, y, grid.heights[out.size()]}});
    }
  }
  return out;
}

std::vector<Triangle> grid_triangles(const HeightGrid& grid) {
  std::vector<Triangle> out;
  for (std::int32_t row = 0; row + 1 < grid.rows; ++row) {
    for (std::int32_t column = 0; column + 1 < grid.columns; ++column) {
      const std::int32_t corner = row * grid.columns + column, above = corner + grid.columns;
      out.push_back({corner, corner + 1, above + 1});
      out.push_back({corner, above + 1, above});
    }
  }
  return out;
}

}  // namespace

Surface::Surface(std::vector<Vec3<double>> vertices, std::vector<Triangle> triangles, std::string source)
    : vertices_(std::move(vertices)), triangles_(std::move(triangles)), source_(std::move(source)) {
  check();
  bound();
}

Surface::Surface(HeightGrid grid, std::string source) : grid_(std::move(grid)), source_(std::move(source)) {
  check_grid(grid_, source_);
  vertices_ = grid_vertices(grid_);
  triangles_ = grid_triangles(grid_);
  check();
  bound();
}

void Surface::check() const {
  if (vertices_.size() < 3 || triangles_.empty())
    refuse_surface(source_, std::to_string(vertices_.size()) + " vertices and " + std::to_string(triangles_.size()) +
                                " triangles; a surface needs at least one triangle");
  if (triangles_.size() > kMostTriangles || vertices_.size() > kMostTriangles)
    refuse_surface(source_,
                   "more than " + std::to_string(kMostTriangles) + " triangles or vertices; simplify the mesh");
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const auto& p = vertices_[i].a;
    if (!std::all_of(std::begin(p), std::end(p), [](double x) { return std::isfinite(x); }))
      refuse_surface(source_, "vertex " + std::to_string(i) + " is not finite");
  }
  const auto count = static_cast<std::int32_t>(vertices_.size());
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    for (const std::int32_t vertex : triangles_[i]) {
      if (vertex < 0 || vertex >= count)
        refuse_surface(source_, "triangle " + std::to_string(i) + " names vertex " + std::to_string(vertex) + " of " +
                                    std::to_string(count) + "; the first is 0");
    }
  }
}

void Surface::bound() {
  low_ = high_ = vertices_.front();
  for (const Vec3<double>& p : vertices_) {
    for (int k = 0; k < 3; ++k) {
      low_[k] = std::min(low_[k], p[k]);
      high_[k] = std::max(high_[k], p[k]);
    }
  }
}

SurfacePointer make_surface(std::vector<Vec3<double>> vertices, std::vector<Triangle> triangles, std::string source) {
  return std::make_shared<const Surface>(std::move(vertices), std::move(triangles), std::move(source));
}

SurfacePointer make_height_field(HeightGrid grid, std::string source) {
  return std::make_shared<const Surface>(std::move(grid), std::move(source));
}

}  // namespace delassus
