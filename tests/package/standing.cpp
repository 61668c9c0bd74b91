// A quadruped on its four feet: the velocity that a unit impulse along each row of its contacts gives to that row.
#include <cstdio>
#include <delassus/delassus.hpp>
#include <vector>

int main() {
  using namespace delassus;
  const Scene scene = load_embedded_scene("go2-standing");

  Operator contact_inertia(scene.model, scene.constraints, Algorithm::kPvOsim);
  if (!contact_inertia.update(scene.q).ok()) return 1;

  std::vector<double> diagonal(contact_inertia.rows());
  contact_inertia.diagonal(diagonal);
  for (const double d : diagonal) std::printf("%.4f ", d);
  std::puts("1/kg");
}
