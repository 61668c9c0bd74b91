#include "generate/stage_call.hpp"

#include <fmt/format.h>

namespace delassus::generation {

std::vector<Parameter> parameters_of(const Material& m, int stage) {
  const std::string real = m.dialect.real(), in = "const " + real + " *restrict ", out = real + " *restrict ";
  const bool keeps = stage <= OperatorTrace::kDamp || stage == OperatorTrace::kPrepareMotion;
  const bool number = m.options.damping == GenerateOptions::DampingForm::kNumber;
  return {{"v", (keeps ? out : in) + "v"},
          {"w", out + "w"},
          {"q", in + "q"},
          {"contacts", fmt::format("const {}_contact *restrict contacts", m.dialect.prefix)},
          {"damping", number ? "const " + real + " damping" : in + "damping"},
          {"velocity", in + "velocity"},
          {"x", in + "x"},
          {"y", out + "y"},
          {"b", in + "b"},
          {"z", out + "z"},
          {"mild", "int *restrict mild"},
          {"tau", (stage == OperatorTrace::kRowTorques ? out : in) + "tau"},
          {"a", out + "a"},
          {"row_velocity", out + "row_velocity"},
          {"row_acceleration", out + "row_acceleration"},
          {"row_drift", out + "row_drift"}};
}

std::string scratch(const Material& m, const StageText& stage) {
  std::string text;
  if (stage.scratch > 0)
    text += fmt::format("  {} w[{}]{};\n", m.dialect.real(), stage.scratch,
                        m.trace.form == GenerateOptions::Form::kLanes ? " " + macro(m, "ALIGNED") : "");
  if (stage.calls.find("for (lane =") != std::string::npos) text += "  uint32_t lane;\n";
  return text;
}
bool uses(const StageText& stage, const std::string& name) { return takes(stage.calls + stage.status, name); }
std::string unused(const StageText& stage, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!uses(stage, name)) text += "  (void)" + name + ";\n";
  }
  return text;
}

std::string state(const Material& m, const StageText& stage, const std::string& kind) {
  return uses(stage, "v") ? fmt::format("  {}{} *const v = f->v;\n", kind, m.dialect.real()) : "";
}

std::string body(const StageText& stage) {
  if (stage.status.empty()) return stage.calls;
  return "  int ok;\n" + stage.calls +
         fmt::format(
             "  if (ok == 0) {{\n    const uint32_t status = {};\n    if (status != 0U) {{ return status; }}\n  }}\n",
             stage.status);
}

}  // namespace delassus::generation
