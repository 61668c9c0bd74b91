#include "delassus/collision/collision_world.hpp"

#include <algorithm>
#include <cmath>

#include "collision/broad_phase.hpp"
#include "collision/collision_surface.hpp"
#include "collision/pair_filter.hpp"
#include "delassus/math/error.hpp"

namespace delassus {
namespace {

using Shape = CollisionWorld::Shape;

/// A table of all pairs has a byte for each, and a contact's key 32 bits for its pair.
constexpr std::size_t kMostShapes = 32768;
/// How far the ground below a height field reaches, in metres, for what is looked for near it.
constexpr double kGroundDepth = 100;
/// Shapes of one tree that overlap by more in the neutral configuration are not meant to touch there.
constexpr double kCoarse = 1e-4;

void check(const CollisionOptions& o) {
  if (!(o.margin >= 0) || !std::isfinite(o.margin))
    throw Error("CollisionOptions: margin is " + std::to_string(o.margin) + "; give a length of zero or more");
  if (o.capacity < 0)
    throw Error("CollisionOptions: capacity is " + std::to_string(o.capacity) + "; give the most contact points");
  for (const double mu : o.ground_friction.a) {
    if (!(mu >= 0) || !std::isfinite(mu))
      throw Error("CollisionOptions: ground_friction has a coefficient that is negative or not finite");
  }
}

Shape make_shape(const Model& model, const ShapeDescription& d, int index) {
  const Frame& frame = model.frame(d.body == kWorld ? 0 : model.body_frame(d.body));
  const std::string name = d.name.empty() ? frame.name + "/" + std::to_string(index) : d.name;
  Shape out{d.kind,   d.size, frame.placement * d.placement, frame.link, d.body, d.friction,
            d.condim, name,   make_collision_surface(d)};
  const bool moves = frame.link != kWorld;
  if (moves && d.kind == ShapeKind::kHeightField)
    throw Error("heightfield '" + name + "' is on a body that moves; put it on the world, or make it a mesh");
  if (moves && d.kind == ShapeKind::kMesh && out.surface->is_flat())
    throw Error("mesh '" + name + "' moves and is flat; give it some thickness, or make it a box");
  return out;
}

Bounds bounds_of_surface(const PlacedShape& s, double margin) {
  const Surface& surface = s.surface->surface();
  Vec3<double> low = surface.low();
  if (s.kind == ShapeKind::kHeightField) low[2] -= kGroundDepth;
  const Vec3<double> centre = s.pose * (0.5 * (low + surface.high())), half = 0.5 * (surface.high() - low);
  Vec3<double> reach;
  for (int k = 0; k < 3; ++k) {
    reach[k] = 0.5 * margin;
    for (int i = 0; i < 3; ++i) reach[k] += std::abs(s.pose.R(k, i)) * half[i];
  }
  return {centre - reach, centre + reach};
}

/// All of space; of a plane across an axis of the world, such as a floor, the half behind it. The rounding of gaps decides nothing here.
Bounds bounds_of_plane(const PlacedShape& s, double margin) {
  constexpr double kRounding = 1e-9;  // metres, of what is within thousands of kilometres
  Bounds out{Vec3<double>::filled(-HUGE_VAL), Vec3<double>::filled(HUGE_VAL)};
  for (int k = 0; k < 3; ++k) {
    if (s.pose.R(k, 2) == 1) out.high[k] = s.pose.p[k] + 0.5 * margin + kRounding;
    if (s.pose.R(k, 2) == -1) out.low[k] = s.pose.p[k] - 0.5 * margin - kRounding;
  }
  return out;
}

Bounds bounds_of(const PlacedShape& s, double margin) {
  if (s.kind == ShapeKind::kPlane) return bounds_of_plane(s, margin);
  if (s.surface) return bounds_of_surface(s, margin);
  const collision::Convex convex = collision::convex_of(s);
  Vec3<double> reach;
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> axis{{s.pose.R(k, 0), s.pose.R(k, 1), s.pose.R(k, 2)}};
    reach[k] = extent(convex, axis) + convex.radius + 0.5 * margin;
  }
  return {s.pose.p - reach, s.pose.p + reach};
}

/// Whether a link hangs on the world by joints that do not let it go.
bool is_bolted(const Model& model, int link) {
  while (link != kWorld && model.link(link).parent != kWorld) link = model.link(link).parent;
  return link != kWorld && model.link(link).kind != JointKind::kFree;
}

}  // namespace

struct CollisionWorld::Work {
  PairTable touchable;
  BroadPhase broad_phase;
  std::vector<Bounds> bounds;
};

CollisionWorld::CollisionWorld(const Model& model, const CollisionOptions& options)
    : options_(options), work_(std::in_place) {
  check(options);
  add_shapes(model);
  if (shapes_.size() > kMostShapes)
    throw Error("model '" + model.name() + "' has " + std::to_string(shapes_.size()) + " shapes, and " +
                std::to_string(kMostShapes) +
                " are the most that can collide; leave some out, or simulate parts of it");
  const int count = static_cast<int>(shapes_.size());
  work_->touchable = collision::make_touchable(model, shapes_, options.self);
  for (const Shape& s : shapes_) {
    placed_.push_back({s.kind, s.size, s.placement, s.surface.get()});
    work_->bounds.push_back(bounds_of(placed_.back(), options.margin));
  }
  contacts_.resize(static_cast<std::size_t>(options.capacity));
  leave_out_overlapping(model);
  work_->broad_phase = BroadPhase(work_->touchable);
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) num_pairs_ += work_->touchable.get(i, j);
  }
}

void CollisionWorld::add_shapes(const Model& model) {
  bool has_ground = false;
  for (const ShapeDescription& d : model.description().shapes) {
    shapes_.push_back(make_shape(model, d, static_cast<int>(shapes_.size())));
    const bool is_ground = d.kind == ShapeKind::kPlane || d.kind == ShapeKind::kHeightField;
    has_ground |= is_ground && shapes_.back().link == kWorld;
  }
  if (!options_.ground || has_ground) return;
  ShapeDescription ground;
  ground.name = "ground";
  ground.kind = ShapeKind::kPlane;
  ground.body = kWorld;
  ground.friction = options_.ground_friction;
  added_ground_ = static_cast<int>(shapes_.size());
  shapes_.push_back(make_shape(model, ground, added_ground_));
}

/// Of one tree, or of a mechanism bolted to the world and the floor that is put under it: where z = 0 is its own mounting, that is no contact.
void CollisionWorld::leave_out_overlapping(const Model& model) {
  const std::vector<int> trees = collision::trees_of(model, shapes_);
  const auto may_be_coarse = [&](int i, int j) {
    if (j == added_ground_) return is_bolted(model, shapes_[static_cast<std::size_t>(i)].link);
    const int tree = trees[static_cast<std::size_t>(i)];
    return tree != kWorld && tree == trees[static_cast<std::size_t>(j)];
  };
  Kinematics<double> kin(model);
  const std::vector<double> q = model.neutral();
  update_kinematics<double>(model, q, kin);
  place(kin);
  PairTable& touchable = work_->touchable;
  ContactPatch found;
  for (int i = 0; i < touchable.count(); ++i) {
    for (int j = i + 1; j < touchable.count(); ++j) {
      if (!touchable.get(i, j) || !may_be_coarse(i, j)) continue;
      collide(placed_[static_cast<std::size_t>(i)], placed_[static_cast<std::size_t>(j)], 0, found);
      const bool deep = std::any_of(found.points.begin(), found.points.begin() + found.count,
                                    [](const auto& c) { return c.gap < -kCoarse; });
      if (!deep) continue;
      touchable.set(i, j, false);
      overlapping_.emplace_back(i, j);
    }
  }
}

/// What moves; the rest has its place since the start.
void CollisionWorld::place(const Kinematics<double>& kin) {
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const Shape& s = shapes_[i];
    if (s.link == kWorld) continue;
    placed_[i].pose = kin.pose[s.link] * s.placement;
    work_->bounds[i] = bounds_of(placed_[i], options_.margin);
  }
}

template <class PointAt>
bool CollisionWorld::add(int i, int j, int a, int b, int count, const PointAt& point_at) {
  const std::uint64_t pair = static_cast<std::uint64_t>(i) * shapes_.size() + static_cast<std::uint64_t>(j);
  for (int k = 0; k < count; ++k) {
    if (num_contacts_ == options_.capacity) {
      crowded_ = {a, b};
      return false;
    }
    const ContactPatch::Point c = point_at(k);
    contacts_[static_cast<std::size_t>(num_contacts_++)] = {a, b, c.position, c.normal, c.gap, pair << 32 | c.feature};
  }
  return true;
}

bool CollisionWorld::test(int i, int j) {
  const bool swap = shapes_[static_cast<std::size_t>(i)].link == kWorld;
  const int a = swap ? j : i, b = swap ? i : j;
  const PlacedShape &first = placed_[static_cast<std::size_t>(a)], &second = placed_[static_cast<std::size_t>(b)];
  if (first.surface || second.surface) {
    ContactPatch found;
    collide(first, second, options_.margin, found);
    return add(i, j, a, b, found.count, [&](int k) { return found.points[static_cast<std::size_t>(k)]; });
  }
  Manifold found;
  collide(first, second, options_.margin, found);
  return add(i, j, a, b, found.count, [&](int k) {
    const ContactPoint& c = found.points[static_cast<std::size_t>(k)];
    return ContactPatch::Point{c.position, found.normal, c.gap, c.feature};
  });
}

bool CollisionWorld::test_all() {
  const PairTable& touchable = work_->touchable;
  for (int i = 0; i < touchable.count(); ++i) {
    for (int j = i + 1; j < touchable.count(); ++j) {
      if (touchable.get(i, j) && !test(i, j)) return false;
    }
  }
  return true;
}

bool CollisionWorld::update(const Kinematics<double>& kin) {
  num_contacts_ = 0;
  crowded_ = {-1, -1};
  place(kin);
  if (!work_->broad_phase.find(work_->bounds, work_->touchable)) return test_all();
  for (const BroadPhase::Pair& pair : work_->broad_phase.pairs()) {
    if (!test(pair.i, pair.j)) return false;
  }
  return true;
}

bool CollisionWorld::can_touch(int shape_a, int shape_b) const { return work_->touchable.get(shape_a, shape_b); }

ContactMaterial CollisionWorld::material(int shape_a, int shape_b) const {
  const Shape &a = shapes_[static_cast<std::size_t>(shape_a)], &b = shapes_[static_cast<std::size_t>(shape_b)];
  ContactMaterial out{a.friction, std::max(a.condim, b.condim)};
  for (int k = 0; k < 3; ++k) out.friction[k] = std::fmax(out.friction[k], b.friction[k]);
  if (sliding_friction_ >= 0 && out.friction[0] > 0) out.friction[0] = sliding_friction_;
  return out;
}

}  // namespace delassus
