// Reading the specification of a sweep (docs/sweeps.md).
#include "sweep/specification.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "delassus/io/scene.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/scenes/classic.hpp"
#include "delassus/scenes/load_named.hpp"
#include "io/sha256.hpp"
#include "io/text_file.hpp"
#include "model/wording.hpp"

namespace delassus {

using io::JsonCursor;

namespace {

constexpr std::string_view kFormat = "delassus-sweep-1";
constexpr double kMostCases = 1e12;
/// Steps of a case.
constexpr double kLongestCase = 1e9;
/// A column is as wide as this at most: numbers of one case.
constexpr double kWidest = 1e6;

/// Errors of the library get the place in the specification.
template <class Make>
auto located(const JsonCursor& at, Make&& make) -> decltype(make()) {
  try {
    return make();
  } catch (const Error& error) {
    at.fail(error.what());
  }
}

/// Of a column in a folder: files of all kinds have to take it. `at`: the object that has it as a key.
void require_column_name(const JsonCursor& at, const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos || printable(name) != name)
    at.fail("the name " + in_quotes(name) +
            " cannot be that of a column: it is empty, too long, a dot or two, or has a slash or control characters");
}

std::int64_t whole_number(const JsonCursor& at, double least, double most) {
  const double x = at.number();
  if (!(x >= least && x <= most && x == std::floor(x)))
    at.fail("has to be a whole number from " + std::to_string(static_cast<std::int64_t>(least)) + " to " +
            std::to_string(static_cast<std::int64_t>(most)));
  return static_cast<std::int64_t>(x);
}

double positive(const JsonCursor& at) {
  const double x = at.number();
  if (!(x > 0)) at.fail("has to be above zero");
  return x;
}

double not_negative(const JsonCursor& at) {
  const double x = at.number();
  if (!(x >= 0)) at.fail("has to be zero or more");
  return x;
}

// ---------------------------------------------------------------------------------------------- the scene

/// A file beside the specification comes first, as for all names.
std::string path_of(const std::string& name, const std::string& base_directory) {
  const std::filesystem::path beside = std::filesystem::path(base_directory) / name;
  std::error_code none;
  return std::filesystem::is_regular_file(beside, none) ? beside.string() : name;
}

SimulationSetup load_setup(const std::string& name, std::optional<bool> floating, std::optional<bool> lift) {
  if (is_classic_scene(name) && !std::filesystem::exists(name)) {
    if (floating) throw Error("a classic scene says itself how its base is held; leave out 'floating'");
    return make_classic_scene(name);
  }
  NamedOptions options;
  options.base_choice = "'floating'";
  if (floating) options.base = *floating ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed;
  Scene scene = load_named(name, options);
  SimulationSetup out(scene.model);
  out.constraints = std::move(scene.constraints);
  out.q = std::move(scene.q);
  out.v = std::move(scene.v);
  out.forces = std::move(scene.tau);
  out.assemble();
  const bool lifted = lift.value_or(!is_scene(name, find_source(name)));
  if (lifted) lift_onto_ground(out);
  if (lifted || !lift) leave_out_ground_above(out);
  return out;
}

void read_options(const JsonCursor& at, SimulationOptions& options) {
  at.allow_keys(
      {"dt", "tolerance", "solver", "algorithm", "max_iterations", "restitution", "capacity", "ground", "acceptable"});
  if (const auto x = at.find("dt")) options.dt = positive(*x);
  if (const auto x = at.find("tolerance")) options.tolerance = positive(*x);
  if (const auto x = at.find("acceptable")) options.acceptable = positive(*x);
  if (const auto x = at.find("solver")) {
    std::array<std::string_view, kContactModels.size()> names;
    std::ranges::transform(kContactModels, names.begin(), [](ContactModel m) { return name_of(m); });
    options.model = kContactModels[x->word(names)];
  }
  if (const auto x = at.find("algorithm")) {
    const auto found = find_algorithm(x->string());
    if (!found) x->fail("there is no algorithm " + in_quotes(x->string()));
    options.algorithm = *found;
  }
  if (const auto x = at.find("max_iterations")) options.max_iterations = x->integer(0, 1'000'000);
  if (const auto x = at.find("restitution")) options.restitution = x->number();
  if (const auto x = at.find("capacity")) options.collision.capacity = x->integer(1, 1'000'000);
  if (const auto x = at.find("ground")) options.collision.ground = x->boolean();
  located(at, [&] { require_valid(options); });
}

void read_motors(const JsonCursor& at, ParameterSweep::Parts& out) {
  at.allow_keys({"kp", "kd", "delay", "lag", "effort_limit"});
  SimulationSetup& setup = *out.setup;
  setup.actuators = located(at, [&] {
    return make_position_actuators(setup.model, positive(at.at("kp")), at.has("kd") ? not_negative(at.at("kd")) : 0);
  });
  if (setup.actuators.empty()) at.fail("the model has no joints that motors could hold; leave it out");
  if (const auto x = at.find("effort_limit")) {
    for (Actuator& a : setup.actuators) a.effort_limit = positive(*x);
  }
  MotorModel motor;
  if (const auto x = at.find("delay")) motor.delay = not_negative(*x);
  if (const auto x = at.find("lag")) motor.lag = not_negative(*x);
  if (motor != MotorModel()) out.motors.assign(setup.actuators.size(), motor);
}

void read_push(const JsonCursor& at, ParameterSweep::Parts& out) {
  at.allow_keys({"body", "start", "seconds", "force"});
  const JsonCursor body = at.at("body");
  out.push.body = located(body, [&] { return find_body(out.setup->model, body.string()); });
  if (out.setup->model.frame(out.setup->model.body_frame(out.push.body)).link == kWorld)
    body.fail(in_quotes(body.string()) + " is fixed to the world, and no force moves it");
  if (const auto x = at.find("start")) out.push.start = not_negative(*x);
  if (const auto x = at.find("seconds")) out.push.seconds = not_negative(*x);
  if (const auto x = at.find("force")) {
    const std::vector<double> force = x->numbers();
    if (force.size() != 3) x->fail("needs three numbers, newtons along x, y and z");
    for (int c = 0; c < 3; ++c) out.push.force[c] = force[static_cast<std::size_t>(c)];
  }
}

void read_setup(const JsonCursor& root, ParameterSweep::Parts& out) {
  const JsonCursor scene = root.at("scene");
  const auto flag = [&](const char* key) -> std::optional<bool> {
    const auto x = root.find(key);
    return x ? std::optional(x->boolean()) : std::nullopt;
  };
  out.setup = located(scene, [&] {
    return load_setup(path_of(scene.string(), out.base_directory), flag("floating"), flag("place_on_ground"));
  });
  out.setup->seconds = positive(root.at("seconds"));
  if (const auto x = root.find("options")) read_options(*x, out.setup->options);
  if (const auto x = root.find("motors")) read_motors(*x, out);
  if (const auto x = root.find("push")) read_push(*x, out);
  if (out.setup->seconds < out.setup->options.dt) root.at("seconds").fail("is shorter than a step");
  if (out.setup->seconds / out.setup->options.dt > kLongestCase)
    root.at("seconds").fail("makes more than a billion steps of each case");
  // What cannot be simulated as it stands is told now, and not by the first case.
  located(scene, [&] { BatchSimulator(*out.setup, 1, {.threads = 1, .motors = out.motors}); });
}

// ------------------------------------------------------------------------------------------- parameters

/// Numbers that a law surely takes.
void require_possible(const JsonCursor& at, const Law& law, const Effect& effect, double seconds) {
  if (law.kind == Law::Kind::kNormal) return;
  for (const double x : law.numbers) {
    const std::string complaint = complaint_of(effect, x, seconds);
    if (!complaint.empty()) at.fail(complaint);
  }
}

void read_parameter(const JsonCursor& at, const std::string& name, ParameterSweep::Parts& out) {
  SweepParameter p{name, read_law(at), {}, 1};
  if (out.setup) {
    p.effect = located(at, [&] { return find_effect(name, *out.setup); });
    if (p.effect.is_of_push() && out.push.body < 0)
      at.fail("there is no push; add 'push' with the body that is pushed");
    require_possible(at, p.law, p.effect, out.setup->seconds);
  }
  out.parameters.push_back(std::move(p));
}

/// How many cases there are, by grids, by lists and by what is asked for; they have to agree.
void count_cases(const JsonCursor& root, ParameterSweep::Parts& out) {
  double grid = 1;
  std::int64_t list = 0;
  for (const SweepParameter& p : out.parameters) {
    const JsonCursor at = root.at("parameters").at(p.name.c_str());
    const auto length = static_cast<std::int64_t>(p.law.numbers.size());
    if (p.law.kind == Law::Kind::kGrid) grid *= static_cast<double>(length);
    if (p.law.kind != Law::Kind::kList) continue;
    if (list != 0 && list != length)
      at.fail("has " + std::to_string(length) + " numbers where another list has " + std::to_string(list));
    list = length;
  }
  if (grid > kMostCases) root.at("parameters").fail("its grids have more than 1e12 points together");
  const auto points = static_cast<std::int64_t>(grid);
  const auto given = root.find("cases");
  if (given) {
    out.size = whole_number(*given, 1, kMostCases);
    if (list != 0 && out.size != list)
      given->fail("is " + std::to_string(out.size) + ", and lists have " + std::to_string(list) +
                  " numbers; leave it out, or make them agree");
  } else {
    out.size = list != 0 ? list : points;
    if (out.size == 1) root.fail("the key 'cases' is missing: how many cases are wanted?");
  }
  if (out.size % points != 0)
    (given ? *given : root.at("parameters"))
        .fail(std::to_string(out.size) + " cases are no multiple of the " + std::to_string(points) +
              " points of the grid");
  std::int64_t stride = out.size;
  for (SweepParameter& p : out.parameters) {
    if (p.law.kind == Law::Kind::kGrid) p.stride = stride /= static_cast<std::int64_t>(p.law.numbers.size());
  }
}

/// A push that never acts would be a study of nothing. What parameters give is the cases' own.
void require_push_acts(const JsonCursor& at, const ParameterSweep::Parts& out) {
  using K = Effect::Kind;
  const auto varies = [&](K kind) {
    return std::ranges::any_of(out.parameters, [&](const SweepParameter& p) { return p.effect.kind == kind; });
  };
  const SweepPush& push = out.push;
  const double dt = out.setup->options.dt;
  if (!varies(K::kPushSeconds) && !varies(K::kDt) && push.seconds < 0.5 * dt)
    at.fail("lasts less than half a step, and so never acts; give it 'seconds', or a parameter push.seconds");
  if (!varies(K::kPushStart) && push.start > out.setup->seconds - 0.5 * dt)
    at.fail("begins when cases have ended; give it an earlier 'start', or cases more 'seconds'");
  if (!varies(K::kPush) && push.force == Vec3<double>{})
    at.fail("has no force; give it 'force', or parameters push.x, push.y or push.z");
}

void read_parameters(const JsonCursor& root, ParameterSweep::Parts& out) {
  if (const auto all = root.find("parameters")) {
    for (const std::string& name : all->keys()) {
      require_column_name(*all, name);
      read_parameter(all->at(name.c_str()), name, out);
    }
  }
  if (const auto push = root.find("push")) require_push_acts(*push, out);
  count_cases(root, out);
}

// --------------------------------------------------------------------------------------- what is kept

std::vector<Quantity> read_quantities(const JsonCursor& at, const SimulationSetup& setup, bool scalars) {
  std::vector<Quantity> out;
  for (const JsonCursor& element : at.elements()) {
    Quantity q = located(element, [&] { return find_quantity(element.string(), setup); });
    if (scalars && !q.is_scalar()) element.fail("has several numbers; give one that is a single number");
    require_column_name(element, q.column.name);
    if (std::ranges::any_of(out, [&](const Quantity& other) { return other.column.name == q.column.name; }))
      element.fail("is there twice");
    out.push_back(std::move(q));
  }
  return out;
}

SweepEvent read_event(const JsonCursor& at, const std::string& name, const SimulationSetup& setup) {
  at.allow_keys({"quantity", "above", "below"});
  const JsonCursor what = at.at("quantity");
  SweepEvent out{name, located(what, [&] { return find_quantity(what.string(), setup); }), 0, at.has("above")};
  if (!out.quantity.is_scalar()) what.fail("has several numbers; give one that is a single number");
  if (at.has("above") == at.has("below")) at.fail("needs one of 'above' and 'below'");
  out.threshold = at.at(out.above ? "above" : "below").number();
  return out;
}

void read_kept(const JsonCursor& at, ParameterSweep::Parts& out) {
  at.allow_keys({"final", "min", "max", "events", "trajectory", "sample"});
  const SimulationSetup& setup = *out.setup;
  if (const auto x = at.find("final")) out.final = read_quantities(*x, setup, false);
  if (const auto x = at.find("min")) out.least = read_quantities(*x, setup, true);
  if (const auto x = at.find("max")) out.most = read_quantities(*x, setup, true);
  if (const auto x = at.find("sample")) out.sample = positive(*x);
  if (const auto events = at.find("events")) {
    for (const std::string& name : events->keys()) {
      require_column_name(*events, name);
      out.events.push_back(read_event(events->at(name.c_str()), name, setup));
    }
  }
  if (const auto x = at.find("trajectory")) {
    x->allow_keys({"of", "rate"});
    out.trajectory = read_quantities(x->at("of"), setup, false);
    out.rate = positive(x->at("rate"));
    if (out.rate * setup.seconds > kWidest) x->at("rate").fail("makes more than a million samples of each case");
  }
}

void add_columns(ParameterSweep::Parts& out) {
  const auto add = [&](std::string folder, const SweepColumn& like, std::vector<std::int64_t> shape) {
    out.columns.push_back({std::move(folder) + like.name, like.unit, std::move(shape), like.whole});
  };
  const auto add_all = [&](const std::string& folder, const std::vector<Quantity>& all) {
    for (const Quantity& q : all) add(folder, q.column, q.column.shape);
  };
  out.columns = {{"case", "", {}, true}, {"status", "", {}, true}};
  if (out.setup) {
    for (const SweepColumn& c : {SweepColumn{"time", "s", {}, false}, SweepColumn{"steps", "", {}, true},
                                 SweepColumn{"inexact_steps", "", {}, true}, SweepColumn{"residual", "m/s", {}, false}})
      out.columns.push_back(c);
  }
  for (const SweepParameter& p : out.parameters)
    out.columns.push_back({"parameters/" + p.name, p.effect.unit, {}, false});
  add_all("final/", out.final);
  add_all("min/", out.least);
  add_all("max/", out.most);
  for (const SweepEvent& e : out.events) out.columns.push_back({"events/" + e.name, "s", {}, false});
  for (const Quantity& q : out.trajectory) {
    std::vector<std::int64_t> shape = q.column.shape;
    shape.insert(shape.begin(), out.samples());
    add("trajectory/", q.column, std::move(shape));
  }
}

/// Of a function of the user's own: what it returns.
void read_own_columns(const JsonCursor& at, ParameterSweep::Parts& out) {
  for (const std::string& name : at.keys()) {
    require_column_name(at, name);
    const JsonCursor given = at.at(name.c_str());
    SweepColumn column{"results/" + name, "", {}, false};
    if (given.is_string()) {
      column.unit = given.string();
    } else {
      given.allow_keys({"unit", "shape", "whole"});
      if (const auto x = given.find("unit")) column.unit = x->string();
      if (const auto x = given.find("whole")) column.whole = x->boolean();
      if (const auto x = given.find("shape")) {
        for (const JsonCursor& n : x->elements()) column.shape.push_back(whole_number(n, 1, kWidest));
        if (static_cast<double>(column.width()) > kWidest) x->fail("is more than a million numbers for each case");
      }
    }
    out.columns.push_back(std::move(column));
  }
}

// -------------------------------------------------------------------------------------------- identity

/// All of the scene, in the form that is read back with the same bits.
std::string scene_text(const SimulationSetup& setup) {
  Scene scene(setup.model);
  scene.q = setup.q;
  scene.v = setup.v;
  scene.tau = setup.forces;
  scene.constraints = setup.constraints;
  return write_scene(scene);
}

std::vector<std::string> words_of_statuses(bool own) {
  if (own) return {"ok", "failed"};
  std::vector<std::string> out(step_words().begin(), step_words().end());
  out.emplace_back("bad_start");
  return out;
}

}  // namespace

double ParameterSweep::Parts::value(const SweepParameter& p, std::int64_t index) const {
  const auto steps = static_cast<std::int64_t>(p.law.numbers.size());
  return value_of(p.law, p.name, {seed, index, size, index / p.stride % steps});
}

std::int64_t ParameterSweep::Parts::samples() const {
  // A sample that rounding puts just behind the end is one of it.
  return static_cast<std::int64_t>(std::floor(setup->seconds * rate * (1 + 1e-12))) + 1;
}

std::string complaint_of(const Effect& effect, double value, double seconds) {
  using K = Effect::Kind;
  if (!std::isfinite(value)) return "is not finite";
  const auto is = [&](std::initializer_list<K> kinds) { return std::ranges::find(kinds, effect.kind) != kinds.end(); };
  if (is({K::kMassScale, K::kInertiaScale, K::kDt, K::kTolerance}) && !(value > 0)) return "has to be above zero";
  if (is({K::kFriction, K::kKp, K::kKd, K::kEffortLimit, K::kLatency, K::kPushStart, K::kPushSeconds,
          K::kMaxIterations}) &&
      value < 0)
    return "has to be zero or more";
  if (effect.kind == K::kDt && value > seconds) return "is longer than 'seconds'";
  if (effect.kind == K::kDt && seconds / value > kLongestCase) return "makes more than a billion steps";
  if (effect.kind == K::kRestitution && (value < 0 || value > 1)) return "has to be between zero and one";
  if (effect.kind == K::kMaxIterations && (value != std::floor(value) || value > 1e6))
    return "has to be a whole number up to a million";
  return "";
}

ParameterSweep ParameterSweep::parse(std::string_view text, const std::string& file_name,
                                     const std::string& base_directory) {
  const nlohmann::json document = io::parse_json(text, file_name);
  const JsonCursor root(document, "", file_name, text);
  root.allow_keys({"format", "name", "scene", "floating", "place_on_ground", "seconds", "cases", "seed", "options",
                   "motors", "push", "parameters", "keep", "columns"});
  if (root.at("format").string() != kFormat)
    root.at("format").fail("has to be \"" + std::string(kFormat) + "\"; this file is of another version or kind");
  auto out = std::make_shared<Parts>();
  out->base_directory = base_directory;
  out->name = root.has("name") ? root.at("name").string() : "sweep";
  if (const auto x = root.find("seed")) out->seed = static_cast<std::uint64_t>(whole_number(*x, 0, 0x1p53));
  const bool own = root.has("columns");
  if (own) {
    for (const char* key : {"scene", "floating", "place_on_ground", "seconds", "options", "motors", "push", "keep"}) {
      if (const auto x = root.find(key))
        x->fail("does not go with 'columns', which are of a function of your own; leave out one of the two");
    }
  } else {
    read_setup(root, *out);
  }
  read_parameters(root, *out);
  if (const auto x = root.find("keep")) read_kept(*x, *out);
  add_columns(*out);
  if (own) read_own_columns(root.at("columns"), *out);
  out->status_words = words_of_statuses(own);
  out->text = document.dump();
  out->hash = io::sha256_hex(out->text + "\n" + (own ? "" : scene_text(*out->setup)));
  return ParameterSweep(std::move(out));
}

ParameterSweep ParameterSweep::load(const std::string& path) {
  const std::string text = io::to_utf8(io::read_text_file(path)).text;
  std::error_code none;  // where the current folder was removed, what is beside the file is found from there
  const std::filesystem::path whole = std::filesystem::absolute(path, none);
  return parse(text, path, (none ? std::filesystem::path(path) : whole).parent_path().string());
}

}  // namespace delassus
