// `delassus compute`: the Delassus matrix of a model and scene.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/matrix_formats.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/command_tree.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/message.hpp"
#include "cli/shell/model_options.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/output_options.hpp"
#include "delassus/math/error.hpp"
#include "delassus/operators/planner.hpp"

namespace delassus::cli {
namespace {

/// More than any solver asks for, and few enough for their operations to be counted in 64 bits.
constexpr int kMostCalls = 1'000'000;

struct ComputeOptions {
  ModelOptions model;
  std::string algorithm = "auto";
  bool explain = false;
  Workload workload;
  bool npy = false;
  std::string scene_output;
  OutputOptions output;

  bool wants_npy() const { return npy || output.path.ends_with(".npy"); }
};

/// Writing over the input, or both outputs to one file, would lose one of them. A name must not lie about its format.
void require_outputs(const ComputeOptions& o) {
  o.output.require_writable();
  const std::string_view other = o.npy ? ".json" : o.output.json ? ".npy" : "";
  if (!other.empty() && o.output.path.ends_with(other)) {
    throw Error(fmt::format("{} and an --output that ends in {} contradict each other; choose one",
                            o.npy ? "--npy" : "--json", other));
  }
  require_writable("--save-scene", o.scene_output);
  if (is_same_file(o.scene_output, o.output.path)) {
    throw Error("--output and --save-scene name the same file; choose two");
  }
}

/// What the load report has against the file, on stderr: stdout is for the matrix.
void say_doubts(const LoadReport& report) {
  for (const ReportWarning& w : report.warnings) {
    say_warning(fmt::format("{}:{}: {}: {}", report.file, w.line, w.element, w.message));
  }
  if (!report.ignored.empty()) {
    say_note(fmt::format("{} has parts that are not read ({} kinds); `delassus info` lists them", report.file,
                         report.ignored.size()));
  }
}

/// The matrix, unless something else was asked for.
Workload workload_of(const ComputeOptions& o) {
  Workload workload = o.workload;
  workload.matrix = workload.products + workload.dampings + workload.solves == 0;
  return workload;
}

/// The algorithm that was asked for, or the planner's choice; its reasons on stderr if wanted.
std::string choose(const ComputeOptions& o, const Scene& scene) {
  if (o.algorithm != "auto" && !o.explain) return o.algorithm;
  const OperatorPlan plan = plan_operator(scene.model, scene.constraints, workload_of(o));
  if (o.explain) fmt::print(stderr, "{}", plan.explain());
  return o.algorithm == "auto" ? std::string(name_of(plan.choice)) : o.algorithm;
}

void run(const ComputeOptions& o) {
  require_outputs(o);
  const Scene scene = o.model.load();
  say_doubts(scene.report);
  if (scene.constraints.empty()) {
    throw Error(
        fmt::format("model '{}' has no constraints, so there is no Delassus matrix; add contacts with "
                    "--contact FRAME[:x,y,z], or give a scene file",
                    scene.model.name()));
  }
  const MatrixResult result = delassus_matrix(choose(o, scene), scene.model, scene.q, scene.constraints);
  if (!o.scene_output.empty()) save_scene(scene, o.scene_output);
  if (o.wants_npy()) return o.output.write(as_npy(result));
  if (o.output.wants_json()) return o.output.write(as_json(result, scene));
  o.output.write(as_text(result));
}

void add_planning(Command& sub, ComputeOptions& options) {
  std::vector<std::string> algorithms = algorithm_names_with_code();
  algorithms.emplace_back("auto");
  sub.add_option("--algorithm", options.algorithm,
                 fmt::format("how to compute it: {}; or auto (default), the one that is predicted to be fastest",
                             fmt::join(algorithm_names_with_code(), ", ")))
      ->type_name("ALGORITHM")
      ->check(one_of("algorithm", algorithms));
  sub.add_flag("--explain", options.explain,
               "say on stderr what each algorithm costs here, and which auto takes and why");
  const auto add_wanted = [&](const char* name, int& count, const char* what) {
    sub.add_option(name, count, fmt::format("auto is for so many {} per configuration, not for the matrix", what))
        ->type_name("COUNT")
        ->check(whole_number(0, kMostCalls));
  };
  add_wanted("--products", options.workload.products, "products with a vector");
  add_wanted("--dampings", options.workload.dampings, "dampings");
  add_wanted("--solves", options.workload.solves, "damped solves");
}

}  // namespace

void add_compute(Command& app) {
  auto options = std::make_shared<ComputeOptions>();
  Command* sub = app.add_subcommand("compute", "Computes the Delassus matrix of a model and scene");
  options->model.add_to(*sub);
  add_planning(*sub, *options);
  sub->add_option("--save-scene", options->scene_output, "also write the scene as a JSON file that stands alone")
      ->type_name("FILE")
      ->check(file_name());
  Option* npy = sub->add_flag("--npy", options->npy, "print a file of NumPy; so does an --output that ends in .npy");
  options->output.add_to(*sub);
  npy->excludes(find_option(*sub, "--json"));
  set_examples(*sub, {{"delassus compute go2 --contact FL_foot --contact FR_foot:0,0,-0.02", "two feet on the ground"},
                      {"delassus compute scene.json -o matrix.npy", "a scene of your own, for NumPy"},
                      {"delassus compute stem:30x7 --algorithm pv-osim --json", "a mechanism of the papers"},
                      {"delassus compute g1-fallen --explain --products 100", "what each algorithm costs here"}});
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
