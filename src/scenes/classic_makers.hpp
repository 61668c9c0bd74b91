// The classic scenes one by one: how each is made, and what is known of it.
#pragma once

#include "delassus/model/builder.hpp"
#include "delassus/scenes/classic.hpp"

namespace delassus {

inline constexpr double kGravity = 9.81;

/// The parameters of a scene, in their order.
using ClassicNumbers = const double*;

/// Where a simulation is.
struct Moment {
  double time;
  VectorView<const double> q, v;
};

using MakeClassic = SimulationSetup (*)(ClassicNumbers);
using ObserveClassic = std::vector<Observation> (*)(ClassicNumbers, const Moment&);

SimulationSetup make_incline(ClassicNumbers p);
std::vector<Observation> observe_incline(ClassicNumbers p, const Moment& at);

SimulationSetup make_sliding_block(ClassicNumbers p);
std::vector<Observation> observe_sliding_block(ClassicNumbers p, const Moment& at);

SimulationSetup make_rolling_ball(ClassicNumbers p);
std::vector<Observation> observe_rolling_ball(ClassicNumbers p, const Moment& at);

SimulationSetup make_bouncing_ball(ClassicNumbers p);
std::vector<Observation> observe_bouncing_ball(ClassicNumbers p, const Moment& at);

SimulationSetup make_spinning_top(ClassicNumbers p);
std::vector<Observation> observe_spinning_top(ClassicNumbers p, const Moment& at);

SimulationSetup make_painleve_rod(ClassicNumbers p);
std::vector<Observation> observe_painleve_rod(ClassicNumbers p, const Moment& at);

SimulationSetup make_arch(ClassicNumbers p);
std::vector<Observation> observe_arch(ClassicNumbers p, const Moment& at);

SimulationSetup make_terrain(ClassicNumbers p);
std::vector<Observation> observe_terrain(ClassicNumbers p, const Moment& at);

SimulationSetup make_racket(ClassicNumbers p);
std::vector<Observation> observe_racket(ClassicNumbers p, const Moment& at);

SimulationSetup make_disk(ClassicNumbers p);
std::vector<Observation> observe_disk(ClassicNumbers p, const Moment& at);

SimulationSetup make_rattleback(ClassicNumbers p);
std::vector<Observation> observe_rattleback(ClassicNumbers p, const Moment& at);

SimulationSetup make_dry_pendulum(ClassicNumbers p);
std::vector<Observation> observe_dry_pendulum(ClassicNumbers p, const Moment& at);

SimulationSetup make_ladder(ClassicNumbers p);
std::vector<Observation> observe_ladder(ClassicNumbers p, const Moment& at);

SimulationSetup make_capstan(ClassicNumbers p);
std::vector<Observation> observe_capstan(ClassicNumbers p, const Moment& at);

SimulationSetup make_cradle(ClassicNumbers p);
std::vector<Observation> observe_cradle(ClassicNumbers p, const Moment& at);

/// The free joint of the first body, and velocities of its frame in world axes.
void place_free(SimulationSetup& setup, const Pose<double>& pose);
void set_moving(SimulationSetup& setup, const Mat3<double>& R, const Vec3<double>& angular, const Vec3<double>& linear);
/// Of that body's z axis, which begins in the x-z plane: how far it has gone round the vertical, and its angle with it.
std::vector<Observation> observe_precession(double angle, double tilt, const Moment& at);

/// A plane on the world; its normal is the z axis of the pose.
void add_ground(ModelBuilder& builder, double mu, const Pose<double>& pose = Pose<double>::identity());
/// Sliding friction alone.
ShapeDescription make_shape(int body, ShapeKind kind, const Vec3<double>& size, double mu,
                            const Pose<double>& placement = Pose<double>::identity());

}  // namespace delassus
