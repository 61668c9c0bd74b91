// The scenes of the paper's Table I, with its figures.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench/measure/scene.hpp"
#include "bench/measure/verb.hpp"

namespace delassus::cli {

/// One method of the paper on one scene.
struct PaperFigures {
  ByVerb<double> time_us;
  double kilobytes;  // of the damped inverse
};

struct Table1Scene {
  std::string_view name;
  std::string_view source;  // what the library calls it
  struct Paper {
    PaperFigures matrix_free, ltl;
  };
  std::optional<Paper> paper;
};

std::span<const Table1Scene> table1_scenes();

/// By its name here or in the library. Throws an Error with the closest name if there is none of this one.
const Table1Scene& find_table1_scene(const std::string& name);

BenchScene make_bench_scene(const Table1Scene& scene);

}  // namespace delassus::cli
