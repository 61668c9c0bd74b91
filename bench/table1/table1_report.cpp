#include "bench/table1/table1_report.hpp"

#include <algorithm>

#include "bench/measure/number.hpp"

namespace delassus::cli {
namespace {

std::optional<double> kilobytes_of(const OperatorTimes& times) {
  return times.bytes ? std::optional(static_cast<double>(*times.bytes) / 1e3) : std::nullopt;
}

/// A line of times and the memory, each relative to a baseline.
std::string line(std::string_view label, const ByVerb<std::optional<double>>& times, std::optional<double> kilobytes,
                 const ByVerb<std::optional<double>>& baseline, std::optional<double> baseline_kilobytes) {
  std::string text = fmt::format("  {:<20}", label);
  for (const Verb verb : kTable1Verbs) text += fmt::format("{:>16}", with_ratio(times[verb], baseline[verb]));
  return text + fmt::format("{:>15}", with_ratio(kilobytes, baseline_kilobytes));
}

std::string count_text(const std::optional<std::int64_t>& count) { return count ? std::to_string(*count) : "-"; }

std::string operator_line(const Table1Result& result, std::size_t at, const OperatorTimes& baseline,
                          const CallgrindCounts& counts) {
  const OperatorTimes& times = result.times[at];
  const VerbOperations& operations = result.operations[at];
  const nlohmann::json lines = counts.lines_of(result.about.name, times.name);
  return line(times.name, times.time_us, kilobytes_of(times), baseline.time_us, kilobytes_of(baseline)) +
         fmt::format("{:>9}{:>12}{:>12}\n", lines.is_null() ? "-" : lines.dump(),
                     count_text(operations[Verb::kProductFromQ]), count_text(operations[Verb::kSolveFromQ]));
}

std::string paper_lines(const Table1Scene::Paper& paper) {
  const auto optional = [](const PaperFigures& figures) {
    ByVerb<std::optional<double>> out;
    std::copy_n(figures.time_us.begin(), kPaperVerbs.size(), out.begin());
    return out;
  };
  const ByVerb<std::optional<double>> free = optional(paper.matrix_free), ltl = optional(paper.ltl);
  return line("paper: matrix-free", free, paper.matrix_free.kilobytes, ltl, paper.ltl.kilobytes) + "\n" +
         line("paper: ltl", ltl, paper.ltl.kilobytes, ltl, paper.ltl.kilobytes) + "\n";
}

nlohmann::json operator_json(const Table1Result& result, std::size_t at, const CallgrindCounts& counts) {
  const OperatorTimes& times = result.times[at];
  nlohmann::json out{{"bytes", or_null(times.bytes)}, {"cache_lines", counts.lines_of(result.about.name, times.name)}};
  for (const Verb verb : kTable1Verbs) {
    const std::string name(name_of(verb));
    out[name + "_us"] = or_null(times.time_us[verb]);
    out["ops"][name] = or_null(result.operations[at][verb]);
  }
  if (!times.left_out.empty()) out["left_out"] = times.left_out;
  if (nlohmann::json calls = counts.of(result.about.name, times.name); !calls.is_null()) out["callgrind"] = calls;
  return out;
}

}  // namespace

Table1Result measure_table1(const Table1Scene& about, const Effort& effort) {
  const BenchScene scene = make_bench_scene(about);
  Table1Result out{about,
                   scene.model.nv(),
                   scene.contacts,
                   scene.rows,
                   measure(scene, effort, {}, {bench_operators(), kTable1Verbs}),
                   {}};
  for (std::size_t k = 0; k < out.times.size(); ++k) {
    out.operations.push_back(out.times[k].left_out.empty() ? bench_operators()[k].count(scene) : VerbOperations{});
  }
  return out;
}

std::string table1_head() {
  std::string text =
      "times of one call in µs, medians of runs that take turns; in brackets the ratio to ltl\n"
      "from q: with kinematics and the lowering of contacts; solve: damped; redamp: with another damping; loops keep: "
      "the same, but equalities keep theirs\n"
      "lines: distinct cache lines of a damped solve from q (--cache-lines); operations of both calls from q\n\n";
  text += fmt::format("{:<22}", "");
  for (const Verb verb : kTable1Verbs) text += fmt::format("{:>16}", title_of(verb));
  return text + fmt::format("{:>15}{:>9}{:>12}{:>12}\n", "kB", "lines", "ops product", "ops solve");
}

std::string as_text(const Table1Result& result, const CallgrindCounts& counts) {
  std::string text =
      fmt::format("{}: nv {}, {} contacts, {} rows\n", result.about.name, result.nv, result.contacts, result.rows);
  const OperatorTimes& baseline = *std::ranges::find(result.times, kBaseline, &OperatorTimes::name);
  for (std::size_t k = 0; k < result.times.size(); ++k) {
    const OperatorTimes& times = result.times[k];
    text += times.left_out.empty() ? operator_line(result, k, baseline, counts)
                                   : fmt::format("  {:<20}left out: {}\n", times.name, times.left_out);
  }
  if (result.about.paper) text += paper_lines(*result.about.paper);
  return text;
}

nlohmann::json as_json(const Table1Result& result, const CallgrindCounts& counts) {
  nlohmann::json out{{"name", result.about.name},
                     {"nv", result.nv},
                     {"contacts", result.contacts},
                     {"rows", result.rows},
                     {"operators", nlohmann::json::object()}};
  for (std::size_t k = 0; k < result.times.size(); ++k) {
    out["operators"][std::string(result.times[k].name)] = operator_json(result, k, counts);
  }
  return out;
}

}  // namespace delassus::cli
