#include "solvers/scaled_rows.hpp"

#include <cmath>

#include "delassus/constraints/lower.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "dynamics/inertia_factor.hpp"
#include "solvers/row_basis.hpp"

namespace delassus {
namespace {

/// |J| without the cancellation of levers: for a row with force f and moment m about its link's origin, the motion of a
/// degree of freedom at distance r counts |m||ω| + |f||v| + r|f||ω|.
void find_reach(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                ScaledRows& out) {
  out.reach.assign(static_cast<std::size_t>(out.rows) * out.dofs, 0);
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<double> w = row_wrench(rows, block, r, Vec3<double>::zero());
      double* row = &out.reach[static_cast<std::size_t>(block.first_row + r) * out.dofs];
      for (int i = block.link; i != kWorld; i = model.link(i).parent) {
        const double lever = norm(kin.pose[block.link].p - kin.pose[i].p);
        for (int k = model.link(i).v; k < model.link(i).v + model.link(i).nv; ++k) {
          const Motion<double>& S = kin.S[k];
          row[k] += (norm(w.moment) + lever * norm(w.force)) * norm(S.angular) + norm(w.force) * norm(S.linear);
        }
      }
    }
  }
  for_each_entry(rows, [&](int row, int v, double weight) {
    out.reach[static_cast<std::size_t>(row) * out.dofs + v] += std::abs(weight);
  });
}

void find_inertia(const Model& model, const Kinematics<double>& kin, ScaledRows& out) {
  std::vector<double> M(static_cast<std::size_t>(out.dofs) * out.dofs);
  CompositeInertia<double> work(model);
  crba<double>(model, kin, MatrixView<double>(M.data(), out.dofs, out.dofs), work);
  out.inertia.resize(static_cast<std::size_t>(out.dofs));
  for (int k = 0; k < out.dofs; ++k) out.inertia[k] = M[static_cast<std::size_t>(k) * out.dofs + k];
}

/// Y = L⁻ᵀ Jᵀ, of rows in their own units.
Status find_directions(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                       ScaledRows& out) {
  out.Y.resize(static_cast<std::size_t>(out.rows) * out.dofs);
  constraint_jacobian<double>(model, kin, rows, MatrixView<double>(out.Y.data(), out.rows, out.dofs));
  WorldFrames<double> frames(model);
  place_frames(model, kin, frames);
  InertiaFactor<double> factor(model);
  const Status status = factor.compute(model, kin, frames);
  for (int r = 0; status.ok() && r < out.rows; ++r) factor.solve_transposed(out.row(r));
  return status;
}

/// The strength of a row compares with what it would be if nothing cancelled and joints moved one at a time.
Status scale(double tolerance, ScaledRows& out) {
  for (int r = 0; r < out.rows; ++r) {
    double reachable = 0;
    for (int k = 0; k < out.dofs; ++k) {
      const double reach = out.reach[static_cast<std::size_t>(r) * out.dofs + k];
      reachable += reach * reach / out.inertia[k];
    }
    const double norm = length(out.row(r), out.dofs);
    if (!std::isfinite(norm)) return {Status::Code::kNotFinite, r};
    out.diagonal.push_back(norm * norm);
    out.strength.push_back(reachable > 0 ? norm / std::sqrt(reachable) : 0);
    const bool moves = out.strength[r] * out.strength[r] > tolerance;
    for (int k = 0; k < out.dofs; ++k) out.row(r)[k] = moves ? out.row(r)[k] / norm : 0;
  }
  return {};
}

}  // namespace

Status scale_rows(const Model& model, const Kinematics<double>& kin, const ConstraintRows<double>& rows,
                  double tolerance, ScaledRows& out) {
  out.rows = rows.num_rows();
  out.dofs = model.nv();
  find_reach(model, kin, rows, out);
  find_inertia(model, kin, out);
  const Status status = find_directions(model, kin, rows, out);
  return status.ok() ? scale(tolerance, out) : status;
}

}  // namespace delassus
