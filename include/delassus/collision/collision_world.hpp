// All contacts of a model's shapes with each other and with the ground.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "delassus/collision/collide.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/boxed.hpp"

namespace delassus {

struct CollisionOptions {
  double margin = 0.01;  // gaps up to this are reported
  int capacity = 1024;   // contact points
  bool ground = true;    // a plane z = 0 on the world, unless the model has a plane or a height field of its own there
  Vec3<double> ground_friction{{1, 0.005, 0.0001}};
  bool self = true;  // shapes of one tree of bodies against each other
};

/// One point where two shapes touch.
struct WorldContact {
  int shape_a, shape_b;  // indices in CollisionWorld::shapes(); the first is on a body that moves
  Vec3<double> position;
  Vec3<double> normal;  // from b to a
  double gap;
  std::uint64_t key;  // the pair and the feature: the same from step to step while the same features touch
};

/// What a contact of two shapes has of both.
struct ContactMaterial {
  Vec3<double> friction;  // as in ShapeDescription
  int condim;
};

/// Which pairs of shapes can touch is settled once; then each update finds where they do. What it finds depends on the
/// configuration alone, not on updates before it.
///
/// Shapes never touch when they are on one link, or on a link and the one that carries it, or both fixed to the world;
/// when the description excludes their bodies; or when they belong to one tree and overlap with all joints at zero.
class CollisionWorld {
 public:
  struct Shape {
    ShapeKind kind;
    Vec3<double> size;
    Pose<double> placement;  // in the link's internal frame, or in the world
    int link;                // kWorld if it does not move
    int body;                // in the description, or kWorld
    Vec3<double> friction;
    int condim;
    std::string name;                                 // of the shape, or of its body with a number
    std::shared_ptr<const CollisionSurface> surface;  // of a hull, a mesh or a height field
  };

  /// Throws an Error if the options make no sense, or if a shape cannot collide: a height field on what moves, points of a
  /// hull in one plane, any of the kinds with a surface where this library was built without Bullet.
  explicit CollisionWorld(const Model& model, const CollisionOptions& options = {});

  /// Finds the contacts in the configuration of kin, ordered by pair and then by feature. False if there are more than
  /// the capacity; then contacts() has those that fit and crowded() the first pair that did not. Allocates nothing.
  bool update(const Kinematics<double>& kin);

  std::span<const WorldContact> contacts() const { return {contacts_.data(), static_cast<std::size_t>(num_contacts_)}; }
  std::pair<int, int> crowded() const { return crowded_; }

  /// Those of the description in its order, then the ground.
  std::span<const Shape> shapes() const { return shapes_; }
  /// Whether it is the plane z = 0 that the options asked for.
  bool is_added_ground(int shape) const { return shape == added_ground_; }
  /// Pairs that can touch.
  int num_pairs() const { return num_pairs_; }
  bool can_touch(int shape_a, int shape_b) const;
  /// Pairs of one tree left out because they overlap by more than 0.1 mm with all joints at zero: the shapes of the file
  /// are coarse there.
  std::span<const std::pair<int, int>> overlapping() const { return overlapping_; }

  /// MuJoCo's rule: the larger of each coefficient and of the dimensions.
  ContactMaterial material(int shape_a, int shape_b) const;
  /// A coefficient for all contacts that slide with friction, instead of those of their shapes; negative: those of the shapes.
  void set_sliding_friction(double mu) { sliding_friction_ = mu; }

  const CollisionOptions& options() const { return options_; }

 private:
  struct Work;

  void add_shapes(const Model& model);
  void leave_out_overlapping(const Model& model);
  void place(const Kinematics<double>& kin);
  bool test(int i, int j);
  template <class PointAt>
  bool add(int i, int j, int a, int b, int count, const PointAt& point_at);
  bool test_all();

  CollisionOptions options_;
  std::vector<Shape> shapes_;
  std::vector<std::pair<int, int>> overlapping_;
  int num_pairs_ = 0;
  int added_ground_ = -1;  // its shape, if the model has none
  double sliding_friction_ = -1;

  Boxed<Work> work_;
  std::vector<PlacedShape> placed_;
  std::vector<WorldContact> contacts_;
  int num_contacts_ = 0;
  std::pair<int, int> crowded_{-1, -1};
};

}  // namespace delassus
