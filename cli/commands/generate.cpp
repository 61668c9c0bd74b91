// `delassus generate`: C code of one mechanism under its constraints (docs/generate.md).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/model_options.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/math/error.hpp"
#include "generate/generate.hpp"

namespace delassus::cli {
namespace {

struct GenerateCommand {
  ModelOptions model;
  std::string folder, name, scalar = "double", contacts = "fixed", damping = "rows", form = "parts", functions = "all";
  bool json = false;

  GenerateOptions generate_options(const std::string& model_name) const {
    GenerateOptions o;
    o.name = name.empty() ? name_in_c(model_name) : name;
    o.scalar = scalar == "float" ? GenerateOptions::Scalar::kFloat : GenerateOptions::Scalar::kDouble;
    o.contacts = contacts == "inputs" ? GenerateOptions::Contacts::kInputs : GenerateOptions::Contacts::kFixed;
    o.damping = damping == "number"   ? GenerateOptions::DampingForm::kNumber
                : damping == "blocks" ? GenerateOptions::DampingForm::kBlocks
                                      : GenerateOptions::DampingForm::kRows;
    o.form = form == "lanes"   ? GenerateOptions::Form::kLanes
             : form == "limbs" ? GenerateOptions::Form::kLimbs
             : form == "auto"  ? GenerateOptions::Form::kAuto
                               : GenerateOptions::Form::kParts;
    o.functions = functions == "operator" ? GenerateOptions::Functions::kOperator : GenerateOptions::Functions::kAll;
    return o;
  }

  /// "Talos-like v2" becomes talos_like_v2.
  static std::string name_in_c(const std::string& text) {
    std::string name;
    for (const char c : text) {
      const auto letter = static_cast<unsigned char>(c);
      name += std::isalnum(letter) != 0 && letter < 128 ? static_cast<char>(std::tolower(letter)) : '_';
    }
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) name = "robot_" + name;
    return name.substr(0, 40);
  }
};

std::string table(const GeneratedCode& code) {
  std::string text = fmt::format("{:<20} {:>10} {:>8} {:>10} {:>13}\n", "function", "operations", "divided", "sin, cos",
                                 "stack numbers");
  for (const GeneratedCost& c : code.costs) {
    text += fmt::format("{:<20} {:>10} {:>8} {:>10} {:>13}\n", c.function, c.total(), c.divisions + c.square_roots,
                        c.sines_and_cosines, c.scratch_numbers);
  }
  return text;
}

void run(const GenerateCommand& command) {
  const Scene scene = command.model.load();
  const GenerateOptions options = command.generate_options(scene.model.name());
  const GeneratedCode code = generate(scene.model, scene.constraints, scene.q, options);
  write_generated(code, command.folder);
  const auto path = [&](const char* ending) {
    return (std::filesystem::path(command.folder) / (options.name + ending)).string();
  };
  if (command.json) return write_output("", code.report);
  write_output(
      "",
      fmt::format(
          "{} rows; the factor keeps {} numbers\n\n{}\n{}\n{}\n{}: cc -std=c99 -O2 -ffp-contract=fast {} {} -lm\n{}\n",
          code.rows, code.state_numbers, table(code), path(".h"), path(".c"), path("_test.c"), path("_test.c"),
          path(".c"), path(".json")));
}

}  // namespace

void add_generate(Command& app) {
  auto options = std::make_shared<GenerateCommand>();
  Command* sub = app.add_subcommand(
      "generate", "Writes C code of a model: Λ⁻¹, its damped inverse, contact forces, dynamics, frames");
  options->model.add_to(*sub);
  sub->add_option("-o,--output", options->folder, "write the files into this folder, which is made if it is not there")
      ->type_name("FOLDER")
      ->required()
      ->check(file_name());
  sub->add_option("--name", options->name, "what all names in the code begin with (default: from the model's name)");
  sub->add_option("--scalar", options->scalar, "the numbers of the code")->check(one_of("scalar", {"double", "float"}));
  sub->add_option("--contacts", options->contacts,
                  "where contacts are: as in the scene, or given with each configuration")
      ->check(one_of("kind of contacts", {"fixed", "inputs"}));
  sub->add_option("--damping", options->damping, "R⁻¹ as one number, one per row, or one block per constraint")
      ->check(one_of("damping", {"number", "rows", "blocks"}));
  sub->add_option("--form", options->form,
                  "C99 in parts; limbs side by side on vectors of four numbers, for GCC and clang on processors with "
                  "AVX; or one "
                  "function for limbs that are alike, which is small")
      ->check(one_of("form", {"auto", "parts", "lanes", "limbs"}));
  sub->add_option("--functions", options->functions, "all functions, or Λ⁻¹ and its damped inverse alone")
      ->check(one_of("functions", {"all", "operator"}));
  sub->add_flag("--json", options->json, "print what is in the .json file instead of a table");
  set_examples(*sub, {{"delassus generate go2-standing -o go2_code", "four feet on the ground, as C99"},
                      {"delassus generate g1-standing -o g1_code --scalar float --contacts inputs", "for a controller"},
                      {"delassus generate go2 -o code", "without constraints: dynamics alone"}});
  sub->callback([options] { run(*options); });
}

}  // namespace delassus::cli
