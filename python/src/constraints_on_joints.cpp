// Limits, friction, couplings and polynomials of joints.
#include "constraint_kinds.hpp"

namespace delassus::python {

/// A term as (link, dof, weight).
template <>
struct Convert<JointCoupling::Term> {
  static py::object to(const JointCoupling::Term& t) { return py::make_tuple(t.link, t.dof, t.weight); }
  static JointCoupling::Term from(py::handle object, std::string_view argument) {
    if (!py::isinstance<py::tuple>(object) || py::len(object) != 3) {
      throw_wrong_type(argument, object, "a tuple (link, dof, weight)");
    }
    const auto t = py::reinterpret_borrow<py::tuple>(object);
    return {Convert<int>::from(t[0], argument), Convert<int>::from(t[1], argument),
            Convert<double>::from(t[2], argument)};
  }
};

namespace {

int dof_of(const Model& model, int link, const py::object& dof) {
  return static_cast<int>(integer_from(dof, "dof", 0, static_cast<std::uint64_t>(model.link(link).nv) - 1));
}

void bind_limit_and_friction(py::module_& m) {
  auto limit = bind_kind<JointLimit>(
      m, "JointLimit", "A coordinate stays above its lower or below its upper bound: one row, position = room left.",
      {field("name", &JointLimit::name, "For messages."),
       field("link", &JointLimit::link, "The link whose joint is limited."),
       field("dof", &JointLimit::dof, "Within the joint."), field("upper", &JointLimit::upper, "Else a lower bound."),
       field("bound", &JointLimit::bound, "rad or m.")});
  limit.bound.def(
      py::init([](const Model& model, const py::object& joint, const py::object& bound, const py::object& upper,
                  const py::object& dof, const py::object& set, const py::object& name) {
        JointLimit c;
        c.link = link_index(model, joint, "joint");
        c.dof = dof_of(model, c.link, dof);
        c.bound = Convert<double>::from(bound, "bound");
        c.upper = Convert<bool>::from(upper, "upper");
        const std::string& otherwise = model.joint_name(c.link);
        return finished(model, std::move(c), set, name, otherwise);
      }),
      py::arg("model"), py::arg("joint"), py::arg("bound"), py::kw_only(), py::arg("upper") = false, py::arg("dof") = 0,
      py::arg("set") = py::none(), py::arg("name") = py::none(), "Of a joint (its name or index); bound in rad or m.");
  auto friction = bind_kind<JointFriction>(m, "JointFriction",
                                           "Dry friction of one degree of freedom: one row, whose force is bounded.",
                                           {field("name", &JointFriction::name, "For messages."),
                                            field("link", &JointFriction::link, "The link whose joint has it."),
                                            field("dof", &JointFriction::dof, "Within the joint.")});
  friction.bound.def(py::init([](const Model& model, const py::object& joint, const py::object& bound,
                                 const py::object& dof, const py::object& name) {
                       JointFriction c;
                       c.link = link_index(model, joint, "joint");
                       c.dof = dof_of(model, c.link, dof);
                       c.set.bound = Convert<double>::from(bound, "bound");
                       const std::string& otherwise = model.joint_name(c.link);
                       return finished(model, std::move(c), py::none(), name, otherwise);
                     }),
                     py::arg("model"), py::arg("joint"), py::arg("bound"), py::kw_only(), py::arg("dof") = 0,
                     py::arg("name") = py::none(), "Of a joint (its name or index); the largest force in Nm or N.");
}

/// {joint: weight}, or a list of (joint, dof, weight).
std::vector<JointCoupling::Term> terms_from(const Model& model, const py::object& terms) {
  std::vector<JointCoupling::Term> out;
  if (py::isinstance<py::dict>(terms)) {
    for (const auto& [joint, weight] : py::reinterpret_borrow<py::dict>(terms)) {
      out.push_back({link_index(model, joint, "terms"), 0, Convert<double>::from(weight, "terms")});
    }
    return out;
  }
  if (!py::isinstance<py::iterable>(terms) || py::isinstance<py::str>(terms)) {
    throw_wrong_type("terms", terms, "a dict {joint: weight} or a list of (joint, dof, weight)");
  }
  for (const py::handle item : terms) {
    if (!py::isinstance<py::tuple>(item) || py::len(item) != 3) {
      throw_wrong_type("terms[" + std::to_string(out.size()) + "]", item, "a tuple (joint, dof, weight)");
    }
    const auto term = py::reinterpret_borrow<py::tuple>(item);
    const int link = link_index(model, term[0], "terms");
    out.push_back({link, dof_of(model, link, term[1]), Convert<double>::from(term[2], "terms")});
  }
  return out;
}

void bind_couplings(py::module_& m) {
  auto coupling = bind_kind<JointCoupling>(
      m, "JointCoupling", "The weighted sum of some coordinates keeps its value: one row. Mimic joints, gears.",
      {field("name", &JointCoupling::name, "For messages."),
       field("terms", &JointCoupling::terms, "Tuples (link, dof, weight)."),
       field("offset", &JointCoupling::offset, "The value of the sum.")});
  coupling.bound.def(py::init([](const Model& model, const py::object& terms, const py::object& offset,
                                 const py::object& set, const py::object& name) {
                       JointCoupling c;
                       c.terms = terms_from(model, terms);
                       c.offset = Convert<double>::from(offset, "offset");
                       return finished(model, std::move(c), set, name, "coupling");
                     }),
                     py::arg("model"), py::arg("terms"), py::kw_only(), py::arg("offset") = 0.0,
                     py::arg("set") = py::none(), py::arg("name") = py::none(),
                     "terms: {joint: weight}, or a list of (joint, dof, weight).");
  auto polynomial = bind_kind<JointPolynomial>(
      m, "JointPolynomial",
      "q1 = c0 + c1 q2 + c2 q2^2 + c3 q2^3 + c4 q2^4, or q1 = c0 without another joint: one row. MJCF's joint "
      "equality.",
      {field("name", &JointPolynomial::name, "For messages."),
       field("link", &JointPolynomial::link, "The link of the first joint."),
       field("dof", &JointPolynomial::dof, "Within the first joint."),
       field("other_link", &JointPolynomial::other_link, "The link of the other joint; -1: none."),
       field("other_dof", &JointPolynomial::other_dof, "Within the other joint."),
       field("coefficients", &JointPolynomial::coefficients, "c0 to c4, shape (5,).")});
  polynomial.bound.def(
      py::init([](const Model& model, const py::object& joint, const py::object& other, const py::object& coefficients,
                  const py::object& dof, const py::object& other_dof, const py::object& set, const py::object& name) {
        JointPolynomial c;
        c.link = link_index(model, joint, "joint");
        c.dof = dof_of(model, c.link, dof);
        if (!other.is_none()) {
          c.other_link = link_index(model, other, "other");
          c.other_dof = dof_of(model, c.other_link, other_dof);
        }
        c.coefficients = Convert<std::array<double, 5>>::from(coefficients, "coefficients");
        const std::string& otherwise = model.joint_name(c.link);
        return finished(model, std::move(c), set, name, otherwise);
      }),
      py::arg("model"), py::arg("joint"), py::arg("other") = py::none(),
      py::arg("coefficients") = py::make_tuple(0.0, 1.0, 0.0, 0.0, 0.0), py::kw_only(), py::arg("dof") = 0,
      py::arg("other_dof") = 0, py::arg("set") = py::none(), py::arg("name") = py::none(),
      "Joints by name or index; coefficients (5,).");
}

}  // namespace

void bind_constraints_on_joints(py::module_& m) {
  bind_limit_and_friction(m);
  bind_couplings(m);
}

}  // namespace delassus::python
