// Surfaces of shapes that three numbers do not describe: triangles, and heights over a grid.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "delassus/math/mat.hpp"

namespace delassus {

/// Indices of three vertices. Seen from outside they run anticlockwise.
using Triangle = std::array<std::int32_t, 3>;

/// Heights over a rectangle about the origin, with sides along x and y. Each cell is cut into two triangles along the
/// diagonal from its corner at low x and y.
struct HeightGrid {
  int rows = 0, columns = 0;      // points along y and along x, at least two of each
  double half_x = 0, half_y = 0;  // half extents
  std::vector<double> heights;    // rows * columns of them; at low x and y first, then along x
  bool operator==(const HeightGrid&) const = default;
};

/// Made once, never changed, and shared by the shapes that have it.
class Surface {
 public:
  /// Throws an Error that says which number is at fault: one that is not finite, an index of no vertex, too few of them.
  Surface(std::vector<Vec3<double>> vertices, std::vector<Triangle> triangles, std::string source = {});
  explicit Surface(HeightGrid grid, std::string source = {});

  /// Of a height field too: its points in the order of the heights, and two triangles for each cell.
  std::span<const Vec3<double>> vertices() const { return vertices_; }
  std::span<const Triangle> triangles() const { return triangles_; }
  /// Null if it is not a height field.
  const HeightGrid* grid() const { return grid_.rows > 0 ? &grid_ : nullptr; }

  /// The smallest box along the axes that has all vertices.
  const Vec3<double>& low() const { return low_; }
  const Vec3<double>& high() const { return high_; }

  /// Where it came from, for messages: a file, or empty. Surfaces are equal without it.
  const std::string& source() const { return source_; }

  bool operator==(const Surface& other) const {
    return grid_ == other.grid_ && vertices_ == other.vertices_ && triangles_ == other.triangles_;
  }

 private:
  void check() const;
  void bound();

  std::vector<Vec3<double>> vertices_;
  std::vector<Triangle> triangles_;
  HeightGrid grid_;
  Vec3<double> low_{{0, 0, 0}}, high_{{0, 0, 0}};
  std::string source_;
};

using SurfacePointer = std::shared_ptr<const Surface>;

SurfacePointer make_surface(std::vector<Vec3<double>> vertices, std::vector<Triangle> triangles,
                            std::string source = {});
SurfacePointer make_height_field(HeightGrid grid, std::string source = {});

// The convex hull of points.

/// Corners of the hull, in the order of the points, and triangles around it. Points that are within 1e-10 of the size of a
/// face (1e-6 at most, where rounding asks for more) lie in it, and are no corners. Throws an Error if all points lie in one
/// plane. (Barber, Dobkin and Huhdanpaa, The quickhull algorithm for convex hulls, ACM Transactions on Mathematical Software
/// 22, 1996.)
SurfacePointer make_hull(std::span<const Vec3<double>> points, std::string source = {});

}  // namespace delassus
