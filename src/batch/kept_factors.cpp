#include "batch/kept_factors.hpp"

#include "delassus/math/boxed.hpp"

namespace delassus {
namespace {

template <class T>
void copy_rows(const BatchView<const T>& from, std::vector<T>& to) {
  to.resize(static_cast<std::size_t>(from.size()) * from.components());
  for (int e = 0; e < from.size(); ++e) {
    for (int c = 0; c < from.components(); ++c) to[static_cast<std::size_t>(e) * from.components() + c] = from(e, c);
  }
}

}  // namespace

template <class T>
void KeptFactors<T>::begin(const BatchEngine<T>& engine, int blocks, const In& q) {
  drop();
  size_ = q.size();
  copy_rows(q, q_);
  const auto count = static_cast<std::size_t>(blocks);
  while (factors_.size() < count) factors_.push_back(engine.make_factor());
  split_.assign(count, 0);
  damping_split_.assign(count, 0);
}

template <class T>
void KeptFactors<T>::begin_damping(const BatchDamping<T>& damping) {
  damped_ = false;
  damping_kind_ = damping.kind();
  damping_scalar_ = damping.scalar();
  damping_components_ = damping.values().components();
  copy_rows(damping.values(), damping_);
}

template <class T>
BatchDamping<T> KeptFactors<T>::damping() const {
  const In values(damping_.data(), size_, damping_components_);
  switch (damping_kind_) {
    case BatchDamping<T>::Kind::kPerEnvironment:
      return BatchDamping<T>::per_environment(values);
    case BatchDamping<T>::Kind::kPerRow:
      return BatchDamping<T>::per_row(values);
    default:
      return damping_scalar_;
  }
}

template <class T>
Outcome KeptFactors<T>::factor(BatchEngine<T>& engine, const BatchBlock& block, int index) {
  if (block.alone) return engine.factor(block, q(), FactorScope::kAll, engine.factor_of(*block.structure));
  const Outcome outcome = engine.factor(block, q(), FactorScope::kAll, *factors_[static_cast<std::size_t>(index)]);
  split_[static_cast<std::size_t>(index)] = outcome.together() ? 0 : 1;
  return outcome;
}

template <class T>
Outcome KeptFactors<T>::damp(BatchEngine<T>& engine, const BatchBlock& block, int index) {
  const Outcome outcome = with_factor(engine, block, index, false,
                                      [&](BatchFactor& factor) { return engine.damp(block, factor, damping()); });
  if (!block.alone) damping_split_[static_cast<std::size_t>(index)] = outcome.together() ? 0 : 1;
  return outcome;
}

template <class T>
std::size_t KeptFactors<T>::bytes() const {
  std::size_t sum = heap_bytes(q_, damping_, split_, damping_split_);
  for (const auto& factor : factors_) sum += factor->bytes();
  return sum;
}

template class KeptFactors<float>;
template class KeptFactors<double>;

}  // namespace delassus
