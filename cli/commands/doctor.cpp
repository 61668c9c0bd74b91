// `delassus doctor`: what is wrong with the constraints of a model.
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/doctor_json.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/model_options.hpp"
#include "cli/shell/output_options.hpp"

namespace delassus::cli {
namespace {

struct DoctorCommand {
  ModelOptions model;
  std::string tolerance;
  bool exit_code = false;

  DoctorOptions doctor_options() const {
    DoctorOptions out;
    if (tolerance.empty()) return out;
    out.position_tolerance = out.velocity_tolerance = out.acceleration_tolerance = number_of(tolerance);
    return out;
  }

  OutputOptions output;
};

int run(const DoctorCommand& o) {
  o.output.require_writable();
  const Scene scene = o.model.load();
  const ConstraintReport report = diagnose(scene.model, scene.constraints, scene.q, scene.v, o.doctor_options());
  if (o.output.wants_json()) {
    nlohmann::json json = as_json(report);
    json["model"] = scene.model.name();
    o.output.write(json);
  } else {
    o.output.write(to_text(report));
  }
  return o.exit_code && !report.findings.empty() ? kExitCheckFailed : kExitOk;
}

}  // namespace

void add_doctor(Command& app, int& exit_code) {
  auto options = std::make_shared<DoctorCommand>();
  Command* sub = app.add_subcommand("doctor", "Says what is wrong with the constraints of a model, and what to do");
  options->model.add_to(*sub);
  sub->add_option("--tolerance", options->tolerance,
                  "errors of positions (m, rad), velocities (per s) and accelerations (per s²) that are let pass "
                  "(default: 0.001)")
      ->type_name("X")
      ->check(positive_number());
  sub->add_flag("--exit-code", options->exit_code, "exit code 1 if there is something to say");
  options->output.add_to(*sub);
  set_examples(*sub, {{"delassus doctor cassie-standing", "which rows are redundant"},
                      {"delassus doctor go2 --contact FL_foot --contact FR_foot --exit-code", "for scripts"},
                      {"delassus doctor four_bar --tolerance 1e-6", "for loops that have to close exactly"},
                      {"delassus doctor scene.json -o health.json", "for programs"}});
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace delassus::cli
