// Tasks of controllers: what is pursued, in which order, and where to.
#include "tasks.hpp"

#include "bindings.hpp"
#include "delassus/control/task.hpp"
#include "model_arguments.hpp"

namespace delassus::python {

py::object Convert<Motion<double>>::to(const Motion<double>& m) {
  const double six[] = {m.angular[0], m.angular[1], m.angular[2], m.linear[0], m.linear[1], m.linear[2]};
  return read_only_array(six, {6});
}

Motion<double> Convert<Motion<double>>::from(py::handle object, std::string_view argument) {
  const std::vector<double> n = numbers_from(object, argument, {6});
  return {{{n[0], n[1], n[2]}}, {{n[3], n[4], n[5]}}};
}

py::object Convert<Force<double>>::to(const Force<double>& f) {
  return Convert<Motion<double>>::to({f.moment, f.force});
}

Force<double> Convert<Force<double>>::from(py::handle object, std::string_view argument) {
  const auto six = Convert<Motion<double>>::from(object, argument);
  return {six.angular, six.linear};
}

PoseTarget pose_target_from(const py::object& target, const py::object& velocity, const py::object& acceleration) {
  if (py::isinstance<PoseTarget>(target)) {
    if (!velocity.is_none() || !acceleration.is_none()) {
      throw Error("a PoseTarget has its velocity and its acceleration; leave those arguments out");
    }
    return target.cast<const PoseTarget&>();
  }
  const Motion<double> none = Motion<double>::zero();
  return {Convert<Pose<double>>::from(target, "target"), given_or(velocity, "velocity", none),
          given_or(acceleration, "acceleration", none)};
}

namespace {

void bind_levels(py::module_& m) {
  ValueClass<TaskGains>(
      m, "TaskGains", "Row accelerations towards a target that moves: a_d + damping (v_d - v) - stiffness phi.",
      {field("stiffness", &TaskGains::stiffness, "1/s^2"), field("damping", &TaskGains::damping, "1/s")});
  ValueClass<SingularityOptions>(
      m, "SingularityOptions",
      "What happens along directions in which a level can hardly be moved, because of the posture or of levels above.",
      {field("handling", &SingularityOptions::handling,
             "clamp: their inertia is no larger than the threshold allows; damp: the whole level is damped by as much "
             "as the\n"
             "weakest needs; truncate: they are given up, and left to the levels below."),
       field("threshold", &SingularityOptions::threshold,
             "Directions are weak that yield less than this share of the softest row of the same kind."),
       field("best_effort", &SingularityOptions::best_effort,
             "Whether weak directions are expected of the level, and no reason for a status.")});
  ValueClass<TaskLevel>(
      m, "TaskLevel", "Tasks of one priority: each level moves only what the levels before it leave free.",
      {field("name", &TaskLevel::name, "For messages, and to find it by."),
       field("tasks", &TaskLevel::tasks, "A tuple of tasks, or of any other constraints, whose targets stand still."),
       field("gains", &TaskLevel::gains, "A TaskGains."),
       field("singular", &TaskLevel::singular, "A SingularityOptions.")});
  ValueClass<LevelReport<double>>(
      m, "LevelReport", "What directions of a level are weak at the last update.",
      {field("weak", &LevelReport<double>::weak, "How many."),
       field("smallest", &LevelReport<double>::smallest,
             "Share of the softest row that the weakest one yields, or a bound below it where none is weak."),
       field("row", &LevelReport<double>::row,
             "Within the level, the row that the weakest direction moves most; -1 if none is weak.")});
}

void bind_targets(py::module_& m) {
  ValueClass<PoseTarget>(
      m, "PoseTarget",
      "Where a frame shall be and how it shall move there, world axes; linear parts are of its origin.",
      {field("pose", &PoseTarget::pose, "A Pose."),
       field("velocity", &PoseTarget::velocity, "Angular, then linear: rad/s and m/s, shape (6,)."),
       field("acceleration", &PoseTarget::acceleration, "Angular, then linear: rad/s^2 and m/s^2, shape (6,).")});
  py::class_<CubicPath> path(m, "CubicPath",
                             "From one pose to another and at rest at both, along a cubic in time: a straight line for "
                             "the origin, a turn about one axis.");
  path.def(py::init([](const py::object& first, const py::object& last, const py::object& start,
                       const py::object& duration) {
             return CubicPath(Convert<Pose<double>>::from(first, "first"), Convert<Pose<double>>::from(last, "last"),
                              Convert<double>::from(start, "start"), Convert<double>::from(duration, "duration"));
           }),
           py::arg("first"), py::arg("last"), py::arg("start"), py::arg("duration"),
           "Between two poses, each a Pose; start and duration in seconds.");
  path.def(
      "at", [](const CubicPath& self, const py::object& t) { return self.at(Convert<double>::from(t, "t")); },
      py::arg("t"), "The PoseTarget at a time; at rest before the start and after the end.");
  path.def_property_readonly("end", &CubicPath::end, "Seconds.");
}

std::string task_name(const py::object& name, std::string otherwise) {
  return given_or(name, "name", std::move(otherwise));
}

std::string task_name(const py::object& name, const Model& model, const Attachment& frame) {
  return task_name(name, model.frame(frame.frame).name);
}

Constraint checked(const Model& model, Constraint task) {
  require_valid(model, task);
  return task;
}

Constraint pose_task(const Model& model, const py::object& frame, const py::object& target, const py::object& name) {
  const Attachment place = attachment_of(model, frame, "frame");
  const auto pose = Convert<Pose<double>>::from(target, "target");
  return checked(model, make_pose_task(task_name(name, model, place), place, pose));
}

Constraint position_task(const Model& model, const py::object& frame, const py::object& target,
                         const py::object& name) {
  const Attachment place = attachment_of(model, frame, "frame");
  const auto point = Convert<Vec3<double>>::from(target, "target");
  return checked(model, make_position_task(task_name(name, model, place), place, point));
}

Constraint orientation_task(const Model& model, const py::object& frame, const py::object& target,
                            const py::object& name) {
  const Attachment place = attachment_of(model, frame, "frame");
  const auto axes = Convert<Mat3<double>>::from(target, "target");
  return checked(model, make_orientation_task(task_name(name, model, place), place, axes));
}

Constraint centre_of_mass_task(const Model& model, const py::object& target, const py::object& name) {
  const auto point = Convert<Vec3<double>>::from(target, "target");
  return checked(model, make_centre_of_mass_task(task_name(name, "centre_of_mass"), point));
}

Constraint joint_task(const Model& model, const py::object& joint, const py::object& target, const py::object& name) {
  const std::string& word = model.joint_name(link_index(model, joint, "joint"));
  return checked(model, make_joint_task(task_name(name, word), model, word, Convert<double>::from(target, "target")));
}

/// As the constraint that it is.
template <auto kMake, class... Arguments>
auto task_maker() {
  return [](const Model& model, const Arguments&... arguments) {
    return Convert<Constraint>::to(kMake(model, arguments...));
  };
}

void bind_makers(py::module_& m) {
  using Any = py::object;
  m.def("pose_task", task_maker<pose_task, Any, Any, Any>(), py::arg("model"), py::arg("frame"), py::arg("target"),
        py::kw_only(), py::arg("name") = py::none(),
        "A frame (a name, an index or an Attachment) at a Pose: three linear rows, three angular ones, world axes. It "
        "is named\nas the frame unless given.");
  m.def("position_task", task_maker<position_task, Any, Any, Any>(), py::arg("model"), py::arg("frame"),
        py::arg("target"), py::kw_only(), py::arg("name") = py::none(),
        "The origin of a frame at a point (3,), metres: three rows, world axes.");
  m.def("orientation_task", task_maker<orientation_task, Any, Any, Any>(), py::arg("model"), py::arg("frame"),
        py::arg("target"), py::kw_only(), py::arg("name") = py::none(),
        "The axes of a frame along the columns of a rotation (3, 3): three rows, world axes.");
  m.def("centre_of_mass_task", task_maker<centre_of_mass_task, Any, Any>(), py::arg("model"), py::arg("target"),
        py::kw_only(), py::arg("name") = py::none(),
        "The centre of mass at a point (3,), metres: three rows, world axes. It is named centre_of_mass unless given.");
  m.def("joint_task", task_maker<joint_task, Any, Any, Any>(), py::arg("model"), py::arg("joint"), py::arg("target"),
        py::kw_only(), py::arg("name") = py::none(),
        "A joint of one degree of freedom at a coordinate, radians or metres: one row. It is named as the joint unless "
        "given.");
}

}  // namespace

void bind_tasks(py::module_& m) {
  bind_levels(m);
  bind_targets(m);
  bind_makers(m);
}

}  // namespace delassus::python
