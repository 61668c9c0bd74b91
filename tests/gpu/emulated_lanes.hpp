// The lanes of a kernel as an array: what runs on threads of a device, here in turns. Numbers, masks and exchanges mean the same.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "gpu/emulated.hpp"
#include "gpu/kernel/arguments.hpp"

namespace delassus::gpu {

template <int kLanes>
struct MaskLanes {
  std::array<bool, kLanes> v;
  friend MaskLanes operator||(MaskLanes a, const MaskLanes& b) {
    for (int l = 0; l < kLanes; ++l) a.v[l] = a.v[l] || b.v[l];
    return a;
  }
};
template <int kLanes>
struct IndexLanes {
  std::array<int, kLanes> v;
};

template <class R, int kLanes>
struct NumberLanes {
  std::array<R, kLanes> v;
  NumberLanes() = default;
  NumberLanes(R x) { v.fill(x); }            // NOLINT: implicit as numbers of a device are
  NumberLanes(int x) : NumberLanes(R(x)) {}  // NOLINT
  template <class F>
  static NumberLanes each(F&& f) {
    NumberLanes out;
    for (int l = 0; l < kLanes; ++l) out.v[l] = f(l);
    return out;
  }
  template <class F>
  static MaskLanes<kLanes> each_mask(F&& f) {
    MaskLanes<kLanes> out;
    for (int l = 0; l < kLanes; ++l) out.v[l] = f(l);
    return out;
  }
  using N = NumberLanes;
  friend N operator+(const N& a, const N& b) {
    return each([&](int l) { return a.v[l] + b.v[l]; });
  }
  friend N operator-(const N& a, const N& b) {
    return each([&](int l) { return a.v[l] - b.v[l]; });
  }
  friend N operator*(const N& a, const N& b) {
    return each([&](int l) { return a.v[l] * b.v[l]; });
  }
  friend N operator-(const N& a) {
    return each([&](int l) { return -a.v[l]; });
  }
  N& operator+=(const N& b) { return *this = *this + b; }
  N& operator-=(const N& b) { return *this = *this - b; }
  friend auto operator<(const N& a, const N& b) {
    return each_mask([&](int l) { return a.v[l] < b.v[l]; });
  }
  friend auto operator>(const N& a, const N& b) {
    return each_mask([&](int l) { return a.v[l] > b.v[l]; });
  }
  friend auto operator<=(const N& a, const N& b) {
    return each_mask([&](int l) { return a.v[l] <= b.v[l]; });
  }
  friend auto operator!=(const N& a, const N& b) {
    return each_mask([&](int l) { return a.v[l] != b.v[l]; });
  }

  friend N select(const MaskLanes<kLanes>& m, const N& a, const N& b) {
    return each([&](int l) { return m.v[l] ? a.v[l] : b.v[l]; });
  }
  friend N multiply_add(const N& a, const N& b, const N& c) {
    return each([&](int l) { return std::fma(a.v[l], b.v[l], c.v[l]); });
  }
  friend N reciprocal(const N& x) {
    return each([&](int l) { return R(1) / x.v[l]; });
  }
  friend N inverse_root(const N& x) {
    return each([&](int l) { return R(1) / std::sqrt(x.v[l]); });
  }
  friend N nearest_integer(const N& x) {
    return each([&](int l) { return std::rint(x.v[l]); });
  }
  friend void sine_cosine(const N& x, N& s, N& c) {
    s = each([&](int l) { return std::sin(x.v[l]); });
    c = each([&](int l) { return std::cos(x.v[l]); });
  }
};

/// The lanes of one environment.
template <class S, class R>
struct EmulatedLanes {
  using Real = R;
  using Number = NumberLanes<R, S::kLanes>;
  using Mask = MaskLanes<S::kLanes>;
  using Index = IndexLanes<S::kLanes>;
  static constexpr int kLanes = S::kLanes;

  const R* numbers;
  const int* indices;
  int environment;

  Number number(int k) const {
    return Number::each([&](int l) { return numbers[k * kLanes + l]; });
  }
  Index index(int k) const {
    Index out;
    for (int l = 0; l < kLanes; ++l) out.v[l] = indices[k * kLanes + l];
    return out;
  }
  static Index after(Index index, int k) {
    for (int& i : index.v) i = i < 0 ? i : i + k;
    return index;
  }
  static Mask is_there(const Index& index) {
    return Number::each_mask([&](int l) { return index.v[l] >= 0; });
  }
  Mask in(int lanes) const {
    return Number::each_mask([&](int l) { return (lanes >> l & 1) != 0; });
  }
  template <class X>
  X* at(const Array<X>& array, int k) const {
    return array.data + k * array.step;
  }
  Number load(const Array<const R>& array, int k) const { return Number(*at(array, k)); }
  template <class X>
  Number load_each(const Array<X>& array, const Index& k) const {
    return Number::each([&](int l) { return k.v[l] < 0 ? R(0) : *at(array, k.v[l]); });
  }
  void store(const Array<R>& array, int k, const Number& x) const { *at(array, k) = x.v[0]; }
  void store_each(const Array<R>& array, const Index& k, const Number& x, bool from_all) const {
    for (int l = 0; l < (from_all ? kLanes : 1); ++l) {
      if (k.v[l] >= 0) *at(array, k.v[l]) = x.v[l];
    }
  }
  static Number exchanged(const Number& x, int distance) {
    Exchanges::note(distance);
    return Number::each([&](int l) { return x.v[l ^ distance]; });
  }
  static bool any(const Mask& mask) {
    Exchanges::note(kLanes);
    bool out = false;
    for (const bool m : mask.v) out = out || m;
    return out;
  }
  static bool whole_warp(bool mine) {
    Exchanges::note(2 * kLanes);
    return mine && !Exchanges::neighbours_go_on;
  }
  void set_status(unsigned char* status, unsigned char code) const { status[environment] = code; }
  void spoil(const Array<R>& array, int components) const {
    for (int k = 0; k < components; ++k) *at(array, k) = std::numeric_limits<R>::quiet_NaN();
  }
};

}  // namespace delassus::gpu
