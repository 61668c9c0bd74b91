#include "batch/blocks.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "batch/shapes.hpp"
#include "delassus/constraints/lower.hpp"

namespace delassus {
namespace {

/// Structures without environments that are kept.
constexpr int kSpareStructures = 32;

}  // namespace

void BlockList::add(const BatchStructure* structure, const std::vector<std::int32_t>& environments) {
  const auto total = static_cast<int>(environments.size());
  for (int first = 0; first < total; first += width_) {
    const int count = std::min(width_, total - first), last = first + count - 1;
    for (int lane = 0; lane < width_; ++lane)
      lanes_.push_back(environments[static_cast<std::size_t>(std::min(first + lane, last))]);
    entries_.push_back({structure, count, count == width_ && environments[last] - environments[first] == width_ - 1});
  }
}

BatchConstraints::BatchConstraints(const Model& model, int size, int width, BatchSets& sets)
    : model_(model), size_(size), sets_(sets), slot_of_(static_cast<std::size_t>(size)), blocks_(width) {
  set({});
}

/// The slot of the structure that constraints have; a new one if they are the first. Throws if they do not fit the model.
int BatchConstraints::find_structure(std::span<const Constraint> constraints) {
  lower_structure(model_, constraints, scratch_);
  for (std::size_t s = 0; s < structures_.size(); ++s) {
    if (structures_[s] && same_structure(rows_[s], scratch_)) return static_cast<int>(s);
  }
  const auto free = std::find(structures_.begin(), structures_.end(), nullptr);
  const auto slot = static_cast<int>(free - structures_.begin());
  if (free == structures_.end()) {
    structures_.emplace_back();
    rows_.emplace_back();
    members_.emplace_back();
  }
  auto structure = std::make_unique<BatchStructure>();
  structure->slot = slot;
  structure->rows = scratch_.num_rows();
  structure->constraints.assign(constraints.begin(), constraints.end());
  structure->spans = scratch_.spans;
  structures_[slot] = std::move(structure);
  rows_[slot] = scratch_;
  return slot;
}

void BatchConstraints::set(std::span<const Constraint> constraints) {
  const int slot = find_structure(constraints);
  sets_.all.assign(constraints.begin(), constraints.end());
  sets_.shared = true;
  sets_.active.clear();
  if (std::any_of(slot_of_.begin(), slot_of_.end(), [&](int s) { return s != slot; }) || !grouped_) {
    std::fill(slot_of_.begin(), slot_of_.end(), slot);
    grouped_ = measured_ = false;
  }
}

void BatchConstraints::fill_own(OwnSet& own, int slot, std::span<const Constraint> constraints) const {
  const std::vector<Constraint>& representative = structures_[static_cast<std::size_t>(slot)]->constraints;
  own.constraints.assign(constraints.begin(), constraints.end());
  own.contacts.resize(constraints.size());
  own.contacts_only = true;
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    if (const auto* contact = std::get_if<PointContact>(&constraints[e])) {
      own.contacts[e] = {model_.frame(contact->a.frame).placement * contact->a.offset.p, contact->axes};
    } else {
      own.contacts_only = own.contacts_only && constraints[e] == representative[e];
    }
  }
}

void BatchConstraints::set(int environment, std::span<const Constraint> constraints) {
  const int slot = find_structure(constraints);
  if (sets_.shared) {
    OwnSet all;
    fill_own(all, slot_of_[0], sets_.all);
    sets_.own.assign(static_cast<std::size_t>(size_), all);
    sets_.shared = false;
  }
  fill_own(sets_.own[static_cast<std::size_t>(environment)], slot, constraints);
  sets_.active.clear();
  int& current = slot_of_[static_cast<std::size_t>(environment)];
  if (current == slot) return;
  current = slot;
  grouped_ = measured_ = false;
}

void BatchConstraints::set_active(BatchView<const bool> active) {
  const int constraints = sizes().constraints;
  require_shape("active", active, size_, constraints, "the most constraints that an environment has");
  sets_.active_stride = static_cast<std::size_t>(constraints);
  sets_.active.resize(static_cast<std::size_t>(size_) * sets_.active_stride);
  for (int e = 0; e < size_; ++e) {
    for (int c = 0; c < constraints; ++c) {
      sets_.active[static_cast<std::size_t>(e) * sets_.active_stride + c] = active(e, c) ? 1 : 0;
    }
  }
}

void BatchConstraints::measure() const {
  std::vector<bool> used(structures_.size());
  for (const int slot : slot_of_) used[static_cast<std::size_t>(slot)] = true;
  sizes_ = {};
  for (std::size_t s = 0; s < structures_.size(); ++s) {
    if (!used[s]) continue;
    ++sizes_.structures;
    sizes_.rows = std::max(sizes_.rows, structures_[s]->rows);
    sizes_.constraints = std::max(sizes_.constraints, static_cast<int>(structures_[s]->spans.size()));
  }
  measured_ = true;
}

void BatchConstraints::group() {
  for (std::vector<std::int32_t>& members : members_) members.clear();
  for (int e = 0; e < size_; ++e)
    members_[static_cast<std::size_t>(slot_of_[static_cast<std::size_t>(e)])].push_back(e);
  give_up_structures();
  blocks_.clear();
  for (std::size_t s = 0; s < structures_.size(); ++s) {
    if (structures_[s]) blocks_.add(structures_[s].get(), members_[s]);
  }
  grouped_ = true;
}

void BatchConstraints::give_up_structures() {
  const auto spare = [&](std::size_t s) { return structures_[s] && members_[s].empty(); };
  int count = 0;
  for (std::size_t s = 0; s < structures_.size(); ++s) count += spare(s) ? 1 : 0;
  if (count <= kSpareStructures) return;
  for (std::size_t s = 0; s < structures_.size(); ++s) {
    if (!spare(s)) continue;
    structures_[s] = nullptr;
    given_up_.push_back(static_cast<int>(s));
  }
}

}  // namespace delassus
