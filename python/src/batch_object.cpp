#include "batch_object.hpp"

#include "delassus/constraints/describe.hpp"

namespace delassus::python {
namespace {

std::variant<Batch<double>, Batch<float>> make_batch(const Model& model, int size, BatchObject::Precision precision,
                                                     const BatchOptions& options) {
  if (precision == BatchObject::Precision::kSingle) return Batch<float>(model, size, options);
  return Batch<double>(model, size, options);
}

}  // namespace

BatchObject::BatchObject(std::shared_ptr<Model> m, int count, Precision precision, const BatchOptions& options)
    : model(std::move(m)), size(count), batch(make_batch(*model, count, precision, options)) {}

void BatchObject::set_constraints(std::vector<Constraint> constraints) {
  std::visit([&](auto& b) { b.set_constraints(constraints); }, batch);
  common_ = std::move(constraints);
  own_.clear();
}

void BatchObject::set_constraints(int environment, std::vector<Constraint> constraints) {
  std::visit([&](auto& b) { b.set_constraints(environment, constraints); }, batch);
  own_[environment] = std::move(constraints);
}

const std::vector<Constraint>& BatchObject::constraints(int environment) const {
  (void)rows(environment);
  const auto own = own_.find(environment);
  return own == own_.end() ? common_ : own->second;
}

int BatchObject::rows(int environment) const {
  return std::visit([&](const auto& b) { return b.rows(environment); }, batch);
}

int BatchObject::max_rows() const {
  return std::visit([](const auto& b) { return b.max_rows(); }, batch);
}

std::span<const Status> BatchObject::statuses() const {
  return std::visit([](const auto& b) { return b.statuses(); }, batch);
}

std::string BatchObject::message(int environment) const {
  const std::vector<Constraint>& named = constraints(environment);
  const Status status = statuses()[static_cast<std::size_t>(environment)];
  return status.ok() ? "" : describe(status, *model, named);
}

}  // namespace delassus::python
