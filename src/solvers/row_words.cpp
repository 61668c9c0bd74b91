#include "solvers/row_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>

#include "model/wording.hpp"

namespace delassus {
namespace {

constexpr std::size_t kMostTerms = 4;
constexpr std::size_t kMostJoints = 3;

std::string and_more(std::size_t count, std::size_t shown) {
  return count > shown ? " and " + std::to_string(count - shown) + " more" : "";
}

}  // namespace

std::string three_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::string with_unit(double x, const std::string& unit, const char* per) {
  return three_digits(x) + (unit.empty() ? "" : " " + unit + per);
}

std::string error_text(const ConstraintDiagnosis& constraint) {
  std::string text;
  const auto append = [&](double x, const char* unit) {
    if (x != 0) text += (text.empty() ? ": off by " : ", ") + with_unit(x, unit);
  };
  append(constraint.linear, "m");
  append(constraint.angular, "rad");
  append(constraint.other, "");
  return text;
}

std::string RowWords::missed(const std::vector<int>& rows, double RowDiagnosis::*what, const char* per) const {
  std::string text;
  for (std::size_t k = 0; k < rows.size() && k < kMostTerms; ++k) {
    text += (k > 0 ? ", " : "") + row(rows[k]).name + " by " + with_unit(row(rows[k]).*what, row(rows[k]).unit, per);
  }
  return text + and_more(rows.size(), kMostTerms);
}

std::string RowWords::sum(const RowDependency& d, const char* relation) const {
  std::string text = row(d.rows[0]).name + " " + relation + " ";
  if (d.rows.size() == 1) return text + "0";
  std::vector<std::size_t> order(d.rows.size() - 1);
  std::iota(order.begin(), order.end(), 1);
  // By the digits that are shown, so that rounding does not choose among equals.
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t k) { return std::stod(three_digits(std::abs(d.weights[k]))); });
  for (std::size_t k = 0; k < order.size() && k < kMostTerms; ++k) {
    const double weight = -d.weights[order[k]];
    const std::string size = three_digits(std::abs(weight));
    text += weight < 0 ? (k > 0 ? " - " : "-") : (k > 0 ? " + " : "");
    text += (size == "1" ? "" : size + " ") + row(d.rows[order[k]]).name;
  }
  return text + and_more(order.size(), kMostTerms);
}

std::string RowWords::joints(const std::vector<int>& rows, const char* before) const {
  std::vector<std::pair<double, int>> joints;
  for (int i = 0; i < model_.num_links(); ++i) {
    double reach = 0;
    for (int k = model_.link(i).v; k < model_.link(i).v + model_.link(i).nv; ++k) {
      for (const int r : rows) {
        const double x = analysis_.reach[static_cast<std::size_t>(r) * analysis_.dofs + k];
        reach = std::max(reach, x * x / analysis_.inertia[k]);
      }
    }
    if (reach > 0) joints.emplace_back(-reach, i);
  }
  std::ranges::sort(joints);
  std::string text;
  for (std::size_t k = 0; k < joints.size() && k < kMostJoints; ++k) {
    text += (k > 0 ? ", " : before) + in_quotes(model_.joint_name(joints[k].second));
  }
  return text + and_more(joints.size(), kMostJoints);
}

}  // namespace delassus
