// Controllers as tests of their contracts want them.
#pragma once

#include "delassus/control/grasp_controller.hpp"
#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"
#include "scenes/mechanisms.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"

namespace delassus::testing {

/// A humanoid on its feet: a hand at a pose, the centre of mass at a point, the waist at an angle, and, as far as that goes, the hand
/// elsewhere.
template <class T>
struct Standing {
  Standing()
      : levels{{"hand", {make_pose_task("hand", attach(scene.model, "left_wrist_yaw_link"), Pose<double>::identity())}},
               {"balance", {make_centre_of_mass_task("balance", {{0, 0, 0.7}})}},
               {"waist", {make_joint_task("waist", scene.model, "waist_yaw_joint", 0.2)}},
               {"again",
                {make_position_task("again", attach(scene.model, "left_wrist_yaw_link"), {{1, 0, 1}})},
                {},
                {.best_effort = true}}},
        controller(scene.model, levels, scene.constraints),
        q(converted<T>(scene.q)),
        v(static_cast<std::size_t>(scene.model.nv())),
        tau(v) {
    hand = controller.find_task("hand");
    balance = controller.find_task("balance");
    waist = controller.find_task("waist");
    target.pose.p = {{0.3, 0.2, 0.9}};
  }

  const Scene scene = load_named("g1-standing");
  std::vector<TaskLevel> levels;
  OperationalController<T> controller;
  std::vector<T> q, v, tau;
  int hand, balance, waist;
  PoseTarget target;
};

/// Two arms that hold a box.
struct Carrying {
  Carrying()
      : model(make_two_armed({})),
        hands{attach(model, "left_arm_tip"), attach(model, "right_arm_tip")},
        grasp(model, hands, {box_inertial(3, {{0.2, 0.1, 0.1}}), {translation(0.2, 0, 0), translation(-0.2, 0, 0)}},
              {.tolerance = 1e3}),  // wherever the hands are
        state(samples::random_state(model, 1)),
        tau(state.v.size()) {}
  Model model;
  std::vector<Attachment> hands;
  GraspController<double> grasp;
  samples::State state;
  std::vector<double> tau;
};

}  // namespace delassus::testing
