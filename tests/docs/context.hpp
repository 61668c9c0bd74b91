// What the C++ blocks of the pages take for granted: names that a page uses and does not declare. Blocks are compiled and not
// linked (cpp_test.py), so nothing here is defined.
#pragma once

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "delassus/delassus.hpp"
#include "delassus/io/load.hpp"
#include "delassus/scenes/load_named.hpp"

namespace delassus::docs {

// A robot, its state, and what holds it.
extern const Model model, robot;
extern std::vector<Constraint> constraints;
extern std::vector<Attachment> hands;
extern Scene scene;
extern std::vector<double> q, v, tau, qdd;
extern Kinematics<double> kin, kinematics;
extern ConstraintRows<double> rows;
extern State<double> state;

// Vectors and matrices.
extern std::vector<double> x, y, b, z, lambda, target, free_velocity;
extern MatrixView<double> qdd_q, qdd_v, qdd_tau, lambda_q, lambda_v, lambda_tau;
extern BatchView<const double> X;
extern BatchView<double> Y;

// Times, targets and gains.
extern double dt, t;
extern CubicPath path;
extern Baumgarte pull;
extern Pose<double> goal, left_in_box, right_in_box;

// The order of joints in another library.
extern std::vector<std::string> pinocchio_names;
extern std::vector<double> q_pinocchio, v_pinocchio;

}  // namespace delassus::docs
