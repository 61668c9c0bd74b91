#include "delassus/constraints/describe.hpp"

namespace delassus {
namespace {

/// " (joint 'knee')"
std::string dof_text(int dof, const Model& model) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.v <= dof && dof < link.v + link.nv) return " (joint '" + model.joint_name(i) + "')";
  }
  return "";
}

}  // namespace

std::string describe(const Status& status, const Model& model, std::span<const Constraint> constraints) {
  const std::string index = std::to_string(status.index);
  switch (status.code) {
    case Status::Code::kOk:
      return "ok";
    case Status::Code::kSingularJoint:
      return "joint '" + model.joint_name(status.index) +
             "' is singular: what it moves has no inertia about it here; give the link a mass or the joint an armature";
    case Status::Code::kNotPositive:
      return "row " + index +
             " has a damping that is not positive, which 'condensed', 'limbs' and 'lcaba' divide by (others do without "
             "where "
             "rows are independent), or the damped Delassus matrix is not positive definite at row " +
             index + "; use a larger damping";
    case Status::Code::kDegenerate: {
      const std::string what = "constraint " + index;
      if (status.index >= static_cast<int>(constraints.size())) return what + " has no direction";
      const Constraint& c = constraints[status.index];
      return std::string(kind_of(c)) + " constraint '" + name_of(c) +
             "' has no direction: its points coincide or its axes are parallel";
    }
    case Status::Code::kNotFinite:
      return "entry " + index +
             " is not a finite number; check what went in: q, v, forces, dampings, targets and the constraints";
    case Status::Code::kInaccurate:
      return "row " + index +
             ": the damped solve left a residual above what was asked for; use a larger damping or fewer redundant "
             "rows";
    case Status::Code::kInfeasible:
      return row_name(model, constraints, status.index) +
             " cannot have its target: nothing can move it that way, or rows contradict each other here, by themselves "
             "(see `delassus doctor`) or by what is asked of them";
    case Status::Code::kNotConverged:
      return row_name(model, constraints, status.index) +
             " is not at its target after all iterations; allow more of them, start nearer to the constraints, or take "
             "shorter steps";
    case Status::Code::kUnbalanced:
      return "degree of freedom " + index + dof_text(status.index, model) +
             " has no motor, and no constraint force can move it as asked; ask for another motion, or add contacts";
    case Status::Code::kSingularTask:
      return row_name(model, constraints, status.index) +
             " cannot be moved freely here: the posture is singular for its task, or tasks of higher priority need "
             "the same directions; what is left of the task is still pursued";
    case Status::Code::kBadArgument:
      if (status.index < 0) return "the call comes too early: it needs a successful update (or factor), or a damping";
      return "argument " + index + " (counted from 0) has the wrong size or names something that is not there";
  }
  return "unknown status";
}

}  // namespace delassus
