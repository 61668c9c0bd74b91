// Free bodies keep their momentum.
//
// The velocity of a free joint is written in axes that turn with the body, so that a plain step v + h v̇ is Euler's explicit rule for that turning: a
// body that spins with ω gains (hω)²/2 of its speed in every step. Here a step takes place in the axes of its start: the linear velocity changes by the
// acceleration of the centre of mass, as in an inertial frame, and is written in the axes of the end afterwards. The angular momentum of a body that
// nothing hangs on is turned back instead of being changed by -h ω × L, and keeps its length.
#pragma once

#include <cstdint>
#include <vector>

#include "delassus/math/view.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

class FreeFlight {
 public:
  FreeFlight(const Model& model, double dt);

  /// Whether there is more than bodies on their own.
  bool has_trees() const { return has_trees_; }
  /// (v + free) / 2; for bodies on their own, whose momentum is turned exactly, v.
  void take_means(VectorView<const double> v, VectorView<const double> free, VectorView<double> mean) const;
  /// free = v + h v̇, in axes that turn and with forces of the velocity `mean`, becomes the velocity after the step in axes that stand still.
  void stop_turning(VectorView<const double> v, VectorView<const double> mean, VectorView<double> free) const;
  /// Where bodies are that moved from q with such velocities: positions only, `next_q` has everything else.
  void move(VectorView<const double> q, VectorView<const double> v, VectorView<double> next_q) const;
  /// Velocities into the axes of the end of the step.
  void turn(VectorView<double> v) const;

 private:
  struct Body {
    std::int32_t q, v;
    bool alone;             // nothing hangs on it
    Vec3<double> com;       // of a body that is alone; else its origin
    Mat3<double> inertia;   // about the centre of mass, if it is alone
    Mat3<double> mobility;  // its inverse
  };

  Vec3<double> turned_momentum(const Body& body, const Vec3<double>& w, const Vec3<double>& gain) const;

  double dt_;
  bool has_trees_ = false;
  std::vector<Body> bodies_;
};

}  // namespace delassus
