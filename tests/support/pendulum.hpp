// A pendulum as a robot file and as a reference file.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace delassus::testing {

/// A point mass of 2 kg on a massless arm of 0.5 m, turning about y: everything has a formula.
inline constexpr const char* kPendulum = R"(<robot name="pendulum">
  <link name="base"/>
  <link name="bob">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
  </link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="bob"/><axis xyz="0 1 0"/></joint>
</robot>)";

/// What the reference format says of it at angle a and speed w: M = m l², bias = m g l sin a (the joint's sense lifts
/// the bob for positive angles towards -x), point at the bob.
inline nlohmann::json pendulum_reference(double a, double w, double tau) {
  const double m = 2, l = 0.5, g = 9.81, M = m * l * l, bias = m * g * l * std::sin(a);
  const double s = std::sin(a), c = std::cos(a);
  const nlohmann::json J = {{-l * c}, {0.0}, {l * s}};
  return {{"name", "pendulum"},
          {"model", "pendulum.urdf"},
          {"nq", 1},
          {"nv", 1},
          {"mass", m},
          {"gravity", {0, 0, -g}},
          {"joints", {{{"name", "hinge"}, {"type", "hinge"}, {"body", "bob"}, {"q", 0}, {"v", 0}}}},
          {"bodies",
           {{{"name", "base"}, {"mass", 0}, {"com", {0, 0, 0}}, {"inertia", {0, 0, 0, 0, 0, 0}}},
            {{"name", "bob"}, {"mass", m}, {"com", {0, 0, -l}}, {"inertia", {0, 0, 0, 0, 0, 0}}}}},
          {"qpos0", {0}},
          {"points", {{{"body", "bob"}, {"local", {0, 0, -l}}}}},
          {"configs",
           {{{"qpos", {a}},
             {"qvel", {w}},
             {"tau", {tau}},
             {"M_upper", {M}},
             {"qfrc_bias", {bias}},
             {"qacc_tau", {(tau - bias) / M}},
             {"com", {-l * s, 0, -l * c}},
             {"xpos", {{0, 0, 0}, {0, 0, 0}}},
             {"xquat", {{1, 0, 0, 0}, {std::cos(a / 2), 0, std::sin(a / 2), 0}}},
             {"points_pos", {{-l * s, 0, -l * c}}},
             {"points_J", J},
             {"points_Jdotv", {l * s * w * w, 0, l * c * w * w}},
             {"points_Linv_upper", {l * c * l * c / M, 0, -l * s * l * c / M, 0, 0, l * s * l * s / M}}}}}};
}

}  // namespace delassus::testing
