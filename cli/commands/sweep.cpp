// `delassus sweep`: many simulations that differ in parameters (docs/sweeps.md).
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/interruption.hpp"
#include "cli/shell/message.hpp"
#include "cli/shell/other_program.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/progress.hpp"
#include "cli/sweep/sweep_report.hpp"
#include "cli/sweep/sweep_team.hpp"
#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

struct Given {
  std::string specification, results, shard;
  int threads = 0;
  bool check = false, json = false, quiet = false;
};

void print(const std::string& text, const nlohmann::json& value, bool json) {
  write_output("",
               json ? value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" : for_terminal(text));
}

/// "3/64": the fourth of 64 parts of the cases, all of about the same size.
SweepRange shard_of(const std::string& text, std::int64_t cases) {
  const std::size_t slash = text.find('/');
  try {
    std::size_t used = 0, used_behind = 0;
    const std::string behind = slash == std::string::npos ? "" : text.substr(slash + 1);
    const long long k = std::stoll(text, &used), n = std::stoll(behind, &used_behind);
    if (used == slash && used_behind == behind.size() && n > 0 && k >= 0 && k < n && n <= 1'000'000) {
      const auto at = [&](std::int64_t j) { return cases * j / n; };  // below 1e18
      return {at(k), at(k + 1)};
    }
  } catch (const std::exception&) {
  }
  throw Error(
      fmt::format("--shard {}: give K/N with a K from 0 to N - 1, such as 0/64 for the first of 64", in_quotes(text)));
}

std::string default_results(const std::string& specification) {
  return std::filesystem::path(specification).replace_extension(".h5").string();
}

/// Lines on a terminal, and now and then one elsewhere.
class SweepBar {
 public:
  SweepBar(std::int64_t cases, bool quiet) : cases_(cases), quiet_(quiet), bar_(Progress::Elsewhere::kLines) {}

  void show(const SweepProgress& p) {
    constexpr double kEvery = 10;  // s, where there is no terminal
    if (quiet_ || (!bar_.on_terminal() && p.seconds < next_)) return;
    next_ = p.seconds + kEvery;
    const double share = static_cast<double>(p.done) / static_cast<double>(std::max<std::int64_t>(cases_, 1));
    const double left = p.done > 0 ? p.seconds * (1 - share) / share : 0;
    bar_.show(share, fmt::format("{} of {} cases{}{}", p.done, cases_,
                                 p.failed > 0 ? fmt::format(", {} failed", p.failed) : "",
                                 p.done > 0 ? ", " + duration(left) + " left" : ""));
  }
  void clear() { bar_.clear(); }

 private:
  std::int64_t cases_;
  bool quiet_;
  double next_ = 5;
  Progress bar_;
};

int report_done(const ParameterSweep& sweep, const Given& given, const SweepProgress& p, const SweepState& state,
                bool merged) {
  const nlohmann::json value{{"name", sweep.name()}, {"results", given.results}, {"cases", sweep.size()},
                             {"computed", p.done},   {"failed", state.failed},   {"seconds", p.seconds},
                             {"done", state.done},   {"complete", merged}};
  std::string text = fmt::format("{}: {} cases in {}", printable(sweep.name()), p.done, duration(p.seconds));
  if (p.seconds > 0 && p.done > 0) text += fmt::format(", {:.0f} a second", static_cast<double>(p.done) / p.seconds);
  text += state.failed > 0 ? fmt::format("; {} of all failed (their status says why)\n", state.failed) : "\n";
  if (merged) {
    text += fmt::format("{} has all {} cases\n", given.results, sweep.size());
  } else {
    text += fmt::format("{} of {} cases are done", state.done, sweep.size());
    text += state.missing.empty()
                ? fmt::format("; `delassus sweep merge {}` makes the file of results\n", given.results)
                : fmt::format("; missing: {}\n", in_words(state.missing));
  }
  print(text, value, given.json);
  return kExitOk;
}

/// What is there already needs no work.
int report_there(const ParameterSweep& sweep, const Given& given) {
  print(fmt::format("{} has all {} cases already\n", given.results, sweep.size()),
        {{"name", sweep.name()},
         {"results", given.results},
         {"cases", sweep.size()},
         {"computed", 0},
         {"complete", true}},
        given.json);
  return kExitOk;
}

/// On the leader: what is to be done. Nothing is written before all of the line is understood.
SweepFolder begin(const ParameterSweep& sweep, const Given& given, std::vector<SweepRange>& ranges) {
  const SweepRange wanted = given.shard.empty() ? SweepRange{0, sweep.size()} : shard_of(given.shard, sweep.size());
  SweepFolder folder = SweepFolder::open(sweep, given.results);
  ranges = folder.missing(wanted);
  std::int64_t left = 0;
  for (const SweepRange& r : ranges) left += r.size();
  if (left < wanted.size() && !given.quiet)
    say_note(fmt::format("going on: {} of {} cases are done", wanted.size() - left, wanted.size()));
  return folder;
}

int finish(const SweepFolder& folder, const Given& given, const SweepProgress& done) {
  const SweepState state = state_of(folder);
  const bool merges = given.shard.empty() && state.missing.empty();
  if (given.shard.empty() && !merges)
    throw Error(fmt::format("all ranks have ended, and of {} cases {} are missing: {}; the same command computes them",
                            state.cases, state.cases - state.done, in_words(state.missing)));
  if (merges) folder.merge();
  return report_done(folder.sweep(), given, done, state, merges);
}

int lead(const ParameterSweep& sweep, const Given& given, SweepTeam& team) {
  if (is_done(sweep, given.results)) {
    team.agree(false);
    return report_there(sweep, given);
  }
  std::vector<SweepRange> ranges;
  const SweepFolder folder = begin(sweep, given, ranges);
  team.agree(true);
  std::int64_t cases = 0;
  for (const SweepRange& r : ranges) cases += r.size();
  const Interruption interruption;
  SweepBar bar(cases, given.quiet);
  SweepRunOptions options;
  options.threads = given.threads > 0 ? given.threads : team.threads();
  options.progress = [&](const SweepProgress& p) { bar.show(p); };
  options.stop = [&] { return interruption.asked(); };
  bool alone = team.size() == 1;
  try {
    const SweepProgress done = team.run(folder, std::move(ranges), options);
    bar.clear();
    if (interruption.asked()) {
      say_note(fmt::format("stopped; the same command goes on with what is in {}", in_quotes(folder.folder())));
      Interruption::obey();
    }
    alone = true;  // the others have left
    return finish(folder, given, done);
  } catch (const Error&) {
    // Another run of the same sweep was faster, has merged its parts and ours, and taken the folder away.
    if (!alone || std::filesystem::exists(folder.folder()) || !is_done(sweep, given.results)) throw;
    bar.clear();
    return report_there(sweep, given);
  }
}

int follow(const ParameterSweep& sweep, const Given& given, SweepTeam& team) {
  if (!team.agree(true)) return kExitOk;
  const SweepFolder folder = SweepFolder::join(sweep, given.results);
  const Interruption interruption;
  SweepRunOptions options;
  options.threads = given.threads > 0 ? given.threads : team.threads();
  options.stop = [&] { return interruption.asked(); };
  team.run(folder, {}, options);
  return kExitOk;
}

int run(Given given, SweepTeam& team) {
  if (given.specification.empty())
    throw Error(
        "`delassus sweep` needs SPEC, the file of a specification, or a command: merge or status; see `delassus sweep "
        "--help`");
  const ParameterSweep sweep = ParameterSweep::load(given.specification);
  if (given.check) {
    if (team.leads()) print(check_text(sweep), check_json(sweep), given.json);
    return kExitOk;
  }
  if (sweep.has_own_run())
    throw Error(in_quotes(given.specification) +
                " has 'columns' of a function of your own: delassus.sweep(..., run=function) in Python runs it");
  if (given.results.empty()) given.results = default_results(given.specification);
  if (is_same_file(given.results, given.specification))
    throw Error("-o names the specification; choose another name for the results");
  return team.leads() ? lead(sweep, given, team) : follow(sweep, given, team);
}

void merge(const std::string& results, bool json) {
  const SweepFolder folder = SweepFolder::find(results);
  const Progress bar(Progress::Elsewhere::kSilent);
  folder.merge([&](double share) { bar.show(share, "merging"); });
  bar.clear();
  print(fmt::format("{} has all {} cases\n", folder.results(), folder.sweep().size()),
        {{"results", folder.results()}, {"cases", folder.sweep().size()}}, json);
}

void status(const std::string& results, bool json) {
  if (const auto finished = finished_sweep(results)) return print(status_text(*finished), status_json(*finished), json);
  const SweepFolder folder = SweepFolder::find(results);
  const SweepState state = state_of(folder);
  print(status_text(folder, state), status_json(folder, state), json);
}

void add_on_folder(Command& sub, const std::string& name, const std::string& description,
                   const std::vector<Example>& examples, void (*act)(const std::string&, bool)) {
  struct Words {
    std::string results;
    bool json = false;
  };
  auto words = std::make_shared<Words>();
  Command* command = sub.add_subcommand(name, description);
  command
      ->add_option("RESULTS", words->results, "the file of results, as it was given to the run, or its folder of parts")
      ->required()
      ->check(file_name());
  command->add_flag("--json", words->json, "print JSON");
  set_examples(*command, examples);
  command->callback([words, act] { act(words->results, words->json); });
}

}  // namespace

/// What the launchers of Open MPI and MPICH, and Slurm's PMIx, tell their ranks. One that is alone needs no MPI, which may know nothing of the launcher.
bool is_for_ranks(const std::vector<std::string>& words) {
  if (words.empty() || words[0] != "sweep") return false;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* size = std::getenv(name)) return std::string_view(size) != "1";
  }
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return std::getenv("PMIX_RANK") != nullptr && (tasks == nullptr || std::string_view(tasks) != "1");
}

void start_rank(const std::vector<std::string>& words) {
  become("delassus-mpi", words,
         "it is built where MPI is found (Debian: libopenmpi-dev); without it, `--shard K/N` divides a sweep");
}

void add_sweep(Command& app, int& exit_code, SweepTeam& team) {
  auto given = std::make_shared<Given>();
  Command* sub = app.add_subcommand("sweep", "Simulates many cases that differ in parameters, on one machine or many");
  sub->add_option("SPEC", given->specification, "file of the specification (docs/sweeps.md)");
  sub->add_option("-o,--output", given->results, "file of results, .h5 or .npz (default: the name of SPEC with .h5)")
      ->type_name("RESULTS")
      ->check(file_name());
  sub->add_flag("--check", given->check,
                "read the specification, show its columns and first cases, and simulate nothing");
  sub->add_option("--threads", given->threads, "that simulate (default: one for each core; one for each rank of MPI)")
      ->type_name("COUNT")
      ->check(whole_number(1, 4096));
  sub->add_option("--shard", given->shard, "only this part of the cases, 0/N to N-1/N, without the file of results")
      ->type_name("K/N");
  sub->add_flag("--json", given->json, "print JSON");
  sub->add_flag("--quiet", given->quiet, "say nothing of progress");
  set_examples(*sub, {{"delassus sweep study.json --check", "what it would compute"},
                      {"delassus sweep study.json -o study.h5", "on all cores; again, it goes on where it was stopped"},
                      {"delassus sweep study.json -o jobs.h5 --shard 0/2", "one job of an array of two"},
                      {"delassus sweep study.json -o jobs.h5 --shard 1/2", "the other one, on any machine"},
                      {"mpirun -n 64 delassus sweep study.json -o study.h5", "many machines that share a folder"}});
  sub->callback([given, &exit_code, &team] { exit_code = run(*given, team); });
  add_on_folder(*sub, "status", "Says how far a sweep is",
                {{"delassus sweep status jobs.h5", "cases that are done and missing, and who made them"},
                 {"delassus sweep status jobs.h5 --json", "the same for programs"}},
                status);
  add_on_folder(
      *sub, "merge", "Makes the file of results of all parts",
      {{"delassus sweep merge jobs.h5", "when all jobs are done"},
       {"delassus sweep study.json -o a.npz --shard 0/1 && delassus sweep merge a.npz", "a job, and its file"}},
      merge);
}

}  // namespace delassus::cli
