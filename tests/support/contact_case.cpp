#include "support/contact_case.hpp"

#include <map>
#include <utility>

#include "delassus/model/builder.hpp"
#include "delassus/scenes/load_named.hpp"
#include "scenes/boxes.hpp"

namespace delassus::testing {
namespace {

/// Random velocities and torques: some contacts open, some slide, some stick.
samples::State moving(const Model& model, const std::vector<double>& q, double speed, double torque = 1) {
  samples::Random random(static_cast<std::uint64_t>(model.nv()), 7);
  samples::State s{q, {}, {}};
  for (int k = 0; k < model.nv(); ++k) {
    s.v.push_back(random.uniform(-speed, speed));
    s.tau.push_back(random.uniform(-torque, torque));
  }
  return s;
}

ContactCase moving_scene(const std::string& name, double speed, ContactLaw law) {
  Scene scene = load_named(name);
  const samples::State s = moving(scene.model, scene.q, speed);
  return {scene.model, std::move(scene.constraints), s, law};
}

/// A scene whose contacts are changed.
template <class Change>
ContactCase changed_scene(const std::string& name, double speed, ContactLaw law, Change&& change) {
  Scene scene = load_named(name);
  for (Constraint& c : scene.constraints) {
    if (auto* contact = std::get_if<PointContact>(&c)) change(*contact);
  }
  const samples::State s = moving(scene.model, scene.q, speed);
  return {scene.model, std::move(scene.constraints), s, law};
}

/// Contacts, loops, dry friction, and limits that some joints are about to reach.
ContactCase everything(ContactLaw law) {
  Scene scene = load_named("cassie-standing-friction");
  int count = 0;
  for (Constraint c : make_joint_limits(scene.model)) {
    auto& limit = std::get<JointLimit>(c);
    if (++count % 4 != 0) continue;
    const double here = scene.q[static_cast<std::size_t>(scene.model.link(limit.link).q + limit.dof)];
    limit.bound = here + (limit.upper ? 2e-4 : -2e-4);
    scene.constraints.push_back(std::move(c));
  }
  const samples::State s = moving(scene.model, scene.q, 0.5, 5);
  return {scene.model, std::move(scene.constraints), s, law};
}

/// One box on another that is `ratio` times lighter.
ContactCase heavy_on_light(double ratio, ContactLaw law) {
  BoxOptions light{.mass = 1}, heavy{.mass = ratio};
  ModelDescription d;
  d.name = "boxes";
  add_free_box(d, "light", translation(0, 0, 0.25), light);
  add_free_box(d, "heavy", translation(0.1, 0, 0.75), heavy);
  Model model(std::move(d));
  std::vector<double> q = model.neutral();
  std::vector<Constraint> contacts = make_stacking_contacts(model, q);
  const samples::State s = moving(model, q, 0.02, 0);
  return {model, std::move(contacts), s, law};
}

ContactCase box_stack(int boxes, double speed, ContactLaw law) {
  ConstrainedModel stack = make_box_stack_scene(boxes);
  const samples::State s = moving(stack.model, stack.q, speed, 0);
  return {stack.model, std::move(stack.constraints), s, law};
}

using Maker = ContactCase (*)(ContactLaw);

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> kTable{
      {"go2 standing", [](ContactLaw law) { return moving_scene("go2-standing", 0.5, law); }},
      {"go2 fallen", [](ContactLaw law) { return moving_scene("go2-fallen", 0.5, law); }},
      {"go2 fallen, friction", [](ContactLaw law) { return moving_scene("go2-fallen-friction", 0.2, law); }},
      {"cassie", [](ContactLaw law) { return moving_scene("cassie-standing", 0.5, law); }},
      {"g1 standing", [](ContactLaw law) { return moving_scene("g1-standing", 0.5, law); }},
      {"g1 standing, friction", [](ContactLaw law) { return moving_scene("g1-standing-friction", 0.1, law); }},
      {"everything", everything},
      {"two boxes", [](ContactLaw law) { return box_stack(2, 0.3, law); }},
      {"three boxes at rest", [](ContactLaw law) { return box_stack(3, 0, law); }},
      {"1000 kg on 1 kg", [](ContactLaw law) { return heavy_on_light(1000, law); }},
      {"anisotropic",
       [](ContactLaw law) {
         return changed_scene("go2-standing", 0.5, law, [](PointContact& c) { c.set.mu_across = 0.2; });
       }},
      {"torsional",
       [](ContactLaw law) {
         return changed_scene("go2-standing", 1, law, [](PointContact& c) {
           c.kind = ContactKind::kTorsional;
           c.set.mu_torsion = 0.02;
         });
       }},
      {"rolling",
       [](ContactLaw law) {
         return changed_scene("go2-standing", 1, law, [](PointContact& c) {
           c.kind = ContactKind::kRolling;
           c.set.mu_torsion = 0.02;
           c.set.mu_rolling = 0.005;
         });
       }},
      {"without friction",
       [](ContactLaw law) { return changed_scene("go2-standing", 0.5, law, [](PointContact& c) { c.set.mu = 0; }); }},
      {"each contact twice",
       [](ContactLaw law) {
         Scene scene = load_named("go2-standing");
         const std::vector<Constraint> again = scene.constraints;
         scene.constraints.insert(scene.constraints.end(), again.begin(), again.end());
         const samples::State s = moving(scene.model, scene.q, 0.5);
         return ContactCase(scene.model, std::move(scene.constraints), s, law);
       }},
      {"compliant",
       [](ContactLaw law) {
         ContactCase c = moving_scene("go2-fallen", 0.5, law);
         for (int r = 0; r < c.m(); ++r) c.compliance.push_back(r % 3 == 0 ? 0.05 : 0.01);
         return c;
       }},
      {"deep",
       [](ContactLaw law) {
         ContactCase c = moving_scene("go2-fallen", 0.2, law);
         for (const RowSpan& span : c.rows.spans) c.free_velocity[static_cast<std::size_t>(span.first_row)] -= 5;
         return c;
       }},
      {"leaving",
       [](ContactLaw law) {
         ContactCase c = moving_scene("go2-standing", 0.2, law);
         for (const RowSpan& span : c.rows.spans) c.free_velocity[static_cast<std::size_t>(span.first_row)] += 5;
         return c;
       }},
      {"one row",
       [](ContactLaw law) {
         return make_block({.kind = ContactKind::kFrictionless, .corners = false}, {0.1, 0.2, 0, 0.3, 0, -1}, law);
       }},
      {"no rows", [](ContactLaw law) {
         Model model = load_named("go2").model;
         const samples::State s = moving(model, model.neutral(), 1);
         return ContactCase(model, {}, s, law);
       }}};
  return kTable;
}

/// Cones for contacts, bounds for friction of joints; all others hold both ways.
void add_random_contacts(const Model& model, samples::Random& random, std::vector<Constraint>& out) {
  const int count = random.integer(1, 3);
  for (int k = 0; k < count; ++k) {
    PointContact c;
    c.name = "contact " + std::to_string(k);
    const Frame& frame = random.pick(model.frames());
    if (frame.link == kWorld) continue;
    c.a = attach(model, frame.name, random.vector(0.3));
    c.axes = contact_axes(random.direction());
    c.kind = static_cast<ContactKind>(random.integer(0, 3));
    c.set = {c.kind == ContactKind::kFrictionless ? SetKind::kNonNegative : SetKind::kFrictionCone};
    c.set.mu = random.uniform(0.1, 0.6);
    if (random.chance(0.3)) c.set.mu_across = random.uniform(0.1, 0.6);
    c.set.mu_torsion = random.chance(0.3) ? 0 : random.uniform(0.01, 0.1);
    c.set.mu_rolling = random.chance(0.3) ? 0 : random.uniform(0.01, 0.1);
    out.emplace_back(std::move(c));
  }
}

void add_random_joints(const Model& model, samples::Random& random, std::vector<Constraint>& out) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.kind == JointKind::kSpherical || link.kind == JointKind::kFree) continue;
    const std::string name = "joint " + std::to_string(i);
    if (random.chance(0.2)) out.emplace_back(JointFriction{name, i, 0, {SetKind::kBox, random.uniform(0, 50)}});
    if (random.chance(0.1)) {
      JointLimit limit{name, i, 0, random.chance(0.5), 0};
      out.emplace_back(limit);
    }
  }
}

}  // namespace

ContactCase::ContactCase(const Model& m, std::vector<Constraint> list, const samples::State& s, ContactLaw l)
    : OracleCase<double>(m, std::move(list), s), law(l) {
  const auto exact_q = converted<long double>(q), exact_v = converted<long double>(s.v);
  const Exact h = column_of(oracle::bias_forces<long double>(model, exact_q, exact_v));
  const Exact motion = oracle::solve_positive(M, column_of(s.tau) - h);
  const Exact g = J * (column_of(s.v) + static_cast<long double>(kContactStep) * motion);
  const std::vector<long double> position = oracle::constraint_position<long double>(model, constraints, exact_q);
  free_velocity.assign(g.entries().begin(), g.entries().end());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows.spans[i].first_row);
    if (std::holds_alternative<JointLimit>(constraints[i]))
      free_velocity[row] += static_cast<double>(position[row]) / kContactStep;
  }
}

ContactProblem ContactCase::problem() const {
  ContactProblem out{rows.spans, rows.sets, free_velocity};
  if (!compliance.empty()) out.compliance = compliance;
  out.law = law;
  out.time_step = kContactStep;
  return out;
}

ReferenceProblem ContactCase::reference() const {
  ReferenceProblem out{
      matrix, converted<long double>(free_velocity), rows.spans, rows.sets, kContactStep, law == ContactLaw::kCoulomb};
  for (std::size_t r = 0; r < compliance.size(); ++r) out.A(static_cast<int>(r), static_cast<int>(r)) += compliance[r];
  return out;
}

std::vector<long double> ContactCase::felt(const std::vector<long double>& lambda) const {
  return (oracle::transposed(J) * column_of(lambda)).entries();
}
std::vector<long double> ContactCase::felt(const std::vector<double>& lambda) const {
  return felt(converted<long double>(lambda));
}

const std::vector<std::string>& contact_case_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> out;
    for (const auto& [name, maker] : makers()) out.push_back(name);
    return out;
  }();
  return kNames;
}

ContactCase make_contact_case(const std::string& name, ContactLaw law) { return makers().at(name)(law); }

ContactCase random_contact_case(int seed, ContactLaw law) {
  samples::Random random(static_cast<std::uint64_t>(seed), 3);
  Model model = samples::random_model(static_cast<std::uint64_t>(seed));
  const samples::State s = samples::random_state(model, static_cast<std::uint64_t>(seed));
  std::vector<Constraint> list;
  add_random_contacts(model, random, list);
  add_random_joints(model, random, list);
  ContactCase c(model, std::move(list), s, law);
  if (random.chance(0.3)) {
    for (int r = 0; r < c.m(); ++r) c.compliance.push_back(random.uniform(0, 1e-2));
  }
  return c;
}

ContactCase make_block(const BlockOptions& options, const std::vector<double>& velocity, ContactLaw law) {
  constexpr double kHalf = 0.25;
  ModelDescription d;
  d.name = "block";
  add_free_box(d, "block", translation(0, 0, kHalf), {.half_extents = {{kHalf, kHalf, kHalf}}, .mass = options.mass});
  Model model(std::move(d));
  std::vector<Constraint> contacts;
  const double reach = options.corners ? kHalf : 0;
  for (const double x : {-reach, reach}) {
    for (const double y : {-reach, reach}) {
      if (!options.corners && !contacts.empty()) continue;
      PointContact c{"foot", attach(model, "block", {{x, y, -options.below}})};
      c.kind = options.kind;
      c.set = options.set;
      if (c.kind == ContactKind::kFrictionless) c.set.kind = SetKind::kNonNegative;
      contacts.emplace_back(std::move(c));
    }
  }
  const samples::State s{model.neutral(), velocity, std::vector<double>(6, 0.0)};
  return {model, std::move(contacts), s, law};
}

}  // namespace delassus::testing
