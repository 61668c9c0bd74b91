#include "generate/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "delassus/constraints/state.hpp"
#include "delassus/math/error.hpp"
#include "delassus/operators/condensed.hpp"
#include "generate/operator_text.hpp"
#include "generate/shorter_sums.hpp"
#include "io/new_file.hpp"

namespace delassus {
namespace {

using namespace generation;

/// A name that C takes, and under which no header of its library would be found.
void require_name(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool good =
      !name.empty() && name.size() <= 40 && is_letter(name.front()) &&
      std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
  if (!good)
    throw Error("argument 'name' is '" + name +
                "'; names of generated code are at most 40 letters, digits and underscores, the first a letter");
  for (const char* header : {"stdint", "math", "stdio"}) {
    if (name == header) throw Error("argument 'name' is '" + name + "', the name of a header of C; choose another one");
  }
}

/// Frames that constraints name, each once.
std::vector<int> frames_of(const Model& model, std::span<const Constraint> constraints) {
  std::vector<int> frames;
  const auto add = [&](int frame) {
    if (model.frame(frame).link != kWorld && std::find(frames.begin(), frames.end(), frame) == frames.end())
      frames.push_back(frame);
  };
  for (const Constraint& constraint : constraints) {
    std::visit(
        [&]<class X>(const X& x) {
          if constexpr (std::same_as<X, PointContact>) {
            add(x.a.frame);
            add(x.b);
          } else if constexpr (std::same_as<X, LoopClosure> || std::same_as<X, Distance>) {
            add(x.first.frame);
            add(x.second.frame);
          } else if constexpr (std::same_as<X, CustomRows>) {
            for (const CustomRows::BodyTerm& term : x.bodies) add(term.frame);
          }
        },
        constraint);
  }
  return frames;
}

/// The operator, without what moves.
Material trace_rows(const Model& model, std::span<const Constraint> constraints, const GenerateOptions& options) {
  const bool is_float = options.scalar == GenerateOptions::Scalar::kFloat;
  OperatorTrace trace = trace_operator(model, constraints, options);
  if (!is_float || trace.form == GenerateOptions::Form::kLanes) trace.program = with_shorter_sums(trace.program);
  Schedule schedule(trace.program);
  // Compilers take what goes in lanes as one function: there is less of it.
  const int part_nodes = trace.form == GenerateOptions::Form::kLanes ? 10 * options.part_nodes : options.part_nodes;
  return {model, constraints, options, {options.name, is_float, part_nodes}, std::move(trace), std::move(schedule),
          {},    {}};
}

Material trace_all(const Model& model, std::span<const Constraint> constraints, const GenerateOptions& options) {
  const bool is_float = options.scalar == GenerateOptions::Scalar::kFloat;
  Material m = trace_rows(model, constraints, options);
  if (options.functions == GenerateOptions::Functions::kOperator) return m;
  m.frames = frames_of(model, constraints);
  m.motions.push_back(trace_inverse_dynamics(model, is_float));
  m.motions.push_back(trace_forward_dynamics(model, is_float));
  if (!m.frames.empty()) m.motions.push_back(trace_frames(model, m.frames, is_float));
  for (MotionTrace& motion : m.motions) {
    if (!is_float) motion.program = with_shorter_sums(motion.program);
  }
  return m;
}

void require_arguments(const Model& model, std::span<const Constraint> constraints, const GenerateOptions& options) {
  require_name(options.name);
  if (model.nv() == 0) throw Error("argument 'model' has no joints: there is nothing that code could compute");
  const State<double> valid(model, constraints);  // throws an Error that names what does not fit
  if (options.part_nodes < 1) throw Error("argument 'part_nodes' is below 1; functions have at least one operation");
}

GeneratedCode code_of(const Material& m) {
  GeneratedCode code;
  code.name = m.options.name;
  code.header = header_text(m);
  code.source = source_text(m, code.costs);
  code.rows = m.trace.rows;
  code.state_numbers = m.schedule.num_slots;
  return code;
}

}  // namespace

GeneratedCode generate(const Model& model, std::span<const Constraint> constraints, std::span<const double> q,
                       const GenerateOptions& options) {
  require_arguments(model, constraints, options);
  require_size("q", static_cast<int>(q.size()), model.nq());
  const Material m = trace_all(model, constraints, options);
  GeneratedCode code = code_of(m);
  code.test = test_text(m, q);
  code.report = report_text(m, code);
  return code;
}

GeneratedCode generate_operator(const Model& model, std::span<const Constraint> constraints,
                                const GenerateOptions& options) {
  require_arguments(model, constraints, options);
  return code_of(trace_rows(model, constraints, options));
}

void write_generated(const GeneratedCode& code, const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  const auto write = [&](const char* ending, const std::string& text) {
    io::write_file((std::filesystem::path(folder) / (code.name + ending)).string(), text);
  };
  write(".h", code.header);
  write(".c", code.source);
  write("_test.c", code.test);
  write(".json", code.report);
}

}  // namespace delassus
