#include "collision/epa.hpp"

namespace delassus::collision {
namespace {

constexpr int kMostVertices = 120, kMostFaces = 2 * kMostVertices;
constexpr int kMostEdges = 3 * 64;
/// Depths are accurate to this fraction of the size of the smaller shape, unless the vertices run out.
constexpr double kAccuracy = 1e-7;

class Polytope {
 public:
  explicit Polytope(const ConvexPair& pair) : pair_(pair), tolerance_(kAccuracy * pair.scale) { begin(); }

  Vec3<double> least_deep() {
    while (num_vertices_ < kMostVertices && num_faces_ > 0) {
      const int face = nearest_face();
      const double offset = faces_[face].offset;
      if (!(offset < HUGE_VAL)) break;
      const Vec3<double> n = faces_[face].normal;
      const Vec3<double> w = look(n);
      if (depth_ - offset <= tolerance_ || dot(n, w) - offset <= tolerance_ || !add(w)) break;
    }
    return best_;
  }

 private:
  struct Face {
    Vec3<double> normal;
    double offset;
    int corner[3];
  };
  struct Edge {
    int from, to;
  };

  /// The vertex along n; n is remembered where no direction was less deep.
  Vec3<double> look(const Vec3<double>& n) {
    const Vec3<double> w = support(pair_, n);
    const double depth = dot(n, w);
    if (depth < depth_) {
      depth_ = depth;
      best_ = n;
    }
    return w;
  }

  void begin() {
    const Vec3<double> first = direction_of(pair_.D, {{0, 0, 1}});
    const Vec3<double> w1 = centred(first);
    const Vec3<double> along = direction_of(w1, first), second = perpendicular_to(along);
    const Vec3<double> w2 = centred(second);
    const Vec3<double> third = direction_of(cross(w1, w2), cross(along, second));
    const Vec3<double> w3 = centred(third);
    // A flat difference has no inside: no direction is less deep than the one across it, which has been looked at.
    if (!(std::abs(dot(w3, third)) > 0)) return;
    const Vec3<double> around[3] = {w1, w2, dot(cross(w1, w2), w3) < 0 ? -w3 : w3};
    for (const Vec3<double>& w : around) {
      vertices_[num_vertices_++] = w - pair_.D;
      vertices_[num_vertices_++] = -w - pair_.D;
    }
    for (int octant = 0; octant < 8; ++octant) {
      const int x = octant & 1, y = 2 + (octant >> 1 & 1), z = 4 + (octant >> 2);
      const bool mirrored = ((octant ^ octant >> 1 ^ octant >> 2) & 1) != 0;
      add_face(x, mirrored ? z : y, mirrored ? y : z);
    }
  }

  /// A vertex of the difference as it is about its own centre; both directions are looked at.
  Vec3<double> centred(const Vec3<double>& n) {
    look(-n);
    return look(n) + pair_.D;
  }

  int nearest_face() const {
    int nearest = 0;
    for (int i = 1; i < num_faces_; ++i) {
      if (faces_[i].offset < faces_[nearest].offset) nearest = i;
    }
    return nearest;
  }

  void add_face(int a, int b, int c) {
    const Vec3<double>& origin = vertices_[a];
    const Vec3<double> normal = direction_of(cross(vertices_[b] - origin, vertices_[c] - origin), Vec3<double>::zero());
    // A face without area is in nobody's way, and is never the nearest.
    const bool flat = !(dot(normal, normal) > 0);
    faces_[num_faces_++] = {normal, flat ? HUGE_VAL : dot(normal, origin), {a, b, c}};
  }

  /// Replaces the faces that see w by a cone from their border to w. False where rounding leaves no such border.
  bool add(const Vec3<double>& w) {
    Edge border[kMostEdges];
    int edges = 0, kept = 0;
    for (int i = 0; i < num_faces_; ++i) {
      const Face& f = faces_[i];
      if (!(dot(f.normal, w) - f.offset > 0.01 * tolerance_)) {
        faces_[kept++] = f;
        continue;
      }
      if (edges + 3 > kMostEdges) return false;
      for (int k = 0; k < 3; ++k) edges = toggle(border, edges, {f.corner[k], f.corner[(k + 1) % 3]});
    }
    if (edges < 3 || kept + edges > kMostFaces) return false;
    num_faces_ = kept;
    vertices_[num_vertices_] = w;
    for (int k = 0; k < edges; ++k) add_face(border[k].from, border[k].to, num_vertices_);
    ++num_vertices_;
    return true;
  }

  /// An edge between two faces that go stands in both, in opposite directions, and is no border.
  static int toggle(Edge* border, int edges, Edge e) {
    for (int k = 0; k < edges; ++k) {
      if (border[k].from == e.to && border[k].to == e.from) {
        border[k] = border[edges - 1];
        return edges - 1;
      }
    }
    border[edges] = e;
    return edges + 1;
  }

  const ConvexPair& pair_;
  double tolerance_;
  double depth_ = HUGE_VAL;
  Vec3<double> best_{{0, 0, 1}};
  Vec3<double> vertices_[kMostVertices];
  Face faces_[kMostFaces];
  int num_vertices_ = 0, num_faces_ = 0;
};

}  // namespace

Vec3<double> find_depth(const ConvexPair& pair) { return Polytope(pair).least_deep(); }

}  // namespace delassus::collision
