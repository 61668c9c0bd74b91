#include "sweep/sweep.hpp"

#include "sweep/block.hpp"
#include "sweep/philox.hpp"
#include "sweep/specification.hpp"

namespace delassus {

std::int64_t SweepColumn::width() const {
  std::int64_t out = 1;
  for (const std::int64_t n : shape) out *= n;
  return out;
}

ParameterSweep::ParameterSweep(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
ParameterSweep::ParameterSweep(const ParameterSweep&) = default;
ParameterSweep::~ParameterSweep() = default;

std::int64_t ParameterSweep::size() const { return parts_->size; }
std::int64_t ParameterSweep::steps() const {
  if (has_own_run()) return 0;
  return static_cast<std::int64_t>(parts_->setup->seconds / parts_->setup->options.dt);  // at most a billion
}
std::span<const SweepColumn> ParameterSweep::columns() const { return parts_->columns; }
std::span<const std::string> ParameterSweep::status_words() const { return parts_->status_words; }
bool ParameterSweep::has_own_run() const { return !parts_->setup; }
const std::string& ParameterSweep::text() const { return parts_->text; }
const std::string& ParameterSweep::hash() const { return parts_->hash; }
const std::string& ParameterSweep::base_directory() const { return parts_->base_directory; }
const std::string& ParameterSweep::name() const { return parts_->name; }

std::vector<std::string> ParameterSweep::parameters() const {
  std::vector<std::string> out;
  for (const SweepParameter& p : parts_->parameters) out.push_back(p.name);
  return out;
}

void ParameterSweep::require_case(std::int64_t index) const {
  if (index >= 0 && index < size()) return;
  throw Error("there is no case " + std::to_string(index) + "; the sweep has 0 to " + std::to_string(size() - 1));
}

std::vector<double> ParameterSweep::values(std::int64_t index) const {
  require_case(index);
  std::vector<double> out;
  for (const SweepParameter& p : parts_->parameters) out.push_back(parts_->value(p, index));
  return out;
}

std::uint64_t ParameterSweep::seed(std::int64_t index) const {
  require_case(index);
  return random_bits(parts_->seed, static_cast<std::uint64_t>(index), "");
}

SweepRows ParameterSweep::run(SweepRange range, const std::function<bool()>& stop) const {
  if (has_own_run()) throw Error("the rows of this sweep are made by a function of your own: call it from Python");
  if (range.size() > 0) {
    require_case(range.first);
    require_case(range.end - 1);
  }
  return run_cases(*parts_, range, stop);
}

}  // namespace delassus
