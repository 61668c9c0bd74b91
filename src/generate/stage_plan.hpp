// In which part of a stage each node is computed, and where it lies until nobody reads it any more.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "generate/schedule.hpp"

namespace delassus::generation {

struct StagePlan {
  StagePlan(const Program& program, const Schedule& schedule, int stage, int part_nodes);

  struct Part {
    std::vector<Tape::Index> nodes;  // operands first
    bool of_limbs = false;           // runs once for each lane
  };
  std::vector<Part> parts;
  std::vector<int> part;  // of each node; -1: none of this stage's, or a product that stands in a sum
  /// Place in the memory for the call, of what a later part reads; else -1. Numbered as slots of the state are.
  std::vector<int> word;
  int lane_words = 0, num_words = 0;
  /// Products that one sum uses stand in it, so that the compiler makes one operation of both.
  std::set<Tape::Index> products;
  std::map<Tape::Index, std::vector<Tape::Index>> angles;  // sine and cosine of an angle

  bool is_here(Tape::Index k) const { return schedule_.stage[k] == stage_; }
  /// Given, constant, or kept by an earlier stage.
  bool is_known(Tape::Index k) const;

 private:
  void find_held();
  void find_levels();
  void find_products();
  void cut_into_parts(int part_nodes);
  void share_words();
  template <class F>
  void for_each_read(Tape::Index k, F&& f) const;

  const Program& program_;
  const Schedule& schedule_;
  int stage_;
  std::set<Tape::Index> held_;  // what explanations read: it stays until the end of the stage
  std::vector<int> level_;      // limbs wait for the trunk of their level, the trunk for the limbs of the level before
};

}  // namespace delassus::generation
