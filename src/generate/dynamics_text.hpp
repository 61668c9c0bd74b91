// Motion with what the operator has factored: free, by forces, and under constraints.
#pragma once

#include <string>
#include <vector>

#include "generate/stage_call.hpp"

namespace delassus::generation {

/// Its functions, in their order.
inline constexpr const char* kDynamicsFunctions[] = {"free_motion", "response", "row_torques", "constrained_dynamics",
                                                     "damped_dynamics"};

bool has_dynamics(const Material& m);

/// `stages`: of the operator, which are written before this.
std::string dynamics_text(const Material& m, const std::vector<StageText>& stages);

/// Of constrained_dynamics with one step, and of damped_dynamics. `costs`: those of the operator's functions, from `first` on in the order of stages.
void add_dynamics_costs(const Material& m, std::size_t first, std::vector<GeneratedCost>& costs);

/// Of one of its functions: the declaration without semicolon, and what it does.
std::string dynamics_signature(const Material& m, const std::string& function);
std::string dynamics_words(const std::string& function);

}  // namespace delassus::generation
