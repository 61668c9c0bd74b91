// Orocos KDL: trees have kinematics and inverse dynamics, chains the rest. Its joints turn about one axis, or slide.
#include <kdl/config.h>

#include <deque>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>

#include "bench/peers/eigen_rows.hpp"
#include "delassus/math/error.hpp"

namespace delassus::bench {
namespace {

constexpr const char* kRoot = "world";

KDL::Vector as_kdl(const Vec3<double>& v) { return {v[0], v[1], v[2]}; }

KDL::JntArray as_kdl(const std::vector<double>& x) {
  KDL::JntArray out(static_cast<unsigned>(x.size()));
  out.data = as_eigen(x);
  return out;
}

std::string name_of_link(int link) { return link == kWorld ? kRoot : "l" + std::to_string(link); }
std::string name_of_contact(std::size_t contact) { return "c" + std::to_string(contact); }

KDL::Segment segment_of(const Model& model, int i) {
  const Link& link = model.link(i);
  const Mat3<double>& R = link.placement.R;
  const KDL::Frame placement(
      KDL::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
      as_kdl(link.placement.p));
  if (link.kind != JointKind::kRevolute) throw Error("it has no free joint");
  const CentredInertia I(link.inertia);
  const KDL::RotationalInertia about_centre(I.inertia(0, 0), I.inertia(1, 1), I.inertia(2, 2), I.inertia(0, 1),
                                            I.inertia(0, 2), I.inertia(1, 2));
  return KDL::Segment(name_of_link(i),
                      KDL::Joint(name_of_link(i), placement.p, placement.M.UnitZ(), KDL::Joint::RotAxis), placement,
                      KDL::RigidBodyInertia(I.mass, KDL::Vector(I.centre[0], I.centre[1], I.centre[2]), about_centre));
}

/// Contacts are segments without mass.
KDL::Tree make_tree(const PeerCase& given) {
  KDL::Tree tree(kRoot);
  for (int i = 0; i < given.model.num_links(); ++i) {
    tree.addSegment(segment_of(given.model, i), name_of_link(given.model.link(i).parent));
  }
  for (std::size_t k = 0; k < given.contacts.size(); ++k) {
    tree.addSegment(
        KDL::Segment(name_of_contact(k), KDL::Joint(KDL::Joint::Fixed), KDL::Frame(as_kdl(given.contacts[k].point))),
        name_of_link(given.contacts[k].link));
  }
  return tree;
}

/// From the root to a contact.
KDL::Chain make_chain(const KDL::Tree& tree, std::size_t contact) {
  KDL::Chain chain;
  if (!tree.getChain(kRoot, name_of_contact(contact), chain)) throw Error("found no chain to a contact");
  return chain;
}

/// A chain's solvers, which need no look-up of names. They refer to the chain.
struct ChainToContact {
  ChainToContact(const KDL::Tree& tree, std::size_t contact)
      : chain(make_chain(tree, contact)), kinematics(chain), jacobians(chain) {}
  KDL::Chain chain;
  KDL::ChainFkSolverPos_recursive kinematics;
  KDL::ChainJntToJacSolver jacobians;
};

void require(int code) {
  if (code < 0) throw Error("KDL's error " + std::to_string(code));
}

class KdlPeer final : public Peer {
 public:
  explicit KdlPeer(const PeerCase& given)
      : given_(given),
        tree_(make_tree(given)),
        chain_(make_chain(tree_, 0)),
        kinematics_(tree_),
        jacobians_(tree_),
        inverse_(tree_, as_kdl(given.model.gravity())),
        chain_inverse_(chain_, as_kdl(given.model.gravity())),
        parameters_(chain_, as_kdl(given.model.gravity())),
        forward_(chain_, as_kdl(given.model.gravity())),
        out_(static_cast<unsigned>(given.model.nv())),
        inertia_(static_cast<int>(given.model.nv())),
        jacobian_(static_cast<unsigned>(given.model.nv())),
        no_wrenches_(chain_.getNrOfSegments(), KDL::Wrench::Zero()),
        positions_(given.contacts.size()),
        rows_(given) {
    for (const PeerState& s : given.states) {
      states_.push_back({as_kdl(s.q), as_kdl(s.v), as_kdl(s.qdd), as_kdl(s.tau)});
    }
    add_verbs_of_trees();
    if (chain_.getNrOfJoints() != static_cast<unsigned>(given.model.nv())) return;
    for (std::size_t k = 0; k < given.contacts.size(); ++k) to_contacts_.emplace_back(tree_, k);
    add_verbs_of_chains();
  }

 private:
  struct State {
    KDL::JntArray q, v, qdd, tau;
  };

  void add_verbs_of_trees() {
    add(PeerCall::kKinematics,
        {"TreeFkSolverPos_recursive::JntToCart for each contact", [this](int s) { place_contacts(states_[s].q); },
         [this] { return contact_positions(); }});
    add(PeerCall::kInverseDynamics,
        {"TreeIdSolver_RNE::CartToJnt",
         [this](int s) { require(inverse_.CartToJnt(states_[s].q, states_[s].v, states_[s].qdd, {}, out_)); },
         [this] { return entries_of(out_.data); }});
    add(PeerCall::kJacobian, {"TreeJntToJacSolver::JntToJac for each contact",
                              [this](int s) { find_jacobian(states_[s].q); }, [this] { return entries_of(rows_.J); }});
  }
  void add_verbs_of_chains() {
    add(PeerCall::kKinematics, {"ChainFkSolverPos_recursive::JntToCart for each contact",
                                [this](int s) {
                                  for (std::size_t k = 0; k < positions_.size(); ++k) {
                                    require(to_contacts_[k].kinematics.JntToCart(states_[s].q, positions_[k]));
                                  }
                                },
                                [this] { return contact_positions(); }});
    add(PeerCall::kInverseDynamics,
        {"ChainIdSolver_RNE::CartToJnt",
         [this](int s) {
           require(chain_inverse_.CartToJnt(states_[s].q, states_[s].v, states_[s].qdd, no_wrenches_, out_));
         },
         [this] { return entries_of(out_.data); }});
    add(PeerCall::kJacobian,
        {"ChainJntToJacSolver::JntToJac for each contact", [this](int s) { find_jacobian_of_chains(states_[s].q); },
         [this] { return entries_of(rows_.J); }});
    add(PeerCall::kInertia,
        {"ChainDynParam::JntToMass", [this](int s) { require(parameters_.JntToMass(states_[s].q, inertia_)); },
         [this] { return entries_of(inertia_.data); }});
    add(PeerCall::kForwardDynamics,
        {"ChainFdSolver_RNE::CartToJnt",
         [this](int s) { require(forward_.CartToJnt(states_[s].q, states_[s].v, states_[s].tau, no_wrenches_, out_)); },
         [this] { return entries_of(out_.data); }});
    add(PeerCall::kDelassus, {"J and M, LLT of M by Eigen", [this](int s) { find_delassus(states_[s].q); },
                              [this] { return entries_of(rows_.delassus); }});
    add(PeerCall::kDampedSolve, {"Λ⁻¹ and its LLT by Eigen",
                                 [this](int s) {
                                   find_delassus(states_[s].q);
                                   rows_.solve_damped();
                                 },
                                 [this] { return entries_of(rows_.solution); }});
  }

  void place_contacts(const KDL::JntArray& q) {
    for (std::size_t k = 0; k < positions_.size(); ++k) {
      require(kinematics_.JntToCart(q, positions_[k], name_of_contact(k)));
    }
  }
  std::vector<double> contact_positions() const {
    std::vector<double> out;
    for (const KDL::Frame& frame : positions_) out.insert(out.end(), frame.p.data, frame.p.data + 3);
    return out;
  }

  void find_jacobian(const KDL::JntArray& q) {
    for (std::size_t k = 0; k < given_.contacts.size(); ++k) {
      require(jacobians_.JntToJac(q, jacobian_, name_of_contact(k)));
      rows_.J.middleRows<3>(3 * static_cast<Eigen::Index>(k)) = jacobian_.data.topRows<3>();
    }
  }
  void find_jacobian_of_chains(const KDL::JntArray& q) {
    for (std::size_t k = 0; k < to_contacts_.size(); ++k) {
      require(to_contacts_[k].jacobians.JntToJac(q, jacobian_));
      rows_.J.middleRows<3>(3 * static_cast<Eigen::Index>(k)) = jacobian_.data.topRows<3>();
    }
  }
  void find_delassus(const KDL::JntArray& q) {
    find_jacobian_of_chains(q);
    require(parameters_.JntToMass(q, inertia_));
    factor_.compute(inertia_.data);
    half_ = factor_.matrixL().solve(rows_.J.transpose());
    rows_.delassus.noalias() = half_.transpose() * half_;
  }

  const PeerCase& given_;
  KDL::Tree tree_;
  KDL::Chain chain_;
  KDL::TreeFkSolverPos_recursive kinematics_;
  KDL::TreeJntToJacSolver jacobians_;
  KDL::TreeIdSolver_RNE inverse_;
  std::deque<ChainToContact> to_contacts_;  // that stay where they are
  KDL::ChainIdSolver_RNE chain_inverse_;
  KDL::ChainDynParam parameters_;
  KDL::ChainFdSolver_RNE forward_;
  KDL::JntArray out_;
  KDL::JntSpaceInertiaMatrix inertia_;
  KDL::Jacobian jacobian_;
  KDL::Wrenches no_wrenches_;
  std::vector<KDL::Frame> positions_;
  EigenRows rows_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd half_;
  std::vector<State> states_;
};

const PeerEntry kEntry{"KDL", KDL_VERSION_STRING, std::nullopt,
                       [](const PeerCase& given) -> std::unique_ptr<Peer> { return std::make_unique<KdlPeer>(given); }};

}  // namespace
}  // namespace delassus::bench

const delassus::bench::PeerEntry* delassus_peer() { return &delassus::bench::kEntry; }
