// What every function of the C interface does: no exception leaves it, arguments are looked at, and what is wrong is remembered.
#pragma once

#include <cstring>
#include <span>
#include <string_view>

#include "delassus/c/delassus.h"
#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"

namespace delassus::c {

/// Remembers the exception that is being handled, and says which status it is.
delassus_status exception_status() noexcept;

/// Remembers the words of a status that is not ok.
delassus_status outcome(const Status& status, const Model& model, std::span<const Constraint> constraints);

/// Runs what returns a status.
template <class Work>
delassus_status guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (...) {
    return exception_status();
  }
}

/// Runs what returns something else; `otherwise` is the answer where it fails.
template <class Result, class Work>
Result guarded_or(Result otherwise, Work&& work) noexcept {
  try {
    return work();
  } catch (...) {
    (void)exception_status();
    return otherwise;
  }
}

/// C may pass any number as an enumeration, which C++ may not read as one.
template <class Enum>
unsigned number_of(const Enum& given) {
  unsigned number = 0;
  static_assert(sizeof number == sizeof given);
  std::memcpy(&number, &given, sizeof number);
  return number;
}

[[noreturn]] void throw_null(std::string_view argument);

/// What a pointer points at.
template <class T>
T& required(T* pointer, std::string_view argument) {
  if (pointer == nullptr) throw_null(argument);
  return *pointer;
}

/// Puts a new handle where the caller asks for it, which is looked at first: else nobody could free it.
template <class Handle, class Make>
delassus_status hand_out(Handle** place, std::string_view argument, Make&& make) noexcept {
  return guarded([&] {
    Handle*& handle = required(place, argument);
    handle = make();
    return DELASSUS_OK;
  });
}

/// A vector to read: of the right size, and finite.
VectorView<const double> input(const double* data, int size, int expected, std::string_view argument);
/// A vector to write.
VectorView<double> output(double* data, int size, int expected, std::string_view argument);

}  // namespace delassus::c
