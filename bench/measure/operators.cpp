#include "bench/measure/operators.hpp"

#include <array>

#include "cli/shell/find_by_name.hpp"
#include "delassus/operators/any_delassus.hpp"

namespace delassus::cli {
namespace {

template <template <class> class Op>
std::unique_ptr<Contender> make_contender(const BenchScene& scene) {
  return std::make_unique<ContenderOf<Op>>(scene);
}

template <template <class> class Op>
BenchOperator entry(std::string_view name) {
  return {name, find_algorithm(name), make_contender<Op>, count_verbs<Op>, matrix_of<Op>, solution_of<Op>, nullptr};
}

template <template <class> class Op>
BenchOperator published(std::string_view name) {
  return {name, std::nullopt, make_contender<Op>, count_verbs<Op>, matrix_of<Op>, solution_of<Op>, count_calls<Op>};
}

/// LCABA as the paper has it: nothing is refined.
template <class T>
struct PublishedLcaba : LcabaDelassus<T> {
  PublishedLcaba(const Model& model, const ConstraintRows<T>& rows)
      : LcabaDelassus<T>(model, rows, {.refinements = 0}) {}
};
const BenchOperator kPublishedLcaba = published<PublishedLcaba>("lcaba-published");

/// Those without a matrix, those as published, then those that compute the matrix.
const std::array kOperators{
    entry<LimbDelassus>("limbs"),
    entry<CondensedDelassus>("condensed"),
    entry<LcabaDelassus>("lcaba"),
    entry<KktDelassus>("kkt"),
    published<MatrixFreeDelassus>("matrix-free"),
    published<ThreeMapsDelassus>("three-maps"),
    entry<PvOsimDelassus>("pv-osim"),
    entry<PvOsimrDelassus>("pv-osimr"),
    entry<LtlDelassus>(kBaseline),
    entry<EfpaDelassus>("efpa"),
    entry<ChangKhatibDelassus>("chang-khatib"),
    entry<KjrDelassus>("kjr"),
    entry<DenseDelassus>("dense"),
};

std::vector<BenchOperator> operators_of_the_paper() {
  std::vector<BenchOperator> out;
  for (const char* name :
       {"limbs", "condensed", "matrix-free", "lcaba", "lcaba-published", "ltl", "pv-osimr", "dense", "kkt"}) {
    out.push_back(find_bench_operator(name));
  }
  return out;
}

}  // namespace

std::span<const BenchOperator> all_operators() { return kOperators; }

std::span<const BenchOperator> bench_operators() {
  static const std::vector<BenchOperator> kOfThePaper = operators_of_the_paper();
  return kOfThePaper;
}

const BenchOperator& find_bench_operator(const std::string& name) {
  if (name == kPublishedLcaba.name) return kPublishedLcaba;
  return find_by_name(all_operators(), name, "operator", &BenchOperator::name);
}

}  // namespace delassus::cli
