// Models whose numbers change while their structure stays, for workspaces that step many environments with masses of their own.
#pragma once

#include <span>

#include "delassus/model/model.hpp"

namespace delassus {

/// A copy that shares nothing with the original. Copies of the copy see what is set below: whoever makes one keeps it to itself.
Model make_own(const Model& model);

/// Of a model from make_own: inertias of its links, in internal axes about their origins; armatures, one per degree of freedom; gravity. What follows from them
/// (the scale of inertias; the mass, here of what moves) follows; the description stays as it was. An empty span leaves what is there.
void set_own_values(const Model& own, std::span<const RigidInertia<double>> inertias, std::span<const double> armature,
                    const Vec3<double>& gravity);

/// The inertia that a body adds to its link, in the link's internal axes about its origin.
RigidInertia<double> inertia_on_link(const Model& model, int body, const Inertial& inertial);

}  // namespace delassus
