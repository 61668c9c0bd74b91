// Coordinates of the same robot in Pinocchio and MuJoCo.
#include <memory>

#include "arrays.hpp"
#include "bindings.hpp"
#include "convert.hpp"
#include "delassus/kinematics/coordinate_layout.hpp"

namespace delassus::python {

template <>
struct EnumNames<Library> {
  static constexpr std::array<std::string_view, 2> kNames{"pinocchio", "mujoco"};
  static std::span<const std::string_view> names() { return kNames; }
};

namespace {

/// With what it was made from, so that it can be made again.
struct LayoutObject {
  LayoutObject(std::shared_ptr<Model> m, Library l, LayoutOptions o)
      : model(std::move(m)), library(l), options(std::move(o)), layout(*model, library, options) {}

  std::shared_ptr<Model> model;
  Library library;
  LayoutOptions options;
  CoordinateLayout layout;
};

using LayoutClass = py::class_<LayoutObject>;
using Q = void (CoordinateLayout::*)(In<double>, Out<double>) const;
using AtQ = void (CoordinateLayout::*)(In<double>, In<double>, Out<double>) const;
using AtQV = void (CoordinateLayout::*)(In<double>, In<double>, In<double>, Out<double>) const;
using Rows = void (CoordinateLayout::*)(In<double>, MatrixIn<double>, MatrixOut<double>) const;

int own_nq(const LayoutObject& self) { return self.model->nq(); }
int their_nq(const LayoutObject& self) { return self.layout.nq(); }

void def_q(LayoutClass& c, const char* name, const char* argument, int (*in_size)(const LayoutObject&),
           int (*out_size)(const LayoutObject&), Q verb, const char* doc) {
  c.def(
      name,
      [=](const LayoutObject& self, const py::object& q, const py::object& out) {
        const auto from = vector_in(q, argument, in_size(self));
        py::object result = vector_or_new(out, out_size(self));
        const auto to = vector_out(result, "out", out_size(self));
        require_apart(q, argument, result, Sharing::kNone);
        const py::gil_scoped_release release;
        (self.layout.*verb)(from, to);
        return result;
      },
      py::arg(argument), py::arg("out") = py::none(), doc);
}

void def_at_q(LayoutClass& c, const char* name, const char* argument, AtQ verb, const char* doc) {
  c.def(
      name,
      [=](const LayoutObject& self, const py::object& q, const py::object& in, const py::object& out) {
        const auto at = vector_in(q, "q", own_nq(self));
        const auto from = vector_in(in, argument, self.layout.nv());
        py::object result = vector_or_new(out, self.layout.nv());
        const auto to = vector_out(result, "out", self.layout.nv());
        require_apart(q, "q", result, Sharing::kNone);
        require_apart(in, argument, result, Sharing::kNone);
        const py::gil_scoped_release release;
        (self.layout.*verb)(at, from, to);
        return result;
      },
      py::arg("q"), py::arg(argument), py::arg("out") = py::none(), doc);
}

void def_at_qv(LayoutClass& c, const char* name, const char* argument, AtQV verb, const char* doc) {
  c.def(
      name,
      [=](const LayoutObject& self, const py::object& q, const py::object& v, const py::object& in,
          const py::object& out) {
        const auto at = vector_in(q, "q", own_nq(self));
        const auto velocity = vector_in(v, "v", self.layout.nv()), from = vector_in(in, argument, self.layout.nv());
        py::object result = vector_or_new(out, self.layout.nv());
        const auto to = vector_out(result, "out", self.layout.nv());
        require_apart(q, "q", result, Sharing::kNone);
        require_apart(v, "v", result, Sharing::kNone);
        require_apart(in, argument, result, Sharing::kNone);
        const py::gil_scoped_release release;
        (self.layout.*verb)(at, velocity, from, to);
        return result;
      },
      py::arg("q"), py::arg("v"), py::arg(argument), py::arg("out") = py::none(), doc);
}

void def_rows(LayoutClass& c, const char* name, const char* argument, Rows verb, const char* doc) {
  c.def(
      name,
      [=](const LayoutObject& self, const py::object& q, const py::object& in, const py::object& out) {
        const auto at = vector_in(q, "q", own_nq(self));
        if (!is_matrix(in)) throw_wrong_type(argument, in, "an array with two dimensions");
        const int rows = static_cast<int>(py::reinterpret_borrow<py::array>(in).shape(0));
        const auto from = matrix_in(in, argument, rows, self.layout.nv());
        py::object result = matrix_or_new(out, rows, self.layout.nv());
        const auto to = matrix_out(result, "out", rows, self.layout.nv());
        require_apart(q, "q", result, Sharing::kNone);
        require_apart(in, argument, result, Sharing::kNone);
        const py::gil_scoped_release release;
        (self.layout.*verb)(at, from, to);
        return result;
      },
      py::arg("q"), py::arg(argument), py::arg("out") = py::none(), doc);
}

std::unique_ptr<LayoutObject> make_layout(std::shared_ptr<Model> model, const py::object& library,
                                          const py::object& joints, const py::object& cos_sin) {
  LayoutOptions options{Convert<std::vector<std::string>>::from(joints, "joints"),
                        Convert<bool>::from(cos_sin, "cos_sin")};
  return std::make_unique<LayoutObject>(std::move(model), Convert<Library>::from(library, "library"),
                                        std::move(options));
}

py::tuple arguments_of(const LayoutObject& self) {
  return py::make_tuple(self.model, Convert<Library>::to(self.library),
                        Convert<std::vector<std::string>>::to(self.options.joints), self.options.cos_sin);
}

void bind_conversions(LayoutClass& c) {
  using L = CoordinateLayout;
  def_q(c, "q_from", "q_there", their_nq, own_nq, &L::q_from, "Our q (model.nq,) from theirs (nq,).");
  def_q(c, "q_to", "q", own_nq, their_nq, &L::q_to, "Their q (nq,) from ours (model.nq,).");
  def_at_q(c, "velocity_from", "v_there", &L::velocity_from, "Our v (nv,) from theirs; q is ours.");
  def_at_q(c, "velocity_to", "v", &L::velocity_to, "Their v (nv,) from ours; q is ours.");
  def_at_q(c, "force_from", "tau_there", &L::force_from, "Our joint forces (nv,) from theirs; q is ours.");
  def_at_q(c, "force_to", "tau", &L::force_to, "Their joint forces (nv,) from ours; q is ours.");
  def_at_qv(c, "acceleration_from", "a_there", &L::acceleration_from,
            "Our accelerations (nv,) from theirs; q and v are ours.");
  def_at_qv(c, "acceleration_to", "a", &L::acceleration_to, "Their accelerations (nv,) from ours; q and v are ours.");
  def_rows(c, "jacobian_from", "J_there", &L::jacobian_from, "Our Jacobian (rows, nv) from theirs; q is ours.");
  def_rows(c, "jacobian_to", "J", &L::jacobian_to, "Their Jacobian (rows, nv) from ours; q is ours.");
}

}  // namespace

void bind_layouts(py::module_& m) {
  LayoutClass c(
      m, "CoordinateLayout",
      "Coordinates of the same robot in Pinocchio or MuJoCo: where its numbers stand, and what its velocities are.\n\n"
      "x is ours and x_there theirs; q and v beside another argument are always ours.");
  c.def(py::init(&make_layout), py::arg("model"), py::arg("library"), py::arg("joints") = py::tuple(), py::kw_only(),
        py::arg("cos_sin") = true,
        "library: pinocchio or mujoco. joints: the names of the joints in the order of that library, such as "
        "Pinocchio's\n"
        "model.names; left out, the order that it gives to the joints of a file. cos_sin: whether Pinocchio has "
        "revolute\n"
        "joints without limits as (cos, sin), as it reads a URDF.");
  c.def_readonly("model", &LayoutObject::model, "The Model.");
  c.def_property_readonly("nq", their_nq, "Size of their q.");
  c.def_property_readonly(
      "nv", [](const LayoutObject& self) { return self.layout.nv(); }, "Size of their v, which is that of ours.");
  bind_conversions(c);
  c.def("__repr__", [](const LayoutObject& self) {
    return Convert<std::string>::to("<delassus.CoordinateLayout of '" + self.model->name() + "' in " +
                                    std::string(EnumNames<Library>::names()[static_cast<std::size_t>(self.library)]) +
                                    ">");
  });
  c.def(py::pickle(&arguments_of, [](const py::tuple& a) {
    if (a.size() != 4) throw Error("this pickle is of another version");
    return make_layout(a[0].cast<std::shared_ptr<Model>>(), a[1], a[2], a[3]);
  }));
}

}  // namespace delassus::python
