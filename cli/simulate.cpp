// `delassus simulate`: a scene in motion.
#include <memory>
#include <nlohmann/json.hpp>

#include "delassus/math/error.hpp"
#include "exit_code.hpp"
#include "help.hpp"
#include "interruption.hpp"
#include "message.hpp"
#include "output_file.hpp"
#include "simulate_options.hpp"
#include "simulate_report.hpp"

namespace delassus::cli {
namespace {

int run(const SimulateOptions& o) {
  o.output.require_writable(o.scene.model);
  require_writable("--csv", o.csv);
  require_other_file("--csv", o.csv, o.scene.model);
  if (is_same_file(o.csv, o.output.path)) throw Error("--csv and --output name the same file; choose two");
  const SimulationSetup setup = make_setup(o);
  const RunRecord record = run_simulation(setup, {o.csv, o.every, o.quiet});
  if (o.output.wants_json()) {
    o.output.write(as_json(o.scene.model, setup, record));
  } else {
    o.output.write(as_text(o.scene.model, setup, record));
  }
  if (record.interrupted) Interruption::obey();
  if (record.failure.empty()) return kExitOk;
  say_error(record.failure);
  return kExitCheckFailed;
}

}  // namespace

void add_simulate(Command& app, int& exit_code) {
  auto options = std::make_shared<SimulateOptions>();
  Command* sub = app.add_subcommand("simulate", "Lets a scene move, with contacts, limits, friction and motors");
  options->add_to(*sub);
  set_examples(*sub, {{"delassus simulate incline:35", "a box on a slope, and what theory says of it"},
                      {"delassus simulate go2-standing --hold 200,10 --csv go2.csv", "a robot that stands"},
                      {"delassus simulate arch:0.2 --seconds 0.5 --json", "stones that slide apart, for programs"},
                      {"delassus simulate scene.json --seconds 0.1 --solver pgs --operator ltl", "others than usual"}});
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace delassus::cli
