// What objects hold on the heap: Boxed, a member of a type that is known where it is made and nowhere else; and how much it is.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// How much memory an object holds beside itself: capacity of vectors, and what anything else says of itself by bytes(). Elements hold nothing.
template <class E>
std::size_t heap_bytes_of(const std::vector<E>& list) {
  return list.capacity() * sizeof(E);
}
inline std::size_t heap_bytes_of(const std::vector<bool>& list) { return list.capacity() / 8; }
template <class X>
std::size_t heap_bytes_of(const X& part) requires requires {
  { part.bytes() } -> std::same_as<std::size_t>;
}
{ return part.bytes(); }

template <class... Parts>
std::size_t heap_bytes(const Parts&... parts) {
  return (std::size_t{0} + ... + heap_bytes_of(parts));
}

/// A value that is copied with what holds it. X is complete where a Boxed<X> is made from arguments. Holders can be copied, moved and
/// destroyed without its definition, so a public class keeps the work of its kernels out of its header. Empty after a move: then it can be
/// assigned to and destroyed, and nothing else.
template <class X>
class Boxed {
 public:
  template <class... Arguments>
  explicit Boxed(std::in_place_t, Arguments&&... arguments)
      : value_(new X(std::forward<Arguments>(arguments)...)),
        copy_([](const X& x) { return new X(x); }),
        destroy_([](X* x) { delete x; }) {}
  Boxed(const Boxed& other)
      : value_(other.value_ ? other.copy_(*other.value_) : nullptr), copy_(other.copy_), destroy_(other.destroy_) {}
  Boxed(Boxed&& other) noexcept
      : value_(std::exchange(other.value_, nullptr)), copy_(other.copy_), destroy_(other.destroy_) {}
  Boxed& operator=(Boxed other) noexcept {
    std::swap(value_, other.value_);
    std::swap(copy_, other.copy_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Boxed() {
    if (value_) destroy_(value_);
  }

  X& operator*() { return *value_; }
  const X& operator*() const { return *value_; }
  X* operator->() { return value_; }
  const X* operator->() const { return value_; }

 private:
  X* value_;
  X* (*copy_)(const X&);
  void (*destroy_)(X*);
};

}  // namespace delassus
