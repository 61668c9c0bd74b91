// MuJoCo's constraint solver on mixed problems: its matrix, compliance and references in, its forces out. And its formulas for compliance and
// references against ours.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "delassus/operators/matrix_operator.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "delassus/solvers/relaxed_contact.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

using testing::TemporaryFolder;

/// Shapes with every number of contact rows on a plane, a hinge with friction and a limit, and a loop.
constexpr const char* kScene = R"(<mujoco>
  <option timestep="0.002" cone="elliptic" solver="Newton" iterations="500" tolerance="0" jacobian="dense" impratio="2"/>
  <worldbody>
    <geom type="plane" size="5 5 1" condim="1" friction="0.3 0.01 0.001"/>
    <body pos="0 0 0.0998"><freejoint/><geom type="box" size="0.1 0.15 0.1" mass="2" friction="0.6 0.02 0.003" condim="3"/></body>
    <body pos="1 0 0.0995"><freejoint/><geom type="sphere" size="0.1" mass="1" condim="6" friction="0.7 0.02 0.01"/></body>
    <body pos="2 0 0.0999" euler="90 0 0"><freejoint/><geom type="capsule" size="0.1 0.2" mass="3" condim="4" friction="0.5 0.05 0.001"/></body>
    <body pos="3 0 0.0999"><freejoint/><geom type="sphere" size="0.1" mass="1" condim="1"/></body>
    <body pos="0 2 1">
      <joint name="hip" type="hinge" axis="0 1 0" range="-30 20" limited="true" frictionloss="0.4" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/>
      <body name="tip" pos="0.4 0 0"><joint type="hinge" axis="0 1 0" frictionloss="0.05"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="0.5"/></body>
    </body>
    <body name="rod" pos="0 3 1"><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.4"/></body>
    <body name="crank" pos="0.3 3 1.2"><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.02" mass="0.3"/></body>
  </worldbody>
  <equality><connect body1="rod" body2="crank" anchor="0.3 0 0"/></equality>
</mujoco>)";

struct Free {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};

class MujocoRelaxedContact : public ::testing::TestWithParam<int> {
 protected:
  MujocoRelaxedContact() {
    const std::string path = folder_.write("scene.xml", kScene);
    char error[500] = "";
    model_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    if (!model_) throw std::runtime_error(error);
    data_.reset(mj_makeData(model_.get()));
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int k = 0; k < model_->nv; ++k) data_->qvel[k] = 0.5 * uniform(random);
    data_->qpos[7 * 4] = 0.36 * (GetParam() % 2);  // the hinge: beyond its limit of 20 degrees, or not
    mj_forward(model_.get(), data_.get());
    read();
  }

  /// Rows, sets, A = J M⁻¹ Jᵀ, g = J q̈ - reference.
  void read() {
    const int n = data_->nefc, nv = model_->nv;
    for (int r = 0; r < n;) {
      ForceSet set;
      int rows = 1;
      switch (data_->efc_type[r]) {
        case mjCNSTR_FRICTION_DOF:
          set = {SetKind::kBox, data_->efc_frictionloss[r]};
          break;
        case mjCNSTR_LIMIT_JOINT:
        case mjCNSTR_CONTACT_FRICTIONLESS:
          set = {SetKind::kNonNegative};
          break;
        case mjCNSTR_CONTACT_ELLIPTIC: {
          const mjContact& contact = data_->contact[data_->efc_id[r]];
          rows = contact.dim;
          set.kind = SetKind::kFrictionCone;
          set.mu = contact.friction[0];
          set.mu_torsion = contact.friction[2];
          set.mu_rolling = contact.friction[3];
          break;
        }
        default:
          break;  // an equality
      }
      spans_.push_back({0, r, rows, 0, 0, 0, 0});
      sets_.push_back(set);
      r += rows;
    }
    std::vector<double> response(static_cast<std::size_t>(n * nv));
    mj_solveM(model_.get(), data_.get(), response.data(), data_->efc_J, n);
    A_.resize(static_cast<std::size_t>(n * n));
    mju_mulMatMatT(A_.data(), data_->efc_J, response.data(), n, nv, n);
    g_.resize(static_cast<std::size_t>(n));
    mj_mulJacVec(model_.get(), data_.get(), g_.data(), data_->qacc_smooth);
    for (int r = 0; r < n; ++r) g_[static_cast<std::size_t>(r)] -= data_->efc_aref[r];
    compliance_.assign(data_->efc_R, data_->efc_R + n);
  }

  ContactProblem problem() const {
    ContactProblem out{spans_, sets_, g_};
    out.compliance = compliance_;
    out.law = ContactLaw::kConvex;
    return out;
  }

  TemporaryFolder folder_;
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
  std::vector<RowSpan> spans_;
  std::vector<ForceSet> sets_;
  std::vector<double> A_, g_, compliance_;
};

/// Compliance makes forces unique. MuJoCo's Newton method ends where its cost stops falling, which is at about the root of rounding, in units
/// of the largest force.
TEST_P(MujocoRelaxedContact, ForcesAreMujocos) {
  const int n = data_->nefc;
  ASSERT_GT(n, 20);
  GivenDelassus<double> op(MatrixView<const double>(A_.data(), n, n), spans_);
  double most = 0;
  for (int r = 0; r < n; ++r) most = std::max(most, std::abs(data_->efc_force[r]));
  const auto expect_forces = [&](auto solver, const char* name) {
    std::vector<double> force(static_cast<std::size_t>(n), 0.0);
    ASSERT_TRUE(solver.solve(op, problem(), force).ok()) << name << ": " << name_of(solver.certificate().reason);
    for (int r = 0; r < n; ++r)
      EXPECT_NEAR(force[static_cast<std::size_t>(r)], data_->efc_force[r], 1e-6 * most) << name << ", row " << r;
  };
  expect_forces(Admm(), "ADMM");
  expect_forces(ContactNewton(), "Newton");
  expect_forces(Pgs(), "PGS");
}

/// Normal rows and limits: compliance and reference acceleration from position, velocity and MuJoCo's own mobility. Friction rows have no position.
TEST_P(MujocoRelaxedContact, RowsAreRelaxedAsMujocos) {
  const RelaxedContact relaxed;  // MuJoCo's defaults
  int looked_at = 0;
  for (const RowSpan& span : spans_) {
    const int r = span.first_row;
    const int type = data_->efc_type[r];
    if (type != mjCNSTR_CONTACT_ELLIPTIC && type != mjCNSTR_CONTACT_FRICTIONLESS && type != mjCNSTR_LIMIT_JOINT)
      continue;
    const double h = model_->opt.timestep, v = data_->efc_vel[r];
    const RowSoftening row =
        relax_row(relaxed, data_->efc_pos[r] - data_->efc_margin[r], v, data_->efc_diagApprox[r], h);
    EXPECT_NEAR(row.compliance, data_->efc_R[r], 1e-12 * data_->efc_R[r]);
    EXPECT_NEAR(-(row.bias + v) / h, data_->efc_aref[r], 1e-9 * (1 + std::abs(data_->efc_aref[r])));
    ++looked_at;
  }
  EXPECT_GE(looked_at,
            7);  // four corners of a box, two ends of a capsule, two spheres; less one that may be in the air
}

INSTANTIATE_TEST_SUITE_P(Seeds, MujocoRelaxedContact, ::testing::Range(1, 7));

}  // namespace
}  // namespace delassus
