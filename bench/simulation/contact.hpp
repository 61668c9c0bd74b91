// What `delassus bench contact` measures: one time step of contact on scenes, by every solver on two operators.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/timed_call.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus::cli {

const std::vector<std::string>& contact_scenes();

struct ContactTimes {
  std::string solver, op;
  double median_us = 0, least_us = 0;  // from q and v to forces, from none
  ContactCertificate certificate{};
  std::string left_out{};  // why nothing was measured; empty if it was
};

struct ContactResult {
  std::string name;
  int nv = 0, rows = 0, constraints = 0;
  std::vector<ContactTimes> solvers;
};

/// Coulomb's law over a millisecond from rest, without motors. Takes turns between the solvers, so that a disturbance meets all of them.
ContactResult measure_contact(const std::string& scene, const Effort& effort);

/// What the columns are; before the first scene.
std::string contact_head();
std::string as_text(const ContactResult& result);
nlohmann::json as_json(const ContactResult& result);

}  // namespace delassus::cli
