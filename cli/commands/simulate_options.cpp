#include "cli/commands/simulate_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands/collision_doubts.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/delassus_matrix.hpp"
#include "cli/shell/find_by_name.hpp"
#include "cli/shell/known_names.hpp"
#include "cli/shell/message.hpp"
#include "delassus/scenes/classic.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus::cli {
namespace {

/// Joints that a note lists.
constexpr std::size_t kMostNamed = 6;

std::vector<std::string> solver_names() {
  std::vector<std::string> out;
  out.reserve(kContactModels.size());
  for (const ContactModel model : kContactModels) out.emplace_back(name_of(model));
  return out;
}

ContactModel find_solver(const std::string& name) {
  return find_by_name(kContactModels, name, "solver", [](ContactModel model) { return name_of(model); });
}

std::vector<std::string> names_to_simulate() {
  std::vector<std::string> out;
  for (const ClassicScene& scene : classic_scenes()) out.emplace_back(scene.name);
  for (std::string& name : model_names()) out.push_back(std::move(name));
  return out;
}

/// A file of that name comes first, as for all names. Throws an Error with the closest name if it is none at all.
bool is_classic(const std::string& name) {
  try {
    find_source(name);
    return false;
  } catch (const Error&) {
    if (is_classic_scene(name)) return true;
  }
  ClosestName closest(name);
  const std::vector<std::string> names = names_to_simulate();
  for (const std::string& known : names) closest.consider(known);
  throw Error(
      fmt::format("{} is neither a file nor a robot or scene that is known by name{}; `delassus list` shows them",
                  in_quotes(name), closest.hint()));
}

std::vector<Actuator> parse_hold(const Model& model, const std::string& text) {
  const std::size_t comma = text.find(',');
  const double kp = number_of(text.substr(0, comma));
  const double kd = comma == std::string::npos ? -1 : number_of(text.substr(comma + 1));
  if (!(kp > 0 && kd >= 0 && std::isfinite(kp) && std::isfinite(kd))) {
    throw Error(fmt::format("--hold {}: two gains are needed, such as 100,5", in_quotes(text)));
  }
  std::vector<Actuator> out = make_position_actuators(model, kp, kd);
  if (out.empty()) throw Error(fmt::format("--hold: {} has no joints to be held", in_quotes(model.name())));
  return out;
}

SimulationSetup setup_of(Scene&& scene) {
  SimulationSetup out(scene.model);
  out.constraints = std::move(scene.constraints);
  out.q = std::move(scene.q);
  out.v = std::move(scene.v);
  out.forces = std::move(scene.tau);
  return out;
}

SimulationSetup load_setup(const SetupOptions& o, std::vector<std::string>& warnings) {
  Scene scene = o.scene.load();
  warnings = collision_doubts(scene, !o.no_ground);
  return setup_of(std::move(scene));
}

void start_at(const std::string& name, SimulationSetup& setup) {
  const std::vector<Keyframe>& all = setup.model.description().keyframes;
  if (all.empty()) {
    throw Error(fmt::format("--start {}: {} has no keyframes", in_quotes(name), in_quotes(setup.model.name())));
  }
  const Keyframe& key = find_by_name(all, name, "keyframe", &Keyframe::name);
  setup.q = key.q;
  if (!key.v.empty()) setup.v = key.v;
}

void set_options(const SetupOptions& o, SimulationSetup& setup) {
  SimulationOptions& options = setup.options;
  const auto set = [](const std::string& given, double& value) {
    if (!given.empty()) value = number_of(given);
  };
  set(o.seconds, setup.seconds);
  set(o.dt, options.dt);
  set(o.tolerance, options.tolerance);
  set(o.max_step_time, options.max_step_time);
  if (o.max_iterations > 0) options.max_iterations = o.max_iterations;
  set(o.restitution, options.restitution);
  set(o.acceptable, options.acceptable);
  set(o.start_penetration, options.start_penetration);
  if (o.capacity > 0) options.collision.capacity = o.capacity;
  if (o.no_ground) options.collision.ground = false;
  if (!o.solver.empty()) options.model = find_solver(o.solver);
  options.algorithm = *find_algorithm(o.algorithm);
}

/// Joints of a file may be at zero, wherever their limits and loops are.
void assemble(const SetupOptions& o, SimulationSetup& setup) {
  const std::vector<std::string> moved = setup.assemble();
  if (moved.empty() || o.quiet) return;
  const std::string names =
      fmt::format("{}", fmt::join(moved.begin(), moved.begin() + std::min(moved.size(), kMostNamed), ", "));
  say_note(fmt::format("moved onto limits and loops: {}{}", names,
                       moved.size() > kMostNamed ? fmt::format(" and {} more", moved.size() - kMostNamed) : ""));
}

/// Robots stand in no world: their origin is anywhere, and their feet may be below the ground.
void put_on_ground(const SetupOptions& o, SimulationSetup& setup) {
  const double height = lift_onto_ground(setup);
  if (height > 1e-6 && !o.quiet) say_note(fmt::format("lifted by {:.4g} m, onto the ground", height));
}

/// What hangs from the world below its origin needs no floor at z = 0.
void clear_ground(const SetupOptions& o, SimulationSetup& setup) {
  if (leave_out_ground_above(setup) && !o.quiet)
    say_note("without a floor: what is held by the world reaches below z = 0 at the start");
}

}  // namespace

void SetupOptions::add_to(Command& app, std::string seconds_text) {
  scene.add_model(app, names_to_simulate());
  const auto number = [&](const char* name, std::string& value, const char* type, Values values, std::string text) {
    app.add_option(name, value, std::move(text))->type_name(type)->check(std::move(values));
  };
  number("--seconds", seconds, "T", positive_number(), std::move(seconds_text));
  number("--dt", dt, "S", positive_number(), "length of a step (default: what the scene says, else 0.001)");
  app.add_option("--solver", solver, fmt::format("law of contact: {} (default rigid)", fmt::join(solver_names(), ", ")))
      ->type_name("SOLVER")
      ->check(one_of("solver", solver_names()));
  app.add_option("--algorithm", algorithm,
                 fmt::format("that the solver works with: {} (default condensed)", fmt::join(algorithm_names(), ", ")))
      ->type_name("ALGORITHM")
      ->check(one_of("algorithm", algorithm_names()));
  app.add_option("--hold", hold,
                 "motors hold the joints where they start, with these gains, as strong as the model says")
      ->type_name("KP,KD");
  app.add_option("--start", start, "begin in this keyframe of the model")->type_name("KEYFRAME");
  number("--tolerance", tolerance, "SPEED", positive_number(),
         "by how many m/s contact forces may miss their law (default: what the scene says, else 1e-6)");
  app.add_option("--max-iterations", max_iterations,
                 "that the solvers of a step may take (default: as many as they need)")
      ->type_name("COUNT")
      ->check(whole_number(1, 1'000'000));
  number("--max-step-time", max_step_time, "S", positive_number(),
         "after which the solver of a step ends with the best that it has (default: any time)");
  number("--restitution", restitution, "E", number_between(0, 1), "share of the speed with which bodies part again");
  number("--acceptable", acceptable, "SPEED", number_between(0, 1e3),
         fmt::format("largest residual, in m/s, of a solve that did not converge and is used all the same (default {})",
                     SimulationOptions().acceptable));
  number("--start-penetration", start_penetration, "M", number_between(0, 1e3),
         "deepest overlap of bodies at the start (default 0.01)");
  app.add_option("--capacity", capacity, "most contact points (default 1024)")
      ->type_name("COUNT")
      ->check(whole_number(1, 1'000'000));
  app.add_flag("--no-ground", no_ground, "no floor, unless the scene has one");
  app.add_flag("--quiet", quiet, "say nothing of progress");
}

void SimulateOptions::add_to(Command& app) {
  setup.add_to(app, "how long (default: what the scene says, else 2)");
  app.add_option("--csv", csv, "also write the motion into this file, a row every --every steps")
      ->type_name("FILE")
      ->check(file_name());
  app.add_option("--every", every, "steps from row to row (default 10)")
      ->type_name("STEPS")
      ->check(whole_number(1, 1'000'000));
  page.add_to(app, "also write a page that plays the motion, in one file (docs/viewer.md)");
  capture.add_to(app);
  output.add_to(app);
}

SimulationSetup make_setup(const SetupOptions& o, std::vector<std::string>& warnings) {
  const bool classic = is_classic(o.scene.model);
  if (classic && !o.start.empty()) throw Error("--start: a classic scene has a start of its own; leave it out");
  if (classic && (o.scene.floating || o.scene.fixed))
    throw Error("--floating and --fixed are for URDF files; leave them out");
  SimulationSetup setup = classic ? make_classic_scene(o.scene.model) : load_setup(o, warnings);
  set_options(o, setup);
  if (!o.start.empty()) start_at(o.start, setup);
  if (!classic) assemble(o, setup);
  if (!classic && !o.scene.is_scene()) put_on_ground(o, setup);
  if (!classic) clear_ground(o, setup);
  if (!o.hold.empty()) setup.actuators = parse_hold(setup.model, o.hold);
  return setup;
}

std::string describe(const SimulationSetup& setup) {
  const SimulationOptions& o = setup.options;
  return fmt::format("nv {}, steps of {:g} s, contacts {}, operator {}", setup.model.nv(), o.dt, name_of(o.model),
                     name_of(o.algorithm));
}

}  // namespace delassus::cli
