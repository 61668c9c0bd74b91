#include <algorithm>

#include "bench/simulation/bench_engine.hpp"

namespace delassus::cli {
namespace {

SimulationOptions with_tolerance(SimulationOptions options, double tolerance) {
  options.tolerance = tolerance;
  return options;
}

Mat3<double> turn_of(const std::vector<double>& q, std::size_t at) {
  return rotation_of(Quaternion<double>{{q[at + 3], q[at + 4], q[at + 5], q[at + 6]}});
}

class OwnEngine final : public BenchEngine {
 public:
  OwnEngine(const SimulationSetup& setup, double tolerance)
      : simulator_(setup.model, setup.constraints, with_tolerance(setup.options, tolerance), setup.actuators) {}

  /// Position actuators hold where it begins.
  void begin(const std::vector<double>& q, const std::vector<double>& v) override {
    simulator_.set_state(q, v);
    const std::vector<Actuator>& actuators = simulator_.actuators();
    for (std::size_t k = 0; k < actuators.size(); ++k) {
      const Link& link = simulator_.model().link(simulator_.model().find_joint(actuators[k].joint));
      simulator_.control()[k] = q[static_cast<std::size_t>(link.q + actuators[k].dof)];
    }
  }
  void step() override {
    q_ = simulator_.q();
    const StepStatus status = simulator_.step();
    if (!status.ok()) throw Error(simulator_.describe(status));
  }
  JudgedStep last_step() const override {
    JudgedStep out{q_, v_in_axes_of_start(), simulator_.options().dt};
    const CollisionWorld& world = simulator_.collision();
    for (std::size_t c = 0; c < simulator_.contacts().size(); ++c) {
      const ContactState& contact = simulator_.contacts()[c];
      const WorldContact& point = world.contacts()[static_cast<std::size_t>(contact.found)];
      const ContactMaterial material = world.material(point.shape_a, point.shape_b);
      out.contacts.push_back({link_of(point.shape_a), link_of(point.shape_b), contact.position, contact.normal,
                              contact.force, contact.gap, material.condim == 1 ? 0 : material.friction[0]});
    }
    return out;
  }
  double penetration() const override { return simulator_.report().penetration; }
  int contacts() const override { return static_cast<int>(simulator_.contacts().size()); }
  ContactCertificate certificate() const override { return simulator_.report().certificate; }
  std::vector<double> q() const override { return simulator_.q(); }
  std::vector<double> v() const override { return simulator_.v(); }

 private:
  int link_of(int shape) const { return simulator_.collision().shapes()[static_cast<std::size_t>(shape)].link; }

  /// A step ends with linear velocities of free bodies in the axes of its end.
  std::vector<double> v_in_axes_of_start() const {
    std::vector<double> v = simulator_.v();
    for (const Link& link : simulator_.model().links()) {
      if (link.kind != JointKind::kFree) continue;
      double* linear = v.data() + link.v + 3;
      const auto at = static_cast<std::size_t>(link.q);
      const Vec3<double> world = turn_of(simulator_.q(), at) * Vec3<double>{{linear[0], linear[1], linear[2]}};
      std::copy_n(transposed_times(turn_of(q_, at), world).a, 3, linear);
    }
    return v;
  }

  Simulator simulator_;
  std::vector<double> q_;  // where the last step began
};

}  // namespace

std::unique_ptr<BenchEngine> make_own_engine(const SimulationSetup& setup, double tolerance) {
  return std::make_unique<OwnEngine>(setup, tolerance);
}

}  // namespace delassus::cli
