// Contacts, loop closures and distances.
#include "constraint_kinds.hpp"

namespace delassus::python {
namespace {

const std::string& frame_name(const Model& model, const Attachment& a) { return model.frame(a.frame).name; }

std::string pair_name(const Model& model, const Attachment& a, const Attachment& b) {
  return frame_name(model, a) + "-" + frame_name(model, b);
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

}  // namespace

void bind_constraints_on_frames(py::module_& m) {
  bind_contact(m);
  bind_loop(m);
  bind_distance(m);
}

}  // namespace delassus::python
