#include "cli/sweep/sweep_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/wording.hpp"

namespace delassus::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMostRanges = 4;
constexpr std::int64_t kShownCases = 3;

std::string size_text(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

std::int64_t bytes_per_case(const ParameterSweep& sweep) {
  std::int64_t out = 0;
  for (const SweepColumn& c : sweep.columns()) out += 8 * c.width();
  return out;
}

json as_json(const std::vector<SweepRange>& ranges) {
  json out = json::array();
  for (const SweepRange& r : ranges) out.push_back({r.first, r.end});
  return out;
}

}  // namespace

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
  if (seconds < 6000) return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / 60), std::fmod(seconds, 60));
  return fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / 3600), std::fmod(seconds, 3600) / 60);
}

std::string in_words(const std::vector<SweepRange>& ranges) {
  std::string out;
  for (std::size_t k = 0; k < std::min(ranges.size(), kMostRanges); ++k)
    out += fmt::format("{}{} to {}", k > 0 ? ", " : "", ranges[k].first, ranges[k].end - 1);
  if (ranges.size() > kMostRanges) out += fmt::format(" and {} further ranges", ranges.size() - kMostRanges);
  return out;
}

std::string check_text(const ParameterSweep& sweep) {
  const auto bytes = static_cast<double>(bytes_per_case(sweep));
  std::string out = fmt::format("{}: {} cases, {} each, {} in all\n\ncolumns\n", printable(sweep.name()), sweep.size(),
                                size_text(bytes), size_text(bytes * static_cast<double>(sweep.size())));
  for (const SweepColumn& c : sweep.columns())
    out += fmt::format("  {:<32} {:<16}{}\n", c.name, c.unit,
                       c.shape.empty() ? "" : fmt::format("[{}]", fmt::join(c.shape, " x ")));
  const std::vector<std::string> names = sweep.parameters();
  if (names.empty()) return out;
  const std::int64_t shown = std::min(kShownCases, sweep.size());
  out += fmt::format("\nthe first cases\n  {:<32}", "");
  for (std::int64_t i = 0; i < shown; ++i) out += fmt::format(" {:>12}", i);
  for (std::size_t k = 0; k < names.size(); ++k) {
    out += fmt::format("\n  {:<32}", names[k]);
    for (std::int64_t i = 0; i < shown; ++i) out += fmt::format(" {:>12.6g}", sweep.values(i)[k]);
  }
  return out + "\n";
}

json check_json(const ParameterSweep& sweep) {
  json columns = json::array();
  for (const SweepColumn& c : sweep.columns())
    columns.push_back({{"name", c.name}, {"unit", c.unit}, {"shape", c.shape}, {"whole", c.whole}});
  return {{"name", sweep.name()},
          {"cases", sweep.size()},
          {"parameters", sweep.parameters()},
          {"columns", columns},
          {"bytes_per_case", bytes_per_case(sweep)},
          {"hash", sweep.hash()}};
}

SweepState state_of(const SweepFolder& folder) {
  SweepState out;
  out.cases = out.done = folder.sweep().size();
  out.parts = folder.parts();
  out.missing = folder.missing();
  for (const SweepRange& r : out.missing) out.done -= r.size();
  out.failed = folder.failed();
  return out;
}

namespace {

/// Who made them.
std::string machines_text(const std::vector<SweepPart>& parts) {
  std::map<std::string, std::pair<std::int64_t, double>> machines;
  for (const SweepPart& p : parts) {
    machines[p.machine].first += p.range.size();
    machines[p.machine].second += p.seconds;
  }
  std::string out;
  for (const auto& [name, done] : machines)
    out += fmt::format("  {:<24} {} cases, {} of work\n", printable(name), done.first, duration(done.second));
  return out;
}

json as_json(const std::vector<SweepPart>& parts) {
  json out = json::array();
  for (const SweepPart& p : parts)
    out.push_back({{"first", p.range.first},
                   {"end", p.range.end},
                   {"machine", p.machine},
                   {"seconds", p.seconds},
                   {"failed", p.failed}});
  return out;
}

}  // namespace

std::string status_text(const SweepFolder& folder, const SweepState& s) {
  const std::string out =
      fmt::format("{}: {} of {} cases are done, in {} parts; {} failed\n{}", printable(folder.sweep().name()), s.done,
                  s.cases, s.parts.size(), s.failed, machines_text(s.parts));
  if (s.missing.empty())
    return out +
           fmt::format("nothing is missing: `delassus sweep merge {}` makes the file of results\n", folder.results());
  return out + fmt::format("missing: {}\n", in_words(s.missing));
}

json status_json(const SweepFolder& folder, const SweepState& s) {
  return {{"name", folder.sweep().name()},
          {"results", folder.results()},
          {"cases", s.cases},
          {"done", s.done},
          {"failed", s.failed},
          {"missing", as_json(s.missing)},
          {"parts", as_json(s.parts)},
          {"complete", false}};
}

std::string status_text(const FinishedSweep& f) {
  return fmt::format("{} has all {} cases, of {} parts; {} failed\n{}", f.results, f.manifest.cases,
                     f.manifest.parts.size(), f.manifest.failed, machines_text(f.manifest.parts));
}

json status_json(const FinishedSweep& f) {
  return {{"results", f.results},     {"cases", f.manifest.cases},
          {"done", f.manifest.cases}, {"failed", f.manifest.failed},
          {"missing", json::array()}, {"parts", as_json(f.manifest.parts)},
          {"complete", true}};
}

}  // namespace delassus::cli
