// A batch: how it is made, and its constraints. batch_verbs.hpp has its verbs.
#include "delassus/batch/batch.hpp"

#include <numeric>

#include "batch/batch_verbs.hpp"
#include "delassus/math/boxed.hpp"

namespace delassus {
template <class T>
Batch<T>::Parts::Parts(const Model& m, int count, const BatchOptions& o)
    : model(m),
      size(require_count(count)),
      options(o),
      threads(o.threads),
      engines(make_engines()),
      constraints(m, count, engines[0]->width(), sets),
      everyone(engines[0]->width()),
      statuses(static_cast<std::size_t>(count)) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  everyone.add(nullptr, all);
}

template <class T>
std::vector<std::unique_ptr<BatchEngine<T>>> Batch<T>::Parts::make_engines() const {
  std::vector<std::unique_ptr<BatchEngine<T>>> out;
  for (int k = 0; k < threads.count(); ++k) out.push_back(make_engine<T>(model, sets, options));
  return out;
}

template <class T>
const BlockList& Batch<T>::Parts::prepare() {
  const BlockList& blocks = constraints.blocks([&](int slot) {
    for (const auto& engine : engines) engine->forget(slot);
    for (const auto& solver : solvers) solver->forget(slot);
  });
  constraints.for_each_structure([&](const BatchStructure& structure) {
    for (const auto& engine : engines) engine->prepare(structure);
  });
  return blocks;
}

template <class T>
void Batch<T>::Parts::make_solvers(const std::optional<AdmmOptions>& contacts) {
  while (static_cast<int>(solvers.size()) < threads.count()) {
    solvers.push_back(std::make_unique<ScalarSolvers<T>>(model, options));
  }
  for (const auto& solver : solvers) {
    if (contacts) solver->set_contact_options(*contacts);
  }
}

template <class T>
Batch<T>::Batch(const Model& model, int size, const BatchOptions& options)
    : parts_(std::make_unique<Parts>(model, size, options)) {}
template <class T>
Batch<T>::Batch(Batch&&) noexcept = default;
template <class T>
Batch<T>& Batch<T>::operator=(Batch&&) noexcept = default;
template <class T>
Batch<T>::~Batch() = default;

template <class T>
const Model& Batch<T>::model() const {
  return parts_->model;
}
template <class T>
int Batch<T>::size() const {
  return parts_->size;
}
template <class T>
int Batch<T>::threads() const {
  return parts_->threads.count();
}
template <class T>
int Batch<T>::lanes() const {
  return parts_->engines[0]->width();
}
template <class T>
std::span<const Status> Batch<T>::statuses() const {
  return parts_->statuses;
}
template <class T>
std::span<const ContactCertificate> Batch<T>::certificates() const {
  return parts_->certificates;
}

template <class T>
std::size_t Batch<T>::bytes() const {
  std::size_t sum = sizeof(Parts) + parts_->kept.bytes() + heap_bytes(parts_->statuses, parts_->certificates);
  for (const auto& engine : parts_->engines) sum += engine->bytes();
  return sum;
}

template <class T>
void Batch<T>::set_constraints(std::span<const Constraint> constraints) {
  parts_->constraints.set(constraints);
  parts_->kept.drop();
}

template <class T>
void Batch<T>::set_constraints(int environment, std::span<const Constraint> constraints) {
  require_environment(environment, size());
  parts_->constraints.set(environment, constraints);
  parts_->kept.drop();
}

template <class T>
void Batch<T>::set_active(BatchView<const bool> active) {
  parts_->constraints.set_active(active);
  parts_->kept.drop();
}

template <class T>
int Batch<T>::num_constraints(int environment) const {
  require_environment(environment, size());
  return static_cast<int>(parts_->constraints.structure_of(environment).spans.size());
}

template <class T>
int Batch<T>::rows(int environment) const {
  require_environment(environment, size());
  return parts_->rows(environment);
}

template <class T>
int Batch<T>::max_rows() const {
  return parts_->constraints.sizes().rows;
}

template <class T>
int Batch<T>::num_structures() const {
  return parts_->constraints.sizes().structures;
}

template class Batch<float>;
template class Batch<double>;

}  // namespace delassus
