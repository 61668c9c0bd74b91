// The centre of mass, and rows of the user's own.
#include "constraint_kinds.hpp"

namespace delassus::python {

/// A term as (frame, K), flat by rows.
template <>
struct Convert<CustomRows::BodyTerm> {
  static py::object to(const CustomRows::BodyTerm& t) {
    const auto rows = static_cast<py::ssize_t>(t.K.size() / 6);
    return py::make_tuple(t.frame, read_only_array(t.K.data(), {rows, 6}));
  }
  static CustomRows::BodyTerm from(py::handle object, std::string_view argument) {
    if (!py::isinstance<py::tuple>(object) || py::len(object) != 2) {
      throw_wrong_type(argument, object, "a tuple (frame, K)");
    }
    const auto t = py::reinterpret_borrow<py::tuple>(object);
    return {Convert<int>::from(t[0], argument), numbers_from(t[1], argument, {-1, 6})};
  }
};

/// A term as (v, weights).
template <>
struct Convert<CustomRows::DofTerm> {
  static py::object to(const CustomRows::DofTerm& t) {
    return py::make_tuple(t.v, Convert<std::vector<double>>::to(t.weights));
  }
  static CustomRows::DofTerm from(py::handle object, std::string_view argument) {
    if (!py::isinstance<py::tuple>(object) || py::len(object) != 2) {
      throw_wrong_type(argument, object, "a tuple (v, weights)");
    }
    const auto t = py::reinterpret_borrow<py::tuple>(object);
    return {Convert<int>::from(t[0], argument), numbers_from(t[1], argument, {-1})};
  }
};

namespace {

/// {frame: K} or {v: weights} as lists of terms.
template <class Term, class Make>
std::vector<Term> terms_of(const py::object& terms, const char* argument, Make&& make) {
  std::vector<Term> out;
  if (terms.is_none()) return out;
  if (!py::isinstance<py::dict>(terms)) throw_wrong_type(argument, terms, "a dict");
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(terms)) out.push_back(make(key, value));
  return out;
}

void bind_centre_of_mass(py::module_& m) {
  auto com =
      bind_kind<CentreOfMass>(m, "CentreOfMass", "The centre of mass of everything: three rows in world axes, m/s.",
                              {field("name", &CentreOfMass::name, "For messages."),
                               field("target", &CentreOfMass::target, "Where it should be, metres, shape (3,).")});
  com.bound.def(
      py::init([](const Model& model, const py::object& target, const py::object& set, const py::object& name) {
        CentreOfMass c;
        if (!target.is_none()) c.target = Convert<Vec3<double>>::from(target, "target");
        return finished(model, std::move(c), set, name, "centre_of_mass");
      }),
      py::arg("model"), py::arg("target") = py::none(), py::kw_only(), py::arg("set") = py::none(),
      py::arg("name") = py::none(), "target: metres, shape (3,); zero unless given.");
}

void bind_custom_rows(py::module_& m) {
  auto custom = bind_kind<CustomRows>(
      m, "CustomRows",
      "Rows of your own: the sum of K times (angular velocity; velocity of the origin) of frames, both in their own "
      "axes,\n"
      "and of weights times joint velocities.",
      {field("name", &CustomRows::name, "For messages."), field("rows", &CustomRows::rows, "How many."),
       field("bodies", &CustomRows::bodies, "Tuples (frame, K), K of shape (rows, 6)."),
       field("dofs", &CustomRows::dofs, "Tuples (v, weights), weights of shape (rows,)."),
       field("position", &CustomRows::position, "Shape (rows,), or empty: zero.")});
  custom.bound.def(
      py::init([](const Model& model, const py::object& rows, const py::object& bodies, const py::object& dofs,
                  const py::object& position, const py::object& set, const py::object& name) {
        CustomRows c;
        c.rows = static_cast<int>(integer_from(rows, "rows", 1, 1'000'000));
        c.bodies = terms_of<CustomRows::BodyTerm>(bodies, "bodies", [&](py::handle frame, py::handle K) {
          return CustomRows::BodyTerm{frame_index(model, frame, "bodies"), numbers_from(K, "bodies", {c.rows, 6})};
        });
        c.dofs = terms_of<CustomRows::DofTerm>(dofs, "dofs", [&](py::handle v, py::handle weights) {
          return CustomRows::DofTerm{Convert<int>::from(v, "dofs"), numbers_from(weights, "dofs", {c.rows})};
        });
        if (!position.is_none()) c.position = numbers_from(position, "position", {c.rows});
        return finished(model, std::move(c), set, name, "custom");
      }),
      py::arg("model"), py::arg("rows"), py::kw_only(), py::arg("bodies") = py::none(), py::arg("dofs") = py::none(),
      py::arg("position") = py::none(), py::arg("set") = py::none(), py::arg("name") = py::none(),
      "bodies: {frame: K of shape (rows, 6)}; dofs: {index in v: weights of shape (rows,)}.");
}

}  // namespace

void bind_other_constraints(py::module_& m) {
  bind_centre_of_mass(m);
  bind_custom_rows(m);
}

}  // namespace delassus::python
