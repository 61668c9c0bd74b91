// A robot with its limbs side by side, in the lanes of Limbs (docs/algorithms/limbs.md).
//
// The trunk is in every lane; like subtrees that hang on it lie next to each other, one in each lane, and share links: a link of
// the fold stands for up to four links of the robot, with joints of one kind. Where a limb is shorter than its neighbours, links
// without mass fill up its lane. All this follows from the topology.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "delassus/model/model.hpp"
#include "math/limbs.hpp"

namespace delassus {

/// Lanes of a link, and the link of the trunk that they hang on.
struct Way {
  std::int32_t parent;
  LaneSet lanes;
};

/// What the links of a fold have beside those of a model: a number for each lane, and how lanes hang together.
struct FoldLanes {
  struct LinkLanes {
    Pose<Limbs> placement;
    Mat3<Limbs> second;
    RigidInertia<Limbs> inertia;
    Limbs pitch;
    bool trunk = false;  // the same link in every lane
    std::int32_t first_way = 0,
                 ways = 0;  // where lanes hang on different links; then Link::parent is the deepest of these
  };

  bool is_trunk(int link) const { return link >= 0 && links[static_cast<std::size_t>(link)].trunk; }
  std::span<const Way> ways_of(int link) const {
    const LinkLanes& l = links[static_cast<std::size_t>(link)];
    return std::span(ways).subspan(static_cast<std::size_t>(l.first_way), static_cast<std::size_t>(l.ways));
  }

  std::vector<LinkLanes> links;
  std::vector<Limbs> armature, inertia_scale;  // per degree of freedom
  std::vector<Way> ways;                       // of a link the deepest first
};

/// The fold as a mechanism of its own.
class FoldedModel : public Model {
 public:
  FoldedModel(const Model& shape, std::shared_ptr<const FoldLanes> fold) : Model(shape), fold_(std::move(fold)) {}
  const FoldLanes& fold() const { return *fold_; }

 private:
  std::shared_ptr<const FoldLanes> fold_;
};

/// Where a link of the robot is in the fold.
struct LimbPlace {
  static constexpr int kTrunk = -1;
  std::int32_t link;
  std::int32_t lane;  // or kTrunk: in every lane
};

/// Which entry of a vector of the robot is in each lane; -1: none.
using LimbSource = std::array<std::int32_t, kLimbLanes>;

struct LimbModel {
  FoldedModel shape;                    // links, parents, sizes, and constants in lanes
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
