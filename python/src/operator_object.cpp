#include "operator_object.hpp"

#include <utility>

#include "coordinates.hpp"
#include "delassus/operators/kkt_inverse.hpp"

namespace delassus::python {

Damping<double> StoredDamping::view() const {
  if (kind == Damping<double>::Kind::kScalar) return Damping<double>(values.front());
  return kind == Damping<double>::Kind::kBlocks ? Damping<double>::blocks(values) : Damping<double>(values);
}

OperatorObject::OperatorObject(std::shared_ptr<Model> model, std::vector<Constraint> constraints, Method method,
                               const MethodOptions& options)
    : model_object_(std::move(model)),
      constraints_(std::move(constraints)),
      method_(method),
      options_(options),
      kin_(*model_object_),
      implementation_(make()),
      motions_(*model_object_),
      forces_(*model_object_),
      num_rows_(0) {
  lower_structure(*model_object_, constraints_, rows_);
  std::visit([&](auto& op) { op.update_structure(*model_object_, rows_); }, implementation_);
  num_rows_ = rows_.num_rows();
}

OperatorObject::Implementation OperatorObject::make() const {
  if (const auto* form = std::get_if<MatrixFreeForm>(&method_)) return MatrixFreeDelassus<double>(model(), *form);
  if (const auto* condensed = std::get_if<CondensedOptions>(&options_)) {
    return AnyDelassus<double>(CondensedDelassus<double>(model(), *condensed));
  }
  if (const auto* lcaba = std::get_if<LcabaOptions>(&options_)) {
    return AnyDelassus<double>(LcabaDelassus<double>(model(), *lcaba));
  }
  return AnyDelassus<double>(std::get<Algorithm>(method_), model());
}

void OperatorObject::require_rows(int rows) const {
  if (!ready_) throw Error("the operator has no values; call update(q) first");
  // Another thread may have changed the constraints since the argument was checked.
  if (rows != num_rows_) throw Error("the operator has other constraints now; do not change them in another thread");
}

void OperatorObject::require_placed() const {
  if (!placed_) throw Error("the operator has no values; call update(q) first");
}

void OperatorObject::require_damping() const {
  if (!damping_) throw Error("the operator has no damping; call update_damping first");
}

const AnyDelassus<double>& OperatorObject::damped_operator(const char* verb) const {
  if (const auto* op = std::get_if<AnyDelassus<double>>(&implementation_)) return *op;
  throw Error("sweeps have products alone and no " + std::string(verb) + "; take another algorithm, such as lcaba");
}

const KktDelassus<double>& OperatorObject::kkt_operator(const char* verb) const {
  if (const auto* kkt = std::get_if<KktDelassus<double>>(&damped_operator("damped solves").held())) return *kkt;
  throw Error(std::string(verb) + " is there with algorithm='kkt' alone");
}

// -------------------------------------------------------------------------------------------- making ready

void OperatorObject::set_constraints(std::vector<Constraint> constraints) {
  lower_structure(model(), constraints, rows_);
  ready_ = false;
  placed_ = false;
  q_.reset();
  damping_.reset();
  constraints_ = std::move(constraints);
  num_rows_ = rows_.num_rows();
}

void OperatorObject::update(VectorView<const double> q) {
  ready_ = false;
  placed_ = false;
  q_.reset();
  damping_.reset();
  require_coordinates(model(), q);
  update_kinematics(model(), q, kin_);
  require_ok(lower_values(model(), kin_, constraints_, rows_), model(), constraints_);
  placed_ = true;
  const Status status = std::visit([&](auto& op) { return op.factor({model(), kin_, rows_}); }, implementation_);
  if (status.code == Status::Code::kBadArgument) {  // planning says why
    std::visit([&](auto& op) { op.update_structure(model(), rows_); }, implementation_);
  }
  require_ok(status, model(), constraints_);
  q_.emplace(q.data(), q.data() + q.size());
  ready_ = true;
}

void OperatorObject::update_damping(const StoredDamping& damping) {
  damped_operator("damping");
  require_rows(num_rows_);
  damping_.reset();
  const Status status = std::get<AnyDelassus<double>>(implementation_).update_damping(damping.view());
  if (status.code == Status::Code::kBadArgument) {
    throw Error(
        "argument 'damping' has blocks that the algorithm does not take: those are for constraints of at most six "
        "rows, and "
        "with lcaba for constraints on few links and joints; give one number per row, or take algorithm='condensed'");
  }
  require_ok(status, model(), constraints_);
  damping_ = damping;
}

Status OperatorObject::lend(const std::function<Status(AnyDelassus<double>&, const ConstraintRows<double>&)>& work) {
  damped_operator("damping");
  require_rows(num_rows_);
  const std::optional<StoredDamping> kept = std::exchange(damping_, std::nullopt);
  const auto give_back = [&] {
    if (kept) update_damping(*kept);
  };
  Status status;
  try {
    status = work(std::get<AnyDelassus<double>>(implementation_), rows_);
  } catch (const Error&) {
    give_back();
    throw;
  }
  give_back();
  return status;
}

// ------------------------------------------------------------------------------------------------ products

void OperatorObject::apply(VectorView<const double> x, VectorView<double> y) const {
  require_rows(x.size());
  std::visit([&](const auto& op) { op.apply(x, y); }, implementation_);
}

void OperatorObject::apply(MatrixView<const double> x, MatrixView<double> y) const {
  require_rows(x.rows());
  std::visit([&](const auto& op) { op.apply_panel(x, y); }, implementation_);
}

void OperatorObject::joint_response(VectorView<const double> x, VectorView<double> acceleration) const {
  require_rows(x.size());
  std::visit([&](const auto& op) { op.joint_response(x, acceleration); }, implementation_);
}

void OperatorObject::dense(MatrixView<double> out) const {
  require_rows(out.rows());
  std::visit([&](const auto& op) { op.dense(out); }, implementation_);
}

void OperatorObject::diagonal(VectorView<double> out) const {
  require_rows(out.size());
  std::visit([&](const auto& op) { op.diagonal(out); }, implementation_);
}

Spectrum OperatorObject::spectrum() const {
  const int rows = num_rows_;
  std::vector<double> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
  dense(MatrixView<double>(matrix.data(), rows, rows));
  return make_spectrum(MatrixView<const double>(matrix.data(), rows, rows));
}

// -------------------------------------------------------------------------------------------------- solves

void OperatorObject::solve(VectorView<const double> b, VectorView<double> z) const {
  require_rows(b.size());
  const AnyDelassus<double>& op = damped_operator("damped solves");
  require_damping();
  require_ok(op.solve_damped(b, z), model(), constraints_);
}

void OperatorObject::solve(MatrixView<const double> b, MatrixView<double> z) const {
  require_rows(b.rows());
  const AnyDelassus<double>& op = damped_operator("damped solves");
  require_damping();
  require_ok(op.solve_panel(b, z), model(), constraints_);
}

void OperatorObject::solve_system(VectorView<const double> tau, VectorView<const double> b,
                                  VectorView<double> acceleration, VectorView<double> lambda) const {
  require_rows(b.size());
  const KktDelassus<double>& op = kkt_operator("solve_system");
  require_damping();
  require_ok(op.solve_system(tau, b, acceleration, lambda), model(), constraints_);
}

void OperatorObject::kkt_inverse(MatrixView<double> projected, MatrixView<double> consistent,
                                 MatrixView<double> inverse) const {
  require_rows(inverse.rows());
  const KktDelassus<double>& op = kkt_operator("kkt_inverse");
  require_damping();
  require_ok(delassus::kkt_inverse<double>(op, projected, consistent, inverse), model(), constraints_);
}

void OperatorObject::damped_inverse(const StoredDamping& damping, MatrixView<double> out) {
  require_rows(out.rows());
  if (!damped_inverse_) damped_inverse_.emplace(model());
  require_ok(damped_inverse_->compute(model(), kin_, rows_, damping.values, out), model(), constraints_);
}

double OperatorObject::residual() const {
  if (const auto* any = std::get_if<AnyDelassus<double>>(&implementation_)) {
    if (const auto* condensed = std::get_if<CondensedDelassus<double>>(&any->held())) return condensed->residual();
    if (const auto* lcaba = std::get_if<LcabaDelassus<double>>(&any->held())) return lcaba->residual();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// ---------------------------------------------------------------------------------------------------- rows

void OperatorObject::jacobian(MatrixView<double> out) const {
  require_placed();
  constraint_jacobian(model(), kin_, rows_, out);
}

void OperatorObject::apply_jacobian(VectorView<const double> v, VectorView<double> y) {
  require_placed();
  delassus::apply_jacobian(model(), kin_, rows_, v, y, motions_);
}

void OperatorObject::apply_jacobian_transpose(VectorView<const double> lambda, VectorView<double> tau) {
  require_placed();
  delassus::apply_jacobian_transpose(model(), kin_, rows_, lambda, tau, forces_);
}

void OperatorObject::drift(VectorView<const double> v, VectorView<double> out) {
  require_placed();
  if (!velocities_) velocities_.emplace(model());
  update_velocities(model(), kin_, v, *velocities_);
  constraint_drift(model(), kin_, *velocities_, constraints_, rows_, out);
}

void OperatorObject::positions(VectorView<double> out) const {
  require_placed();
  constraint_positions(model(), kin_, constraints_, rows_, out);
}

std::size_t OperatorObject::bytes() const {
  return rows_.bytes() + std::visit([](const auto& op) { return op.bytes(); }, implementation_);
}

}  // namespace delassus::python
