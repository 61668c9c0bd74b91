#include <cstdio>

#include "delassus/delassus.hpp"
#include "delassus/io/load.hpp"

int main() {
  using namespace delassus;
  const Scene go2 = load("robots/go2.urdf", {.base = UrdfOptions::Base::kFloating});
  std::vector<Constraint> feet;  // three rows each: along the normal and two tangents
  for (const char* foot : {"FL_foot", "FR_foot", "RL_foot", "RR_foot"})
    feet.emplace_back(PointContact{.name = foot, .a = attach(go2.model, foot)});
  Operator op(go2.model, feet);          // the condensed tree, unless told otherwise
  if (!op.update(go2.q).ok()) return 1;  // at every configuration; from here on nothing allocates
  // The impulses that give every foot 1 m/s upwards: one damped solve.
  std::vector<double> velocity{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, impulse(velocity.size());
  if (!op.update_damping(1e-6).ok() || !op.solve_damped(velocity, impulse).ok()) return 1;
  for (int k = 0; k < 4; ++k) std::printf("%s %.3f Ns\n", name_of(feet[k]).c_str(), impulse[3 * k]);
}
