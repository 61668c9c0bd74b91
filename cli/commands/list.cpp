// `delassus list`: the robots and scenes that the command knows by name.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_options.hpp"
#include "delassus/io/load.hpp"
#include "delassus/scenes/classic.hpp"
#include "scenes/generated.hpp"
#include "scenes/recipes.hpp"

namespace delassus::cli {
namespace {

struct Entry {
  std::string name;
  std::string parameters;  // of a generated or classic scene
  int bodies = 0, nv = 0, contacts = 0, rows = 0;
  std::string description;
};

Entry entry_of(std::string_view name, const Model& model, const std::vector<Constraint>& constraints,
               std::string_view description) {
  Entry out{std::string(name),       "", static_cast<int>(model.description().bodies.size()), model.nv(), 0, 0,
            std::string(description)};
  for (const Constraint& c : constraints) {
    out.contacts += std::holds_alternative<PointContact>(c);
    out.rows += row_count(c);
  }
  return out;
}

/// The first phrase of the comment that a robot's file begins with.
std::string_view phrase_of(const EmbeddedFile& robot) {
  constexpr std::string_view kOpen = "<!--", kBlank = " \t\r\n";
  const std::size_t open = robot.text.find(kOpen);
  if (open == std::string_view::npos) return "";
  const std::size_t first = robot.text.find_first_not_of(kBlank, open + kOpen.size());
  return robot.text.substr(first, robot.text.find_first_of(".:\n", first) - first);
}

std::vector<Entry> robots() {
  std::vector<Entry> out;
  for (const EmbeddedFile& file : embedded_files("robots")) {
    const Scene robot = load_embedded_robot(file.name);
    out.push_back(entry_of(file.name, robot.model, robot.constraints, phrase_of(file)));
  }
  return out;
}

std::vector<Entry> scenes() {
  std::vector<Entry> out;
  for (const SceneRecipe& recipe : scene_recipes()) {
    if (!find_embedded("scenes", recipe.name)) continue;
    const Scene scene = load_embedded_scene(recipe.name);
    out.push_back(entry_of(recipe.name, scene.model, scene.constraints, recipe.description));
  }
  return out;
}

std::vector<Entry> generated() {
  std::vector<Entry> out;
  for (const GeneratedScene& g : generated_scenes()) {
    const ConstrainedModel scene = make_generated_scene(g.name);
    const std::string name = std::string(g.name) + (g.defaults.empty() ? "" : ":" + std::string(g.defaults));
    out.push_back(entry_of(name, scene.model, scene.constraints, g.description));
    out.back().parameters = g.parameters;
  }
  return out;
}

std::vector<Entry> classic() {
  std::vector<Entry> out;
  for (const ClassicScene& scene : classic_scenes()) {
    const SimulationSetup setup = make_classic_scene(scene.name);
    const std::string name = std::string(scene.name) + ":" + parameter_defaults(scene);
    const std::string what = std::string(scene.description) + "; " + std::string(scene.theory);
    out.push_back(entry_of(name, setup.model, setup.constraints, what));
    out.back().parameters = parameter_names(scene);
  }
  return out;
}

std::string as_text(const char* title, const std::vector<Entry>& entries) {
  std::string text = fmt::format("{:<26} {:>6} {:>5} {:>8} {:>5}\n", title, "bodies", "nv", "contacts", "rows");
  for (const Entry& e : entries) {
    const std::string what = e.parameters.empty() ? e.description : e.parameters + ": " + e.description;
    text += fmt::format("  {:<24} {:>6} {:>5} {:>8} {:>5}  {}\n", e.name, e.bodies, e.nv, e.contacts, e.rows, what);
  }
  return text;
}

nlohmann::json as_json(const std::vector<Entry>& entries) {
  nlohmann::json out = nlohmann::json::array();
  for (const Entry& e : entries) {
    out.push_back({{"name", e.name},
                   {"bodies", e.bodies},
                   {"nv", e.nv},
                   {"contacts", e.contacts},
                   {"rows", e.rows},
                   {"description", e.description}});
    if (!e.parameters.empty()) out.back()["parameters"] = e.parameters;
  }
  return out;
}

void run(const OutputOptions& output) {
  output.require_writable();
  if (output.wants_json()) {
    return output.write(nlohmann::json{{"robots", as_json(robots())},
                                       {"scenes", as_json(scenes())},
                                       {"generated", as_json(generated())},
                                       {"classic", as_json(classic())}});
  }
  output.write(
      as_text("robots", robots()) + "\n" + as_text("scenes", scenes()) + "\n" +
      as_text("generated scenes", generated()) + "\n" + as_text("classic scenes", classic()) +
      "\nEach name is a MODEL for simulate, and those above the classic scenes are for info, compute, doctor and tour\n"
      "as well. The numbers of generated and classic scenes can be changed: stem:30x7, incline:35.\n");
}

}  // namespace

void add_list(Command& app) {
  auto output = std::make_shared<OutputOptions>();
  Command* sub = app.add_subcommand("list", "Lists the robots and scenes that are known by name");
  output->add_to(*sub);
  set_examples(
      *sub, {{"delassus list", "names, sizes, and what they are"}, {"delassus list --json", "the same for programs"}});
  sub->callback([output] { run(*output); });
}

}  // namespace delassus::cli
