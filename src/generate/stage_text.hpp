// The C code of one stage: functions of some hundred operations each, and one that says which check failed.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "generate/schedule.hpp"

namespace delassus::generation {

/// How names and numbers are written.
struct Dialect {
  std::string prefix;  // of all names: "go2"
  bool is_float = false;
  int part_nodes = 400;

  std::string number(double value) const;
  std::string real() const { return prefix + "_real"; }
  std::string lanes() const { return prefix + "_lanes"; }  // of four numbers
};

struct Parameter {
  std::string name;         // "q"
  std::string declaration;  // "const go2_real *restrict q"
  std::string given = {};   // by the caller, if that is not the name
};

/// Constants that differ from limb to limb, for loops over them: one row per lane.
class LaneTable {
 public:
  int place(const Tape::FourNumbers& numbers);
  std::string text(const Dialect& dialect) const;

 private:
  std::vector<Tape::FourNumbers> columns_;
  std::map<Tape::FourNumbers, int> places_;
};

/// What calls need of the stack: numbers, and how many of them are nested.
struct StackNeed {
  int numbers = 0;
  int calls = 0;

  /// One that makes this call, with so many numbers of its own.
  StackNeed within(int own) const { return {own + numbers, calls + 1}; }
  friend StackNeed most_of(const StackNeed& a, const StackNeed& b) {
    return {std::max(a.numbers, b.numbers), std::max(a.calls, b.calls)};
  }
};

struct StageText {
  std::string functions;  // static, to stand before the one that calls them
  std::string
      calls;  // statements that run the stage: they take `v`, `w`, the parameters, `ok` if there are checks, and `lane` if there are loops
  std::string status;  // an expression for what failed, of the same; empty if nothing can
  int scratch = 0;     // numbers that `w` has
  StackNeed stack;     // of the calls, if compilers keep each number of a function once
};

/// Parts take from the parameters what they use. `v` is the state, `w` memory for the call.
StageText write_stage(const Program& program, const Schedule& schedule, int stage, const Dialect& dialect,
                      const std::vector<Parameter>& parameters, LaneTable& table);

/// Whether a call in these statements is given something of that name.
bool takes(const std::string& calls, const std::string& name);

/// The word before a part, by which compilers do not make one function of all: on thousands of operations they take minutes.
std::string part_word(const Dialect& dialect);

/// In capitals, as words of the preprocessor are.
std::string upper(std::string word);

/// A Status as the generated functions return it: code + 256 (index + 1).
std::string status_text(const Status& status);

}  // namespace delassus::generation
