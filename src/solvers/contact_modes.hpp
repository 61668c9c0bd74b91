// Modes of a contact problem at given forces: which rows push as they have to, so that their velocity is zero, and which keep the force that they have. What
// stands or rests has the modes of the time step before, and while they last the law is a system of linear equations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

/// pushes: per row, one for contacts that stick or touch, limits that hold, bounded forces within their bounds and equalities; zero for what
/// is apart or at its bound. False if modes are no linear equations, because a contact is at the surface of its cone, or if nothing pushes.
bool list_modes(std::span<const ForceBlock> blocks, std::span<const double> lambda, std::span<const double> sigma,
                std::vector<std::uint8_t>& pushes);

}  // namespace delassus
