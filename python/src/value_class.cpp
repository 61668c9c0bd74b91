#include "value_class.hpp"

#include "model/wording.hpp"

namespace delassus::python {

void throw_unknown_field(const char* type, std::string_view name, const py::tuple& names) {
  std::vector<std::string> known;
  for (const py::handle n : names) known.push_back(n.cast<std::string>());
  ClosestName closest(name);
  for (const std::string& k : known) closest.consider(k);
  const std::vector<std::string_view> words(known.begin(), known.end());
  throw py::type_error(std::string(type) + " has no field " + in_quotes(name) + closest.hint() + "; it has " +
                       comma_separated(words));
}

bool same_values(const py::tuple& a, const py::tuple& b) {
  const py::object same = py::module_::import("numpy").attr("array_equal");
  for (std::size_t k = 0; k < a.size(); ++k) {
    const bool array = py::hasattr(a[k], "shape");
    if (!(array ? same(a[k], b[k]).cast<bool>() : py::object(a[k]).equal(b[k]))) return false;
  }
  return true;
}

std::string repr_of(const char* type, const py::tuple& names, const py::tuple& values, const py::tuple& defaults) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const py::tuple value = py::make_tuple(values[k]), usual = py::make_tuple(defaults[k]);
    if (same_values(value, usual)) continue;
    const bool array = py::hasattr(values[k], "shape");
    const py::object shown = array ? py::object(values[k]).attr("tolist")() : py::object(values[k]);
    text += (text.empty() ? "" : ", ") + py::object(names[k]).cast<std::string>() + "=" +
            py::repr(shown).cast<std::string>();
  }
  return std::string(type) + "(" + text + ")";
}

}  // namespace delassus::python
