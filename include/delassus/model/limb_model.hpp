// A robot with its limbs side by side, in the lanes of Limbs (docs/algorithms/limbs.md).
//
// The trunk is in every lane; like subtrees that hang on it lie next to each other, one in each lane, and share links: a link of
// the fold stands for up to four links of the robot, with joints of one kind. Where a limb is shorter than its neighbours, links
// without mass fill up its lane. All this follows from the topology.
#pragma once

#include <array>
#include <vector>

#include "delassus/model/model.hpp"

namespace delassus {

/// Where a link of the robot is in the fold.
struct LimbPlace {
  static constexpr int kTrunk = -1;
  std::int32_t link;
  std::int32_t lane;  // or kTrunk: in every lane
};

/// Which entry of a vector of the robot is in each lane; -1: none.
using LimbSource = std::array<std::int32_t, kLimbLanes>;

struct LimbModel {
  Model shape;                          // the fold: links, parents, sizes; its constants are in shape.fold()
  std::vector<LimbPlace> place;         // per link of the robot
  std::vector<LimbPlace> dof_place;     // per degree of freedom of the robot: `link` is that of the fold
  std::vector<LimbSource> links;        // per link of the fold; of a trunk link the same in all lanes
  std::vector<LimbSource> coordinates;  // per entry of q of the fold
  std::vector<Limbs> padding;           // per entry of q of the fold: what lanes hold that have no source
  std::vector<LimbSource> angles;       // per angle whose sine and cosine are needed
  std::vector<LimbSource> dofs;         // per degree of freedom of the fold
  int trunk = 0;                        // links of the trunk: the first ones
};

/// Null if the fold has more than three quarters of the robot's links: then lanes do not pay.
std::shared_ptr<const LimbModel> make_limb_model(const Model& model);

}  // namespace delassus
