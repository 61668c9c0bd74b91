// Constraints of a model, lowered at one configuration in the scalar T.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/kinematics/kinematics.hpp"

namespace delassus::testing {

template <class T>
struct Configured {
  Configured(const Model& robot, const std::vector<Constraint>& constraints, const std::vector<T>& q)
      : model(robot), kin(model) {
    update_kinematics<T>(model, q, kin);
    lower_structure(model, constraints, rows);
    EXPECT_TRUE(lower_values<T>(model, kin, constraints, rows).ok());
  }

  /// Λ⁻¹ by an operator of this scalar.
  template <class Operator>
  std::vector<T> matrix(Operator& op) const {
    EXPECT_TRUE(op.factor({model, kin, rows}).ok());
    const int m = rows.num_rows();
    std::vector<T> A(static_cast<std::size_t>(m) * m);
    op.dense(MatrixView<T>(A.data(), m, m));
    return A;
  }
  template <class Operator>
  std::vector<T> matrix() const {
    Operator op(model, rows);
    return matrix(op);
  }

  const Model& model;
  Kinematics<T> kin;
  ConstraintRows<T> rows;
};

}  // namespace delassus::testing
