// Tasks and their targets as arguments.
#pragma once

#include "constraints.hpp"
#include "delassus/control/task.hpp"

namespace delassus::python {

template <>
struct EnumNames<SingularHandling> {
  static constexpr std::array<std::string_view, 3> kNames{"clamp", "damp", "truncate"};
  static std::span<const std::string_view> names() { return kNames; }
};

/// Angular part first.
template <>
struct Convert<Motion<double>> {
  static py::object to(const Motion<double>& m);
  static Motion<double> from(py::handle object, std::string_view argument);
};

/// Moment first.
template <>
struct Convert<Force<double>> {
  static py::object to(const Force<double>& f);
  static Force<double> from(py::handle object, std::string_view argument);
};

/// The default if it is None.
template <class T>
T given_or(const py::object& value, const char* argument, T otherwise) {
  return value.is_none() ? std::move(otherwise) : Convert<T>::from(value, argument);
}

/// A PoseTarget as it is, or a Pose with velocity and acceleration, none unless given.
PoseTarget pose_target_from(const py::object& target, const py::object& velocity, const py::object& acceleration);

}  // namespace delassus::python
