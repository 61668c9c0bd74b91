// OperationalSpace: the dynamics of a mechanism as its tasks see it.
#include "operational_space.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "coordinates.hpp"
#include "lock.hpp"

namespace delassus::python {

py::object repr_of_levels(const char* type, const Model& model, const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? ": " : ", ") + name;
  return Convert<std::string>::to("<delassus." + std::string(type) + " of '" + model.name() + "'" + list + ">");
}

std::vector<std::string> names_of_levels(std::span<const TaskLevel> levels) {
  std::vector<std::string> out;
  for (const TaskLevel& level : levels) out.push_back(level.name);
  return out;
}

int level_index(const std::vector<std::string>& names, py::handle level) {
  if (py::isinstance<py::str>(level)) {
    const std::vector<std::string_view> words(names.begin(), names.end());
    return index_of_name(words, Convert<std::string>::from(level, "level"), "level");
  }
  if (!PyIndex_Check(level.ptr())) throw_wrong_type("level", level, "the name or the index of a level");
  if (names.empty()) throw Error("argument 'level': there are no levels");
  return static_cast<int>(integer_from(level, "level", 0, names.size() - 1));
}

void require_result(const ControlStatus& status, const OperationalSpace<double>& space) {
  if (status.leaves_forces()) return;
  throw StatusError(status.numerics(), space.model(), space.tasks().constraints());
}

void settle_update(const ControlStatus& status, const OperationalSpace<double>& space, ControlState& state) {
  state.updated = false;
  state.status = status;
  require_result(status, space);
  state.updated = true;
}

void require_updated(const ControlState& state) {
  if (!state.updated) throw Error("there are no values; call update(q, v) or compute(q, v) first");
}

namespace {

using Space = OperationalSpace<double>;

/// With what it refers to.
struct OwnSpace {
  OwnSpace(std::shared_ptr<Model> m, const std::vector<TaskLevel>& levels, const std::vector<Constraint>& held)
      : model(std::move(m)), space(*model, levels, held) {}

  const std::shared_ptr<Model> model;
  Space space;
  ControlState state;
};

SpaceObject make_space(const std::shared_ptr<Model>& model, const py::object& levels, const py::object& held) {
  const auto list = Convert<std::vector<TaskLevel>>::from(levels, "levels");
  const auto owner = std::make_shared<OwnSpace>(model, list, Convert<std::vector<Constraint>>::from(held, "held"));
  const std::shared_ptr<Space> space(owner, &owner->space);
  return {{owner, &owner->state}, space, space, model, names_of_levels(list)};
}

py::object update_space(SpaceObject& self, const py::object& q, const py::object& v) {
  if (!self.own) throw Error("this is the space of a controller, and goes where that one is updated");
  const int nv = self.model->nv();
  const std::vector<double> rest(static_cast<std::size_t>(v.is_none() ? nv : 0));
  const auto at = vector_in(q, "q", self.model->nq());
  const auto velocity = v.is_none() ? VectorView<const double>(rest) : vector_in(v, "v", nv);
  const char* word = nullptr;
  {
    const Working working(self.state->mutex);
    self.state->updated = false;
    require_coordinates(*self.model, at);
    settle_update(self.own->update(at, velocity), *self.own, *self.state);
    word = code_name(self.state->status.code);
  }
  return py::str(word);
}

int rows_of(const SpaceObject& self, int level) { return self.space->rows(level); }
int nv_of(const SpaceObject& self, int) { return self.model->nv(); }

using SizeOf = int (*)(const SpaceObject&, int);

/// A verb that fills a matrix.
template <SizeOf kRows, SizeOf kCols>
auto matrix_verb(Status (Space::*verb)(int, MatrixOut<double>) const noexcept) {
  return [verb](SpaceObject& self, const py::object& level, const py::object& out) {
    const int k = level_index(self.level_names, level), rows = kRows(self, k), cols = kCols(self, k);
    py::object result = matrix_or_new(out, rows, cols);
    const auto to = matrix_out(result, "out", rows, cols);
    const Working working(self.state->mutex);
    require_updated(*self.state);
    require_result((*self.space.*verb)(k, to), *self.space);
    return result;
  };
}

/// A verb from one vector to another.
template <SizeOf kIn, SizeOf kOut>
auto vector_verb(const char* argument, Status (Space::*verb)(int, In<double>, Out<double>) const noexcept) {
  return [verb, argument](SpaceObject& self, const py::object& level, const py::object& in, const py::object& out) {
    const int k = level_index(self.level_names, level), size = kOut(self, k);
    const auto from = vector_in(in, argument, kIn(self, k));
    py::object result = vector_or_new(out, size);
    const auto to = vector_out(result, "out", size);
    if (!out.is_none()) require_apart(in, argument, out, Sharing::kNone);
    const Working working(self.state->mutex);
    require_updated(*self.state);
    require_result((*self.space.*verb)(k, from, to), *self.space);
    return result;
  };
}

/// One that works in place.
auto projection(const char* argument, Status (Space::*verb)(int, Out<double>) const noexcept) {
  return [verb, argument](SpaceObject& self, const py::object& level, const py::object& in, const py::object& out) {
    const int k = level_index(self.level_names, level), nv = self.model->nv();
    const auto from = vector_in(in, argument, nv);
    py::object result = vector_or_new(out, nv);
    const auto to = vector_out(result, "out", nv);
    if (!out.is_none()) require_apart(in, argument, out, Sharing::kSame);
    const Working working(self.state->mutex);
    require_updated(*self.state);
    if (to.data() != from.data()) std::copy_n(from.data(), nv, to.data());
    require_result((*self.space.*verb)(k, to), *self.space);
    return result;
  };
}

auto level_force(Status (Space::*verb)(int, Out<double>) const noexcept) {
  return [verb](SpaceObject& self, const py::object& level, const py::object& out) {
    const int k = level_index(self.level_names, level), rows = rows_of(self, k);
    py::object result = vector_or_new(out, rows);
    const auto to = vector_out(result, "out", rows);
    const Working working(self.state->mutex);
    require_updated(*self.state);
    require_result((*self.space.*verb)(k, to), *self.space);
    return result;
  };
}

py::tuple accelerate(SpaceObject& self, const py::object& acceleration, const py::object& nu) {
  const int nv = self.model->nv(), rows = self.space->num_rows();
  const auto wanted = vector_in(acceleration, "acceleration", rows), near = vector_in(nu, "nu", nv);
  py::object joints = new_vector(nv), force = new_vector(rows);
  {
    const auto qdd = vector_out(joints, "joints", nv), f = vector_out(force, "force", rows);
    const Working working(self.state->mutex);
    require_updated(*self.state);
    require_result(self.space->accelerate(wanted, near, qdd, f), *self.space);
  }
  return py::make_tuple(joints, force);
}

using SpaceClass = py::class_<SpaceObject>;

void bind_space_matrices(SpaceClass& c) {
  const auto def = [&](const char* name, const auto& verb, const char* doc) {
    c.def(name, verb, py::arg("level"), py::arg("out") = py::none(), doc);
  };
  def("jacobian", matrix_verb<rows_of, nv_of>(&Space::jacobian),
      "J of a level within what held rows and levels above leave free: shape (rows, nv).");
  def("inverse_inertia", matrix_verb<rows_of, rows_of>(&Space::inverse_inertia),
      "J M^-1 J^T of that J: shape (rows, rows).");
  def("inertia", matrix_verb<rows_of, rows_of>(&Space::inertia),
      "Its inverse, the inertia that the level sees, bounded where it is singular: shape (rows, rows).");
  def("consistent_inverse", matrix_verb<nv_of, rows_of>(&Space::consistent_inverse),
      "M^-1 J^T times the inertia, the dynamically consistent inverse of J: shape (nv, rows).");
  def("null_space", matrix_verb<nv_of, nv_of>(&Space::null_space),
      "N, motions that no level up to this one feels; its transpose, forces that move none: shape (nv, nv).");
  def("bias_force", level_force(&Space::bias_force),
      "The force at the level that keeps it from accelerating where nothing else acts, held rows are held and levels\n"
      "above do not accelerate either: shape (rows,).");
  def("gravity_force", level_force(&Space::gravity_force), "The same at rest: shape (rows,).");
}

void bind_space_verbs(SpaceClass& c) {
  const auto def = [&](const char* name, const char* argument, const auto& verb, const char* doc) {
    c.def(name, verb, py::arg("level"), py::arg(argument), py::arg("out") = py::none(), doc);
  };
  def("apply_inertia", "acceleration", vector_verb<rows_of, rows_of>("acceleration", &Space::apply_inertia),
      "inertia times accelerations: from (rows,) to forces (rows,).");
  def("apply_consistent_inverse", "acceleration",
      vector_verb<rows_of, nv_of>("acceleration", &Space::apply_consistent_inverse),
      "consistent_inverse times accelerations: from (rows,) to (nv,).");
  def("apply_consistent_force", "tau", vector_verb<nv_of, rows_of>("tau", &Space::apply_consistent_force),
      "The transpose of consistent_inverse times joint forces: from (nv,) to what they are at the level (rows,).");
  def("apply_jacobian_transpose", "force", vector_verb<rows_of, nv_of>("force", &Space::apply_jacobian_transpose),
      "J^T times forces: from (rows,), N or Nm, to joint forces (nv,).");
  def("project_motion", "nu", projection("nu", &Space::project_motion),
      "N times joint velocities or accelerations (nv,). `out` may be nu itself.");
  def("project_force", "tau", projection("tau", &Space::project_force),
      "The transpose of N times joint forces (nv,). `out` may be tau itself.");
  c.def("accelerate", accelerate, py::arg("acceleration"), py::arg("nu"),
        "Joint accelerations (nv,) nearest to nu (nv,), in the metric of the inertia, with which all rows accelerate "
        "so, each\n"
        "level as far as it can; and forces f (num_rows,) that do it: nu + M^-1 J^T f. acceleration: (num_rows,).");
}

void bind_space_identity(SpaceClass& c) {
  c.def_property_readonly(
      "model", [](const SpaceObject& self) { return self.model; }, "The Model.");
  c.def_property_readonly(
      "levels", [](const SpaceObject& self) { return Convert<std::vector<std::string>>::to(self.level_names); },
      "A tuple of the names of all levels, in order of priority.");
  c.def_property_readonly(
      "num_rows", [](const SpaceObject& self) { return self.space->num_rows(); },
      "All rows: those that are held, then those of the levels, in their order.");
  c.def_property_readonly(
      "held_rows", [](const SpaceObject& self) { return self.space->held_rows(); }, "How many of them are held.");
  c.def("__repr__",
        [](const SpaceObject& self) { return repr_of_levels("OperationalSpace", *self.model, self.level_names); });
  c.def(
      "rows",
      [](const SpaceObject& self, const py::object& level) {
        return rows_of(self, level_index(self.level_names, level));
      },
      py::arg("level"), "Rows of a level, which is named or counted.");
  c.def(
      "first_row",
      [](const SpaceObject& self, const py::object& level) {
        return self.space->first_row(level_index(self.level_names, level));
      },
      py::arg("level"), "Where they begin among all rows.");
  c.def(
      "report",
      [](SpaceObject& self, const py::object& level) {
        const int k = level_index(self.level_names, level);
        const Working working(self.state->mutex);
        require_updated(*self.state);
        return self.space->report(k);
      },
      py::arg("level"), "What directions of a level are weak at the last update, a LevelReport.");
}

}  // namespace

void bind_operational_space(py::module_& m) {
  SpaceClass c(
      m, "OperationalSpace",
      "The dynamics of a mechanism as its tasks see it, level by level, where some rows are held: contacts, loops, "
      "a grasp.\n\n"
      "A level is named or counted. Calls run without the GIL. Threads may share an object; their calls wait for "
      "each other.");
  c.def(py::init(&make_space), py::arg("model"), py::arg("levels"), py::arg("held") = py::tuple(),
        "levels: a list of TaskLevel, those that come first before all others. held: constraints.");
  c.def("update", update_space, py::arg("q"), py::arg("v") = py::none(),
        "Everything at q (nq,) and v (nv,), at rest unless given. Returns \"ok\", or \"singular_task\" if a level has "
        "weak\n"
        "directions and is not of best effort: all verbs work, with forces that are bounded. Raises SingularError or\n"
        "NumericalError where there is no result.");
  bind_space_matrices(c);
  bind_space_verbs(c);
  bind_space_identity(c);
}

}  // namespace delassus::python
