#include <algorithm>

#include "delassus/io/scene.hpp"
#include "delassus/version.hpp"
#include "generate/mask_text.hpp"
#include "io/json_writer.hpp"
#include "io/sha256.hpp"

namespace delassus::generation {
namespace {

/// Of all that the code follows from, but the state.
std::string hash_of(const Material& m) {
  Scene scene(m.model);
  scene.constraints.assign(m.constraints.begin(), m.constraints.end());
  return io::sha256_hex(write_scene(scene));
}

const char* word(GenerateOptions::DampingForm form) {
  switch (form) {
    case GenerateOptions::DampingForm::kNumber:
      return "number";
    case GenerateOptions::DampingForm::kRows:
      return "rows";
    case GenerateOptions::DampingForm::kBlocks:
      return "blocks";
  }
  return "";
}

const char* word(GenerateOptions::Form form) {
  switch (form) {
    case GenerateOptions::Form::kLanes:
      return "lanes";
    case GenerateOptions::Form::kLimbs:
      return "limbs";
    default:
      return "parts";
  }
}

/// As the struct of the header, with what a compiler leaves free at its end.
int factor_bytes(const Material& m) {
  const int number = m.dialect.is_float ? 4 : 8;
  int bytes = (std::max(m.schedule.num_slots, 1) + m.trace.damping_numbers) * number + 8;
  if (has_masks(m)) bytes += 4 + static_cast<int>(m.constraints.size());
  return (bytes + number - 1) / number * number;
}

}  // namespace

std::string report_text(const Material& m, const GeneratedCode& code) {
  const int bytes = m.dialect.is_float ? 4 : 8;
  nlohmann::ordered_json functions = nlohmann::ordered_json::object();
  for (const GeneratedCost& c : code.costs) {
    functions[c.function] = {{"operations", c.total()},
                             {"additions", c.additions},
                             {"multiplications", c.multiplications},
                             {"divisions", c.divisions},
                             {"square_roots", c.square_roots},
                             {"sines_and_cosines", c.sines_and_cosines},
                             {"scratch_bytes", c.scratch_numbers * bytes},
                             {"stack_bytes", c.stack_bytes}};
  }
  const nlohmann::ordered_json report{
      {"format", "delassus-generated"},
      {"name", m.dialect.prefix},
      {"version", std::string(kVersion)},
      {"model", m.model.name()},
      {"scene_sha256", hash_of(m)},
      {"source_sha256", io::sha256_hex(code.header + code.source)},
      {"options",
       {{"scalar", m.dialect.is_float ? "float" : "double"},
        {"form", word(m.trace.form)},
        {"contacts", m.options.contacts == GenerateOptions::Contacts::kFixed ? "fixed" : "inputs"},
        {"damping", word(m.options.damping)},
        {"functions", m.options.functions == GenerateOptions::Functions::kAll ? "all" : "operator"},
        {"part_nodes", m.dialect.part_nodes}}},
      {"sizes", {{"q", m.model.nq()}, {"v", m.model.nv()}, {"rows", code.rows}, {"factor_bytes", factor_bytes(m)}}},
      {"functions", functions}};
  return io::to_text(report) + "\n";
}

}  // namespace delassus::generation
