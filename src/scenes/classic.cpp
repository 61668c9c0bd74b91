#include "delassus/scenes/classic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"
#include "scenes/classic_makers.hpp"

namespace delassus {
namespace {

struct Family {
  ClassicScene scene;
  MakeClassic make;
  ObserveClassic observe;
};

constexpr ClassicParameter kNone{"", 0, 0, 0};

constexpr std::array kFamilies{
    Family{{"incline",
            {{"DEGREES", 20, 0, 60}, {"MU", 0.5, 0, 2}},
            "a box on a slope",
            "stays if tan(slope) < mu, else slides with g (sin - mu cos)"},
           make_incline,
           observe_incline},
    Family{{"sliding-block",
            {{"SPEED", 2, 0, 100}, {"MU", 0.3, 0, 2}},
            "a box that slides on the floor",
            "stops after v²/(2 mu g)"},
           make_sliding_block,
           observe_sliding_block},
    Family{{"rolling-ball",
            {{"SPEED", 3, 0, 100}, {"MU", 0.3, 0, 2}},
            "a ball that is set on the floor without spin",
            "rolls with 5/7 of its speed after 2 v/(7 mu g)"},
           make_rolling_ball,
           observe_rolling_ball},
    Family{{"bouncing-ball",
            {{"RESTITUTION", 0.8, 0, 1}, {"HEIGHT", 1, 0.01, 100}},
            "a ball that is dropped",
            "comes back to e² of its height each time"},
           make_bouncing_ball,
           observe_bouncing_ball},
    Family{{"spinning-top",
            {{"DEGREES", 30, 1, 40}, {"PRECESSION", 3, 1, 10}},
            "a top with a round tip, in steady precession",
            "keeps its tilt and its rate of precession"},
           make_spinning_top,
           observe_spinning_top},
    Family{{"painleve",
            {{"MU", 2, 0, 10}, {"DEGREES", 63, 10, 80}},
            "a rod that slides with its lower end ahead",
            "jams at once if mu sin cos > 1/3 + cos²: no finite force could stop it"},
           make_painleve_rod,
           observe_painleve_rod},
    Family{{"arch",
            {{"MU", 0.7, 0, 2}, {"THICKNESS", 0.2, 0.05, 0.5}},
            "half a circle of nine stones without mortar; thickness over mean radius",
            "stands if it is thicker than 0.1021 and the stones do not slide"},
           make_arch,
           observe_arch},
    Family{{"terrain",
            {{"DEGREES", 10, 1, 20}, kNone},
            "a ball that rolls down a valley of a height field, between boxes and stones on hills",
            "rolls with 5/7 g sin(slope), whatever triangles it is on"},
           make_terrain,
           observe_terrain},
    Family{{"racket",
            {{"SPIN", 10, 0.1, 100}, {"OFF", 0.02, 0.0001, 0.5}},
            "a racket without weight that is thrown up, spinning off its middle axis by an angle (Dzhanibekov)",
            "turns over again and again, each time after 2 K(m) / n"},
           make_racket,
           observe_racket},
    Family{{"dry-pendulum",
            {{"DEGREES", 60, 0, 170}, {"FRICTION", 0.05, 0, 1}},
            "a pendulum with dry friction in its hinge; torque over m g l",
            "cos(b) - cos(a) = FRICTION (a + b) for each half swing from a to b; rests if |sin| < FRICTION"},
           make_dry_pendulum,
           observe_dry_pendulum},
    Family{{"ladder",
            {{"DEGREES", 65, 5, 85}, {"MU", 0.25, 0, 1}},
            "a ladder between floor and wall",
            "stands if it is steeper than 90° - 2 atan(mu); without friction it leaves the wall at 2/3 of its height"},
           make_ladder,
           observe_ladder},
    Family{{"capstan",
            {{"PULL", 2, 1, 100}, {"MU", 0.3, 0, 1}},
            "a rope that is slung half round a drum, and pulled at with PULL times the force that holds it",
            "holds if PULL < exp(mu pi)"},
           make_capstan,
           observe_capstan},
    Family{{"eulers-disk",
            {{"DEGREES", 20, 2, 80}, {"RADIUS", 0.0375, 0.01, 1}},
            "a coin that rolls round on its rim, while its middle stays",
            "goes round with the square root of 4 g / (r sin(tilt)), if it is thin"},
           make_disk,
           observe_disk},
    Family{{"cradle",
            {{"BALLS", 5, 2, 9}, {"LIFTED", 1, 1, 8}},
            "balls that hang side by side and touch; some are lifted by 20 degrees (Newton)",
            "as many leave the row as come in, and just as fast"},
           make_cradle,
           observe_cradle},
    Family{{"rattleback",
            {{"SPIN", 5, -20, 20}, kNone},
            "an ellipsoid whose axes of inertia are turned against those of its surface",
            "spins on in one direction; in the other it begins to rattle, and turns round"},
           make_rattleback,
           observe_rattleback},
};

constexpr auto kScenes = [] {
  std::array<ClassicScene, kFamilies.size()> out{};
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = kFamilies[k].scene;
  return out;
}();

std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

/// What `word` makes of each parameter, with an x between them.
template <class Word>
std::string join_parameters(const ClassicScene& scene, Word word) {
  std::string out;
  for (const ClassicParameter& p : scene.parameters) {
    if (p.name.empty()) continue;
    if (!out.empty()) out += 'x';
    out += word(p);
  }
  return out;
}

std::string_view family_name(std::string_view name) { return name.substr(0, name.find(':')); }

const Family& find_family(std::string_view name) {
  ClosestName closest(family_name(name));
  for (const Family& family : kFamilies) {
    if (family.scene.name == family_name(name)) return family;
    closest.consider(family.scene.name);
  }
  throw Error("there is no classic scene " + in_quotes(name) + closest.hint());
}

[[noreturn]] void fail(const ClassicScene& scene, std::string_view name) {
  std::string ranges;
  for (const ClassicParameter& p : scene.parameters) {
    if (p.name.empty()) continue;
    ranges += ", " + std::string(p.name) + " from " + text_of(p.least) + " to " + text_of(p.most);
  }
  throw Error(in_quotes(name) + ": write " + std::string(scene.name) + ":" + parameter_names(scene) + ranges +
              ", such as " + std::string(scene.name) + ":" + parameter_defaults(scene));
}

/// Those that are left out at the end have their standard values.
std::array<double, 2> parse_numbers(const ClassicScene& scene, std::string_view name) {
  std::array<double, 2> out{scene.parameters[0].standard, scene.parameters[1].standard};
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return out;
  std::string_view text = name.substr(colon + 1);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const ClassicParameter& p = scene.parameters[k];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out[k], std::chars_format::fixed);
    if (p.name.empty() || error != std::errc() || !(out[k] >= p.least && out[k] <= p.most)) fail(scene, name);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return out;
    if (!text.starts_with('x')) fail(scene, name);
    text.remove_prefix(1);
  }
  fail(scene, name);
}

}  // namespace

std::span<const ClassicScene> classic_scenes() { return kScenes; }

std::string parameter_names(const ClassicScene& scene) {
  return join_parameters(scene, [](const ClassicParameter& p) { return std::string(p.name); });
}

std::string parameter_defaults(const ClassicScene& scene) {
  return join_parameters(scene, [](const ClassicParameter& p) { return text_of(p.standard); });
}

bool is_classic_scene(std::string_view name) {
  return std::ranges::any_of(kScenes, [&](const ClassicScene& s) { return s.name == family_name(name); });
}

SimulationSetup make_classic_scene(std::string_view name) {
  constexpr double kExact = 1e-8;  // m/s: what is compared with theory
  const Family& family = find_family(name);
  SimulationSetup setup = family.make(parse_numbers(family.scene, name).data());
  setup.options.tolerance = kExact;
  return setup;
}

std::vector<Observation> observe_classic_scene(std::string_view name, double time, VectorView<const double> q,
                                               VectorView<const double> v) {
  const Family& family = find_family(name);
  return family.observe(parse_numbers(family.scene, name).data(), {time, q, v});
}

}  // namespace delassus
