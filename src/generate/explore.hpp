// What a kernel does where a check fails: it is run again with the mask denied, and the status that it returns is written down.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "generate/program.hpp"

namespace delassus::generation {

/// Kernels may ask long before they act on the answer: which of two that fail is told is seen when both are denied. Nearly all act in the
/// order in which they ask, so that one look at the next one is mostly all.
template <class Run>
std::vector<Check> in_order_of_consequence(Tape& tape, std::vector<Check> asked, Run& run) {
  std::vector<Check> ordered;
  while (!asked.empty()) {
    const Check check = std::move(asked.back());
    asked.pop_back();
    const auto comes_after = [&](const Check& other) {
      if (check.status.ok() || other.status == check.status) return false;
      tape.begin_checks({check.mask, other.mask});
      return run() == other.status;
    };
    auto at = ordered.begin();
    while (at != ordered.end() && comes_after(*at)) ++at;
    ordered.insert(at, check);
  }
  tape.begin_checks();
  return ordered;
}

/// Runs a kernel, which returns a Status, once as it should be and once for each check that it asks. Checks that change nothing but what is
/// computed are left out: those after which the run is ok, and asks nothing that makes it fail. What the tape holds afterwards includes what
/// failed runs compute; none of it is needed but by what explains a check.
template <class Run>
class Exploration {
 public:
  Exploration(Tape& tape, Run& run) : tape_(tape), run_(run) {}

  std::vector<Check> checks_in_order() {
    std::vector<Check> list = checks();
    list = in_order_of_consequence(tape_, std::move(list), run_);
    return list;
  }

  std::vector<Check> checks() {
    tape_.begin_checks();
    if (const Status status = run_(); !status.ok())
      throw Error("these constraints have no result in any state: " + std::to_string(static_cast<int>(status.code)));
    const std::vector<Tape::Index> asked = tape_.checks();
    std::vector<Check> checks = consequences({}, asked);
    tape_.begin_checks();
    return checks;
  }

 private:
  /// Of checks that are asked where others are denied.
  std::vector<Check> consequences(std::vector<Tape::Index> denied, const std::vector<Tape::Index>& asked) {
    known_.insert(known_.end(), asked.begin(), asked.end());
    std::vector<Check> checks;
    denied.emplace_back();
    for (const Tape::Index mask : asked) {
      denied.back() = mask;
      tape_.begin_checks(denied);
      Check check{mask, run_()};
      check.first = further_consequences(denied);
      if (!check.status.ok() || !check.first.empty()) checks.push_back(std::move(check));
    }
    known_.resize(known_.size() - asked.size());
    return checks;
  }
  /// Many checks lead to the same further questions, such as which number is not finite: they are explored once.
  std::vector<Check> further_consequences(const std::vector<Tape::Index>& denied) {
    std::vector<Tape::Index> further = tape_.checks();
    std::erase_if(further, [&](Tape::Index k) { return std::find(known_.begin(), known_.end(), k) != known_.end(); });
    if (further.empty()) return {};
    if (const auto known = explored_.find(further); known != explored_.end()) return known->second;
    return explored_[further] = consequences(denied, further);
  }

  Tape& tape_;
  Run& run_;
  std::vector<Tape::Index> known_;
  std::map<std::vector<Tape::Index>, std::vector<Check>> explored_;
};

template <class Run>
std::vector<Check> explore(Tape& tape, Run&& run) {
  return Exploration<std::remove_reference_t<Run>>(tape, run).checks_in_order();
}

/// Statuses in the order in which checks tell them.
inline void append_statuses(const std::vector<Check>& checks, std::vector<Status>& list) {
  for (const Check& check : checks) {
    append_statuses(check.first, list);
    list.push_back(check.status);
  }
}

/// Checks of lanes one by one, each with the status of its lane. Where several in a row say the same of other places, for reasons of the
/// same kind, they stand in the order that `reference` has.
template <class InLanes>
std::vector<Check> lane_by_lane(const Tape& tape, const std::vector<Check>& checks,
                                const std::vector<Status>& reference, InLanes&& in_lanes) {
  std::vector<Check> list;
  for (const Check& check : checks) {
    const std::vector<Check> first = lane_by_lane(tape, check.first, reference, in_lanes);
    const std::vector<Status> statuses =
        tape.has_lanes(check.mask) ? in_lanes(check.status) : std::vector<Status>{check.status};
    if (statuses.size() == 1 && (first.empty() || !tape.has_lanes(check.mask))) {
      list.push_back({check.mask, statuses.front(), first});
      continue;
    }
    for (int lane = 0; lane < Tape::kLanes; ++lane)
      list.push_back({check.mask, statuses[statuses.size() > 1 ? lane : 0], first, lane});
  }
  const auto rank = [&](const Check& check) {
    return std::find(reference.begin(), reference.end(), check.status) - reference.begin();
  };
  for (auto begin = list.begin(); begin != list.end();) {
    const auto end = std::find_if(begin, list.end(), [&](const Check& c) {
      return c.status.code != begin->status.code || c.first.empty() != begin->first.empty();
    });
    std::stable_sort(begin, end, [&](const Check& x, const Check& y) { return rank(x) < rank(y); });
    begin = end;
  }
  return list;
}

}  // namespace delassus::generation
