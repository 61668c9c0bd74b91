// Parameters that environments have of their own.
#include <algorithm>
#include <cmath>
#include <string>

#include "batch/batch_simulator_parts.hpp"
#include "model/own_values.hpp"

namespace delassus {
namespace {

using Given = std::optional<BatchView<const double>>;

/// All numbers of the chosen environments are such as `fits` wants them.
template <class Fits>
void check(const Given& values, std::string_view name, int size, int width, std::span<const int> environments,
           std::string_view meaning, std::string_view rule, Fits&& fits) {
  if (!values) return;
  require_shape(name, *values, size, width, meaning);
  for (const int e : environments) {
    for (int c = 0; c < width; ++c) {
      if (!fits((*values)(e, c)))
        throw Error("argument '" + std::string(name) + "' of environment " + std::to_string(e) + ", entry " +
                    std::to_string(c) + ", is " + std::to_string((*values)(e, c)) + "; give " + std::string(rule));
    }
  }
}

bool is_finite_number(double x) { return std::isfinite(x); }
bool is_positive(double x) { return std::isfinite(x) && x > 0; }
bool is_not_negative(double x) { return std::isfinite(x) && x >= 0; }

/// Rows of those that were chosen; the others keep theirs, or have what `usual` gives.
template <class Usual>
void take(const Given& values, std::span<const int> environments, int size, Usual&& usual, RowsOf<double>& to) {
  if (!values) return;
  const int width = values->components();
  if (to.empty()) {
    to = RowsOf<double>(size, width);
    for (int e = 0; e < size; ++e) {
      for (int c = 0; c < width; ++c) to.row(e)[c] = usual(c);
    }
  }
  for (const int e : environments) {
    for (int c = 0; c < width; ++c) to.row(e)[c] = (*values)(e, c);
  }
}

void put(const RigidInertia<double>& I, double* to) {
  to[0] = I.mass;
  std::copy_n(I.moment.a, 3, to + 1);
  std::copy_n(I.rotational.a, 6, to + 4);
}

}  // namespace

/// Inertias of all links with the bodies of an environment. What is not given now is as it was.
void BatchSimulator::Parts::take_inertias(int e) {
  std::vector<RigidInertia<double>> links(static_cast<std::size_t>(model().num_links()), RigidInertia<double>::zero());
  for (int b = 0; b < num_bodies(); ++b) {
    const int link = model().frame(model().body_frame(b)).link;
    if (link == kWorld) continue;
    Inertial body = model().description().bodies[static_cast<std::size_t>(b)].inertial;
    const double scale = mass_scale.empty() ? 1 : mass_scale.row(e)[b];
    const double turning = scale * (inertia_scale.empty() ? 1 : inertia_scale.row(e)[b]);
    body.mass *= scale;
    for (double& x : body.inertia.a) x *= turning;
    for (int c = 0; c < 3 && !com_offset.empty(); ++c) body.com[c] += com_offset.row(e)[3 * b + c];
    links[static_cast<std::size_t>(link)] += inertia_on_link(model(), b, body);
  }
  for (std::size_t i = 0; i < links.size(); ++i)
    put(links[i], all.own.inertia.row(e) + OwnValues::kInertia * static_cast<int>(i));
}

void BatchSimulator::Parts::check_parameters(std::span<const int> environments, const BatchParameters& p) const {
  const int bodies = num_bodies(), motors_count = num_actuators();
  const auto check_all = [&](const Given& values, std::string_view name, int width, std::string_view meaning,
                             std::string_view rule,
                             auto fits) { check(values, name, size(), width, environments, meaning, rule, fits); };
  check_all(p.friction, "friction", 1, "one coefficient", "zero or more", is_not_negative);
  check_all(p.mass_scale, "mass_scale", bodies, "one factor per body", "a factor above zero", is_positive);
  check_all(p.inertia_scale, "inertia_scale", bodies, "one factor per body", "a factor above zero", is_positive);
  check_all(p.com_offset, "com_offset", 3 * bodies, "three numbers per body", "metres", is_finite_number);
  check_all(p.gravity, "gravity", 3, "three numbers", "metres per second squared", is_finite_number);
  check_all(p.kp, "kp", motors_count, "one gain per actuator", "zero or more", is_not_negative);
  check_all(p.kd, "kd", motors_count, "one gain per actuator", "zero or more", is_not_negative);
  check_all(p.effort_limit, "effort_limit", motors_count, "one limit per actuator", "zero or more", is_not_negative);
  check_all(p.latency, "latency", 1, "seconds", "zero or more", is_not_negative);
  if (p.latency) {
    for (const int e : environments) BatchMotors::require_latency(e, (*p.latency)(e, 0), setup.options.dt);
  }
  for (std::size_t k = 0; k < setup.actuators.size(); ++k) {
    const Actuator& a = setup.actuators[k];
    if (p.effort_limit && a.kind != ActuatorKind::kMotor && std::isinf(a.effort_limit))
      throw Error("argument 'effort_limit': actuator " + std::to_string(k) + " on joint '" + a.joint +
                  "' was made without a limit of force; make it with one, as large as you like");
    for (const int e : environments) {
      const auto gain = [&](const Given& now, const RowsOf<double>& own, double usual) {
        if (now) return (*now)(e, static_cast<int>(k));
        return own.empty() ? usual : own.row(e)[k];
      };
      const double kp = gain(p.kp, all.own.kp, a.kp), kd = gain(p.kd, all.own.kd, a.kd);
      if (a.kind == ActuatorKind::kMotor || kp + kd > 0) continue;
      throw Error("arguments 'kp' and 'kd' of environment " + std::to_string(e) + " leave actuator " +
                  std::to_string(k) + " on joint '" + a.joint + "' without any gain");
    }
  }
}

void BatchSimulator::Parts::set_parameters(std::span<const int> environments, const BatchParameters& p) {
  check_parameters(environments, p);
  const auto constant = [](double x) { return [x](int) { return x; }; };
  const auto of_actuator = [&](double Actuator::*member) {
    return [this, member](int c) { return setup.actuators[static_cast<std::size_t>(c)].*member; };
  };
  OwnValues& own = all.own;
  take(p.friction, environments, size(), constant(-1), own.friction);
  take(
      p.gravity, environments, size(), [&](int c) { return model().gravity()[c]; }, own.gravity);
  take(p.kp, environments, size(), of_actuator(&Actuator::kp), own.kp);
  take(p.kd, environments, size(), of_actuator(&Actuator::kd), own.kd);
  take(p.effort_limit, environments, size(), of_actuator(&Actuator::effort_limit), own.effort_limit);
  take(p.mass_scale, environments, size(), constant(1), mass_scale);
  take(p.inertia_scale, environments, size(), constant(1), inertia_scale);
  take(p.com_offset, environments, size(), constant(0), com_offset);
  for (const int e : environments) {
    if (p.latency) motors.set_latency(e, (*p.latency)(e, 0));
    if (p.effort_limit) motors.set_limits(e, own.effort_limit.of(e));
  }
  if (!p.mass_scale && !p.inertia_scale && !p.com_offset) return;
  if (own.inertia.empty()) {
    own.inertia = RowsOf<double>(size(), OwnValues::kInertia * model().num_links());
    for (int e = 0; e < size(); ++e) {
      for (int i = 0; i < model().num_links(); ++i)
        put(model().link(i).inertia, own.inertia.row(e) + OwnValues::kInertia * i);
    }
  }
  for (const int e : environments) take_inertias(e);
}

}  // namespace delassus
