// Moments of a motion as the frames of a recording.
#pragma once

#include <string>
#include <vector>

#include "cli/pages/moment.hpp"
#include "cli/pages/structures.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/explicit_operator.hpp"

namespace delassus::cli {

class FrameWriter {
 public:
  /// `kept`: frames after which a set of constraints may be forgotten; 0: never.
  explicit FrameWriter(const Model& model, int kept = 0);

  /// The frame as JSON (docs/viewer.md), with Λ⁻¹ of the moment's constraints in its configuration.
  std::string write(const Moment& moment);

  /// The sets of constraints of the frames so far.
  const Structures& structures() const { return structures_; }

 private:
  std::string poses() const;
  std::string matrix(const Moment& moment);

  Model model_;
  Kinematics<double> kin_;
  ConstraintRows<double> rows_;
  PvOsimDelassus<double> op_;
  Structures structures_;
};

}  // namespace delassus::cli
