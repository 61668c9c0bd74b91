// How many environments a second a GPU does each verb for.
#pragma once

#include <string>
#include <vector>

#include "delassus/gpu/gpu.hpp"

namespace delassus::cli {

struct GpuRate {
  std::string verb;
  int environments;
  double per_second;
  double bytes;  // that an environment reads and writes
};

/// What a robot is measured with.
struct GpuCase {
  Model model;
  std::vector<double> q;
  std::vector<Constraint> constraints;  // those that devices take
};

struct GpuResult {
  double construct_s = 0;  // compiling, or reading compiled kernels
  int compiled = 0, lanes = 0, rows = 0;
  double worst_error = 0;  // of products, against delassus::Batch in double, over the largest entry
  std::vector<GpuRate> rates;
};

/// Each rate is the median of `repetitions` runs of some launches that end together. T: float or double.
template <class T>
GpuResult measure_gpu(const gpu::Device& device, const GpuCase& robot, const std::vector<int>& sizes, int repetitions,
                      const std::string& cache = {});

}  // namespace delassus::cli
