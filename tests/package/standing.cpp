// A quadruped on its four feet: the velocity that a unit impulse along each row of its contacts gives to that row.
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/io/scene_recipes.hpp>
#include <vector>

int main() {
  using namespace delassus;
  const Scene scene = load_embedded_scene("go2-standing");

  Kinematics<double> kinematics(scene.model);
  ConstraintRows<double> rows;
  lower_structure(scene.model, scene.constraints, rows);
  PvOsimDelassus<double> contact_inertia(scene.model, rows);

  update_kinematics(scene.model, scene.q, kinematics);
  if (!lower_values(scene.model, kinematics, scene.constraints, rows).ok()) return 1;
  if (!contact_inertia.factor(scene.model, kinematics, rows).ok()) return 1;

  std::vector<double> diagonal(rows.num_rows());
  contact_inertia.diagonal(diagonal);
  for (const double d : diagonal) std::printf("%.4f ", d);
  std::puts("1/kg");
}
