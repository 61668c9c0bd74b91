// The papers' studies of scaling on chains: mechanisms of model/chains.hpp with the constraints they were studied with.
#pragma once

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/scenes/chains.hpp"

namespace delassus {

// Fig. 3 and 4 of Sathya, Decré and Swevers, "PV-OSIMr".

/// Every branch tip is welded: n = stem + 2 · branches · branch_links + 6 and 12 · branches rows.
ConstrainedModel make_stem_scene(const StemOptions& options);

/// A fixed chain of k² links with links k, 2k, ..., k² welded: 6k rows. The term m·d dominates.
ConstrainedModel make_k2_chain_scene(int k);

/// The same chain with a point of each of these links pinned to one of the link before it, and of the first to the
/// world: k loops of three rows, each over k links.
ConstrainedModel make_k2_loops_scene(int k);

/// A fixed chain with every link welded: 6 rows per link.
ConstrainedModel make_all_welded_scene(int links);

/// A chain whose last link is welded: 6 rows, whatever its length.
ConstrainedModel make_chain_scene(const ChainOptions& options);

/// A star whose tips are pinned to each other along an expander-like graph in which every tip has three edges: a ring and a
/// random perfect matching, which is an expander almost surely (Bollobás and Chung, "The diameter of a cycle plus a random
/// matching"). The number of limbs is even and at least 6; 3 · limbs / 2 loops of three rows.
ConstrainedModel make_expander_scene(const StarOptions& options);

/// Two points of every link lie on the ground: 6 rows per link.
ConstrainedModel make_swimmer_scene(int links);

}  // namespace delassus
