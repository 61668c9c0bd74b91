// What a factorization of the inertia says when it ends without result.
#pragma once

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

/// A joint that no number describes is not singular: names the entry of q instead, if one is no number.
template <class T>
Status explained(const Model& model, const Kinematics<T>& kin, Status status) {
  if (status.ok()) return status;
  for (int k = 0; k < model.nq(); ++k) {
    if (!all_lanes(is_finite(kin.q[k]))) return {Status::Code::kNotFinite, k};
  }
  return status;
}

}  // namespace delassus
