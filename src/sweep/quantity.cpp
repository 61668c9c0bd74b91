#include "sweep/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "delassus/model/builder.hpp"
#include "model/coordinate_names.hpp"
#include "model/wording.hpp"
#include "sweep/effect.hpp"

namespace delassus {
namespace {

using K = Quantity::Kind;
using Of = QuantityName::Of;

constexpr std::array<QuantityName, 16> kNames{{
    {"height", K::kHeight, Of::kBody, true, "m"},
    {"tilt", K::kTilt, Of::kBody, true, "rad"},
    {"distance", K::kDistance, Of::kBody, true, "m"},
    {"speed", K::kSpeed, Of::kBody, true, "m/s"},
    {"position", K::kPosition, Of::kBody, true, "m"},
    {"orientation", K::kOrientation, Of::kBody, true, ""},
    {"contact_force", K::kContactForce, Of::kBody, true, "N"},
    {"in_contact", K::kInContact, Of::kBody, false, ""},
    {"effort", K::kEffort, Of::kActuator, true, "N m, N"},
    {"residual", K::kResidual, Of::kNothing, true, "m/s"},
    {"q", K::kCoordinate, Of::kCoordinate, true, "rad, m"},
    {"v", K::kVelocity, Of::kVelocity, true, "rad/s, m/s"},
    {"q", K::kAllQ, Of::kNothing, true, "rad, m"},
    {"v", K::kAllV, Of::kNothing, true, "rad/s, m/s"},
    {"efforts", K::kAllEfforts, Of::kNothing, true, "N m, N"},
    {"contact_forces", K::kAllContactForces, Of::kNothing, true, "N"},
}};

const QuantityName& find_known(std::string_view name, bool behind) {
  ClosestName closest(name);
  for (const QuantityName& known : kNames) {
    const bool one = known.kind == K::kCoordinate || known.kind == K::kVelocity;
    const bool fits = known.of == Of::kNothing ? !behind : (behind || (known.all && !one));
    if (known.name == name && fits) return known;
    closest.consider(known.name);
  }
  for (const QuantityName& known : kNames) {
    if (known.name != name) continue;
    throw Error(in_quotes(name) + (behind ? " is of the whole case; leave out what stands behind the colon"
                                          : " needs a name behind a colon, such as " + std::string(name) + ":NAME"));
  }
  throw Error("there is no quantity " + in_quotes(name) + closest.hint() + "; docs/sweeps.md lists them");
}

std::vector<std::int64_t> shape_of(K kind, const SimulationSetup& setup) {
  const auto bodies = static_cast<std::int64_t>(setup.model.description().bodies.size());
  switch (kind) {
    case K::kPosition:
      return {3};
    case K::kOrientation:
      return {4};
    case K::kAllQ:
      return {setup.model.nq()};
    case K::kAllV:
      return {setup.model.nv()};
    case K::kAllEfforts:
      return {static_cast<std::int64_t>(setup.actuators.size())};
    case K::kAllContactForces:
      return {bodies, 3};
    default:
      return {};
  }
}

int index_of(Of of, std::string_view name, const SimulationSetup& setup) {
  switch (of) {
    case Of::kBody:
      return find_body(setup.model, name);
    case Of::kActuator:
      return static_cast<int>(find_name(actuator_names(setup), name, "motor"));
    case Of::kCoordinate:
      return static_cast<int>(find_name(coordinate_names(setup.model), name, "coordinate"));
    default:
      return static_cast<int>(find_name(velocity_names(setup.model), name, "degree of freedom"));
  }
}

/// The first body that moves: of a robot its base, or the first link of an arm.
int first_body(const Model& model) {
  for (int body = 0; body < static_cast<int>(model.description().bodies.size()); ++body) {
    if (model.frame(model.body_frame(body)).link != kWorld) return body;
  }
  return 0;
}

Vec3<double> up(const Pose<double>& pose) { return {{pose.R(0, 2), pose.R(1, 2), pose.R(2, 2)}}; }

template <int N>
void put(const Vec<double, N>& x, double* out) {
  std::copy_n(x.a, N, out);
}

}  // namespace

std::span<const QuantityName> quantity_names() { return kNames; }

bool Quantity::is_of_step() const {
  return (kind >= K::kContactForce && kind <= K::kResidual) || kind >= K::kAllEfforts;
}

Quantity find_quantity(std::string_view name, const SimulationSetup& setup) {
  const std::size_t colon = name.find(':');
  const bool behind = colon != std::string_view::npos;
  const QuantityName& known = find_known(name.substr(0, colon), behind);
  const bool motors = known.of == Of::kActuator || known.kind == K::kAllEfforts;
  if (motors && setup.actuators.empty())
    throw Error("there are no motors; give 'motors', or leave " + in_quotes(name) + " out");
  Quantity out{known.kind, -1, {std::string(name), std::string(known.unit), shape_of(known.kind, setup), false}};
  if (behind) out.index = index_of(known.of, name.substr(colon + 1), setup);
  if (!behind && known.of == Of::kBody && known.kind != K::kContactForce) out.index = first_body(setup.model);
  return out;
}

QuantityReader::QuantityReader(const Model& model) : model_(model), kin_(model), vel_(model) {}

void QuantityReader::look_at(const BatchSimulator& batch, int environment) {
  batch_ = &batch;
  environment_ = environment;
  placed_ = false;
}

void QuantityReader::place() {
  if (placed_) return;
  update_kinematics<double>(model_, VectorView<const double>(q(), model_.nq()), kin_);
  update_velocities<double>(model_, kin_, VectorView<const double>(v(), model_.nv()), vel_);
  placed_ = true;
}

/// A body that is all of a free joint's link, with the same origin and axes: its pose stands in q, and the kinematics of all others can be left out.
bool QuantityReader::floats_alone(int body) const {
  const Frame& frame = model_.frame(model_.body_frame(body));
  if (frame.link == kWorld) return false;
  const Link& link = model_.link(frame.link);
  const Pose<double> none = Pose<double>::identity();
  return link.kind == JointKind::kFree && link.parent == kWorld && link.placement == none && frame.placement == none;
}

Pose<double> QuantityReader::pose(int body) {
  if (floats_alone(body)) {
    const double* at = q() + model_.link(model_.frame(model_.body_frame(body)).link).q;
    return {rotation_of(Quaternion<double>{{at[3], at[4], at[5], at[6]}}), {{at[0], at[1], at[2]}}};
  }
  place();
  return frame_pose(model_, kin_, model_.body_frame(body));
}

double QuantityReader::speed(int body) {
  if (floats_alone(body)) {
    const double* at = v() + model_.link(model_.frame(model_.body_frame(body)).link).v;
    return std::hypot(at[3], at[4], at[5]);
  }
  place();
  const Vec3<double> way = frame_velocity(model_, kin_, vel_, model_.body_frame(body)).linear;
  return std::hypot(way[0], way[1], way[2]);
}

double QuantityReader::contact_force(int body) const {
  const double* forces = batch_->contact_force().at(environment_, 0);
  Vec3<double> sum{};
  const int bodies = static_cast<int>(model_.description().bodies.size());
  for (int b = body < 0 ? 0 : body; b < (body < 0 ? bodies : body + 1); ++b) {
    for (int c = 0; c < 3; ++c) sum[c] += forces[3 * b + c];
  }
  return std::hypot(sum[0], sum[1], sum[2]);
}

void QuantityReader::remember(const Quantity& what, double* start) {
  if (what.kind == K::kTilt) put(up(pose(what.index)), start);
  if (what.kind == K::kDistance) put(pose(what.index).p, start);
}

void QuantityReader::read(const Quantity& what, const double* start, double* out) {
  const BatchSimulator& batch = *batch_;
  switch (what.kind) {
    case K::kHeight:
      *out = pose(what.index).p[2];
      return;
    case K::kTilt: {
      const Vec3<double> before{{start[0], start[1], start[2]}}, now = up(pose(what.index));
      const Vec3<double> turned = cross(before, now);
      *out = std::atan2(std::hypot(turned[0], turned[1], turned[2]), dot(before, now));
      return;
    }
    case K::kDistance: {
      const Vec3<double> now = pose(what.index).p;
      *out = std::hypot(now[0] - start[0], now[1] - start[1]);
      return;
    }
    case K::kSpeed:
      *out = speed(what.index);
      return;
    case K::kPosition:
      return put(pose(what.index).p, out);
    case K::kOrientation:
      return put(quaternion_of(pose(what.index).R), out);
    case K::kContactForce:
      *out = contact_force(what.index);
      return;
    case K::kInContact:
      *out = batch.in_contact()(environment_, what.index);
      return;
    case K::kEffort: {
      const std::span<const double> all(batch.efforts().at(environment_, 0), batch.actuators().size());
      *out = 0;
      if (what.index >= 0) *out = all[static_cast<std::size_t>(what.index)];
      for (const double x : what.index >= 0 ? std::span<const double>() : all) *out = std::max(*out, std::abs(x));
      return;
    }
    case K::kResidual:
      *out = batch.summaries()[static_cast<std::size_t>(environment_)].residual;
      return;
    case K::kCoordinate:
      *out = q()[what.index];
      return;
    case K::kVelocity:
      *out = v()[what.index];
      return;
    case K::kAllQ:
      std::copy_n(q(), model_.nq(), out);
      return;
    case K::kAllV:
      std::copy_n(v(), model_.nv(), out);
      return;
    case K::kAllEfforts:
      std::copy_n(batch.efforts().at(environment_, 0), batch.actuators().size(), out);
      return;
    case K::kAllContactForces:
      std::copy_n(batch.contact_force().at(environment_, 0), what.column.width(), out);
      return;
  }
}

}  // namespace delassus
