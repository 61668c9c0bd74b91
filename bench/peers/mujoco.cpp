// MuJoCo, by the functions that its forward dynamics is made of. Its constrained dynamics is another problem, with constraints
// that give way: `delassus bench constrained` has it.
#include <algorithm>

#include "bench/peers/links_mujoco.hpp"
#include "bench/peers/load_mujoco.hpp"
#include "bench/peers/peer.hpp"
#include "delassus/math/error.hpp"

namespace delassus::bench {
namespace {

class MujocoPeer final : public Peer {
 public:
  explicit MujocoPeer(const PeerCase& given)
      : given_(given),
        model_(cli::load_mujoco(given.model, cli::links_as_mjcf(given.model))),
        data_(mj_makeData(model_.get())),
        rows_(given.rows()),
        positions_(static_cast<std::size_t>(rows_)),
        J_(positions_.size() * model_->nv),
        half_(J_.size()),
        turned_(J_.size()),
        inertia_(static_cast<std::size_t>(model_->nv) * model_->nv),
        delassus_(positions_.size() * positions_.size()),
        damped_(delassus_.size()),
        out_(model_->nv),
        solution_(positions_.size()) {
    for (const PeerContact& contact : given.contacts) {
      bodies_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, cli::name_of_link(contact.link).c_str()));
    }
    add_verbs();
  }

 private:
  void add_verbs() {
    add(PeerCall::kKinematics, {"mj_kinematics", [this](int s) { place(s); },
                                [this] {
                                  place_contacts();
                                  return positions_;
                                }});
    add(PeerCall::kInverseDynamics, {"mj_kinematics, mj_comPos, mj_comVel, mj_rne",
                                     [this](int s) { find_forces(place_masses(s)); }, [this] { return out_; }});
    add(PeerCall::kInertia, {"mj_kinematics, mj_comPos, mj_crb, mj_fullM",
                             [this](int s) {
                               place_masses(s);
                               mj_crb(model_.get(), data_.get());
                               mj_fullM(model_.get(), inertia_.data(), data_->qM);
                             },
                             [this] { return inertia_; }});
    add(PeerCall::kForwardDynamics, {"mj_kinematics, mj_comPos, mj_crb, mj_factorM, mj_comVel, mj_rne, mj_solveM",
                                     [this](int s) { find_acceleration(place_masses(s)); }, [this] { return out_; }});
    add(PeerCall::kJacobian, {"mj_kinematics, mj_comPos, mj_jac for each contact",
                              [this](int s) {
                                place_masses(s);
                                find_jacobian();
                              },
                              [this] { return J_; }});
    add_delassus("mju_mulMatMatT",
                 [this] { mju_mulMatMatT(delassus_.data(), half_.data(), half_.data(), rows_, model_->nv, rows_); });
    add_delassus("mju_transpose, mju_sqrMatTD", [this] {
      mju_transpose(turned_.data(), half_.data(), rows_, model_->nv);
      mju_sqrMatTD(delassus_.data(), turned_.data(), nullptr, model_->nv, rows_);
    });
  }
  /// The product in full, or one triangle of it copied.
  template <class Square>
  void add_delassus(const std::string& square_by, Square square) {
    const std::string how = "mj_kinematics, mj_comPos, mj_jac, mj_crb, mj_factorM, mj_solveM2, " + square_by;
    add(PeerCall::kDelassus, {how,
                              [this, square](int s) {
                                place_masses(s);
                                find_half();
                                square();
                              },
                              [this] { return delassus_; }});
    add(PeerCall::kDampedSolve, {how + ", mju_cholFactor, mju_cholSolve",
                                 [this, square](int s) {
                                   place_masses(s);
                                   find_half();
                                   square();
                                   solve_damped();
                                 },
                                 [this] { return solution_; }});
  }

  const PeerState& place(int state) {
    const PeerState& s = given_.states[state];
    std::ranges::copy(s.q, data_->qpos);
    mj_kinematics(model_.get(), data_.get());
    return s;
  }
  const PeerState& place_masses(int state) {
    const PeerState& s = place(state);
    mj_comPos(model_.get(), data_.get());
    return s;
  }
  void find_forces(const PeerState& s) {
    std::ranges::copy(s.v, data_->qvel);
    std::ranges::copy(s.qdd, data_->qacc);
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 1, out_.data());
  }
  void factor() {
    mj_crb(model_.get(), data_.get());
    mj_factorM(model_.get(), data_.get());
  }
  void find_acceleration(const PeerState& s) {
    factor();
    std::ranges::copy(s.v, data_->qvel);
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 0, out_.data());
    for (std::size_t k = 0; k < out_.size(); ++k) out_[k] = s.tau[k] - out_[k];
    mj_solveM(model_.get(), data_.get(), out_.data(), out_.data(), 1);
  }
  void place_contacts() {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      mjtNum* p = positions_.data() + 3 * k;
      mju_rotVecMat(p, given_.contacts[k].point.a, data_->xmat + 9 * bodies_[k]);
      mju_addTo3(p, data_->xpos + 3 * bodies_[k]);
    }
  }
  void find_jacobian() {
    place_contacts();
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      mj_jac(model_.get(), data_.get(), J_.data() + 3 * k * model_->nv, nullptr, positions_.data() + 3 * k, bodies_[k]);
    }
  }
  /// J by the factor of M from one side.
  void find_half() {
    find_jacobian();
    factor();
    mj_solveM2(model_.get(), data_.get(), half_.data(), J_.data(), rows_);
  }
  void solve_damped() {
    damped_ = delassus_;
    for (int r = 0; r < rows_; ++r) damped_[static_cast<std::size_t>(r) * (rows_ + 1)] += given_.damping;
    if (mju_cholFactor(damped_.data(), rows_, 0) < rows_) throw Error("mju_cholFactor found no full rank");
    mju_cholSolve(solution_.data(), damped_.data(), given_.right_side.data(), rows_);
  }

  const PeerCase& given_;
  cli::MujocoModel model_;
  cli::MujocoData data_;
  int rows_;
  std::vector<int> bodies_;  // with the contacts
  std::vector<double> positions_, J_, half_, turned_, inertia_, delassus_, damped_, out_, solution_;
};

const PeerEntry kEntry{
    "MuJoCo", mj_versionString(), Library::kMujoco,
    [](const PeerCase& given) -> std::unique_ptr<Peer> { return std::make_unique<MujocoPeer>(given); }};

}  // namespace
}  // namespace delassus::bench

const delassus::bench::PeerEntry* delassus_peer() { return &delassus::bench::kEntry; }
