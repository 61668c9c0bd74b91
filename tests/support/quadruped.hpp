// A quadruped on its feet: what operators are counted on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/model/builder.hpp"

namespace delassus::testing {

/// A trunk with four legs of three joints and a tail of as many links as wanted that touches nothing.
inline Model quadruped(int tail) {
  ModelBuilder b("quadruped");
  const int trunk = b.add_body("trunk", kWorld, joint(JointKind::kFree, "free"), box_inertial(7, {{0.2, 0.1, 0.05}}));
  const auto add_chain = [&](const std::string& name, int links, double x, double y) {
    int parent = trunk;
    for (int i = 0; i < links; ++i) {
      const Pose<double> placement = i == 0 ? translation(x, y, 0) : translation(0, 0, -0.2);
      parent = b.add_body(
          name + std::to_string(i), parent,
          revolute(name + "_joint" + std::to_string(i), {{i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0, 0}}, placement),
          box_inertial(0.5, {{0.03, 0.03, 0.1}}, {{0, 0, -0.1}}));
    }
  };
  for (int leg = 0; leg < 4; ++leg) {
    add_chain("leg" + std::to_string(leg), 3, leg < 2 ? 0.2 : -0.2, leg % 2 ? -0.1 : 0.1);
  }
  add_chain("tail", tail, -0.3, 0);
  return b.make_model();
}

/// Its feet on the ground: twelve rows.
inline std::vector<Constraint> feet(const Model& model) {
  std::vector<Constraint> list;
  for (int leg = 0; leg < 4; ++leg) {
    PointContact foot;
    foot.name = "foot" + std::to_string(leg);
    foot.a = attach(model, "leg" + std::to_string(leg) + "2", {{0, 0, -0.2}});
    list.emplace_back(foot);
  }
  return list;
}

}  // namespace delassus::testing
