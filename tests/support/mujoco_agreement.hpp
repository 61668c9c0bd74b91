// Compares the library with MuJoCo on one robot, through the command `delassus check`.
#pragma once

#include <gtest/gtest.h>

#include "support/mujoco_reference.hpp"

namespace delassus::testing {

/// Records a reference of the file and lets the command compare it: every quantity must be there that `wanted` names,
/// and agree to `tolerance`, relative to its largest entry.
void expect_agreement(const std::string& path, UrdfOptions::Base base, const ReferenceOptions& options,
                      double tolerance, const std::vector<std::string>& wanted);

}  // namespace delassus::testing
