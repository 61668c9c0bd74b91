#include "solvers/row_mobility.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace delassus {
namespace {

/// Rows of a contact that are translations; the others are rotations.
constexpr int kTranslations = 3;
/// Rows of contacts from which on one product tells their mean.
constexpr int kMany = 24;

struct Mean {
  void add(double x) {
    sum += x;
    ++count;
  }
  double value() const { return sum / count; }

  double sum = 0;
  int count = 0;
};

/// Calls visit(row, whether it is a translation) for rows of contacts.
template <class Visit>
void for_each_cone_row(const ContactProblem& problem, Visit&& visit) {
  for (std::size_t c = 0; c < problem.spans.size(); ++c) {
    if (problem.sets[c].kind != SetKind::kFrictionCone) continue;
    for (int k = 0; k < problem.spans[c].rows; ++k) {
      visit(static_cast<std::size_t>(problem.spans[c].first_row + k), k < kTranslations);
    }
  }
}

void fill_with_mean(double* x, int count) {
  const double sum = std::accumulate(x, x + count, 0.0);
  std::fill_n(x, count, sum / count);
}

}  // namespace

void RowMobility::reserve(int rows) {
  const auto n = static_cast<std::size_t>(rows);
  for (std::vector<double>* x : {&weights_, &mobility_, &own_, &probe_, &product_}) x->reserve(n);
  columns_.reserve(n * kColumns);
  panel_.reserve(n * kColumns);
}

void RowMobility::begin(const ContactProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.rows());
  for (std::vector<double>* x : {&weights_, &mobility_, &probe_, &product_}) x->resize(n);
  columns_.resize(n * kColumns);
  panel_.resize(n * kColumns);
  std::fill(columns_.begin(), columns_.end(), 0.0);
  draw_signs(problem);
  constraint_ = 0;
  row_ = count_ = 0;
}

/// One sign per row where there are many alike. Else columns for translations and others for rotations, in which a row has its sign times a row of
/// a Hadamard matrix: rows with different ones add nothing to each other in the mean over columns, so that it is exact for a few.
void RowMobility::draw_signs(const ContactProblem& problem) {
  std::array<int, 2> count{};  // rotations, translations
  for_each_cone_row(problem, [&](std::size_t, bool translation) { ++count[translation]; });
  alike_ = count[1] == problem.rows();
  many_ = alike_ && count[1] >= kMany;
  width_ = count[0] > 0 ? kColumns / 2 : kColumns;
  count = {};
  std::uint32_t state = 1;
  for_each_cone_row(problem, [&](std::size_t r, bool translation) {
    state = state * 1664525U + 1013904223U;
    probe_[r] = (state & 0x80000000U) != 0 ? 1.0 : -1.0;
    const int pattern = count[translation]++ % width_;
    for (int k = 0; k < width_; ++k) {
      const bool odd = std::popcount(static_cast<unsigned>(pattern & k)) % 2 != 0;
      columns_[first_column(r, translation) + static_cast<std::size_t>(k)] = odd ? -probe_[r] : probe_[r];
    }
  });
}

/// Means of contacts; other rows get theirs later.
void RowMobility::average(const ContactProblem& problem) {
  std::array<Mean, 2> means;  // rotations, translations
  for_each_cone_row(problem, [&](std::size_t r, bool translation) {
    if (many_) means[translation].add(probe_[r] * product_[r]);
    const std::size_t first = first_column(r, translation);
    for (std::size_t k = first; k < first + static_cast<std::size_t>(width_); ++k) {
      if (!many_) means[translation].add(columns_[k] * panel_[k]);
      columns_[k] = 0;
    }
  });
  for_each_cone_row(problem, [&](std::size_t r, bool translation) { mobility_[r] = means[translation].value(); });
}

/// Expects the diagonal in mobility_.
void RowMobility::average_each(const ContactProblem& problem) {
  for (std::size_t c = 0; c < problem.spans.size(); ++c) {
    if (problem.sets[c].kind != SetKind::kFrictionCone) continue;
    const int slides = std::min(problem.spans[c].rows, kTranslations);
    double* first = mobility_.data() + problem.spans[c].first_row;
    fill_with_mean(first, slides);
    fill_with_mean(first + slides, problem.spans[c].rows - slides);
  }
  alike_ = false;
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
  scale_ = total > kImmovable * problem.rows() ? total / problem.rows() : 1.0;
  for (std::size_t r = 0; r < weights_.size(); ++r) {
    weights_[r] = alike_ ? 1.0 : std::max(mobility_[r] / scale_, kLeast);
    mobility_[r] = weights_[r] * scale_ + problem.compliance_of(static_cast<int>(r));
  }
}

void RowMobility::apply_columns(OperatorRef<double> op, int rows) {
  op.apply_panel(MatrixView<const double>(columns_.data(), rows, kColumns),
                 MatrixView<double>(panel_.data(), rows, kColumns));
}

void RowMobility::find(OperatorRef<double> op, const ContactProblem& problem) {
  begin(problem);
  if (many_) {
    op.apply(probe_, product_);
  } else {
    apply_columns(op, problem.rows());
  }
  average(problem);
  while (list_columns(problem)) {
    apply_columns(op, problem.rows());
    read_columns();
  }
  finish(problem);
}

void RowMobility::find_each(OperatorRef<double> op, const ContactProblem& problem) {
  begin(problem);
  op.diagonal(mobility_);
  own_ = mobility_;
  for (std::size_t r = 0; r < own_.size(); ++r) own_[r] += problem.compliance_of(static_cast<int>(r));
  average_each(problem);
  finish(problem);
}

}  // namespace delassus
