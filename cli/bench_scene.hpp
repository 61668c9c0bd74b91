// A scene made ready for measuring: two configurations to alternate between, and a vector to multiply.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "delassus/io/scene.hpp"

namespace delassus::cli {

struct BenchScene {
  BenchScene(std::string name, const Scene& scene);

  std::string name;
  Model model;
  std::vector<Constraint> constraints;
  int contacts = 0, rows = 0;
  /// The scene's, and one that is a little off in every joint, so that no call repeats the numbers of the one before.
  std::array<std::vector<double>, 2> q;
  std::vector<double> x;  // one number for each row
};

}  // namespace delassus::cli
