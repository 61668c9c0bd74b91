#include "delassus_matrix.hpp"

#include <fmt/format.h>

#include "delassus/constraints/describe.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/any_delassus.hpp"
#include "find_by_name.hpp"

namespace delassus::cli {

const std::vector<std::string>& algorithm_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Algorithm a : kAllAlgorithms) names.emplace_back(name_of(a));
    return names;
  }();
  return kNames;
}

MatrixResult delassus_matrix(const std::string& name, const Model& model, const std::vector<double>& q,
                             const std::vector<Constraint>& constraints) {
  const Algorithm algorithm =
      find_by_name(kAllAlgorithms, name, "algorithm", [](Algorithm a) { return delassus::name_of(a); });
  Kinematics<double> kin(model);
  ConstraintRows<double> rows;
  update_kinematics(model, q, kin);
  lower_structure(model, constraints, rows);
  require_ok(lower_values(model, kin, constraints, rows), model, constraints);
  AnyDelassus<double> op(algorithm, model, rows);
  require_ok(op.factor({model, kin, rows}), model, constraints);
  MatrixResult result{op.rows(), std::vector<double>(static_cast<std::size_t>(op.rows()) * op.rows())};
  op.dense(MatrixView<double>(result.entries.data(), op.rows(), op.rows()));
  return result;
}

void require_ok(const Status& status, const Model& model, const std::vector<Constraint>& constraints) {
  if (!status.ok()) throw Error(fmt::format("model '{}': {}", model.name(), describe(status, model, constraints)));
}

}  // namespace delassus::cli
