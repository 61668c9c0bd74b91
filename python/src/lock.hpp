// One object, many threads of Python.
//
// States and operators work in their own memory, also where they only read, so they belong to one thread at a time.
// Their calls run without the GIL, and so each holds the lock of its object: calls of other threads wait for it.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>

namespace delassus::python {

/// Gives the GIL back, then takes the lock, and lets go of both in the other order: nobody waits for the GIL with a
/// lock in hand. No Python object may be touched while it lives.
class Working {
 public:
  explicit Working(std::mutex& mutex) : lock_(mutex) {}

 private:
  pybind11::gil_scoped_release release_;
  std::lock_guard<std::mutex> lock_;
};

}  // namespace delassus::python
