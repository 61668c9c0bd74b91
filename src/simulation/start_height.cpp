// Where a setup stands: what floats is put onto the ground.
#include <algorithm>
#include <numeric>

#include "delassus/constraints/lower.hpp"
#include "delassus/simulation/simulation_setup.hpp"
#include "simulation/step_constraints.hpp"

namespace delassus {
namespace {

/// Trees that move as one when they are lifted: joined by loops. Links by number; the world comes last.
class Floating {
 public:
  Floating(const Model& model, std::span<const Constraint> constraints)
      : joined_(static_cast<std::size_t>(model.num_links()) + 1) {
    std::iota(joined_.begin(), joined_.end(), 0);
    for (int i = 0; i < model.num_links(); ++i) {
      const Link& link = model.link(i);
      const bool free_root = link.parent == kWorld && link.kind == JointKind::kFree;
      if (!free_root) join(i, link.parent == kWorld ? world() : link.parent);
    }
    std::vector<Constraint> loops;
    std::ranges::copy_if(constraints, std::back_inserter(loops), holds_position);
    ConstraintRows<double> rows;
    lower_structure<double>(model, loops, rows);
    for (std::size_t c = 0; c < loops.size(); ++c) tie(model, loops[c], rows, rows.spans[c]);
  }

  bool contains(int link) const { return link != kWorld && root(link) != root(world()); }

 private:
  int world() const { return static_cast<int>(joined_.size()) - 1; }
  int root(int i) const {
    while (joined_[static_cast<std::size_t>(i)] != i) i = joined_[static_cast<std::size_t>(i)];
    return i;
  }
  void join(int i, int j) { joined_[static_cast<std::size_t>(root(i))] = root(j); }

  /// Rows on joints alone are the same at any height. Of those on bodies, these two kinds are as well, unless one of the bodies is the world.
  void tie(const Model& model, const Constraint& c, const ConstraintRows<double>& rows, const RowSpan& span) {
    bool tied = span.blocks > 0;
    const auto relative = [&](const auto& pair) {
      return model.frame(pair.first.frame).link != kWorld && model.frame(pair.second.frame).link != kWorld;
    };
    if (const auto* loop = std::get_if<LoopClosure>(&c)) tied = !relative(*loop);
    if (const auto* rod = std::get_if<Distance>(&c)) tied = !relative(*rod);
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      const int link = rows.blocks[static_cast<std::size_t>(b)].link;
      join(link, tied ? world() : rows.blocks[static_cast<std::size_t>(span.first_block)].link);
    }
  }

  std::vector<int> joined_;
};

/// How far a contact reaches below a plane of the world; negative or zero: not.
double depth_below_plane(const CollisionWorld& world, const WorldContact& c) {
  const CollisionWorld::Shape& below = world.shapes()[static_cast<std::size_t>(c.shape_b)];
  const bool floor = below.kind == ShapeKind::kPlane && below.link == kWorld && c.normal[2] > 0;
  return floor ? -c.gap / c.normal[2] : 0;
}

/// Contacts of the setup as it stands.
CollisionWorld world_of(const SimulationSetup& setup) {
  CollisionWorld world(setup.model, setup.options.collision);
  Kinematics<double> kin(setup.model);
  update_kinematics<double>(setup.model, setup.q, kin);
  world.update(kin);
  return world;
}

}  // namespace

double lift_onto_ground(SimulationSetup& setup) {
  const Floating floating(setup.model, setup.constraints);
  const CollisionWorld world = world_of(setup);
  double height = 0;
  for (const WorldContact& c : world.contacts()) {
    const int link = world.shapes()[static_cast<std::size_t>(c.shape_a)].link;
    if (floating.contains(link)) height = std::max(height, depth_below_plane(world, c));
  }
  for (int i = 0; i < setup.model.num_links(); ++i) {
    const Link& link = setup.model.link(i);
    if (link.parent != kWorld || !floating.contains(i)) continue;
    const Vec3<double> up = transposed_times(link.placement.R, Vec3<double>{{0, 0, height}});
    for (int k = 0; k < 3; ++k) setup.q[static_cast<std::size_t>(link.q + k)] += up[k];
  }
  return height;
}

bool leave_out_ground_above(SimulationSetup& setup) {
  if (!setup.options.collision.ground) return false;
  const CollisionWorld world = world_of(setup);
  const bool below = std::ranges::any_of(world.contacts(), [&](const WorldContact& c) {
    return world.is_added_ground(c.shape_b) && depth_below_plane(world, c) > setup.options.start_penetration;
  });
  if (below) setup.options.collision.ground = false;
  return below;
}

}  // namespace delassus
