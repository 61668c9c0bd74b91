// What the verbs of a real-time loop say to a wrong call: a status. They do not throw (docs/arguments.md).
#pragma once

#include <initializer_list>
#include <limits>

#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

/// Of verbs that fail only where they are called wrongly. It may be left unread: what such a verb should have written is NaN then.
struct CallStatus : Status {
  CallStatus() = default;
  CallStatus(const Status& status) : Status(status) {}  // NOLINT: a Status that need not be read
};

/// The call came before what it needs: a successful update or factor, or a damping.
inline constexpr Status kTooEarly{Status::Code::kBadArgument, -1};

/// How large an argument is and has to be, the first argument being 0.
struct ArgumentSize {
  int argument, size, needed;
};
inline Status check_sizes(std::initializer_list<ArgumentSize> sizes) noexcept {
  for (const ArgumentSize& s : sizes) {
    if (s.size != s.needed) [[unlikely]]
      return {Status::Code::kBadArgument, s.argument};
  }
  return {};
}
/// For a verb that writes what it still has to read: its argument may not be the memory of another one, unless both are empty.
inline ArgumentSize check_apart(int argument, const void* x, const void* y, int size) noexcept {
  return {argument, x == y && size > 0 ? 1 : 0, 0};
}

/// Of f(x, y): vectors of these sizes, panels of so many rows, and a matrix that is the only argument.
template <class X, class Y>
Status check_vectors(const X& x, int needed_x, const Y& y, int needed_y) noexcept {
  return check_sizes({{0, x.size(), needed_x}, {1, y.size(), needed_y}});
}
template <class X, class Y>
Status check_product(const X& x, const Y& y, int size) noexcept {
  return check_sizes({{0, x.size(), size}, {1, y.size(), size}, check_apart(1, x.data(), y.data(), size)});
}
template <class X, class Y>
Status check_panels(const X& x, const Y& y, int rows) noexcept {
  return check_sizes({{0, x.rows(), rows}, {1, y.rows(), rows}, {1, y.cols(), x.cols()}});
}
template <class A>
Status check_matrix(const A& a, int rows, int cols) noexcept {
  return check_sizes({{0, a.rows(), rows}, {0, a.cols(), cols}});
}

template <class T>
void spoil(const VectorView<T>& out) {
  for (int k = 0; k < out.size(); ++k) out[k] = T(std::numeric_limits<double>::quiet_NaN());
}
template <class T>
void spoil(const MatrixView<T>& out) {
  for (int r = 0; r < out.rows(); ++r) {
    for (int c = 0; c < out.cols(); ++c) out(r, c) = T(std::numeric_limits<double>::quiet_NaN());
  }
}
/// A wrong call of a verb that writes these.
template <class... Out>
[[gnu::noinline]] CallStatus spoiled(const Status& status, const Out&... out) {
  (spoil(out), ...);
  return status;
}

/// Set-up that a loop has to do now and then, as planning for rows of another structure: an Error in it is a bad argument.
template <class SetUp>
Status as_status(int argument, SetUp&& set_up) {
  try {
    set_up();
  } catch (const Error&) {
    return {Status::Code::kBadArgument, argument};
  }
  return {};
}

}  // namespace delassus
