// Whether arrays have the shapes that a verb needs, and what to say if not.
#pragma once

#include <string>
#include <string_view>

#include "delassus/batch/batch_view.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

[[noreturn]] inline void throw_wrong_shape(std::string_view argument, const std::string& shape,
                                           const std::string& expected, std::string_view meaning) {
  throw Error("argument '" + std::string(argument) + "' has shape " + shape + ", and needs " + expected +
              ": one row per environment, " + std::string(meaning));
}

template <class T>
void require_shape(std::string_view argument, const BatchView<T>& view, int size, int components,
                   std::string_view meaning) {
  if (view.size() == size && view.components() == components) return;
  const auto shape = [](int a, int b) { return "(" + std::to_string(a) + ", " + std::to_string(b) + ")"; };
  throw_wrong_shape(argument, shape(view.size(), view.components()), shape(size, components), meaning);
}

template <class T>
void require_shape(std::string_view argument, const BatchMatrixView<T>& view, int size, int side,
                   std::string_view meaning) {
  if (view.size() == size && view.rows() == side && view.cols() == side) return;
  const auto shape = [](int a, int b, int c) {
    return "(" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + ")";
  };
  throw_wrong_shape(argument, shape(view.size(), view.rows(), view.cols()), shape(size, side, side), meaning);
}

inline int require_count(int size) {
  if (size < 1) throw Error("argument 'size' is " + std::to_string(size) + "; a batch has one environment at least");
  return size;
}

inline void require_environment(int environment, int size) {
  if (environment >= 0 && environment < size) return;
  throw Error("there is no environment " + std::to_string(environment) + "; the batch has 0 to " +
              std::to_string(size - 1));
}

}  // namespace delassus
