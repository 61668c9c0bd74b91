// The kernel that the driver starts. Read by the compiler for the device alone.
#pragma once

#include "gpu/kernel/device_lanes.hpp"
#include "gpu/kernel/verbs.hpp"

namespace delassus::gpu {

/// The numbers of the robot go to shared memory, and each group of kLanes threads takes an environment.
template <class S, class T, Verb kVerb>
DELASSUS_LANE_INLINE void enter(const Arguments<T>& arguments) {
  extern __shared__ double room[];
  T* numbers = reinterpret_cast<T*>(room);
  int* indices = reinterpret_cast<int*>(numbers + arguments.num_numbers);
  for (int k = threadIdx.x; k < arguments.num_numbers; k += blockDim.x) numbers[k] = arguments.numbers[k];
  for (int k = threadIdx.x; k < arguments.num_indices; k += blockDim.x) indices[k] = arguments.indices[k];
  __syncthreads();
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long mine = thread / S::kLanes, last = arguments.size - 1;
  const DeviceLanes<S, T> lanes{numbers, indices, static_cast<int>(threadIdx.x % S::kLanes),
                                static_cast<int>(mine < last ? mine : last), mine <= last};
  run<S, DeviceLanes<S, T>, kVerb>(lanes, of_environment(arguments, lanes.environment));
}

}  // namespace delassus::gpu
