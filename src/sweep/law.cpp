#include "sweep/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/wording.hpp"
#include "sweep/philox.hpp"

namespace delassus {
namespace {

using io::JsonCursor;

/// More would be a list that nobody wrote.
constexpr int kMostSteps = 1'000'000;

std::vector<double> finite_numbers(const JsonCursor& at) {
  std::vector<double> out = at.numbers();
  if (out.empty()) at.fail("is empty; give at least one number");
  return out;
}

struct Span {
  double from, to;
  bool logarithmic;

  double at(double share) const {
    if (share >= 1) return to;  // as it was written, not as it rounds
    if (share <= 0) return from;
    const double out =
        logarithmic ? std::exp(std::log(from) + (std::log(to) - std::log(from)) * share) : from + (to - from) * share;
    return std::clamp(out, std::min(from, to), std::max(from, to));  // rounding leads beyond an end
  }
};

/// Whose difference is a number.
void require_width(const JsonCursor& at, double from, double to) {
  if (!std::isfinite(to - from)) at.fail("is wider than the largest number; choose ends that are closer");
}

Span read_span(const JsonCursor& at) {
  const Span out{at.at("from").number(), at.at("to").number(), at.has("logarithmic") && at.at("logarithmic").boolean()};
  if (out.from == out.to)
    at.fail("goes from a number to the same number; write the number itself, or choose another end");
  if (out.logarithmic && !(out.from > 0 && out.to > 0)) at.fail("is logarithmic: both ends have to be above zero");
  require_width(at, out.from, out.to);
  return out;
}

Law read_grid(const JsonCursor& at, bool is_list) {
  if (is_list) return {Law::Kind::kGrid, finite_numbers(at), {}, false};
  at.allow_keys({"from", "to", "count", "logarithmic"});
  const Span span = read_span(at);
  const int count = at.at("count").integer(2, kMostSteps);
  Law out{Law::Kind::kGrid, {}, {}, false};
  for (int k = 0; k < count; ++k) out.numbers.push_back(span.at(static_cast<double>(k) / (count - 1)));
  return out;
}

Law read_range(const JsonCursor& at) {
  at.allow_keys({"from", "to", "logarithmic"});
  const Span span = read_span(at);
  return {Law::Kind::kRange, {span.from, span.to}, {}, span.logarithmic};
}

Law read_uniform(const JsonCursor& at, Law::Kind kind) {
  const std::vector<double> ends = at.numbers();
  if (ends.size() != 2) at.fail("needs two numbers, the lowest and the highest");
  if (!(ends[0] < ends[1])) at.fail("is empty: the first number has to be below the second");
  if (kind == Law::Kind::kLogUniform && !(ends[0] > 0)) at.fail("needs numbers above zero, which have logarithms");
  require_width(at, ends[0], ends[1]);
  return {kind, ends, {}, false};
}

Law read_normal(const JsonCursor& at) {
  at.allow_keys({"mean", "deviation"});
  const double deviation = at.at("deviation").number();
  if (!(deviation > 0)) at.at("deviation").fail("has to be above zero");
  return {Law::Kind::kNormal, {at.at("mean").number(), deviation}, {}, false};
}

Law read_choice(const JsonCursor& at) {
  at.allow_keys({"of", "weights"});
  Law out{Law::Kind::kChoice, finite_numbers(at.at("of")), {}, false};
  std::vector<double> weights(out.numbers.size(), 1.0);
  if (const auto given = at.find("weights")) {
    weights = given->numbers();
    if (weights.size() != out.numbers.size()) given->fail("needs as many numbers as 'of' has");
    if (std::ranges::any_of(weights, [](double w) { return !(w >= 0); })) given->fail("has a weight below zero");
  }
  double sum = 0;
  for (const double w : weights) sum += w;
  if (!(sum > 0 && std::isfinite(sum))) at.fail("has weights without a sum above zero");
  double part = 0;
  for (const double w : weights) out.up_to.push_back((part += w) / sum);
  return out;
}

double uniform_of(std::uint64_t bits) { return static_cast<double>(bits >> 11U) * 0x1p-53; }

double chosen(const Law& law, double u) {
  const auto found = std::ranges::upper_bound(law.up_to, u);
  // The last sum may round to less than one; what has no weight is never chosen.
  auto k = std::min(static_cast<std::size_t>(found - law.up_to.begin()), law.numbers.size() - 1);
  while (k > 0 && law.up_to[k] == law.up_to[k - 1]) --k;
  return law.numbers[k];
}

double drawn(const Law& law, std::uint64_t bits) {
  const double u = uniform_of(bits);
  switch (law.kind) {
    case Law::Kind::kUniform:
    case Law::Kind::kLogUniform:
      return Span{law.numbers[0], law.numbers[1], law.kind == Law::Kind::kLogUniform}.at(u);
    case Law::Kind::kNormal:
      return law.numbers[0] + law.numbers[1] * inverse_normal((static_cast<double>(bits >> 12U) + 0.5) * 0x1p-52);
    default:
      return chosen(law, u);
  }
}

double polynomial(std::span<const double> c, double x) {
  double out = 0;
  for (std::size_t k = c.size(); k-- > 0;) out = out * x + c[k];
  return out;
}

}  // namespace

Law read_law(const JsonCursor& at) {
  if (at.is_number()) return {Law::Kind::kFixed, {at.number()}, {}, false};
  at.allow_keys({"grid", "list", "range", "uniform", "log_uniform", "normal", "choice"});
  if (at.size() != 1)
    at.fail(
        "needs one law: a number, or an object with one of the keys grid, list, range, uniform, log_uniform, normal, "
        "choice");
  if (const auto law = at.find("grid")) return read_grid(*law, law->is_array());
  if (const auto law = at.find("list")) return {Law::Kind::kList, finite_numbers(*law), {}, false};
  if (const auto law = at.find("range")) return read_range(*law);
  if (const auto law = at.find("uniform")) return read_uniform(*law, Law::Kind::kUniform);
  if (const auto law = at.find("log_uniform")) return read_uniform(*law, Law::Kind::kLogUniform);
  if (const auto law = at.find("normal")) return read_normal(*law);
  return read_choice(at.at("choice"));
}

double value_of(const Law& law, std::string_view name, const LawPlace& place) {
  switch (law.kind) {
    case Law::Kind::kFixed:
      return law.numbers[0];
    case Law::Kind::kGrid:
      return law.numbers[static_cast<std::size_t>(place.step)];
    case Law::Kind::kList:
      return law.numbers[static_cast<std::size_t>(place.index)];
    case Law::Kind::kRange:
      return Span{law.numbers[0], law.numbers[1], law.logarithmic}.at(
          place.size > 1 ? static_cast<double>(place.index) / static_cast<double>(place.size - 1) : 0);
    default:
      return drawn(law, random_bits(place.seed, static_cast<std::uint64_t>(place.index), name));
  }
}

/// Newton's method on log of the lower tail from a rough start: the tail is erfc, which C++ has with all its digits.
double inverse_normal(double p) {
  if (p > 0.5) return -inverse_normal(1 - p);  // exact for those of `drawn`
  // Abramowitz and Stegun, 26.2.23: right to 4.5e-4.
  constexpr std::array<double, 3> kAbove{2.515517, 0.802853, 0.010328};
  constexpr std::array<double, 4> kBelow{1, 1.432788, 0.189269, 0.001308};
  const double t = std::sqrt(-2 * std::log(p));
  double x = -(t - polynomial(kAbove, t) / polynomial(kBelow, t));
  for (int k = 0; k < 3; ++k) {
    const double tail = std::erfc(-x * std::numbers::sqrt2 / 2) / 2;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    x -= tail / density * std::log(tail / p);
  }
  return x;
}

}  // namespace delassus
