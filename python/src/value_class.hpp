// Structs of plain values as classes of Python: each field is named once, and construction, ==, repr, pickles and
// replace() follow from the list.
//
// Their objects cannot be changed. A list such as Scene.constraints hands out copies, and what is done to a copy would
// be lost silently; replace() makes a changed copy instead.
#pragma once

#include <concepts>
#include <functional>
#include <utility>
#include <vector>

#include "convert.hpp"

namespace delassus::python {

template <class T>
struct Field {
  const char* name;
  std::function<py::object(const T&)> get;
  std::function<void(T&, py::handle)> set;
  const char* doc;
};

template <class T, class M>
Field<T> field(const char* name, M T::*member, const char* doc) {
  return {name, [member](const T& t) { return Convert<M>::to(t.*member); },
          [member, name](T& t, py::handle value) { t.*member = Convert<M>::from(value, name); }, doc};
}

/// What a field has that is not given.
template <class T>
T default_value() {
  return T{};
}
template <>
inline Pose<double> default_value<Pose<double>>() {
  return Pose<double>::identity();
}

/// What does not depend on the type of the struct.
[[noreturn]] void throw_unknown_field(const char* type, std::string_view name, const py::tuple& names);
/// "Name(field=value, ...)" of those values that are not the defaults.
std::string repr_of(const char* type, const py::tuple& names, const py::tuple& values, const py::tuple& defaults);
bool same_values(const py::tuple& a, const py::tuple& b);

template <class T>
class ValueClass {
 public:
  enum class Construction { kFromFields, kElsewhere };

  ValueClass(py::module_& m, const char* name, const char* doc, std::vector<Field<T>> fields,
             Construction construction = Construction::kFromFields)
      : bound(m, name, doc), name_(name), fields_(std::move(fields)) {
    py::tuple names(fields_.size());
    for (std::size_t k = 0; k < fields_.size(); ++k) names[k] = fields_[k].name;
    bound.attr("__match_args__") = names;
    for (const Field<T>& f : fields_) bound.def_property_readonly(f.name, f.get, f.doc);
    if (construction == Construction::kFromFields) def_init();
    def_verbs();
  }

  py::class_<T> bound;

 private:
  struct Fields {  // shared by all verbs
    const char* type;
    std::vector<Field<T>> list;
    py::tuple names() const {
      py::tuple out(list.size());
      for (std::size_t k = 0; k < list.size(); ++k) out[k] = list[k].name;
      return out;
    }
    py::tuple values(const T& t) const {
      py::tuple out(list.size());
      for (std::size_t k = 0; k < list.size(); ++k) out[k] = list[k].get(t);
      return out;
    }
    void set(T& t, const py::kwargs& changes) const {
      for (const auto& [key, value] : changes) {
        const std::string wanted = Convert<std::string>::from(key, "field");
        const auto found = std::find_if(list.begin(), list.end(), [&](const Field<T>& f) { return f.name == wanted; });
        if (found == list.end()) throw_unknown_field(type, wanted, names());
        found->set(t, value);
      }
    }
  };

  Fields fields() const { return {name_, fields_}; }

  void def_init() {
    bound.def(py::init([f = fields()](const py::args& args, const py::kwargs& kwargs) {
                T t = default_value<T>();
                if (args.size() > f.list.size()) {
                  throw py::type_error(std::string(f.type) + " takes at most " + std::to_string(f.list.size()) +
                                       " arguments");
                }
                for (std::size_t k = 0; k < args.size(); ++k) {
                  if (kwargs.contains(f.list[k].name)) {
                    throw py::type_error(std::string(f.type) + " got '" + f.list[k].name + "' twice");
                  }
                  f.list[k].set(t, args[k]);
                }
                f.set(t, kwargs);
                return t;
              }),
              "Fields in their order, or by name.");
  }

  void def_verbs() {
    bound.def(
        "replace",
        [f = fields()](const T& self, const py::kwargs& changes) {
          T copy = self;
          f.set(copy, changes);
          return copy;
        },
        "A copy with some fields changed: replace(name=\"left\").");
    bound.def("__eq__", [f = fields()](const T& self, const py::object& other) -> py::object {
      if (!py::isinstance<T>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
      if constexpr (std::equality_comparable<T>) {
        return py::bool_(self == other.cast<const T&>());
      } else {
        return py::bool_(same_values(f.values(self), f.values(other.cast<const T&>())));
      }
    });
    bound.def("__repr__", [f = fields()](const T& self) {
      return repr_of(f.type, f.names(), f.values(self), f.values(default_value<T>()));
    });
    bound.def(py::pickle([f = fields()](const T& self) { return f.values(self); },
                         [f = fields()](const py::tuple& values) {
                           T t = default_value<T>();
                           if (values.size() != f.list.size()) throw Error("this pickle is of another version");
                           for (std::size_t k = 0; k < values.size(); ++k) f.list[k].set(t, values[k]);
                           return t;
                         }));
    bound.def("__deepcopy__", [](const T& self, const py::dict&) { return self; });
  }

  const char* name_;
  std::vector<Field<T>> fields_;
};

}  // namespace delassus::python
