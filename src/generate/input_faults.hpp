// What is asked of inputs before anything is computed: traces leave out products with zeros, by which the library's kernels see that an
// input is no number, and those with parts of a rotation that are zero whatever it is.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "delassus/math/rotation.hpp"
#include "delassus/model/model.hpp"
#include "math/traced.hpp"

namespace delassus::generation {

class InputFaults {
 public:
  /// `library` answers for a vector of all inputs, of which the first are a configuration.
  template <class Library>
  InputFaults(const Model& model, int inputs, Library&& library) : coordinates_(model.nq()) {
    std::vector<double> good = model.neutral();
    good.resize(inputs);
    for (int k = 0; k < inputs; ++k) {
      std::vector<double> bad = good;
      bad[k] = std::numeric_limits<double>::quiet_NaN();
      if (const Status status = library(bad); !status.ok()) no_number_.push_back({k, status});
    }
    std::stable_sort(no_number_.begin(), no_number_.end(),
                     [](const Fault& a, const Fault& b) { return a.status.index < b.status.index; });
    for (int i = 0; i < model.num_links(); ++i) {
      const Link& link = model.link(i);
      if (link.kind != JointKind::kFree && link.kind != JointKind::kSpherical) continue;
      const int first = link.kind == JointKind::kFree ? link.q + 3 : link.q;
      std::vector<double> bad = good;
      std::fill_n(bad.begin() + first, 4, 0.0);
      if (const Status status = library(bad); !status.ok()) no_quaternion_.push_back({first, status});
    }
  }

  template <class T>
  Status check(const std::vector<T>& inputs) const {
    if (const Status status = check_numbers(inputs); !status.ok()) return status;
    for (const Fault& fault : no_quaternion_) {
      const T* at = &inputs[fault.input];
      const Quaternion<T> quaternion{{at[0], at[1], at[2], at[3]}};
      if (!all_lanes(is_finite(T(2) / dot(quaternion, quaternion)))) return fault.status;  // as rotation_of has it
    }
    return {};
  }

 private:
  struct Fault {
    int input;
    Status status;
  };
  static bool explains_itself(const Fault& f) { return f.status == Status{Status::Code::kNotFinite, f.input}; }
  static bool is_any(const Fault&) { return true; }

  template <class T, class Wanted>
  bool are_finite(const std::vector<T>& inputs, Wanted&& wanted) const {
    T sum(0);
    for (const Fault& fault : no_number_) {
      if (wanted(fault)) sum += inputs[fault.input];
    }
    return all_lanes(is_finite(sum));
  }

  template <class T>
  Status check_numbers(const std::vector<T>& inputs) const {
    if (are_finite(inputs, is_any)) return {};
    // Where a coordinate explains itself, the first of all that are no numbers is told.
    if (!are_finite(inputs, explains_itself)) {
      for (int k = 0; k < coordinates_; ++k) {
        if (!all_lanes(is_finite(inputs[k]))) return {Status::Code::kNotFinite, k};
      }
    }
    for (const Fault& fault : no_number_) {
      if (!explains_itself(fault) && !all_lanes(is_finite(inputs[fault.input]))) return fault.status;
    }
    return {};
  }

  int coordinates_;
  std::vector<Fault> no_number_;      // what is told first stands first
  std::vector<Fault> no_quaternion_;  // where it begins, and what is said if it is zero
};

}  // namespace delassus::generation
