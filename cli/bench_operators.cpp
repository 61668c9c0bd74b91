#include "bench_operators.hpp"

#include <array>

#include "delassus/delassus/condensed.hpp"
#include "delassus/delassus/dense.hpp"
#include "delassus/delassus/kkt.hpp"
#include "delassus/delassus/lcaba.hpp"
#include "delassus/delassus/ltl.hpp"
#include "delassus/delassus/matrix_free.hpp"
#include "delassus/delassus/pv_osimr.hpp"
#include "find_by_name.hpp"

namespace delassus::cli {
namespace {

template <template <class> class Op>
BenchOperator entry(std::string_view name) {
  return {
      name,
      [](const BenchScene& scene) -> std::unique_ptr<Contender> { return std::make_unique<ContenderOf<Op>>(scene); },
      count_verbs<Op>};
}

const std::array kOperators{
    entry<CondensedDelassus>("condensed"),
    entry<MatrixFreeDelassus>("matrix-free"),
    entry<LcabaDelassus>("lcaba"),
    entry<LtlDelassus>(kBaseline),
    entry<PvOsimrDelassus>("pv-osimr"),
    entry<DenseDelassus>("dense"),
    entry<KktDelassus>("kkt"),
};

}  // namespace

std::span<const BenchOperator> bench_operators() { return kOperators; }

const BenchOperator& find_bench_operator(const std::string& name) {
  return find_by_name(bench_operators(), name, "operator", &BenchOperator::name);
}

}  // namespace delassus::cli
