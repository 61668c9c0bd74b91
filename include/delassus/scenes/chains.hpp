// Mechanisms made of chains, from the studies of scaling in the papers. Same arguments, same bits.
#pragma once

#include "delassus/model/description.hpp"

namespace delassus {

/// A serial chain of revolute joints: links link1, link2, ... and a frame link_tip at the end.
struct ChainOptions {
  int links = 10;
  bool floating = false;  // a body `base` with a free joint before link1
};
ModelDescription make_chain(const ChainOptions& options);

/// A stem with as many branches at either end: Fig. 3 of Sathya, Decré and Swevers, "PV-OSIMr: A Lowest Order Complexity
/// Algorithm for Computing the Delassus Matrix". A free body `base` carries the stem stem1, stem2, ...; branches rear1_1 ...
/// hang on the base, front1_1 ... on the stem's last link, each with a frame at its tip: rear1_tip, front1_tip.
struct StemOptions {
  int stem = 1;          // links between the two ends
  int branches = 1;      // on either end
  int branch_links = 7;  // of each branch
};
ModelDescription make_stem(const StemOptions& options);

/// Equal limbs around one free body: limb1_1 ... with frames limb1_tip, ...
struct StarOptions {
  int limbs = 8;
  int joints = 7;  // of each limb
};
ModelDescription make_star(const StarOptions& options);

/// A swimmer that moves in the plane z = 0: a planar joint under link1 and revolute ones between the links, nv = links + 2
/// (Fig. 2 of Sathya, Montaut, de Mont-Marin and Carpentier, "Matrix-Free Delassus Operations"). Each link is a capsule that lies on the plane.
ModelDescription make_swimmer(int links);

}  // namespace delassus
