// Pinocchio's algorithms over the same states, one after the other, in the settings that docs/peers.md found to be its fastest on
// robots like these. Built where Pinocchio is found.
#include "bench/batch/batch.hpp"
#include "bench/peers/link_layout.hpp"
#include "bench/peers/robot_pinocchio.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

/// Where the constraints are points that are held against the world with three rows each, as its own are; else nothing.
std::vector<PinocchioRobot::Contact> contacts_of(const BenchScene& scene) {
  std::vector<PinocchioRobot::Contact> out;
  for (const Constraint& c : scene.constraints) {
    const auto* contact = std::get_if<PointContact>(&c);
    if (contact == nullptr || contact->b != 0 || contact->kind != ContactKind::kSliding) return {};
    const Frame& frame = scene.model.frame(contact->a.frame);
    if (frame.link == kWorld) return {};
    out.push_back({frame.link, frame.placement.p + frame.placement.R * contact->a.offset.p});
  }
  return out;
}

class PinocchioLoop final : public BatchContender {
 public:
  explicit PinocchioLoop(const BatchStates& states)
      : contacts_(contacts_of(states.scene)), robot_(states.scene.model, contacts_) {
    const Model& model = states.scene.model;
    const CoordinateLayout layout = link_layout(model, Library::kPinocchio);
    for (int e = 0; e < states.size(); ++e) {
      const std::vector<double>& q = states.scene.q[e];
      State state{PinocchioRobot::Vector(layout.nq()), PinocchioRobot::Vector(layout.nv()),
                  PinocchioRobot::Vector(layout.nv()), part_of(states.x, e, states.scene.rows)};
      layout.q_to(q, state.q);
      layout.velocity_to(q, view_of(states.v, e, model.nv()), state.v);
      layout.force_to(q, view_of(states.tau, e, model.nv()), state.tau);
      states_.push_back(std::move(state));
    }
  }

  bool has(BatchVerb verb) const override {
    switch (verb) {
      case BatchVerb::kForwardDynamics:
      case BatchVerb::kInverseDynamics:
        return true;
      case BatchVerb::kMatrix:
      case BatchVerb::kDampedInverse:
        return !contacts_.empty();
      case BatchVerb::kProduct:
        return false;  // only by way of the matrix, or of its factor
    }
    return false;
  }

  void call(BatchVerb verb) override {
    for (const State& s : states_) {
      switch (verb) {
        case BatchVerb::kForwardDynamics:
          robot_.forward_dynamics(s.q, s.v, s.tau, PinocchioRobot::Axes::kLocal);
          break;
        case BatchVerb::kInverseDynamics:
          robot_.inverse_dynamics(s.q, s.v, s.tau);
          break;
        case BatchVerb::kMatrix:
          robot_.delassus(s.q, PinocchioRobot::MatrixBy::kPv);
          break;
        case BatchVerb::kDampedInverse:
          robot_.damped_solve(s.q, kBatchDamping, s.x);
          break;
        case BatchVerb::kProduct:
          break;
      }
    }
  }

 private:
  struct State {
    PinocchioRobot::Vector q, v, tau, x;
  };

  static VectorView<const double> view_of(const std::vector<double>& all, int environment, int size) {
    return {all.data() + static_cast<std::ptrdiff_t>(environment) * size, size};
  }
  static PinocchioRobot::Vector part_of(const std::vector<double>& all, int environment, int size) {
    return Eigen::Map<const PinocchioRobot::Vector>(view_of(all, environment, size).data(), size);
  }

  std::vector<PinocchioRobot::Contact> contacts_;
  PinocchioRobot robot_;
  std::vector<State> states_;
};

}  // namespace

BatchEntry pinocchio_entry(const BatchStates& states) {
  return {"Pinocchio loop", "double", 1, std::make_shared<PinocchioLoop>(states)};
}

}  // namespace delassus::cli
