#include <cstdio>

#include "delassus/delassus.hpp"
#include "delassus/io/load.hpp"

int main() {
  using namespace delassus;
  const Scene go2 = load("robots/go2.urdf", {.base = UrdfOptions::Base::kFloating});
  std::vector<Constraint> feet;  // three rows each: along the normal and two tangents
  for (const char* foot : {"FL_foot", "FR_foot", "RL_foot", "RR_foot"})
    feet.emplace_back(PointContact{.name = foot, .a = attach(go2.model, foot)});
  Kinematics<double> kin(go2.model);
  ConstraintRows<double> rows;
  lower_structure(go2.model, feet, rows);  // when contacts come or go
  CondensedDelassus<double> op(go2.model, rows);
  update_kinematics(go2.model, go2.q, kin);  // at every configuration; from here on nothing allocates
  if (!lower_values(go2.model, kin, feet, rows).ok() || !op.factor(go2.model, kin, rows).ok()) return 1;
  // The impulses that give every foot 1 m/s upwards: one damped solve.
  std::vector<double> velocity{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, impulse(velocity.size());
  if (!op.update_damping(1e-6).ok() || !op.solve_damped(velocity, impulse).ok()) return 1;
  for (int k = 0; k < 4; ++k) std::printf("%s %.3f Ns\n", name_of(feet[k]).c_str(), impulse[3 * k]);
}
