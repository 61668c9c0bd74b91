// Scenes brought to rest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "delassus/simulation/simulator.hpp"
#include "scenes/recipes.hpp"

namespace delassus {

/// How a run begins, beside the configuration of the scene.
struct Beginning {
  std::vector<double> v{};            // empty: at rest
  std::vector<Actuator> actuators{};  // hold where they are
};

/// Runs until nothing moves; the configuration becomes that in the end, the velocities zero. Contacts of the scene are left out. False if
/// something still moves after half a minute, as what rocks on an edge may, or if a step fails.
[[nodiscard]] bool settle(Scene& scene, const Beginning& beginning, SettledRun& run);

/// Contacts of all shapes that touch each other or the ground: body/1, body/2, ... or body on other/1, ...
std::vector<Constraint> make_touching_contacts(const Scene& scene);

/// A robot upright with bent knees, above the origin, its arms at its sides.
Scene make_upright_g1();
/// How a G1 falls: its arms are spread, and it is pushed over backwards. Degrees of freedom from `first_v` on are its own.
struct Topple {
  double shoulder, elbow;  // radians
  double v[6];             // of the pelvis, in its own axes
};
Topple draw_topple(std::uint64_t seed);
void spread_arms(Scene& scene, const std::string& prefix, const Topple& topple);

/// Repeats a fall with one seed after the other until it ends at rest with so many contacts. Chance decides where limbs end, and another
/// processor rounds differently; so the first seed is one that did, once, and others follow. None: did not come to rest.
Scene repeat_until(int contacts, std::uint64_t first, std::optional<Scene> (*fall)(std::uint64_t, SettledRun&),
                   SettledRun& run);

// The recipes, by what they are about.
Scene settle_go2_standing(SettledRun& run);
Scene settle_go2_fallen(SettledRun& run);
Scene settle_go2_fallen_again(SettledRun& run);
Scene settle_cassie(SettledRun& run);
Scene settle_g1_standing(SettledRun& run);
Scene settle_g1_fallen(SettledRun& run);
Scene settle_g1_fallen_again(SettledRun& run);
Scene settle_g1_maximal(SettledRun& run);
Scene settle_boxes(SettledRun& run);
Scene settle_pyramid(SettledRun& run);
Scene settle_pyramid_robots(SettledRun& run);

}  // namespace delassus
