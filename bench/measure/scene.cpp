#include "bench/measure/scene.hpp"

#include "delassus/kinematics/kinematics.hpp"
#include "model/splitmix.hpp"

namespace delassus::cli {

BenchScene::BenchScene(std::string scene_name, const Scene& scene, int configurations)
    : name(std::move(scene_name)), model(scene.model), constraints(scene.constraints), q(configurations, scene.q) {
  for (const Constraint& c : constraints) {
    contacts += std::holds_alternative<PointContact>(c) ? 1 : 0;
    rows += row_count(c);
  }
  constexpr double kNoise = 0.01;
  SplitMix random(1);
  std::vector<double> step(model.nv());
  for (int k = 1; k < configurations; ++k) {
    for (double& v : step) v = random.uniform(-kNoise, kNoise);
    integrate(model, scene.q, step, q[k]);
  }
  x.resize(rows);
  for (double& e : x) e = random.uniform(-1, 1);
}

}  // namespace delassus::cli
