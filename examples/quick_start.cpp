#include <cstdio>

#include "delassus/delassus.hpp"

int main() {
  const auto go2 = delassus::load("robots/go2.urdf", {.base = delassus::UrdfOptions::Base::kFloating});
  delassus::Operator op(go2.model, make_point_contacts(go2.model, {"FL_foot", "FR_foot", "RL_foot", "RR_foot"}));
  std::vector<double> velocity{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, impulse(12);  // every foot 1 m/s upwards
  if (!op.update(go2.q).ok() || !op.update_damping(1e-6).ok() || !op.solve(velocity, impulse).ok()) return 1;
  for (int k = 0; k < 4; ++k) std::printf("%s %.3f Ns\n", name_of(op.constraints()[k]).c_str(), impulse[3 * k]);
}
