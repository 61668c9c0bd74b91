// State: frames, velocities and Jacobians.
#include "arrays.hpp"
#include "bindings.hpp"
#include "coordinates.hpp"
#include "lock.hpp"
#include "model_arguments.hpp"
#include "names.hpp"
#include "state.hpp"

namespace delassus::python {

template <>
struct EnumNames<JacobianAxes> {
  static constexpr std::array<std::string_view, 2> kNames{"world", "frame"};
  static std::span<const std::string_view> names() { return kNames; }
};

StateObject::StateObject(std::shared_ptr<Model> m)
    : model_object(std::move(m)),
      model(*model_object),
      dynamics(model),
      subtree_masses(model),
      inverse_dynamics(model),
      composite(model) {}

void StateObject::update(VectorView<const double> q, VectorView<const double> v) {
  require_coordinates(model, q);
  require_finite(model, v);
  articulated_ = false;
  update_kinematics(model, q, kin);
  update_velocities(model, kin, v, vel);
}

ForwardDynamics<double>& StateObject::articulated() {
  if (!articulated_) require_ok(articulate(model, kin, dynamics), model);
  articulated_ = true;
  return dynamics;
}

namespace {

void update(StateObject& self, const py::object& q, const py::object& v) {
  const std::vector<double> rest(v.is_none() ? static_cast<std::size_t>(self.model.nv()) : 0, 0.0);
  const auto coordinates = vector_in(q, "q", self.model.nq());
  const auto velocities = v.is_none() ? VectorView<const double>(rest) : vector_in(v, "v", self.model.nv());
  const Working working(self.mutex);
  self.update(coordinates, velocities);
}

/// (angular; linear), shape (6,).
py::object six(const Motion<double>& m) {
  py::object out = new_vector(6);
  const auto to = vector_out(out, "out", 6);
  for (int k = 0; k < 3; ++k) {
    to[k] = m.angular[k];
    to[k + 3] = m.linear[k];
  }
  return out;
}

py::object copy_of(StateObject& self, const std::vector<double>& values) {
  py::object out = new_vector(static_cast<int>(values.size()));
  const auto to = vector_out(out, "out", static_cast<int>(values.size()));
  const Working working(self.mutex);
  std::copy(values.begin(), values.end(), to.data());
  return out;
}

/// What a function of the frame gives.
template <class F>
auto at_frame(StateObject& self, const py::object& frame, F&& f) {
  const int index = frame_index(self.model, frame, "frame");
  const Working working(self.mutex);
  return f(index);
}

void bind_frames(py::class_<StateObject>& c) {
  c.def(
      "frame_pose",
      [](StateObject& self, const py::object& frame) {
        return at_frame(self, frame, [&](int index) { return frame_pose(self.model, self.kin, index); });
      },
      py::arg("frame"), "The Pose of a frame (its name or index) in the world; metres.");
  c.def(
      "frame_velocity",
      [](StateObject& self, const py::object& frame) {
        return six(at_frame(self, frame, [&](int i) { return frame_velocity(self.model, self.kin, self.vel, i); }));
      },
      py::arg("frame"), "Angular velocity and velocity of the frame's origin, world axes: rad/s and m/s, shape (6,).");
  c.def(
      "frame_drift",
      [](StateObject& self, const py::object& frame) {
        return six(at_frame(self, frame, [&](int i) { return frame_drift(self.model, self.kin, self.vel, i); }));
      },
      py::arg("frame"),
      "Angular acceleration and acceleration of the frame's origin while no joint accelerates, world axes: shape "
      "(6,).");
  c.def(
      "frame_jacobian",
      [](StateObject& self, const py::object& frame, const py::object& axes, const py::object& out) {
        const int index = frame_index(self.model, frame, "frame");
        const auto which = Convert<JacobianAxes>::from(axes, "axes");
        py::object result = matrix_or_new(out, 6, self.model.nv());
        const auto J = matrix_out(result, "out", 6, self.model.nv());
        const Working working(self.mutex);
        frame_jacobian(self.model, self.kin, index, which, J);
        return result;
      },
      py::arg("frame"), py::arg("axes") = "world", py::arg("out") = py::none(),
      "J with J v = frame_velocity, in world axes or in the frame's own (axes=\"frame\"): shape (6, nv).");
  c.def(
      "centre_of_mass",
      [](StateObject& self) {
        const Vec3<double> p = [&] {
          const Working working(self.mutex);
          return centre_of_mass(self.model, self.kin);
        }();
        return Convert<Vec3<double>>::to(p);
      },
      "Of everything that has mass: metres, shape (3,).");
  c.def(
      "centre_of_mass_jacobian",
      [](StateObject& self, const py::object& out) {
        py::object result = matrix_or_new(out, 3, self.model.nv());
        const auto J = matrix_out(result, "out", 3, self.model.nv());
        const Working working(self.mutex);
        centre_of_mass_jacobian(self.model, self.kin, J, self.subtree_masses);
        return result;
      },
      py::arg("out") = py::none(), "J with J v = velocity of the centre of mass, world axes: shape (3, nv).");
}

}  // namespace

void bind_kinematics(py::module_& m) {
  py::class_<StateObject> c(m, "State",
                            "A model where it is and how it moves: frames, Jacobians and dynamics at one q and v.\n\n"
                            "Calls run without the GIL. Threads may share a State; their calls wait for each other.");
  c.def(py::init([](std::shared_ptr<Model> model, const py::object& q, const py::object& v) {
          auto state = std::make_unique<StateObject>(std::move(model));
          update(*state, q.is_none() ? py::cast(state->model_object).attr("neutral")() : q, v);
          return state;
        }),
        py::arg("model"), py::arg("q") = py::none(), py::arg("v") = py::none(),
        "At q (nq,), neutral unless given, with velocities v (nv,), at rest unless given.");
  c.def("update", update, py::arg("q"), py::arg("v") = py::none(),
        "Moves to q (nq,) with velocities v (nv,), at rest unless given.");
  c.def_readonly("model", &StateObject::model_object, "The Model.");
  c.def_property_readonly(
      "q", [](StateObject& self) { return copy_of(self, self.kin.q); }, "A copy of the coordinates, shape (nq,).");
  c.def_property_readonly(
      "v", [](StateObject& self) { return copy_of(self, self.vel.v); }, "A copy of the velocities, shape (nv,).");
  c.def("__repr__", [](const StateObject& self) {
    return Convert<std::string>::to("<delassus.State of '" + self.model.name() + "'>");
  });
  c.def("__reduce__", [](const py::object& self) {
    return py::make_tuple(self.attr("__class__"), py::make_tuple(self.attr("model"), self.attr("q"), self.attr("v")));
  });
  bind_frames(c);
}

}  // namespace delassus::python
