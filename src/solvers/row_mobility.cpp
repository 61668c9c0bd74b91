#include "delassus/solvers/row_mobility.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace delassus {
namespace {

/// Rows of a contact that are translations; the others are rotations.
constexpr int kTranslations = 3;

struct Mean {
  void add(double x) {
    sum += x;
    ++count;
  }
  double value() const { return sum / count; }

  double sum = 0;
  int count = 0;
};

}  // namespace

void RowMobility::reserve(int rows) {
  const auto n = static_cast<std::size_t>(rows);
  for (std::vector<double>* x : {&weights_, &mobility_, &probe_, &product_}) x->reserve(n);
  columns_.reserve(n * kColumns);
  panel_.reserve(n * kColumns);
}

void RowMobility::begin(const ContactProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.rows());
  for (std::vector<double>* x : {&weights_, &mobility_, &probe_, &product_}) x->resize(n);
  columns_.resize(n * kColumns);
  panel_.resize(n * kColumns);
  std::uint32_t state = 1;
  for (double& x : probe_) {
    state = state * 1664525U + 1013904223U;
    x = (state & 0x80000000U) != 0 ? 1.0 : -1.0;
  }
  std::fill(columns_.begin(), columns_.end(), 0.0);
  constraint_ = 0;
  row_ = count_ = 0;
}

/// Means of contacts; other rows get theirs later.
void RowMobility::average(const ContactProblem& problem) {
  Mean slide, turn;
  const auto for_each_cone_row = [&](auto&& visit) {
    for (std::size_t c = 0; c < problem.spans.size(); ++c) {
      if (problem.sets[c].kind != SetKind::kFrictionCone) continue;
      for (int k = 0; k < problem.spans[c].rows; ++k) {
        visit(static_cast<std::size_t>(problem.spans[c].first_row + k), k < kTranslations ? slide : turn);
      }
    }
  };
  for_each_cone_row([&](std::size_t r, Mean& mean) { mean.add(probe_[r] * product_[r]); });
  for_each_cone_row([&](std::size_t r, const Mean& mean) { mobility_[r] = mean.value(); });
  alike_ = slide.count == problem.rows();
}

/// Unit vectors of the next rows that are not of contacts; false: there are none left.
bool RowMobility::list_columns(const ContactProblem& problem) {
  count_ = 0;
  while (count_ < kColumns && constraint_ < problem.spans.size()) {
    const RowSpan& span = problem.spans[constraint_];
    if (problem.sets[constraint_].kind == SetKind::kFrictionCone || row_ >= span.rows) {
      ++constraint_;
      row_ = 0;
      continue;
    }
    const int row = span.first_row + row_++;
    columns_[static_cast<std::size_t>(row * kColumns + count_)] = 1;
    rows_[static_cast<std::size_t>(count_++)] = row;
  }
  return count_ > 0;
}

void RowMobility::read_columns() {
  for (int k = 0; k < count_; ++k) {
    const int row = rows_[static_cast<std::size_t>(k)];
    const auto entry = static_cast<std::size_t>(row * kColumns + k);
    mobility_[static_cast<std::size_t>(row)] = panel_[entry];
    columns_[entry] = 0;
  }
}

/// Rows that nothing moves, or where the average went astray, count as nearly rigid.
void RowMobility::finish(const ContactProblem& problem) {
  constexpr double kLeast = 1e-6;
  double total = 0;
  for (const double x : mobility_) total += std::max(x, 0.0);
  scale_ = total > 0 ? total / problem.rows() : 1.0;
  for (std::size_t r = 0; r < weights_.size(); ++r) {
    weights_[r] = alike_ ? 1.0 : std::max(mobility_[r] / scale_, kLeast);
    mobility_[r] = weights_[r] * scale_ + problem.compliance_of(static_cast<int>(r));
  }
}

}  // namespace delassus
