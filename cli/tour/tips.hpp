// Where a mechanism without collision shapes can be touched: at the far ends of its links.
#pragma once

#include <vector>

#include "delassus/constraints/constraint.hpp"

namespace delassus::cli {

/// Of what is known of a link (frames, centres of mass), the point that is furthest from its joint.
Attachment furthest_point(const Model& model, int link);

/// Links with no link further out.
std::vector<int> tip_links(const Model& model);
/// For each tip the link halfway between it and the world, if that is none of the tips. Ascending, each once.
std::vector<int> middle_links(const Model& model);

/// A contact at the furthest point of each of the links, with a vertical normal. Left out: points that no joint moves
/// at q.
std::vector<Constraint> make_tip_contacts(const Model& model, const std::vector<double>& q,
                                          const std::vector<int>& links);

}  // namespace delassus::cli
