// The embedded robots, and contacts on them, for benchmarks.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "delassus/io/load.hpp"

namespace delassus::bench {

/// States alternate, so that no branch predictor learns one configuration by heart.
inline constexpr int kStates = 64;

inline Scene robot(const std::string& name) {
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  return load_embedded_robot(name, options);
}

/// Point contacts on every frame whose name says "foot", then on bodies from the last one on, until there are `count`.
inline std::vector<Constraint> contacts(const Model& model, int count) {
  std::vector<int> frames;
  const auto is_foot = [&](int f) { return model.frame(f).name.find("foot") != std::string::npos; };
  for (int f = 0; f < static_cast<int>(model.frames().size()); ++f) {
    if (is_foot(f)) frames.push_back(f);
  }
  for (int f = static_cast<int>(model.frames().size()) - 1; f > 0; --f) {
    if (!is_foot(f) && model.frame(f).link != kWorld) frames.push_back(f);
  }
  std::vector<Constraint> out;
  for (int k = 0; k < count; ++k) {
    PointContact c;
    c.name = "contact " + std::to_string(k);
    c.a.frame = frames[static_cast<std::size_t>(k)];
    out.emplace_back(c);
  }
  return out;
}

inline std::vector<std::vector<double>> random_configurations(const Model& model) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> angle(-1, 1);
  std::vector<std::vector<double>> out(kStates, std::vector<double>(model.nq()));
  for (auto& q : out) {
    for (double& x : q) x = angle(engine);
  }
  return out;
}

}  // namespace delassus::bench
