#include "cli/tour/growth.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "delassus/io/scene.hpp"

namespace delassus::cli {
namespace {

/// Constraints that vary in number, and those that stay.
struct Parts {
  std::vector<Constraint> varied, kept;
  bool contacts = false;
};

Parts parts_of(const std::vector<Constraint>& constraints) {
  Parts out;
  for (const Constraint& c : constraints) {
    (std::holds_alternative<PointContact>(c) ? out.varied : out.kept).push_back(c);
  }
  out.contacts = !out.varied.empty();
  if (!out.contacts) std::swap(out.varied, out.kept);
  return out;
}

/// The same contact at another point of its link: copies of a copy differ as well.
Constraint beside(const Constraint& contact, std::size_t copy) {
  constexpr double kStep = 0.01;  // metres
  PointContact out = std::get<PointContact>(contact);
  const auto far = kStep * static_cast<double>(copy);
  out.a.offset.p = out.a.offset.p + Vec3<double>{{far, 0.5 * far, 0}};
  out.name += fmt::format("+{}", copy);
  return out;
}

/// `count` constraints that are spread evenly over those that there are.
std::vector<Constraint> choose(const Parts& parts, std::size_t count) {
  std::vector<Constraint> out = parts.kept;
  const std::size_t n = parts.varied.size();
  for (std::size_t k = 0; k < std::min(count, n); ++k) out.push_back(parts.varied[count < n ? k * n / count : k]);
  for (std::size_t k = n; k < count; ++k) out.push_back(beside(parts.varied[k % n], k / n));
  return out;
}

int rows_of(const std::vector<Constraint>& constraints) {
  int out = 0;
  for (const Constraint& c : constraints) out += row_count(c);
  return out;
}

/// How many constraints each point has.
std::vector<std::size_t> sizes_of(const Parts& parts, int most_rows) {
  const std::size_t n = parts.varied.size();
  std::vector<std::size_t> out;
  for (std::size_t k = 1; k < n; k *= 2) out.push_back(k);
  out.push_back(n);
  constexpr std::size_t kMostTimes = 8;
  for (std::size_t times = 2; parts.contacts && times <= kMostTimes; times *= 2) out.push_back(times * n);
  const auto too_large = [&](std::size_t k) { return k > 1 && rows_of(choose(parts, k)) > most_rows; };
  std::erase_if(out, too_large);
  return out;
}

std::string words(const Parts& parts, const std::vector<std::size_t>& sizes) {
  std::string out = fmt::format("{} spread over those of the set", parts.contacts ? "Contacts" : "Constraints");
  if (sizes.back() > parts.varied.size()) out += ", then the same 1 cm further on the same links";
  if (!parts.kept.empty()) out += fmt::format("; the other {} rows are there throughout", rows_of(parts.kept));
  return out + ".";
}

}  // namespace

Growth measure_growth(const Scene& scene, const Effort& effort, int most_rows,
                      const std::function<void(std::size_t at, std::size_t of)>& on_point) {
  const Parts parts = parts_of(scene.constraints);
  const std::vector<std::size_t> sizes = sizes_of(parts, most_rows);
  Growth out{words(parts, sizes), {}};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    on_point(k, sizes.size());
    Scene chosen = scene;
    chosen.constraints = choose(parts, sizes[k]);
    const BenchScene bench(scene.model.name(), chosen);
    out.points.push_back({static_cast<int>(sizes[k]), bench.rows,
                          measure(bench, effort, {}, {all_operators(), kGrowthVerbs}), count_operators(bench)});
  }
  return out;
}

}  // namespace delassus::cli
