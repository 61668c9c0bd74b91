// Builds mechanisms from limbs: unbranched chains of links with revolute joints about skew axes.
//
// The papers give topologies and numbers of links, and no figures. What they leave open is general on purpose: axes along
// no coordinate axis, centres of mass beside the bone, full inertia matrices. So no algorithm gains from zeros that a real
// robot would not have.
#pragma once

#include <string>

#include "delassus/model/builder.hpp"
#include "model/splitmix.hpp"

namespace delassus {

/// Where a limb begins on its parent, and how it goes on from there at zero.
struct LimbShape {
  Vec3<double> mount{{0, 0, 0}};
  Vec3<double> direction{{0, 0, 1}};  // unit vector
  double length = 0.2;                // of each link
  double mass = 1;                    // of each link, before it is varied
};

class LimbBuilder {
 public:
  LimbBuilder(std::string name, std::uint64_t seed) : builder_(std::move(name)), random_(seed) {}

  /// A body with a free joint, or fixed to the world.
  int add_base(const std::string& name, bool floating, double mass, double size);
  /// Links `prefix`1 to `prefix`count, the first on `parent`, and a frame `prefix`_tip at the end of the last one.
  /// Returns the last link, or the parent if the count is zero.
  int add_limb(const std::string& prefix, int parent, int count, const LimbShape& shape);
  /// One link of a name of its own.
  int add_link(const std::string& name, int parent, const LimbShape& shape);

  ModelDescription description() const { return builder_.description(); }

 private:
  Inertial vary(double mass, double length, double width, const Vec3<double>& com);
  Vec3<double> skew_axis();
  Mat3<double> rotation();

  ModelBuilder builder_;
  SplitMix random_;
};

/// Throws an Error that names the argument.
void require_at_least(const char* argument, int value, int least);

}  // namespace delassus
