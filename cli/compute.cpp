#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "delassus/delassus/planner.hpp"
#include "delassus/math/error.hpp"
#include "delassus_matrix.hpp"
#include "output_file.hpp"

namespace delassus::cli {
namespace {

/// More than any solver asks for, and few enough for their operations to be counted in 64 bits.
constexpr int kMostCalls = 1'000'000;

struct ComputeOptions {
  ModelOptions model;
  std::string algorithm = "auto";
  bool explain = false;
  Workload workload;
  std::string format;
  std::string output;
  std::string scene_output;
};

std::string as_text(const MatrixResult& m) {
  std::string text;
  for (int r = 0; r < m.rows; ++r) {
    for (int c = 0; c < m.rows; ++c) text += fmt::format("{}{:.17g}", c ? " " : "", m.entries[r * m.rows + c]);
    text += '\n';
  }
  return text;
}

std::string as_json(const MatrixResult& m, const Scene& scene, const std::string& algorithm) {
  nlohmann::json matrix = nlohmann::json::array();
  for (int r = 0; r < m.rows; ++r) {
    matrix.push_back(std::vector<double>(m.entries.begin() + r * m.rows, m.entries.begin() + (r + 1) * m.rows));
  }
  nlohmann::json constraints = nlohmann::json::array();
  int row = 0;
  for (const Constraint& c : scene.constraints) {
    const int rows = row_count(c);
    constraints.push_back({{"name", name_of(c)}, {"type", kind_of(c)}, {"first_row", row}, {"rows", rows}});
    row += rows;
  }
  return nlohmann::json{{"model", scene.model.name()},
                        {"algorithm", algorithm},
                        {"rows", m.rows},
                        {"constraints", constraints},
                        {"delassus", matrix}}
             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

/// NumPy's file format 1.0: magic, version, length of the header, header padded to 64 bytes, data.
std::string as_npy(const MatrixResult& m) {
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", m.rows, m.rows);
  const std::size_t prefix = 10;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(m.entries.data()), m.entries.size() * sizeof(double));
  return out;
}

std::string format_of(const ComputeOptions& o) {
  if (!o.format.empty()) return o.format;
  if (o.output.ends_with(".npy")) return "npy";
  return o.output.ends_with(".json") ? "json" : "text";
}

/// Writing over the input, or both outputs to one file, would lose one of them.
void require_distinct(const ComputeOptions& o) {
  if (is_same_file(o.output, o.model.model)) throw Error("--output names the model's own file; choose another");
  if (is_same_file(o.scene_output, o.output)) throw Error("--output and --save-scene name the same file; choose two");
}

/// What the load report has against the file, on stderr: stdout is for the matrix.
void print_doubts(const LoadReport& report) {
  for (const ReportWarning& w : report.warnings) {
    fmt::print(
        stderr, "{}",
        for_terminal(fmt::format("delassus: warning: {}:{}: {}: {}\n", report.file, w.line, w.element, w.message)));
  }
  if (!report.ignored.empty()) {
    fmt::print(stderr, "delassus: note: {} has parts that are not read ({} kinds); `delassus info` lists them\n",
               report.file, report.ignored.size());
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
  require_algorithm_or("auto", o.algorithm);
  require_distinct(o);
  const Scene scene = o.model.load();
  print_doubts(scene.report);
  if (scene.constraints.empty()) {
    throw Error(
        fmt::format("model '{}' has no constraints, so there is no Delassus matrix; add contacts with "
                    "--contact FRAME[:x,y,z], or give a scene file",
                    scene.model.name()));
  }
  const std::string algorithm = choose(o, scene);
  const MatrixResult result = delassus_matrix(algorithm, scene.model, scene.q, scene.constraints);
  if (!o.scene_output.empty()) save_scene(scene, o.scene_output);
  const std::string format = format_of(o);
  write_output(o.output, format == "npy"    ? as_npy(result)
                         : format == "json" ? as_json(result, scene, algorithm)
                                            : as_text(result));
}

}  // namespace

void add_compute(CLI::App& app) {
  auto options = std::make_shared<ComputeOptions>();
  CLI::App* sub = app.add_subcommand("compute", "Computes the Delassus matrix of a model and scene");
  options->model.add_to(*sub);
  sub->add_option("--contact", options->model.contacts,
                  "a point contact with the ground: FRAME or FRAME:x,y,z (repeatable)");
  sub->add_option("--algorithm", options->algorithm,
                  fmt::format("how to compute it: {}; or auto (default), the one with fewest operations",
                              fmt::join(algorithm_names(), ", ")));
  sub->add_flag("--explain", options->explain, "say what each algorithm costs here, and which auto takes and why");
  const auto add_wanted = [&](const char* name, int& count, const char* what) {
    sub->add_option(name, count, fmt::format("auto is for so many {} per configuration, not for the matrix", what))
        ->check(CLI::Range(0, kMostCalls));
  };
  add_wanted("--products", options->workload.products, "products with a vector");
  add_wanted("--dampings", options->workload.dampings, "dampings");
  add_wanted("--solves", options->workload.solves, "damped solves");
  sub->add_option("--format", options->format, "text, json or npy (default: by the output's name, else text)")
      ->check(CLI::IsMember({"text", "json", "npy"}));
  sub->add_option("-o,--output", options->output, "file to write; default stdout");
  sub->add_option("--save-scene", options->scene_output, "also write the scene as a JSON file that stands alone");
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
