#include "delassus/constraints/constrained_model.hpp"

#include "delassus/kinematics/frames.hpp"
#include "model/splitmix.hpp"

namespace delassus {

int ConstrainedModel::num_rows() const {
  int rows = 0;
  for (const Constraint& c : constraints) rows += row_count(c);
  return rows;
}

std::vector<double> make_general_configuration(const Model& model) {
  constexpr std::uint64_t kSeed = 21;
  SplitMix random(kSeed);
  std::vector<double> q = model.neutral();
  for (const Link& link : model.links()) {
    if (link.nv == 1) q[static_cast<std::size_t>(link.q)] = random.uniform(-0.5, 0.5);
  }
  return q;
}

ConstrainedModel make_in_general_configuration(ModelDescription description) {
  ConstrainedModel out{Model(std::move(description))};
  out.q = make_general_configuration(out.model);
  return out;
}

namespace {

template <class Make>
std::vector<Constraint> to_world(const Model& model, const std::vector<double>& q, std::span<const std::string> frames,
                                 Make make) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  std::vector<Constraint> out;
  for (const std::string& name : frames) {
    const Attachment first = attach(model, name);
    out.emplace_back(make(name, first, Attachment{0, frame_pose(model, kin, first.frame)}));
  }
  return out;
}

}  // namespace

std::vector<Constraint> make_point_contacts(const Model& model, const std::vector<std::string>& frames) {
  std::vector<Constraint> out;
  for (const std::string& frame : frames) out.emplace_back(PointContact{.name = frame, .a = attach(model, frame)});
  return out;
}

std::vector<Constraint> make_welds_to_world(const Model& model, const std::vector<double>& q,
                                            std::span<const std::string> frames) {
  return to_world(model, q, frames, make_weld);
}

std::vector<Constraint> make_pins_to_world(const Model& model, const std::vector<double>& q,
                                           std::span<const std::string> frames) {
  return to_world(model, q, frames, make_ball);
}

}  // namespace delassus
