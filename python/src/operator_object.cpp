#include "operator_object.hpp"

#include <utility>

#include "coordinates.hpp"

namespace delassus::python {
namespace {

Operator<double> make(const Model& model, std::span<const Constraint> constraints, Algorithm algorithm,
                      const AlgorithmOptions& options) {
  if (const auto* condensed = std::get_if<CondensedOptions>(&options)) {
    return {model, constraints, CondensedDelassus<double>(model, *condensed)};
  }
  if (const auto* lcaba = std::get_if<LcabaOptions>(&options)) {
    return {model, constraints, LcabaDelassus<double>(model, *lcaba)};
  }
  return Operator<double>(model, constraints, algorithm);
}

}  // namespace

Damping<double> StoredDamping::view() const {
  if (kind == Damping<double>::Kind::kScalar) return Damping<double>(values.front());
  return kind == Damping<double>::Kind::kBlocks ? Damping<double>::blocks(values) : Damping<double>(values);
}

OperatorObject::OperatorObject(std::shared_ptr<Model> its_model, std::span<const Constraint> constraints,
                               Algorithm algorithm, const AlgorithmOptions& its_options)
    : model(std::move(its_model)),
      options(its_options),
      op(make(*model, constraints, algorithm, options)),
      rows(op.rows()) {}

OperatorObject::OperatorObject(std::shared_ptr<Model> its_model, std::span<const Constraint> constraints,
                               GeneratedDelassus<double> code)
    : model(std::move(its_model)), op(*model, constraints, std::move(code)), rows(op.rows()) {}

void OperatorObject::set_constraints(std::span<const Constraint> constraints) {
  try {
    op.set_constraints(constraints);
  } catch (const Error&) {
    rows = op.rows();  // they may be too many for the algorithm's memory, but are its constraints then
    throw;
  }
  rows = op.rows();
}

void OperatorObject::update(VectorView<const double> q) {
  op.forget();
  require_coordinates(op.model(), q);
  const Status status = op.update(q);
  if (status.code == Status::Code::kBadArgument) {  // planning says why
    op.set_constraints(std::vector<Constraint>(op.constraints().begin(), op.constraints().end()));
  }
  require_ok(status);
}

void OperatorObject::update_damping(const StoredDamping& given) {
  const Status status = op.update_damping(given.view());
  if (status.code == Status::Code::kBadArgument && status != kTooEarly) {
    throw Error(
        "argument 'damping' has blocks that the algorithm does not take: those are for constraints of at most six "
        "rows, and "
        "with lcaba for constraints on few links and joints; give one number per row, or take algorithm='condensed'");
  }
  require_ok(status);
  damping = given;
}

void OperatorObject::require_ok(const Status& status) const {
  if (status == kTooEarly) {
    throw Error(op.ready() ? "the operator has no damping; call update_damping first"
                           : "the operator has no values; call update(q) first");
  }
  python::require_ok(status, op.model(), op.constraints());
}

Operator<double>& OperatorObject::with_rows(int num_rows) {
  // Another thread may have changed the constraints since the argument was checked.
  if (num_rows != op.rows())
    throw Error("the operator has other constraints now; do not change them in another thread");
  return op;
}

const KktDelassus<double>& OperatorObject::kkt_with_rows(int num_rows, const char* verb) {
  const auto* kkt = std::get_if<KktDelassus<double>>(&with_rows(num_rows).held());
  if (kkt == nullptr) throw Error(std::string(verb) + " is there with algorithm='kkt' alone");
  if (!op.damped()) require_ok(kTooEarly);
  return *kkt;
}

Status OperatorObject::lend(int num_rows, const std::function<Status(Operator<double>&)>& work) {
  if (!with_rows(num_rows).ready()) require_ok(kTooEarly);
  const bool damped = op.damped();
  const auto give_back = [&] { damped ? update_damping(damping) : op.forget_damping(); };
  Status status;
  try {
    status = work(op);
  } catch (const Error&) {
    give_back();
    throw;
  }
  give_back();
  return status;
}

}  // namespace delassus::python
