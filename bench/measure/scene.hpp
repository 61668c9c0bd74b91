// A scene made ready for measuring: configurations to take in turns, and a vector to multiply.
#pragma once

#include <string>
#include <vector>

#include "delassus/io/scene.hpp"

namespace delassus::cli {

struct BenchScene {
  BenchScene(std::string name, const Scene& scene, int configurations = 2);

  std::string name;
  Model model;
  std::vector<Constraint> constraints;
  int contacts = 0, rows = 0;
  /// The scene's, and others that are a little off in every joint, so that no call repeats the numbers of the one before.
  std::vector<std::vector<double>> q;
  std::vector<double> x;  // one number for each row
};

}  // namespace delassus::cli
