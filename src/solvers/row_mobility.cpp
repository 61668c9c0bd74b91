#include "delassus/solvers/row_mobility.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace delassus {
namespace {

/// Rows of a contact that are translations; the others are rotations.
constexpr int kTranslations = 3;

/// Visits the rows of contacts with friction that are translations, or those that are rotations.
template <class Visit>
void for_each_cone_row(const ContactProblem& problem, bool turn, Visit&& visit) {
  for (std::size_t c = 0; c < problem.spans.size(); ++c) {
    if (problem.sets[c].kind != SetKind::kFrictionCone) continue;
    const RowSpan& span = problem.spans[c];
    const int first = turn ? kTranslations : 0, end = turn ? span.rows : std::min(span.rows, kTranslations);
    for (int k = first; k < end; ++k) visit(static_cast<std::size_t>(span.first_row + k));
  }
}

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
  std::fill(columns_.begin(), columns_.end(), 0.0);
  constraint_ = 0;
  row_ = count_ = 0;
}

/// Signs on those rows of contacts, to be multiplied with; false if there are none.
bool RowMobility::probe(const ContactProblem& problem, bool turn) {
  std::fill(probe_.begin(), probe_.end(), 0.0);
  std::uint32_t state = 1;
  probed_ = 0;
  for_each_cone_row(problem, turn, [&](std::size_t r) {
    state = state * 1664525U + 1013904223U;
    probe_[r] = (state & 0x80000000U) != 0 ? 1.0 : -1.0;
    ++probed_;
  });
  if (!turn) alike_ = probed_ == problem.rows();
  return probed_ > 0;
}

/// The mean of those rows; rows that are not of contacts get their own later.
void RowMobility::average(const ContactProblem& problem, bool turn) {
  double sum = 0;
  for_each_cone_row(problem, turn, [&](std::size_t r) { sum += probe_[r] * product_[r]; });
  for_each_cone_row(problem, turn, [&](std::size_t r) { mobility_[r] = sum / probed_; });
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

/// Rows that nothing moves count as nearly rigid.
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
