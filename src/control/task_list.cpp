#include "delassus/control/task.hpp"

#include <cmath>
#include <string>
#include <unordered_set>

#include "math/finite.hpp"

namespace delassus {
namespace {

void require_options(const TaskLevel& level) {
  const double threshold = level.singular.threshold;
  if (threshold > 0 && threshold < 1) return;
  throw Error("level '" + level.name + "': the threshold of singular directions is " + std::to_string(threshold) +
              "; it lies between 0 and 1");
}

std::vector<Constraint> make_constraints(std::span<const TaskLevel> levels, std::span<const Constraint> held) {
  std::vector<Constraint> out(held.begin(), held.end());
  std::unordered_set<std::string> names;
  for (const Constraint& c : held) names.insert(name_of(c));
  std::unordered_set<std::string> level_names;
  for (const TaskLevel& level : levels) {
    require_options(level);
    if (!level.name.empty() && !level_names.insert(level.name).second) {
      throw Error("two levels are called '" + level.name + "'; give them names of their own");
    }
    for (const Constraint& task : level.tasks) {
      if (!name_of(task).empty() && !names.insert(name_of(task)).second) {
        throw Error("task '" + name_of(task) +
                    "' has the name of another task or of a held constraint; give it one of its own");
      }
      out.push_back(task);
    }
  }
  return out;
}

constexpr Status kNoTarget{Status::Code::kBadArgument, 1};

}  // namespace

TaskList::TaskList(std::span<const TaskLevel> levels, std::span<const Constraint> held)
    : constraints_(make_constraints(levels, held)) {}

int TaskList::find(std::string_view name) const {
  std::string names;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    if (name_of(constraints_[k]) == name) return static_cast<int>(k);
    names += (k == 0 ? "" : ", ") + name_of(constraints_[k]);
  }
  throw Error("there is no task '" + std::string(name) + "'; there are: " + names);
}

Status TaskList::set_target(int task, const Pose<double>& target) noexcept {
  if (!has(task)) return {Status::Code::kBadArgument, 0};
  LoopClosure* loop = std::get_if<LoopClosure>(&constraints_[task]);
  if (loop == nullptr || loop->second.frame != 0 || loop->axes != LoopAxes::kWorldAxes) return kNoTarget;
  if (!is_pose(target)) return kNoTarget;
  loop->second.offset = target;
  return {};
}

Status TaskList::set_target(int task, const Vec3<double>& target) noexcept {
  if (!has(task)) return {Status::Code::kBadArgument, 0};
  if (const Status s = require_finite<double>(VectorView<const double>(target.a, 3)); !s.ok()) return s;
  if (auto* centre = std::get_if<CentreOfMass>(&constraints_[task])) {
    centre->target = target;
    return {};
  }
  const LoopClosure* loop = std::get_if<LoopClosure>(&constraints_[task]);
  if (loop == nullptr || loop->free_linear != 0) return kNoTarget;
  return set_target(task, Pose<double>{loop->second.offset.R, target});
}

Status TaskList::set_target(int task, double target) noexcept {
  if (!has(task)) return {Status::Code::kBadArgument, 0};
  if (!std::isfinite(target)) return {Status::Code::kNotFinite, 0};
  if (auto* joint = std::get_if<JointPolynomial>(&constraints_[task])) {
    joint->coefficients[0] = target;
  } else if (auto* coupling = std::get_if<JointCoupling>(&constraints_[task])) {
    coupling->offset = target;
  } else {
    return kNoTarget;
  }
  return {};
}

}  // namespace delassus
