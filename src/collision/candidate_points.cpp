#include "collision/candidate_points.hpp"

#include <algorithm>
#include <cmath>

#include "collision/collision_surface.hpp"
#include "delassus/model/surface.hpp"

namespace delassus {
namespace {

using Shape = CollisionWorld::Shape;

/// The point of the shape's own axes in those of its link.
Vec3<double> on_link(const Shape& s, double x, double y, double z) { return s.placement * Vec3<double>{{x, y, z}}; }

void add_corners(const Shape& s, CandidateShape& out) {
  for (int k = 0; k < 8; ++k) {
    const auto sign = [k](int bit) { return (k >> bit & 1) != 0 ? 1.0 : -1.0; };
    out.points.push_back(on_link(s, sign(0) * s.size[0], sign(1) * s.size[1], sign(2) * s.size[2]));
  }
  out.bound = norm(s.size);
}

void add_ends(const Shape& s, CandidateShape& out) {
  for (const double z : {-s.size[1], s.size[1]}) out.points.push_back(on_link(s, 0, 0, z));
  out.radius = s.size[0];
}

/// Corners of the hull; what is inside of it is no corner, but does no harm.
bool add_hull(const Shape& s, CandidateShape& out) {
  const Surface& surface = s.surface->surface();
  if (surface.vertices().size() > CandidateShape::kMostCorners) return false;
  out.centre = s.placement * (0.5 * (surface.low() + surface.high()));
  for (const Vec3<double>& x : surface.vertices()) {
    out.points.push_back(s.placement * x);
    out.bound = std::max(out.bound, norm(out.points.back() - out.centre));
  }
  out.spread = out.points.size() > CandidateShape::kMostActive;
  return true;
}

/// Whether there are slots for it.
bool fill(const Shape& s, CandidateShape& out) {
  out.link = s.link;
  out.body = s.body;
  out.centre = s.placement.p;
  out.axes = s.placement.R;
  switch (s.kind) {
    case ShapeKind::kSphere:
      out.points = {s.placement.p};
      out.radius = out.bound = s.size[0];
      break;
    case ShapeKind::kCapsule:
      add_ends(s, out);
      out.bound = s.size[0] + s.size[1];
      break;
    case ShapeKind::kBox:
      add_corners(s, out);
      break;
    case ShapeKind::kCylinder:
      out.kind = CandidateShape::Kind::kRims;
      add_ends(s, out);
      out.bound = std::hypot(s.size[0], s.size[1]);
      break;
    case ShapeKind::kEllipsoid:
      out.kind = CandidateShape::Kind::kEllipsoid;
      out.half_axes = s.size;
      out.bound = *std::ranges::max_element(s.size.a);
      break;
    case ShapeKind::kHull:
      if (!add_hull(s, out)) return false;
      break;
    default:
      return false;
  }
  out.slots = out.kind == CandidateShape::Kind::kRims        ? 8
              : out.kind == CandidateShape::Kind::kEllipsoid ? 1
                                                             : static_cast<int>(out.points.size());
  return true;
}

CandidatePlane make_plane(const Shape& s, int index) {
  const Vec3<double> normal{{s.placement.R(0, 2), s.placement.R(1, 2), s.placement.R(2, 2)}};
  return {index, normal, dot(normal, s.placement.p)};
}

}  // namespace

CandidatePoints make_candidate_points(const CollisionWorld& world) {
  CandidatePoints out;
  const std::span<const Shape> shapes = world.shapes();
  for (int k = 0; k < static_cast<int>(shapes.size()); ++k) {
    const Shape& s = shapes[static_cast<std::size_t>(k)];
    const auto refuse = [&](const std::string& why) {
      if (out.reason.empty()) out.reason = "shape '" + s.name + "' " + why;
    };
    if (s.link == kWorld) {
      if (s.kind == ShapeKind::kPlane) {
        out.planes.push_back(make_plane(s, k));
      } else {
        refuse("does not move and is no plane");
      }
      continue;
    }
    CandidateShape shape;
    shape.shape = k;
    if (!fill(s, shape)) {
      refuse("is a " + std::string(name_of(s.kind)) +
             (s.kind == ShapeKind::kHull ? " of more than " + std::to_string(CandidateShape::kMostCorners) + " corners"
                                         : " that moves"));
      continue;
    }
    shape.first_slot = out.num_slots;
    out.num_slots += shape.slots;
    out.shapes.push_back(std::move(shape));
  }
  for (const CandidateShape& shape : out.shapes) {
    for (const CandidatePlane& plane : out.planes)
      out.touchable.push_back(static_cast<char>(world.can_touch(shape.shape, plane.shape)));
  }
  return out;
}

}  // namespace delassus
