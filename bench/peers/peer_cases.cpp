#include "bench/peers/peer_cases.hpp"

#include <algorithm>

#include "bench/peers/link_layout.hpp"
#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/oracle.hpp"
#include "delassus/solvers/assembly.hpp"
#include "model/splitmix.hpp"

namespace delassus::bench {
namespace {

struct Robot {
  std::string_view name, contacts;  // frames, by a part of their names
};
constexpr std::array kRobots{Robot{"panda", "_fingertip"}, Robot{"go2", "_foot"}, Robot{"g1", "_foot_"},
                             Robot{"talos_like", "_foot_"}};
constexpr auto kNames = [] {
  std::array<std::string_view, kRobots.size()> names;
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = kRobots[k].name;
  return names;
}();

const Robot& find_robot(std::string_view name) {
  std::string names;
  for (const Robot& robot : kRobots) {
    if (robot.name == name) return robot;
    names += (names.empty() ? "" : ", ") + std::string(robot.name);
  }
  throw Error("no robot '" + std::string(name) + "': peers are compared on " + names);
}

/// Without armature, and with fingers that are held, so that the arm is a chain: not all peers have the one, or more for trees.
Model simple_model(const Robot& robot) {
  ModelDescription description =
      load_embedded_robot(robot.name, {.base = UrdfOptions::Base::kFloating}).model.description();
  for (BodyDescription& body : description.bodies) {
    if (body.name.ends_with("_finger")) body.joints.clear();
    for (JointDescription& joint : body.joints) {
      for (DofProperties& dof : joint.dofs) dof.armature = 0;
    }
  }
  description.keyframes.clear();  // they have coordinates for the fingers
  return Model(std::move(description));
}

std::vector<double> random_vector(std::size_t size, double bound, SplitMix& random) {
  std::vector<double> out(size);
  for (double& x : out) x = random.uniform(-bound, bound);
  return out;
}

PeerCase make_case(const Model& model, std::string_view contacts) {
  constexpr int kStates = 2;
  constexpr double kBent = 0.4, kSpeed = 1, kTorquePerMass = 0.1, kDamping = 1e-4;
  PeerCase out{model, {}, {}, {}, kDamping};
  for (const Frame& frame : model.frames()) {
    if (frame.name.find(contacts) != std::string::npos) out.contacts.push_back({frame.link, frame.placement.p});
  }
  SplitMix random(1);
  const std::vector<Constraint> constraints = contact_constraints(out);
  Assembler<double> assembler(model, constraints);
  for (int k = 0; k < kStates; ++k) {
    PeerState s{model.neutral(), {}, {}, {}};
    const auto nv = static_cast<std::size_t>(model.nv());
    integrate(model, s.q, random_vector(nv, kBent, random), s.q);
    s.v = random_vector(nv, kSpeed, random);
    // Points of one sole that move apart could not all keep their velocities.
    if (!assembler.project_velocity(s.q, s.v).ok()) throw Error("no velocities that the contacts allow were found");
    s.qdd = random_vector(nv, kSpeed, random);
    s.tau = random_vector(nv, kTorquePerMass * model.mass(), random);
    out.states.push_back(std::move(s));
  }
  out.right_side = random_vector(static_cast<std::size_t>(out.rows()), 1, random);
  return out;
}

using Exact = oracle::Matrix<long double>;

Exact column(const std::vector<double>& x) {
  return {static_cast<int>(x.size()), 1, std::vector<long double>(x.begin(), x.end())};
}
std::vector<double> entries_of(const Exact& x) { return {x.entries().begin(), x.entries().end()}; }

/// (A + damping) x = b.
Exact solve_damped(Exact A, long double damping, const Exact& b) {
  for (int r = 0; r < A.rows(); ++r) A(r, r) += damping;
  return oracle::solve_positive(A, b);
}

/// Contacts may be redundant: forces come closer by proximal steps, each with what the last one left.
Exact contact_forces(const Exact& A, const Exact& b) {
  constexpr long double kProximal = 1e-9L;
  constexpr int kSteps = 8;
  Exact force(b.rows(), 1);
  for (int k = 0; k < kSteps; ++k) force = solve_damped(A, kProximal, b + kProximal * force);
  return force;
}

}  // namespace

std::span<const std::string_view> peer_robots() { return kNames; }

PeerRobot::PeerRobot(std::string_view robot)
    : name(robot), model(simple_model(find_robot(robot))), given(make_case(model, find_robot(robot).contacts)) {}

std::vector<Constraint> contact_constraints(const PeerCase& given) {
  std::vector<Constraint> out;
  for (const PeerContact& contact : given.contacts) {
    const std::vector<Frame>& frames = given.model.frames();
    const auto frame = std::ranges::find_if(frames, [&](const Frame& f) { return f.link == contact.link; });
    PointContact row;
    row.name = "contact " + std::to_string(out.size());
    row.a.frame = static_cast<int>(frame - frames.begin());
    row.a.offset.p = transposed(frame->placement.R) * (contact.point - frame->placement.p);
    row.axes = Mat3<double>::identity();
    out.emplace_back(row);
  }
  return out;
}

std::vector<double> contact_positions(const PeerCase& given, const Kinematics<double>& kin) {
  std::vector<double> out;
  for (const PeerContact& contact : given.contacts) {
    const Pose<double>& pose = kin.pose[contact.link];
    const Vec3<double> p = pose.p + pose.R * contact.point;
    out.insert(out.end(), p.a, p.a + 3);
  }
  return out;
}

std::vector<double> expected_result(const PeerCase& given, PeerCall call, const PeerState& s) {
  const Model& model = given.model;
  const std::vector<Constraint> constraints = contact_constraints(given);
  const Exact q = column(s.q), v = column(s.v);
  if (call == PeerCall::kKinematics) {
    const oracle::Kinematics<long double> kin = oracle::kinematics<long double>(model, q.entries());
    std::vector<double> out;
    for (const Constraint& c : constraints) {
      const Attachment& a = std::get<PointContact>(c).a;
      const oracle::Place<long double>& place = kin.places[static_cast<std::size_t>(a.frame)];
      const Vec3<double>& p = a.offset.p;
      const Exact at = place.p + place.R * column({p[0], p[1], p[2]});
      for (const long double x : at.entries()) out.push_back(static_cast<double>(x));
    }
    return out;
  }
  const Exact M = oracle::inertia_matrix<long double>(model, q.entries());
  const Exact h(model.nv(), 1, oracle::bias_forces<long double>(model, q.entries(), v.entries()));
  const Exact J = oracle::constraint_jacobian<long double>(model, constraints, q.entries());
  const Exact response = oracle::solve_positive(M, oracle::transposed(J)), A = J * response;
  const Exact free = oracle::solve_positive(M, column(s.tau) - h);
  switch (call) {
    case PeerCall::kInverseDynamics:
      return entries_of(M * column(s.qdd) + h);
    case PeerCall::kInertia:
      return entries_of(M);
    case PeerCall::kForwardDynamics:
      return entries_of(free);
    case PeerCall::kJacobian:
      return entries_of(J);
    case PeerCall::kDelassus:
      return entries_of(A);
    case PeerCall::kDampedSolve:
      return entries_of(solve_damped(A, given.damping, column(given.right_side)));
    default: {
      const Exact drift(given.rows(), 1,
                        oracle::constraint_drift<long double>(model, constraints, q.entries(), v.entries()));
      return entries_of(free + response * contact_forces(A, -1.0L * (drift + J * free)));
    }
  }
}

PeerCoordinates::PeerCoordinates(const PeerCase& given, const std::optional<Library>& library) : given_(given) {
  if (library) layout_.emplace(cli::link_layout(given.model, *library));
}

PeerCase PeerCoordinates::to_peer() const {
  PeerCase out = given_;
  if (!layout_) return out;
  for (std::size_t k = 0; k < out.states.size(); ++k) {
    const PeerState& from = given_.states[k];
    PeerState& to = out.states[k];
    to.q.resize(static_cast<std::size_t>(layout_->nq()));
    layout_->q_to(from.q, to.q);
    layout_->velocity_to(from.q, from.v, to.v);
    layout_->acceleration_to(from.q, from.v, from.qdd, to.qdd);
    layout_->force_to(from.q, from.tau, to.tau);
  }
  return out;
}

std::vector<double> PeerCoordinates::from_peer(PeerCall call, const PeerState& s,
                                               const std::vector<double>& result) const {
  if (!layout_) return result;
  std::vector<double> out(result.size());
  const int nv = given_.model.nv(), rows = static_cast<int>(result.size()) / nv;
  switch (call) {
    case PeerCall::kInverseDynamics:
      layout_->force_from(s.q, result, out);
      return out;
    case PeerCall::kForwardDynamics:
    case PeerCall::kConstrainedDynamics:
      layout_->acceleration_from(s.q, s.v, result, out);
      return out;
    case PeerCall::kJacobian:
      layout_->jacobian_from(s.q, MatrixView<const double>(result.data(), rows, nv),
                             MatrixView<double>(out.data(), rows, nv));
      return out;
    case PeerCall::kInertia: {
      oracle::Matrix<double> half(nv, nv), both(nv, nv);
      layout_->jacobian_from(s.q, MatrixView<const double>(result.data(), nv, nv), half);
      layout_->jacobian_from(s.q, oracle::transposed(half), both);
      return both.entries();
    }
    default:
      return result;
  }
}

}  // namespace delassus::bench
