// The kinds of constraints, each with a constructor that takes names of the model.
#include "constraints.hpp"

#include "bindings.hpp"
#include "model_arguments.hpp"

namespace delassus::python {

namespace {

/// Tries the kinds one after the other.
template <std::size_t kIndex = 0>
Constraint constraint_from(py::handle object, std::string_view argument) {
  if constexpr (kIndex == std::variant_size_v<Constraint>) {
    throw_wrong_type(argument, object, "a constraint, such as delassus.PointContact");
  } else {
    using Kind = std::variant_alternative_t<kIndex, Constraint>;
    if (py::isinstance<Kind>(object)) return object.cast<const Kind&>();
    return constraint_from<kIndex + 1>(object, argument);
  }
}

}  // namespace

Constraint Convert<Constraint>::from(py::handle object, std::string_view argument) {
  return constraint_from(object, argument);
}

namespace {

template <class T>
ValueClass<T> bind_kind(py::module_& m, const char* name, const char* doc, std::vector<Field<T>> fields) {
  fields.push_back(field("set", &T::set, "The set that its force lies in, a ForceSet."));
  ValueClass<T> kind(m, name, doc, std::move(fields), ValueClass<T>::Construction::kElsewhere);
  kind.bound.def_property_readonly(
      "num_rows", [](const T& self) { return row_count(Constraint(self)); }, "How many rows it has.");
  kind.bound.def_property_readonly(
      "kind_name", [](const T& self) { return std::string(kind_of(Constraint(self))); },
      "The word for it in files and messages.");
  return kind;
}

/// Sets what all kinds have, and throws an Error if the constraint does not fit the model.
template <class T>
T finished(const Model& model, T constraint, const py::object& set, const py::object& name, std::string otherwise) {
  constraint.name = name.is_none() ? std::move(otherwise) : Convert<std::string>::from(name, "name");
  if (!set.is_none()) constraint.set = Convert<ForceSet>::from(set, "set");
  require_valid(model, constraint);
  return constraint;
}

const std::string& frame_name(const Model& model, const Attachment& a) { return model.frame(a.frame).name; }

std::string pair_name(const Model& model, const Attachment& a, const Attachment& b) {
  return frame_name(model, a) + "-" + frame_name(model, b);
}

int dof_of(const Model& model, int link, const py::object& dof) {
  return static_cast<int>(integer_from(dof, "dof", 0, static_cast<std::uint64_t>(model.link(link).nv) - 1));
}

/// "xz" for the bits of x and z.
std::string letters_of(std::uint8_t bits) {
  std::string out;
  for (int k = 0; k < 3; ++k) {
    if (bits >> k & 1) out += io::kAxisLetters[static_cast<std::size_t>(k)];
  }
  return out;
}

std::uint8_t bits_of(py::handle letters, const char* argument) {
  unsigned bits = 0;
  for (const char c : Convert<std::string>::from(letters, argument)) {
    const std::size_t k = std::string_view("xyz").find(c);
    if (k == std::string_view::npos) {
      throw Error("argument '" + std::string(argument) + "' names the axis '" + c +
                  "'; expected some of the letters x, y and z");
    }
    bits |= 1U << k;
  }
  return static_cast<std::uint8_t>(bits);
}

Field<LoopClosure> axes_field(const char* name, std::uint8_t LoopClosure::*bits, const char* doc) {
  return {name, [bits](const LoopClosure& c) { return Convert<std::string>::to(letters_of(c.*bits)); },
          [bits, name](LoopClosure& c, py::handle value) { c.*bits = bits_of(value, name); }, doc};
}

// ------------------------------------------------------------------------------------------ on frames

void bind_parts(py::module_& m) {
  ValueClass<ForceSet> set(
      m, "ForceSet", "The set that a constraint's force lies in.",
      {field("kind", &ForceSet::kind, "equality, nonnegative, box or friction_cone."),
       field("bound", &ForceSet::bound, "box: the largest force, N or Nm."),
       field("mu", &ForceSet::mu, "friction_cone: coefficient of sliding."),
       field("mu_torsion", &ForceSet::mu_torsion, "friction_cone: coefficient of torsion, metres."),
       field("mu_rolling", &ForceSet::mu_rolling, "friction_cone: coefficient of rolling, metres.")});
  ValueClass<Attachment> attachment(m, "Attachment", "A place on a frame of a model.",
                                    {field("frame", &Attachment::frame, "Index of the frame; 0 is the world."),
                                     field("offset", &Attachment::offset, "A Pose in the frame.")},
                                    ValueClass<Attachment>::Construction::kElsewhere);
  attachment.bound.def(py::init([](const Model& model, const py::object& frame, const py::object& offset) {
                         Attachment a{frame_index(model, frame, "frame"), Pose<double>::identity()};
                         if (!offset.is_none()) a.offset = Convert<Pose<double>>::from(offset, "offset");
                         return a;
                       }),
                       py::arg("model"), py::arg("frame"), py::arg("offset") = py::none(),
                       "A frame by name or index, and a Pose in it.");
}

void bind_contact(py::module_& m) {
  auto kind = bind_kind<PointContact>(
      m, "PointContact",
      "Body a touches body b at a point. Rows: along the normal; two tangents; rotation about the normal; about both\n"
      "tangents: 1, 3, 4 or 6 of them, by kind. Velocities in m/s and rad/s, of a against b.",
      {field("name", &PointContact::name, "For messages."),
       field("a", &PointContact::a, "Where the contact point is, an Attachment."),
       field("b", &PointContact::b, "Index of the frame of the other body; 0: the world."),
       field("axes", &PointContact::axes, "Rows n, t1, t2 in world axes, right-handed; n from b to a; shape (3, 3)."),
       field("gap", &PointContact::gap, "Signed distance along n, metres."),
       field("kind", &PointContact::kind, "frictionless, sliding, torsional or rolling.")});
  kind.bound.def(py::init([](const Model& model, const py::object& frame, const py::object& point,
                             const py::object& other, const py::object& normal, const py::object& gap,
                             const py::object& kind_name, const py::object& set, const py::object& name) {
                   PointContact c;
                   c.a = attachment_of(model, frame, "frame");
                   if (!point.is_none()) c.a.offset.p = Convert<Vec3<double>>::from(point, "point");
                   c.b = frame_index(model, other, "other");
                   if (!normal.is_none()) c.axes = contact_axes(Convert<Vec3<double>>::from(normal, "normal"));
                   c.gap = Convert<double>::from(gap, "gap");
                   c.kind = Convert<ContactKind>::from(kind_name, "kind");
                   const std::string otherwise = frame_name(model, c.a);
                   return finished(model, std::move(c), set, name, otherwise);
                 }),
                 py::arg("model"), py::arg("frame"), py::arg("point") = py::none(), py::kw_only(),
                 py::arg("other") = "world", py::arg("normal") = py::none(), py::arg("gap") = 0.0,
                 py::arg("kind") = "sliding", py::arg("set") = py::none(), py::arg("name") = py::none(),
                 "At a point (3,) of a frame, metres, against another frame. The normal (3,), in world axes and of any "
                 "length, points\n"
                 "from the other body to the frame's; it is up unless given. It is named as the frame unless given.");
}

/// Weld, ball and any other closure differ in what is free.
LoopClosure loop_between(const Model& model, const py::object& first, const py::object& second) {
  LoopClosure c;
  c.first = attachment_of(model, first, "first");
  c.second = attachment_of(model, second, "second");
  return c;
}

void bind_loop(py::module_& m) {
  auto kind = bind_kind<LoopClosure>(
      m, "LoopClosure",
      "Two frames coincide but for the free axes. Rows: the linear axes that are held, then the angular ones. A weld "
      "has\n"
      "six rows; a ball joint has free_angular=\"xyz\".",
      {field("name", &LoopClosure::name, "For messages."), field("first", &LoopClosure::first, "An Attachment."),
       field("second", &LoopClosure::second, "An Attachment."),
       axes_field("free_linear", &LoopClosure::free_linear, "Letters of the axes along which they may move."),
       axes_field("free_angular", &LoopClosure::free_angular, "Letters of the axes about which they may turn."),
       field("axes", &LoopClosure::axes, "frame1 (rows in the axes of the first frame) or world.")});
  kind.bound.def(py::init([](const Model& model, const py::object& first, const py::object& second,
                             const py::object& free_linear, const py::object& free_angular, const py::object& axes,
                             const py::object& set, const py::object& name) {
                   LoopClosure c = loop_between(model, first, second);
                   c.free_linear = bits_of(free_linear, "free_linear");
                   c.free_angular = bits_of(free_angular, "free_angular");
                   c.axes = Convert<LoopAxes>::from(axes, "axes");
                   const std::string otherwise = pair_name(model, c.first, c.second);
                   return finished(model, std::move(c), set, name, otherwise);
                 }),
                 py::arg("model"), py::arg("first"), py::arg("second"), py::kw_only(), py::arg("free_linear") = "",
                 py::arg("free_angular") = "", py::arg("axes") = "frame1", py::arg("set") = py::none(),
                 py::arg("name") = py::none(), "Between two frames (names, indices) or Attachments.");
}

void bind_distance(py::module_& m) {
  auto kind = bind_kind<Distance>(
      m, "Distance", "Two points keep a distance: one row.",
      {field("name", &Distance::name, "For messages."), field("first", &Distance::first, "An Attachment."),
       field("second", &Distance::second, "An Attachment."), field("length", &Distance::length, "Metres.")});
  kind.bound.def(py::init([](const Model& model, const py::object& first, const py::object& second,
                             const py::object& length, const py::object& set, const py::object& name) {
                   Distance c;
                   c.first = attachment_of(model, first, "first");
                   c.second = attachment_of(model, second, "second");
                   c.length = Convert<double>::from(length, "length");
                   const std::string otherwise = pair_name(model, c.first, c.second);
                   return finished(model, std::move(c), set, name, otherwise);
                 }),
                 py::arg("model"), py::arg("first"), py::arg("second"), py::arg("length"), py::kw_only(),
                 py::arg("set") = py::none(), py::arg("name") = py::none(),
                 "Between the origins of two frames (names, indices) or Attachments; length in metres.");
}

// ------------------------------------------------------------------------------------------ on joints

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
        const std::string otherwise = model.joint_name(c.link);
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
                       const std::string otherwise = model.joint_name(c.link);
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

}  // namespace

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
        const std::string otherwise = model.joint_name(c.link);
        return finished(model, std::move(c), set, name, otherwise);
      }),
      py::arg("model"), py::arg("joint"), py::arg("other") = py::none(),
      py::arg("coefficients") = py::make_tuple(0.0, 1.0, 0.0, 0.0, 0.0), py::kw_only(), py::arg("dof") = 0,
      py::arg("other_dof") = 0, py::arg("set") = py::none(), py::arg("name") = py::none(),
      "Joints by name or index; coefficients (5,).");
}

// ---------------------------------------------------------------------------------------------- others

/// {frame: K} or {v: weights} as lists of terms.
template <class Term, class Make>
std::vector<Term> terms_of(const py::object& terms, const char* argument, Make&& make) {
  std::vector<Term> out;
  if (terms.is_none()) return out;
  if (!py::isinstance<py::dict>(terms)) throw_wrong_type(argument, terms, "a dict");
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(terms)) out.push_back(make(key, value));
  return out;
}

void bind_others(py::module_& m) {
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

template <std::size_t... kIndex>
py::tuple classes_of_kinds(std::index_sequence<kIndex...>) {
  return py::make_tuple(py::type::of<std::variant_alternative_t<kIndex, Constraint>>()...);
}

}  // namespace

void bind_constraints(py::module_& m) {
  bind_parts(m);
  bind_contact(m);
  bind_loop(m);
  bind_distance(m);
  bind_limit_and_friction(m);
  bind_couplings(m);
  bind_others(m);
  m.attr("Constraint") = py::module_::import("typing").attr(
      "Union")[classes_of_kinds(std::make_index_sequence<std::variant_size_v<Constraint>>())];
}

}  // namespace delassus::python
