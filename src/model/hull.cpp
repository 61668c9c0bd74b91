#include "delassus/model/surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "delassus/math/error.hpp"
#include "delassus/math/rotation.hpp"

namespace delassus {
namespace {

/// Points this near to a face lie in it, as a fraction of the size; and what has no more extent than that is flat. Where points
/// lie about as far from a face as that, rounding can make faces that cross: then the next one is tried.
constexpr double kInFace[] = {1e-10, 1e-9, 1e-8, 1e-7, 1e-6};

[[noreturn]] void refuse_hull(std::span<const Vec3<double>> points, const std::string& source, const char* message) {
  throw Error((source.empty() ? "make_hull: " : source + ": ") + std::to_string(points.size()) + " points " + message);
}

class Quickhull {
 public:
  Quickhull(std::span<const Vec3<double>> points, double in_face, const std::string& source) : points_(points) {
    if (points.size() < 4 || !begin(in_face))
      refuse_hull(points, source,
                  "that lie in one plane have no convex hull with a volume; add points, or make it a mesh");
    // Later faces lie outside earlier ones, so each is looked at once.
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      while (faces_[i].alive && !faces_[i].outside.empty()) raise(static_cast<int>(i));
    }
  }

  /// Whether the faces close to one sphere, and none rises above the next by more than rounding. Then all of it is convex.
  bool is_convex() const {
    std::set<int> corners;
    std::size_t count = 0;
    for (int i = 0; i < static_cast<int>(faces_.size()); ++i) {
      const Face& f = faces_[at(i)];
      if (!f.alive) continue;
      ++count;
      corners.insert(f.corner.begin(), f.corner.end());
      for (int k = 0; k < 3; ++k) {
        const int from = f.corner[at(k)], to = f.corner[at((k + 1) % 3)];
        const Face& next = faces_[at(across_.at({to, from}))];
        if (across_.at({from, to}) != i || !next.alive) return false;
        for (const int corner : next.corner) {
          if (!(height(f, corner) <= 4 * tolerance_)) return false;
        }
      }
    }
    return count + 4 == 2 * corners.size();  // Euler's formula
  }

  SurfacePointer make(std::string source) const {
    std::vector<std::int32_t> place(points_.size(), -1);
    for (const Face& f : faces_) {
      if (!f.alive) continue;
      for (const int v : f.corner) place[at(v)] = 0;
    }
    std::vector<Vec3<double>> vertices;
    for (std::size_t i = 0; i < place.size(); ++i) {
      if (place[i] < 0) continue;
      place[i] = static_cast<std::int32_t>(vertices.size());
      vertices.push_back(points_[i]);
    }
    std::vector<Triangle> triangles;
    for (const Face& f : faces_) {
      if (f.alive) triangles.push_back({place[at(f.corner[0])], place[at(f.corner[1])], place[at(f.corner[2])]});
    }
    return make_surface(std::move(vertices), std::move(triangles), std::move(source));
  }

 private:
  struct Face {
    std::array<int, 3> corner;
    Vec3<double> normal;
    double offset;
    std::vector<int> outside;  // points that see it, and no face before it
    bool alive = true;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Vec3<double>& point(int i) const { return points_[at(i)]; }
  double height(const Face& f, int i) const { return dot(f.normal, point(i)) - f.offset; }

  template <class Measure>
  int furthest(const Measure& measure) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (measure(point(i)) > measure(point(best))) best = i;
    }
    return best;
  }

  /// A tetrahedron that is as large as is simple to find. False if there is none.
  bool begin(double in_face) {
    const int a = furthest([](const auto& x) { return -x[0]; });
    const int b = furthest([&](const auto& x) { return norm(x - point(a)); });
    const Vec3<double> along = point(b) - point(a);
    const double size = norm(along);
    tolerance_ = in_face * size;
    const int c = furthest([&](const auto& x) { return norm(cross(along, x - point(a))); });
    const Vec3<double> across = cross(along, point(c) - point(a));
    if (!(norm(across) > tolerance_ * size)) return false;
    const Vec3<double> normal = (1 / norm(across)) * across;
    const int d = furthest([&](const auto& x) { return std::abs(dot(normal, x - point(a))); });
    const double rise = dot(normal, point(d) - point(a));
    if (!(std::abs(rise) > tolerance_)) return false;
    const int p = rise > 0 ? c : b, q = rise > 0 ? b : c;  // so that d is behind a, p, q
    std::vector<int> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    for (const auto& corner : {std::array{a, p, q}, {a, d, p}, {p, d, q}, {q, d, a}}) add(corner, all);
    return true;
  }

  /// Adds a face, which takes the points it can see out of a list.
  void add(const std::array<int, 3>& corner, std::vector<int>& waiting) {
    const Vec3<double> across = cross(point(corner[1]) - point(corner[0]), point(corner[2]) - point(corner[0]));
    const double area = norm(across);
    Face face{corner, area > 0 ? (1 / area) * across : across, 0, {}};
    face.offset = dot(face.normal, point(corner[0]));
    const auto seen =
        std::stable_partition(waiting.begin(), waiting.end(), [&](int i) { return !(height(face, i) > tolerance_); });
    face.outside.assign(seen, waiting.end());
    waiting.erase(seen, waiting.end());
    for (int k = 0; k < 3; ++k) across_[{corner[at(k)], corner[at((k + 1) % 3)]}] = static_cast<int>(faces_.size());
    faces_.push_back(std::move(face));
  }

  /// The faces that see the point, spread from one of them; what they could see waits for a new face.
  void remove_seen(int face, int apex, std::vector<std::pair<int, int>>& border, std::vector<int>& waiting) {
    faces_[at(face)].alive = false;
    std::vector<int> stack{face}, removed;
    while (!stack.empty()) {
      const int here = stack.back();
      stack.pop_back();
      removed.push_back(here);
      Face& f = faces_[at(here)];
      waiting.insert(waiting.end(), f.outside.begin(), f.outside.end());
      f.outside.clear();
      for (int k = 0; k < 3; ++k) {
        const int next = across_.at({f.corner[at((k + 1) % 3)], f.corner[at(k)]});
        Face& neighbour = faces_[at(next)];
        if (!neighbour.alive || !(height(neighbour, apex) > tolerance_)) continue;
        neighbour.alive = false;
        stack.push_back(next);
      }
    }
    for (const int i : removed) {
      const auto& corner = faces_[at(i)].corner;
      for (int k = 0; k < 3; ++k) {
        const std::pair edge{corner[at(k)], corner[at((k + 1) % 3)]};
        if (faces_[at(across_.at({edge.second, edge.first}))].alive) border.push_back(edge);
      }
    }
  }

  /// Replaces what the furthest point outside a face sees by a cone up to it.
  void raise(int face) {
    const std::vector<int>& outside = faces_[at(face)].outside;
    const int apex = *std::max_element(outside.begin(), outside.end(), [&](int i, int j) {
      return height(faces_[at(face)], i) < height(faces_[at(face)], j);
    });
    std::vector<std::pair<int, int>> border;
    std::vector<int> waiting;
    remove_seen(face, apex, border, waiting);
    std::erase(waiting, apex);
    for (const auto& [from, to] : border) add({from, to, apex}, waiting);
  }

  std::span<const Vec3<double>> points_;
  double tolerance_ = 0;
  std::vector<Face> faces_;
  std::map<std::pair<int, int>, int> across_;  // the face on the left of each edge
};

}  // namespace

SurfacePointer make_hull(std::span<const Vec3<double>> points, std::string source) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double value : points[i].a) {
      if (!std::isfinite(value)) throw Error("make_hull: point " + std::to_string(i) + " is not finite");
    }
  }
  for (const double in_face : kInFace) {
    const Quickhull hull(points, in_face, source);
    if (hull.is_convex()) return hull.make(std::move(source));
  }
  refuse_hull(points, source, "are too close to each other for a convex hull; remove those that nearly coincide");
}

}  // namespace delassus
