// AugmentedObject: several hands and the body that they hold.
#include "delassus/control/grasp_controller.hpp"

#include <mutex>

#include "arrays.hpp"
#include "bindings.hpp"
#include "lock.hpp"
#include "tasks.hpp"

namespace delassus::python {
namespace {

const Vec3<double> kEarth{{0, 0, -9.81}};

struct HeldBody {
  explicit HeldBody(const HeldObject& object) : augmented(object) {}
  AugmentedObject<double> augmented;
  std::mutex mutex;
};

Pose<double> pose_from(const py::object& pose) {
  const auto out = Convert<Pose<double>>::from(pose, "pose");
  if (!is_pose(out)) throw Error("argument 'pose' is no pose; R has to be a rotation, and p finite");
  return out;
}

void update_body(HeldBody& self, const py::object& pose, const py::object& velocity, const py::object& hand) {
  const Pose<double> at = pose_from(pose);
  const Motion<double> moves = given_or(velocity, "velocity", Motion<double>::zero());
  const int last = self.augmented.num_hands() - 1;
  const int which =
      hand.is_none() ? -1 : static_cast<int>(integer_from(hand, "hand", 0, static_cast<std::uint64_t>(last)));
  const Working working(self.mutex);
  if (which < 0) {
    self.augmented.update(at, moves);
  } else {
    self.augmented.update_from_hand(which, at, moves);
  }
}

/// A verb that fills the rows of all hands.
template <class Verb>
py::object hand_rows(HeldBody& self, const py::object& out, Verb&& verb) {
  const int rows = self.augmented.rows();
  py::object result = vector_or_new(out, rows);
  const auto to = vector_out(result, "out", rows);
  const Working working(self.mutex);
  verb(to.data());
  return result;
}

py::object distribute(HeldBody& self, const py::object& wrench, const py::object& wish, const py::object& out) {
  const auto total = Convert<Force<double>>::from(wrench, "wrench");
  const double* near = wish.is_none() ? nullptr : vector_in(wish, "wish", self.augmented.rows()).data();
  if (near && !out.is_none()) require_apart(wish, "wish", out, Sharing::kSame);
  return hand_rows(self, out, [&](double* forces) { self.augmented.distribute(total, near, forces); });
}

/// A verb that finds something small.
template <class Verb>
py::object found(HeldBody& self, Verb&& verb) {
  using Value = std::decay_t<decltype(verb(self.augmented))>;
  const Value value = [&] {
    const Working working(self.mutex);
    return verb(self.augmented);
  }();
  return Convert<Value>::to(value);
}

py::object body_inertia(HeldBody& self, const py::object& hands, const py::object& out) {
  const int rows = self.augmented.rows();
  const auto inertia = matrix_in(hands, "hands", rows, rows);
  py::object result = matrix_or_new(out, 6, 6);
  const auto to = matrix_out(result, "out", 6, 6);
  if (!out.is_none()) require_apart(hands, "hands", out, Sharing::kNone);
  const Working working(self.mutex);
  self.augmented.inertia(inertia, to);
  return result;
}

py::object body_bias(HeldBody& self, const py::object& hands, const py::object& hand_bias, const py::object& gravity) {
  const int rows = self.augmented.rows();
  const auto inertia = matrix_in(hands, "hands", rows, rows);
  const auto bias = vector_in(hand_bias, "hand_bias", rows);
  const auto g = given_or(gravity, "gravity", kEarth);
  return found(self, [&](auto& body) { return body.bias(inertia, bias.data(), g); });
}

void bind_body_state(py::class_<HeldBody>& c) {
  c.def(py::init([](const py::object& object) {
          return std::make_unique<HeldBody>(Convert<HeldObject>::from(object, "object"));
        }),
        py::arg("object"), "A HeldObject; at the origin and at rest until updated.");
  c.def("update", update_body, py::arg("pose"), py::arg("velocity") = py::none(), py::kw_only(),
        py::arg("hand") = py::none(),
        "Everything at one Pose of the object and its velocity (6,), angular part first, at rest unless given. hand: "
        "both are\n"
        "those of this one, counted from 0.");
  c.def_property_readonly(
      "pose", [](HeldBody& self) { return found(self, [](auto& body) { return body.pose(); }); }, "The Pose.");
  c.def_property_readonly(
      "velocity", [](HeldBody& self) { return found(self, [](auto& body) { return body.velocity(); }); },
      "Angular, then linear: shape (6,).");
  c.def_property_readonly(
      "rows", [](const HeldBody& self) { return self.augmented.rows(); },
      "Six for each hand: three linear, then three angular, world axes.");
}

void bind_body_verbs(py::class_<HeldBody>& c) {
  c.def(
      "hand_accelerations",
      [](HeldBody& self, const py::object& acceleration, const py::object& out) {
        const auto a = Convert<Motion<double>>::from(acceleration, "acceleration");
        return hand_rows(self, out, [&](double* to) { self.augmented.hand_accelerations(a, to); });
      },
      py::arg("acceleration"), py::arg("out") = py::none(),
      "Accelerations of the hands (rows,) with that of the object (6,), angular part first.");
  c.def(
      "wrench",
      [](HeldBody& self, const py::object& forces) {
        const auto f = vector_in(forces, "forces", self.augmented.rows());
        return found(self, [&](auto& body) { return body.wrench(f.data()); });
      },
      py::arg("forces"),
      "What forces of the hands (rows,) are together, about the object's origin: moment, force (6,).");
  c.def(
      "load",
      [](HeldBody& self, const py::object& acceleration, const py::object& gravity) {
        const auto a = Convert<Motion<double>>::from(acceleration, "acceleration");
        const auto g = given_or(gravity, "gravity", kEarth);
        return found(self, [&](auto& body) { return body.load(a, g); });
      },
      py::arg("acceleration"), py::arg("gravity") = py::none(),
      "The wrench (6,), moment first, that moves the object alone so (6,), angular part first. gravity: (0, 0, -9.81) "
      "unless\ngiven.");
  c.def("distribute", distribute, py::arg("wrench"), py::arg("wish") = py::none(), py::arg("out") = py::none(),
        "Forces of the hands (rows,) that are this wrench (6,), moment first, together: the nearest to a wish (rows,), "
        "or the\n"
        "least. `out` may be the wish itself.");
  c.def(
      "squeeze",
      [](HeldBody& self, const py::object& force, const py::object& out) {
        const double f = Convert<double>::from(force, "force");
        return hand_rows(self, out, [&](double* to) { self.augmented.squeeze(f, to); });
      },
      py::arg("force"), py::arg("out") = py::none(),
      "Forces (rows,) with which hands press towards their middle, N each.");
  c.def("inertia", body_inertia, py::arg("hands"), py::arg("out") = py::none(),
        "The augmented object's inertia (6, 6) from that of the hands (rows, rows): linear rows first, as those of "
        "tasks.");
  c.def("bias", body_bias, py::arg("hands"), py::arg("hand_bias"), py::arg("gravity") = py::none(),
        "What velocities and gravity (3,) do to the augmented object, from the inertia (rows, rows) and bias force "
        "(rows,) of\nthe hands: moment, force (6,).");
}

}  // namespace

void bind_augmented_object(py::module_& m) {
  ValueClass<HeldObject>(
      m, "HeldObject", "A body that hands hold.",
      {field("inertial", &HeldObject::inertial, "An Inertial in its frame."),
       field("hands", &HeldObject::hands, "A tuple of the hands' frames in its frame, each a Pose.")});
  py::class_<HeldBody> c(m, "AugmentedObject",
                         "What several hands and the body that they hold are together, seen at the body.");
  bind_body_state(c);
  bind_body_verbs(c);
}

}  // namespace delassus::python
