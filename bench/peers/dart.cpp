// DART. Its free joint has the velocities of this library, and positions of its own.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "bench/peers/eigen_rows.hpp"
#include "delassus/math/error.hpp"

namespace delassus::bench {
namespace {

using dart::dynamics::BodyNode;
using dart::dynamics::SkeletonPtr;

Eigen::Isometry3d as_isometry(const Pose<double>& pose) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = as_eigen(pose.R);
  out.translation() = as_eigen(pose.p);
  return out;
}

template <class Joint>
BodyNode* add_link(const SkeletonPtr& skeleton, BodyNode* parent, const Link& link) {
  const CentredInertia I(link.inertia);
  BodyNode::AspectProperties body;
  body.mName = "link " + std::to_string(skeleton->getNumBodyNodes());  // DART reports names that repeat
  body.mInertia = dart::dynamics::Inertia(I.mass, I.centre, I.inertia);
  typename Joint::Properties joint;
  joint.mName = body.mName;
  joint.mT_ParentBodyToJoint = as_isometry(link.placement);
  if constexpr (requires { joint.mAxis; }) joint.mAxis = Eigen::Vector3d::UnitZ();
  return skeleton->createJointAndBodyNodePair<Joint>(parent, joint, BodyNode::Properties(body)).second;
}

BodyNode* add_link(const SkeletonPtr& skeleton, BodyNode* parent, const Link& link) {
  switch (link.kind) {
    case JointKind::kFree:
      return add_link<dart::dynamics::FreeJoint>(skeleton, parent, link);
    case JointKind::kRevolute:
      return add_link<dart::dynamics::RevoluteJoint>(skeleton, parent, link);
    default:
      throw Error("only free and revolute joints are made for it");
  }
}

Eigen::VectorXd positions_of(const Model& model, const std::vector<double>& q) {
  Eigen::VectorXd out(model.nv());
  for (const Link& link : model.links()) {
    const double* from = q.data() + link.q;
    if (link.kind == JointKind::kFree) {
      Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
      pose.linear() = Eigen::Quaterniond(from[6], from[3], from[4], from[5]).normalized().toRotationMatrix();
      pose.translation() = Eigen::Vector3d(from[0], from[1], from[2]);
      out.segment<6>(link.v) = dart::dynamics::FreeJoint::convertToPositions(pose);
    } else {
      out[link.v] = *from;
    }
  }
  return out;
}

class DartPeer final : public Peer {
 public:
  explicit DartPeer(const PeerCase& given)
      : given_(given), skeleton_(dart::dynamics::Skeleton::create()), rows_(given) {
    skeleton_->setGravity(as_eigen(given.model.gravity()));
    for (const Link& link : given.model.links()) {
      links_.push_back(add_link(skeleton_, link.parent == kWorld ? nullptr : links_[link.parent], link));
    }
    for (const PeerState& s : given.states) {
      states_.push_back({positions_of(given.model, s.q), as_eigen(s.v), as_eigen(s.qdd), as_eigen(s.tau)});
    }
    add_verbs();
  }

 private:
  struct State {
    Eigen::VectorXd q, v, qdd, tau;
  };

  /// Setting positions forgets what depends on them; what is asked for then is computed, and kept by the skeleton.
  const State& at(int state) {
    skeleton_->setPositions(states_[state].q);
    return states_[state];
  }
  void add_verbs() {
    add(PeerCall::kKinematics, {"computeForwardKinematics",
                                [this](int s) {
                                  at(s);
                                  skeleton_->computeForwardKinematics(true, false, false);
                                },
                                [this] { return contact_positions(); }});
    add(PeerCall::kInverseDynamics, {"computeInverseDynamics",
                                     [this](int s) {
                                       skeleton_->setAccelerations(at(s).qdd);
                                       skeleton_->setVelocities(states_[s].v);
                                       skeleton_->computeInverseDynamics();
                                     },
                                     [this] { return entries_of(skeleton_->getForces()); }});
    add(PeerCall::kInertia, {"getMassMatrix",
                             [this](int s) {
                               at(s);
                               skeleton_->getMassMatrix();
                             },
                             [this] { return entries_of(skeleton_->getMassMatrix()); }});
    add(PeerCall::kForwardDynamics, {"computeForwardDynamics",
                                     [this](int s) {
                                       skeleton_->setForces(at(s).tau);
                                       skeleton_->setVelocities(states_[s].v);
                                       skeleton_->computeForwardDynamics();
                                     },
                                     [this] { return entries_of(skeleton_->getAccelerations()); }});
    add(PeerCall::kJacobian, {"getLinearJacobian for each contact",
                              [this](int s) {
                                at(s);
                                find_jacobian();
                              },
                              [this] { return entries_of(rows_.J); }});
    add_delassus("getInvMassMatrix and J, products by Eigen", [this] { invert_masses(); });
    add_delassus("getMassMatrix and J, LLT of M by Eigen", [this] { factor_masses(); });
    add_delassus("updateBiasImpulse and updateVelocityChange for each row", [this] { push_rows(); });
  }
  template <class Find>
  void add_delassus(const std::string& how, Find find) {
    add(PeerCall::kDelassus, {how,
                              [this, find](int s) {
                                at(s);
                                find();
                              },
                              [this] { return entries_of(rows_.delassus); }});
    add(PeerCall::kDampedSolve, {how + "; its LLT by Eigen",
                                 [this, find](int s) {
                                   at(s);
                                   find();
                                   rows_.solve_damped();
                                 },
                                 [this] { return entries_of(rows_.solution); }});
  }

  std::vector<double> contact_positions() const {
    std::vector<double> out;
    for (const PeerContact& contact : given_.contacts) {
      const Eigen::Vector3d p = links_[contact.link]->getWorldTransform() * as_eigen(contact.point);
      out.insert(out.end(), p.data(), p.data() + 3);
    }
    return out;
  }
  void find_jacobian() {
    for (std::size_t k = 0; k < given_.contacts.size(); ++k) {
      const PeerContact& contact = given_.contacts[k];
      rows_.J.middleRows<3>(3 * static_cast<Eigen::Index>(k)) =
          skeleton_->getLinearJacobian(links_[contact.link], as_eigen(contact.point));
    }
  }
  void invert_masses() {
    find_jacobian();
    response_.noalias() = skeleton_->getInvMassMatrix() * rows_.J.transpose();
    rows_.delassus.noalias() = rows_.J * response_;
  }
  void factor_masses() {
    find_jacobian();
    factor_.compute(skeleton_->getMassMatrix());
    response_ = factor_.matrixL().solve(rows_.J.transpose());
    rows_.delassus.noalias() = response_.transpose() * response_;
  }
  /// As its own contact solver: a unit impulse along each row, and how the contacts jump.
  void push_rows() {
    const auto contacts = static_cast<Eigen::Index>(given_.contacts.size());
    rows_.delassus.resize(3 * contacts, 3 * contacts);
    for (Eigen::Index row = 0; row < 3 * contacts; ++row) {
      const PeerContact& contact = given_.contacts[static_cast<std::size_t>(row / 3)];
      BodyNode* body = links_[contact.link];
      const Eigen::Vector3d along = body->getWorldTransform().linear().row(row % 3);
      Eigen::Vector6d impulse;
      impulse << as_eigen(contact.point).cross(along), along;
      skeleton_->clearConstraintImpulses();
      skeleton_->updateBiasImpulse(body, impulse);
      skeleton_->updateVelocityChange();
      for (Eigen::Index k = 0; k < contacts; ++k) {
        const PeerContact& other = given_.contacts[static_cast<std::size_t>(k)];
        const Eigen::Vector6d& jump = links_[other.link]->getBodyVelocityChange();
        rows_.delassus.col(row).segment<3>(3 * k) = links_[other.link]->getWorldTransform().linear() *
                                                    (jump.tail<3>() + jump.head<3>().cross(as_eigen(other.point)));
      }
    }
  }

  const PeerCase& given_;
  SkeletonPtr skeleton_;
  std::vector<BodyNode*> links_;
  EigenRows rows_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd response_;
  std::vector<State> states_;
};

const PeerEntry kEntry{"DART", DART_VERSION, std::nullopt, [](const PeerCase& given) -> std::unique_ptr<Peer> {
                         return std::make_unique<DartPeer>(given);
                       }};

}  // namespace
}  // namespace delassus::bench

const delassus::bench::PeerEntry* delassus_peer() { return &delassus::bench::kEntry; }
