#include "bench/peers/ours.hpp"

#include <algorithm>

#include "bench/peers/peer_cases.hpp"
#include "delassus/constraints/describe.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/operators/limb_delassus.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"
#include "delassus/version.hpp"

namespace delassus::bench {
namespace {

class OurPeer final : public Peer {
 public:
  explicit OurPeer(const PeerCase& given)
      : given_(given),
        model_(given.model),
        constraints_(contact_constraints(given)),
        dynamics_(model_),
        inverse_(model_),
        composite_(model_),
        rows_(make_rows()),
        matrix_op_(model_, rows_),
        solve_op_(model_, rows_),
        constrained_state_(model_, constraints_),
        constrained_(model_),
        out_(model_.nv()),
        lambda_(given.right_side.size()),
        target_(given.right_side.size()),
        inertia_(out_.size() * out_.size()),
        J_(lambda_.size() * out_.size()),
        delassus_(lambda_.size() * lambda_.size()) {
    constrained_.update_structure(constrained_state_);
    add_verbs();
  }

 private:
  void add_verbs() {
    const auto out = [this] { return out_; };
    add(PeerCall::kKinematics, {"update_kinematics", [this](int s) { place(s); },
                                [this] { return contact_positions(given_, dynamics_.kin); }});
    add(PeerCall::kInverseDynamics,
        {"update_kinematics, update_velocities, rnea", [this](int s) { find_forces(place(s)); }, out});
    add(PeerCall::kInertia, {"update_kinematics, crba",
                             [this](int s) {
                               place(s);
                               crba<double>(model_, dynamics_.kin, view(inertia_, model_.nv()), composite_);
                             },
                             [this] { return inertia_; }});
    add(PeerCall::kForwardDynamics, {"aba",
                                     [this](int at) {
                                       const PeerState& s = given_.states[at];
                                       require(aba<double>(model_, s.q, s.v, s.tau, out_, dynamics_));
                                     },
                                     out});
    add(PeerCall::kJacobian, {"update_kinematics, lower_values, constraint_jacobian",
                              [this](int s) {
                                place_rows(s);
                                constraint_jacobian<double>(model_, dynamics_.kin, rows_, view(J_, model_.nv()));
                              },
                              [this] { return J_; }});
    add(PeerCall::kDelassus, {"update_kinematics, lower_values, PvOsimDelassus",
                              [this](int s) {
                                place_rows(s);
                                require(matrix_op_.factor({model_, dynamics_.kin, rows_}));
                                matrix_op_.dense(view(delassus_, given_.rows()));
                              },
                              [this] { return delassus_; }});
    add(PeerCall::kDampedSolve,
        {"LimbDelassus", [this](int s) { solve_damped(given_.states[s]); }, [this] { return lambda_; }});
    add(PeerCall::kConstrainedDynamics,
        {"State, ConstrainedDynamics", [this](int s) { constrain(given_.states[s]); }, out});
  }

  static MatrixView<double> view(std::vector<double>& m, int cols) {
    return {m.data(), static_cast<int>(m.size()) / cols, cols};
  }
  ConstraintRows<double> make_rows() const {
    ConstraintRows<double> rows;
    lower_structure<double>(model_, constraints_, rows);
    return rows;
  }
  void require(const Status& status) const {
    if (!status.ok()) throw Error(describe(status, model_, constraints_));
  }
  const PeerState& place(int state) {
    const PeerState& s = given_.states[state];
    update_kinematics<double>(model_, s.q, dynamics_.kin);
    return s;
  }
  void find_forces(const PeerState& s) {
    update_velocities<double>(model_, dynamics_.kin, s.v, dynamics_.vel);
    rnea<double>(model_, dynamics_.kin, dynamics_.vel, s.qdd, out_, inverse_);
  }
  void solve_damped(const PeerState& s) {
    require(solve_op_.update(model_, s.q, constraints_, rows_));
    require(solve_op_.update_damping(Damping<double>(given_.damping)));
    require(solve_op_.solve(given_.right_side, lambda_));
  }
  void place_rows(int state) {
    place(state);
    require(lower_values<double>(model_, dynamics_.kin, constraints_, rows_));
  }
  void constrain(const PeerState& s) {
    require(constrained_state_.update(s.q, s.v));
    require(constrained_.factor(constrained_state_));
    constrained_state_.target(target_);
    std::ranges::fill(lambda_, 0);
    require(constrained_.solve(constrained_state_, s.tau, target_, out_, lambda_));
  }

  const PeerCase& given_;
  const Model& model_;
  std::vector<Constraint> constraints_;
  ForwardDynamics<double> dynamics_;
  InverseDynamics<double> inverse_;
  CompositeInertia<double> composite_;
  ConstraintRows<double> rows_;
  PvOsimDelassus<double> matrix_op_;
  LimbDelassus<double> solve_op_;
  State<double> constrained_state_;
  ConstrainedDynamics<double> constrained_;
  std::vector<double> out_, lambda_, target_, inertia_, J_, delassus_;
};

}  // namespace

PeerEntry our_entry() {
  return {"delassus", std::string(kVersion), std::nullopt,
          [](const PeerCase& given) -> std::unique_ptr<Peer> { return std::make_unique<OurPeer>(given); }};
}

}  // namespace delassus::bench
