// What a kernel is given: the host fills this in, and the device reads it. Included by both, so no header of anybody is.
#pragma once

namespace delassus::gpu {

enum class Verb : int { kInverseDynamics, kForwardDynamics, kApply, kSolve, kContacts };
inline constexpr int kNumVerbs = 5;

/// Codes of statuses, those of Status::Code.
inline constexpr unsigned char kOk = 0, kSingularJoint = 1, kNotFinite = 4, kNotConverged = 7;

/// A BatchView: (environments, components), strides in numbers. Without data: an argument that the verb does not have.
template <class T>
struct Array {
  T* data = nullptr;
  long long row = 0;  // from one environment to the next
  int step = 0;       // numbers of an environment lie within 32 bits of each other
};

template <class T>
struct Arguments {
  Array<const T> q, v;
  Array<const T> in;  // accelerations, forces of the joints, or a vector of rows
  Array<const T>
      target;  // apply: the output is target - R in - Λ⁻¹ in; contacts: the free velocity, and `in` is the start
  Array<const T> damping;  // R: one for each environment; without: `R` below
  Array<T> out;
  Array<T> outcome;       // contacts: residual in m/s, and iterations
  unsigned char* status;  // of each environment
  const T* numbers;       // of the structure (structure.hpp), for each lane
  const int* indices;
  T gravity[3];
  T R;             // contacts: the time step, by which bounds of forces are bounds of impulses
  T tolerance;     // contacts: m/s
  int iterations;  // contacts: at most
  int add;         // solve: to what `out` holds
  int size;        // environments
  int num_numbers, num_indices;
};

/// The same with arrays that begin at an environment: addresses are then computed in 32 bits.
template <class T>
inline Arguments<T> of_environment(const Arguments<T>& all, int environment) {
  Arguments<T> one = all;
  const auto move = [&](auto& array) { array.data += array.data == nullptr ? 0 : environment * array.row; };
  move(one.q), move(one.v), move(one.in), move(one.target), move(one.damping), move(one.out), move(one.outcome);
  return one;
}

}  // namespace delassus::gpu
