// Which operator to take, and why; and what the condensed tree makes of constraints.
#include "delassus/operators/planner.hpp"

#include "bindings.hpp"
#include "constraints.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/condensed.hpp"
#include "operator_names.hpp"
#include "operators/condensed/plan.hpp"

namespace delassus::python {

template <>
struct EnumNames<Condensation::Reason> {
  static constexpr std::array<std::string_view, 7> kNames{"branches",       "meeting",    "joint_rows", "many_rows",
                                                          "redundant_rows", "shared_tip", "wide"};
  static std::span<const std::string_view> names() { return kNames; }
};

namespace {

template <class Cost>
void bind_per_call(py::module_& m, const char* name, const char* what, const char* factor) {
  using Calls = PerCall<Cost>;
  ValueClass<Calls>(m, name, what,
                    {field("factor", &Calls::factor, factor), field("matrix", &Calls::matrix, "Of the matrix."),
                     field("product", &Calls::product, "Of one product."),
                     field("damping", &Calls::damping, "Of the first damping of a configuration."),
                     field("redamping", &Calls::redamping, "Of another damping."),
                     field("solve", &Calls::solve, "Of one damped solve.")});
}

void bind_counts(py::module_& m) {
  bind_per_call<std::int64_t>(m, "OperatorCount", "Operations (multiplications, additions, ...) of single calls.",
                              "From poses and lowered rows on.");
  bind_per_call<double>(m, "OperatorTime", "Microseconds that single calls take, as predicted.", "From q on.");
  ValueClass<OperatorPlan::Candidate>(
      m, "Candidate", "What one operator would cost.",
      {field("algorithm", &OperatorPlan::Candidate::algorithm, "Its name."),
       field("time_us", &OperatorPlan::Candidate::time_us, "For the whole workload, as predicted."),
       field("operations", &OperatorPlan::Candidate::operations, "For the whole workload."),
       field("exact", &OperatorPlan::Candidate::exact, "Counted; else bounds from below that ruled it out."),
       field("calls", &OperatorPlan::Candidate::calls, "An OperatorCount."),
       field("times", &OperatorPlan::Candidate::times, "An OperatorTime.")});
  ValueClass<Workload>(m, "Workload", "What is wanted of an operator at one configuration.",
                       {field("products", &Workload::products, "Products with a vector."),
                        field("dampings", &Workload::dampings, "Dampings, the first included."),
                        field("solves", &Workload::solves, "Damped solves."),
                        field("matrix", &Workload::matrix, "Whether the matrix itself is wanted.")});
}

void bind_condensation(py::module_& m) {
  ValueClass<Condensation::Chain>(
      m, "NodeChain", "Links one after the other that stay nodes of the condensed tree.",
      {field("reason", &Condensation::Chain::reason,
             "Why: branches, meeting, joint_rows, many_rows, redundant_rows, shared_tip or wide."),
       field("joint", &Condensation::Chain::joint, "The outermost."),
       field("links", &Condensation::Chain::links, "How many."),
       field("dofs", &Condensation::Chain::dofs, "Degrees of freedom."),
       field("rows", &Condensation::Chain::rows, "On its outermost link.")});
  ValueClass<Condensation> c(
      m, "Condensation", "What the condensed tree makes of a set of constraints. str() gives lines for a person.",
      {field("links", &Condensation::links, "All of the mechanism."),
       field("live", &Condensation::live, "Those that feel a constraint."),
       field("nodes", &Condensation::nodes, "Live links that stay."),
       field("carried", &Condensation::carried, "Live links that are crossed once per configuration."),
       field("groups", &Condensation::groups, "Rows that are carried together."),
       field("rows", &Condensation::rows, "All rows."),
       field("carried_rows", &Condensation::carried_rows, "Of groups."),
       field("multipliers", &Condensation::multipliers, "Unknowns of constraints that are not stiffness."),
       field("lone_rows", &Condensation::lone_rows, "Rows alone on a degree of freedom."),
       field("jointwise", &Condensation::jointwise, "A tuple of NodeChain.")});
  c.bound.def("__str__", [](const Condensation& self) { return self.text(); });
}

void bind_plan(py::module_& m) {
  ValueClass<OperatorPlan> plan(
      m, "Plan", "The time that each operator takes for a workload, as predicted, and the one that takes least.",
      {field("choice", &OperatorPlan::choice, "The name of the algorithm."),
       field("workload", &OperatorPlan::workload, "The Workload that it is for."),
       field("candidates", &OperatorPlan::candidates, "A tuple of Candidate, fastest first."),
       field("dofs", &OperatorPlan::dofs, "Degrees of freedom."), field("rows", &OperatorPlan::rows, "Rows."),
       field("depth", &OperatorPlan::depth, "Links on the longest path."),
       field("constraints", &OperatorPlan::constraints, "How many."),
       field("meetings", &OperatorPlan::meetings, "Links where constraints meet."),
       field("condensation", &OperatorPlan::condensation, "A Condensation.")});
  plan.bound.def(
      "explain", [](const OperatorPlan& self) { return self.explain(); },
      "The choice in words and numbers, some lines.");
  m.def(
      "plan",
      [](const Model& model, const py::object& constraints, const py::object& workload, const py::object& among) {
        const auto list = Convert<std::vector<Constraint>>::from(constraints, "constraints");
        const Workload work = workload_from(workload);
        const auto some = among.is_none() ? std::vector<Algorithm>(kDirectAlgorithms.begin(), kDirectAlgorithms.end())
                                          : Convert<std::vector<Algorithm>>::from(among, "among");
        const py::gil_scoped_release release;
        return plan_operator(model, list, work, some);
      },
      py::arg("model"), py::arg("constraints"), py::arg("workload") = py::none(), py::arg("among") = py::none(),
      "Which algorithm takes least time for a Workload (the matrix alone unless given), by counting operations and a "
      "table\n"
      "of what they take. It follows from the structure alone, not from q, and nothing is measured. `among`: the names "
      "of\n"
      "the algorithms to choose from.");
}

// ------------------------------------------------------------------------------------- condensed tree

struct Lowered {
  ConstraintRows<double> rows;
  CondensedPlan plan;
};

Lowered lowered(const Model& model, const py::object& constraints) {
  Lowered out;
  lower_structure(model, Convert<std::vector<Constraint>>::from(constraints, "constraints"), out.rows);
  CondensedPlanner(model).run(model, out.rows, CondensedOptions{}, out.plan);
  return out;
}

py::tuple link_roles(const Model& model, const py::object& constraints) {
  const Lowered l = lowered(model, constraints);
  std::vector<const char*> role(static_cast<std::size_t>(model.num_links()), "quiet");
  for (const std::int32_t link : l.plan.groups.chain_links) role[static_cast<std::size_t>(link)] = "carried";
  for (const CondensedPlan::Node& node : l.plan.nodes) {
    if (node.link >= 0) role[static_cast<std::size_t>(node.link)] = "node";
  }
  py::tuple out(role.size());
  for (std::size_t k = 0; k < role.size(); ++k) out[k] = role[k];
  return out;
}

}  // namespace

void bind_planner(py::module_& m) {
  bind_counts(m);
  bind_condensation(m);
  bind_plan(m);
  m.def(
      "condensation",
      [](const Model& model, const py::object& constraints) {
        const Lowered l = lowered(model, constraints);
        return make_condensation(model, l.rows, l.plan);
      },
      py::arg("model"), py::arg("constraints"), "What the condensed tree makes of some constraints, a Condensation.");
  m.def("link_roles", link_roles, py::arg("model"), py::arg("constraints"),
        "What each link is in the condensed tree: \"node\", \"carried\", or \"quiet\" if it feels no constraint.");
}

}  // namespace delassus::python
