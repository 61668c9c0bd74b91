#include "collision/collision_surface.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

/// The sine of a rise that rounding may give.
constexpr double kLevel = 5e-5;

bool rises(const Vec3<double>& from, const Vec3<double>& to, const Vec3<double>& n) {
  const Vec3<double> along = to - from;
  return dot(n, along) > kLevel * norm(along);
}

/// The cells of a grid that an interval overlaps, from the first to before the last.
std::pair<int, int> cells_between(double low, double high, double half, int points) {
  const double cell = 2 * half / (points - 1);
  const auto index = [&](double x) { return std::clamp(std::floor((x + half) / cell), -1.0, double(points)); };
  return {std::max(0, static_cast<int>(index(low))), std::min(points - 1, static_cast<int>(index(high)) + 1)};
}

}  // namespace

CollisionSurface::CollisionSurface(ShapeKind kind, std::shared_ptr<const Surface> surface)
    : surface_(std::move(surface)) {
  if (kind != ShapeKind::kHeightField) {
    try {
      hull_.emplace(*surface_);
    } catch (const Error&) {
      if (kind == ShapeKind::kHull) throw;  // a mesh may be flat
    }
  }
  if (kind == ShapeKind::kHull) return;
  find_neighbours();
  if (kind == ShapeKind::kMesh) tree_ = collision::make_triangle_tree(*surface_);
}

collision::Convex CollisionSurface::hull() const {
  return {ShapeKind::kHull, 0.5 * (surface_->high() - surface_->low()), 0, &hull_->hull()};
}

void CollisionSurface::find_neighbours() {
  const auto triangles = surface_->triangles();
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> beyond;  // of each edge, the third corner
  std::vector<std::pair<std::int32_t, std::int32_t>> around;
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      beyond[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
      around.emplace_back(t[k], t[(k + 1) % 3]);
      around.emplace_back(t[(k + 1) % 3], t[k]);
    }
  }
  for (const Triangle& t : triangles) {
    auto& opposite = opposite_.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto found = beyond.find({t[(k + 1) % 3], t[k]});
      opposite[k] = found == beyond.end() ? -1 : found->second;
      if (found == beyond.end() && !is_height_field()) has_inside_ = false;
    }
  }
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  ring_begin_.assign(surface_->vertices().size() + 1, 0);
  for (const auto& [from, to] : around) {
    ++ring_begin_[static_cast<std::size_t>(from) + 1];
    ring_.push_back(to);
  }
  for (std::size_t i = 1; i < ring_begin_.size(); ++i) ring_begin_[i] += ring_begin_[i - 1];
}

bool CollisionSurface::is_ridge(int triangle, int edge, const Vec3<double>& n) const {
  const auto k = static_cast<std::size_t>(edge);
  const Triangle& t = surface_->triangles()[static_cast<std::size_t>(triangle)];
  const auto vertices = surface_->vertices();
  const Vec3<double>& from = vertices[static_cast<std::size_t>(t[k])];
  const std::int32_t other = opposite_[static_cast<std::size_t>(triangle)][k];
  if (rises(from, vertices[static_cast<std::size_t>(t[(k + 2) % 3])], n)) return false;
  return other < 0 || !rises(from, vertices[static_cast<std::size_t>(other)], n);
}

bool CollisionSurface::is_peak(std::int32_t vertex, const Vec3<double>& n) const {
  const auto v = static_cast<std::size_t>(vertex);
  const auto vertices = surface_->vertices();
  return std::none_of(ring_.begin() + ring_begin_[v], ring_.begin() + ring_begin_[v + 1], [&](std::int32_t other) {
    return rises(vertices[v], vertices[static_cast<std::size_t>(other)], n);
  });
}

void CollisionSurface::visit_near(const Bounds& box, collision::TriangleVisitor& visitor) const {
  if (tree_) {
    tree_->visit_near(box, visitor);
  } else {
    visit_cells(box, visitor);
  }
}

void CollisionSurface::visit_cells(const Bounds& box, collision::TriangleVisitor& visitor) const {
  const HeightGrid& grid = *surface_->grid();
  const auto [left, right] = cells_between(box.low[0], box.high[0], grid.half_x, grid.columns);
  const auto [front, back] = cells_between(box.low[1], box.high[1], grid.half_y, grid.rows);
  const auto height = [&](int row, int column) {
    return grid.heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.columns) +
                        static_cast<std::size_t>(column)];
  };
  for (int row = front; row < back; ++row) {
    for (int column = left; column < right; ++column) {
      const double top = std::max(
          {height(row, column), height(row, column + 1), height(row + 1, column), height(row + 1, column + 1)});
      if (top < box.low[2]) continue;
      const int first = 2 * (row * (grid.columns - 1) + column);
      visitor.visit(first);
      visitor.visit(first + 1);
    }
  }
}

std::shared_ptr<const CollisionSurface> make_collision_surface(const ShapeDescription& shape) {
  if (!has_surface(shape.kind)) return nullptr;
  collision::require_bullet(std::string(name_of(shape.kind)) + " '" + shape.name + "'");
  return std::make_shared<const CollisionSurface>(shape.kind, shape.surface);
}

}  // namespace delassus
