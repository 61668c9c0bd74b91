#include <fmt/format.h>

#include <cmath>

#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/operators/condensed.hpp"
#include "generate/contact_text.hpp"
#include "generate/dynamics_text.hpp"

namespace delassus::generation {
namespace {

/// Numbers that differ from each other and have no zeros among them; as the code's numbers hold them.
class Numbers {
 public:
  explicit Numbers(bool is_float) : is_float_(is_float) {}
  double held(double x) const { return is_float_ ? static_cast<double>(static_cast<float>(x)) : x; }
  std::vector<double> list(int count, double centre, double range) {
    std::vector<double> list;
    for (int k = 0; k < count; ++k) list.push_back(held(centre + range * std::sin(1.7 * ++at_ + 0.3)));
    return list;
  }

 private:
  bool is_float_;
  int at_ = 0;
};

std::string array(const Material& m, const std::string& name, const std::vector<double>& list,
                  const std::string& type) {
  std::string text = fmt::format("static const {} {}[{}] = {{", type, name, std::max<std::size_t>(list.size(), 1));
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k > 0) text += k % 4 == 0 ? ",\n    " : ", ";
    text += type == "double" ? fmt::format("{:.17g}", list[k]) : m.dialect.number(list[k]);
  }
  return text + (list.empty() ? "0};\n" : "};\n");
}

void require(Status status) {
  if (!status.ok())
    throw Error("the test at argument 'q' has no result; give a configuration in which the constraints can be solved");
}

std::vector<double> dampings(const Material& m, Numbers& numbers) {
  if (m.options.damping != GenerateOptions::DampingForm::kBlocks)
    return numbers.list(m.trace.damping_numbers, 1e-2, 5e-3);
  std::vector<double> list;
  for (const Constraint& c : m.constraints) {
    const int n = row_count(c);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) list.push_back(numbers.held(i == j ? 1e-2 : 1e-3));
    }
  }
  return list;
}

Damping<double> damping_of(const Material& m, const std::vector<double>& numbers) {
  if (m.options.damping == GenerateOptions::DampingForm::kNumber) return {numbers.front()};
  if (m.options.damping == GenerateOptions::DampingForm::kBlocks) return Damping<double>::blocks(numbers);
  return {numbers};
}

std::string contacts_array(const Material& m) {
  const std::vector<int> contacts = contact_inputs(m.constraints, m.options);
  if (contacts.empty()) return "";
  std::string text = fmt::format("static const {0}_contact contacts[{1}] = {{", m.dialect.prefix, contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto& c = std::get<PointContact>(m.constraints[contacts[k]]);
    const Vec3<double>& p = c.a.offset.p;
    text += k > 0 ? ",\n    {{" : "\n    {{";
    for (int i = 0; i < 3; ++i) text += (i > 0 ? ", " : "") + m.dialect.number(p[i]);
    text += "}, {";
    for (int i = 0; i < 9; ++i) text += (i > 0 ? ", " : "") + m.dialect.number(c.axes.a[i]);
    text += "}}";
  }
  return text + "};\n";
}

std::vector<double> response(const Material& m, const CondensedDelassus<double>& op, const std::vector<double>& x) {
  std::vector<double> added(m.model.nv());
  require(op.joint_response(x, added));
  return added;
}

/// That of rows which give way, at velocities in the state.
std::vector<double> damped_forces(const Material& m, const State<double>& state, const CondensedDelassus<double>& op,
                                  const std::vector<double>& target, const std::vector<double>& q,
                                  const std::vector<double>& torques) {
  std::vector<double> free(torques.size()), rows(target.size()), forces(target.size());
  ForwardDynamics<double> forward(m.model);
  LinkMotions<double> motions(m.model);
  require(aba<double>(m.model, q, state.velocities().v, torques, free, forward));
  apply_jacobian<double>(m.model, state.kinematics(), state.rows(), free, rows, motions);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = target[r] - rows[r] - state.drift()[r];
  require(op.solve(rows, forces));
  return forces;
}

/// Velocities that rows have without forces, where with some inside of their sets they have none.
std::vector<double> velocities_without(const Material& m, const CondensedDelassus<double>& op) {
  std::vector<double> forces, velocities(m.trace.rows);
  for (const Constraint& c : m.constraints) {
    const ForceSet& set = set_of(c);
    const double normal = set.kind == SetKind::kBox && std::isfinite(set.bound) ? 0.5 * set.bound : 0.5;
    for (int k = 0; k < row_count(c); ++k)
      forces.push_back(set.kind == SetKind::kFrictionCone && k > 0 ? 0.2 * set.mu * normal : normal);
  }
  require(op.apply(forces, velocities));
  for (double& x : velocities) x = -x;
  return velocities;
}

}  // namespace

std::string test_text(const Material& m, std::span<const double> at) {
  Numbers numbers(m.dialect.is_float);
  const std::string real = m.dialect.real(), p = m.dialect.prefix;
  std::vector<double> q;
  for (const double x : at) q.push_back(numbers.held(x));
  const std::vector<double> v = numbers.list(m.model.nv(), 0.1, 0.5), a = numbers.list(m.model.nv(), -0.2, 2),
                            x = numbers.list(m.trace.rows, 0.5, 20);
  std::string text = fmt::format(
      "/* Generated by delassus: compares with what the library computed in double. Ends with 1 where they differ. */\n"
      "#include \"{}.h\"\n\n#include <math.h>\n#include <stdio.h>\n\n",
      p);
  text += array(m, "q", q, real);
  if (!m.motions.empty()) text += array(m, "v", v, real);

  State<double> state(m.model, m.constraints);
  require(state.update(q, v));
  std::string body, got;
  const auto compare = [&](const std::string& what, const std::string& count) {
    body += fmt::format("  worst |= differs(\"{0}\", got_{0}, wanted_{0}, {1});\n", what, macro(m, count));
  };
  std::vector<double> torques;
  if (!m.motions.empty()) {
    InverseDynamics<double> inverse(m.model);
    ForwardDynamics<double> forward(m.model);
    std::vector<double> tau(v.size()), wanted(v.size());
    rnea<double>(m.model, state.kinematics(), state.velocities(), a, tau, inverse);
    text += array(m, "a", a, real) + array(m, "wanted_tau", tau, "double");
    torques = numbers.list(m.model.nv(), 0.5, 5);
    require(aba<double>(m.model, q, v, torques, wanted, forward));
    text += array(m, "tau", torques, real) + array(m, "wanted_a", wanted, "double");
    body += fmt::format("  status |= {}_inverse_dynamics(q, v, a, got_tau);\n", p);
    body += fmt::format("  status |= {}_forward_dynamics(q, v, tau, got_a);\n", p);
    compare("tau", "NV");
    compare("a", "NV");
    got += fmt::format("static {0} got_tau[{1}];\nstatic {0} got_a[{1}];\n", real, macro(m, "NV"));
  }
  if (m.trace.rows > 0) {
    CondensedDelassus<double> op(m.model, state.rows());
    std::vector<double> y(x.size()), z(x.size());
    const std::vector<double> damping = dampings(m, numbers);
    require(op.factor(state));
    require(op.apply(x, y));
    require(op.update_damping(damping_of(m, damping)));
    require(op.solve(x, z));
    text += array(m, "x", x, real) + array(m, "damping", damping, real) + array(m, "wanted_y", y, "double") +
            array(m, "wanted_z", z, "double") + contacts_array(m);
    got += fmt::format("static {0}_factor factor;\nstatic {1} got_y[{2}];\nstatic {1} got_z[{2}];\n", p, real,
                       macro(m, "ROWS"));
    const bool contacts = !contact_inputs(m.constraints, m.options).empty();
    const bool number = m.options.damping == GenerateOptions::DampingForm::kNumber;
    body += fmt::format("  status |= {}_update(&factor, q{});\n", p, contacts ? ", contacts" : "");
    body += fmt::format("  status |= {}_apply(&factor, x, got_y);\n", p);
    body += fmt::format("  status |= {}_damp(&factor, damping{});\n", p, number ? "[0]" : "");
    body += fmt::format("  status |= {}_solve(&factor, x, got_z);\n", p);
    compare("y", "ROWS");
    compare("z", "ROWS");
    if (has_dynamics(m)) {
      const std::vector<double> forces = damped_forces(m, state, op, x, q, torques), moved = response(m, op, x);
      text += array(m, "wanted_moved", moved, "double");
      got += fmt::format("static {0} got_moved[{1}];\n", real, macro(m, "NV"));
      body += fmt::format("  status |= {}_response(&factor, x, got_moved);\n", p);
      compare("moved", "NV");
      // In float rows of light joints, which yield a thousand times what they are damped by, may be INACCURATE.
      if (!m.dialect.is_float) {
        got += fmt::format("static {0} got_forces[{1}];\n", real, macro(m, "ROWS"));
        text += array(m, "wanted_forces", forces, "double");
        body += fmt::format("  status |= {}_damped_dynamics(&factor, v, tau, x, got_moved, got_forces);\n", p);
        compare("forces", "ROWS");
      }
    }
    if (has_contact_solver(m)) {
      text += array(m, "free_velocity", velocities_without(m, op), real);
      got += fmt::format("static {0}_contact_solver solver;\nstatic {1} lambda[{2}];\n", p, real, macro(m, "ROWS"));
      body += fmt::format("  {}_contact_settings(&solver);\n", p);
      if (m.dialect.is_float) body += fmt::format("  solver.tolerance = {};\n", m.dialect.number(1e-2));
      body += fmt::format(
          "  status |= {}_contact_forces(&solver, &factor, free_velocity, lambda);\n"
          "  (void)printf(\"contact forces: %d solves, residual %.2e m/s\\n\", solver.solves, "
          "(double)solver.velocity);\n",
          p);
    }
  }
  text += got;
  // A solve may lose what the library's may: its tolerance. The products of these kernels lose some roundings.
  text += fmt::format(
      "\nstatic int differs(const char *what, const {0} *got, const double *wanted, int count) {{\n"
      "  double most = 0.0;\n"
      "  double error = 0.0;\n"
      "  int k;\n"
      "  for (k = 0; k < count; ++k) {{\n"
      "    const double difference = fabs((double)got[k] - wanted[k]);\n"
      "    most = (most < fabs(wanted[k])) ? fabs(wanted[k]) : most;\n"
      "    error = !(difference <= error) ? difference : error;\n"
      "  }}\n"
      "  (void)printf(\"%-6s relative difference %.2e\\n\", what, error / most);\n"
      "  return !(error <= ({1} * most)) ? 1 : 0;\n"
      "}}\n\n"
      "int main(void) {{\n  uint32_t status = 0U;\n  int worst = 0;\n{2}"
      "  if (status != 0U) {{ (void)printf(\"status %u\\n\", (unsigned)status); }}\n"
      "  return ((worst != 0) || (status != 0U)) ? 1 : 0;\n}}\n",
      real, m.dialect.is_float ? "1e-3" : "1e-10", body);
  return text;
}

}  // namespace delassus::generation
