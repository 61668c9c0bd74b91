// Constraints: places and sets, all kinds, and any of them as an argument.
#include "constraints.hpp"

#include "bindings.hpp"
#include "constraint_kinds.hpp"

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

void bind_parts(py::module_& m) {
  ValueClass<ForceSet> set(
      m, "ForceSet", "The set that a constraint's force lies in.",
      {field("kind", &ForceSet::kind, "equality, nonnegative, box or friction_cone."),
       field("bound", &ForceSet::bound, "box: the largest force, N or Nm."),
       field("mu", &ForceSet::mu, "friction_cone: coefficient of sliding."),
       field("mu_torsion", &ForceSet::mu_torsion, "friction_cone: coefficient of torsion, metres."),
       field("mu_rolling", &ForceSet::mu_rolling, "friction_cone: coefficient of rolling, metres."),
       field("mu_across", &ForceSet::mu_across,
             "friction_cone: coefficient of sliding along t2, where it is another than along t1; else 0.")});
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

template <std::size_t... kIndex>
py::tuple classes_of_kinds(std::index_sequence<kIndex...>) {
  return py::make_tuple(py::type::of<std::variant_alternative_t<kIndex, Constraint>>()...);
}

}  // namespace

void bind_constraints(py::module_& m) {
  bind_parts(m);
  bind_constraints_on_frames(m);
  bind_constraints_on_joints(m);
  bind_other_constraints(m);
  m.attr("Constraint") = py::module_::import("typing").attr(
      "Union")[classes_of_kinds(std::make_index_sequence<std::variant_size_v<Constraint>>())];
}

}  // namespace delassus::python
