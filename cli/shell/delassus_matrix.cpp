#include "cli/shell/delassus_matrix.hpp"

#include <fmt/format.h>

#include "cli/shell/find_by_name.hpp"
#include "cli/shell/message.hpp"
#include "delassus/constraints/describe.hpp"
#include "delassus/generate/compile.hpp"
#include "delassus/operators/operator.hpp"

namespace delassus::cli {
namespace {

/// Without a compiler the library's own operator, which stands in for code, has the matrix.
Operator<double> make_compiled(const Model& model, const std::vector<Constraint>& constraints) {
  GeneratedDelassus<double> op = compile(model, constraints);
  if (!op.has_code()) {
    say_warning("no generated code: " + op.reason());
    return Operator<double>(model, constraints, Algorithm::kLimbs);
  }
  return {model, constraints, std::move(op)};
}

Operator<double> make_operator(const std::string& name, const Model& model,
                               const std::vector<Constraint>& constraints) {
  if (name == name_of(Algorithm::kGenerated)) return make_compiled(model, constraints);
  const Algorithm algorithm =
      find_by_name(kAllAlgorithms, name, "algorithm", [](Algorithm a) { return delassus::name_of(a); });
  return Operator<double>(model, constraints, algorithm);
}

}  // namespace

const std::vector<std::string>& algorithm_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Algorithm a : kAllAlgorithms) names.emplace_back(name_of(a));
    return names;
  }();
  return kNames;
}

std::vector<std::string> algorithm_names_with_code() {
  std::vector<std::string> names = algorithm_names();
  names.emplace_back(name_of(Algorithm::kGenerated));
  return names;
}

MatrixResult delassus_matrix(const std::string& name, const Model& model, const std::vector<double>& q,
                             const std::vector<Constraint>& constraints) {
  Operator<double> op = make_operator(name, model, constraints);
  require_ok(op.update(q), model, constraints);
  MatrixResult result{std::string(name_of(op.algorithm())), op.rows(),
                      std::vector<double>(static_cast<std::size_t>(op.rows()) * op.rows())};
  op.dense(MatrixView<double>(result.entries.data(), op.rows(), op.rows()));
  return result;
}

void require_ok(const Status& status, const Model& model, const std::vector<Constraint>& constraints) {
  if (!status.ok()) throw Error(fmt::format("model '{}': {}", model.name(), describe(status, model, constraints)));
}

}  // namespace delassus::cli
