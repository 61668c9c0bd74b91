// What a kernel is given: the host fills this in, and the device reads it. Included by both, so no header of anybody is.
#pragma once

namespace delassus::gpu {

enum class Verb : int { kInverseDynamics, kForwardDynamics, kApply, kSolve };
inline constexpr int kNumVerbs = 4;

/// Codes of statuses, those of Status::Code.
inline constexpr unsigned char kOk = 0, kSingularJoint = 1, kNotFinite = 4;

/// A BatchView: (environments, components), strides in numbers. Without data: an argument that the verb does not have.
template <class T>
struct Array {
  T* data = nullptr;
  long long row = 0;  // from one environment to the next
  long long step = 0;
};

template <class T>
struct Arguments {
  Array<const T> q, v;
  Array<const T> in;       // accelerations, forces of the joints, or a vector of rows
  Array<const T> target;   // apply: the output is target - R in - Λ⁻¹ in
  Array<const T> damping;  // R: one for each environment; without: `R` below
  Array<T> out;
  unsigned char* status;  // of each environment
  const T* numbers;       // of the structure (structure.hpp), for each lane
  const int* indices;
  T gravity[3];
  T R;
  int add;   // solve: to what `out` holds
  int size;  // environments
  int num_numbers, num_indices;
};

}  // namespace delassus::gpu
