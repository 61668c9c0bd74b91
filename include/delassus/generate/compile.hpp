// compile(): generated code of a model under constraints, compiled by the system's compiler of C and loaded (docs/generate.md).
//
//   Operator op = compile(load("go2-standing.json"));   // a second or so; from the cache the next time
//   op.update(q);
//
// Runs a compiler and loads what it makes, as the user who calls. What is in the cache is loaded only if nobody else could have written it.
#pragma once

#include <span>
#include <string>

#include "delassus/io/scene.hpp"
#include "delassus/operators/operator.hpp"

namespace delassus {

struct CompileOptions {
  /// A name, a path, or words ("ccache gcc"). Empty: what the variable CC says, else cc, gcc or clang, the first in PATH.
  std::string compiler{};
  /// A folder. Empty: what DELASSUS_CACHE says, else `delassus` in XDG_CACHE_HOME or in ~/.cache.
  std::string cache{};
  bool keep = true;  // look into the cache, and leave there what was compiled
  bool blocks =
      false;  // dampings of one block per constraint in code as well: then all dampings cost up to a quarter more
  double seconds = 600;  // that the compiler may take
};

/// How it went.
struct CompileReport {
  std::string compiler;    // its path, or what was looked for
  std::string folder;      // in the cache; empty if nothing is kept
  bool was_there = false;  // in the cache: nothing was compiled
  std::string note;        // why the cache is not in use, if it is not
};

/// An operator with code; or without, and then its reason() names compiler, exit status and what it said. Throws an Error that names a constraint
/// which does not fit.
GeneratedDelassus<double> compile(const Model& model, std::span<const Constraint> constraints,
                                  const CompileOptions& options = {}, CompileReport* report = nullptr);
/// The same with a state of its own.
Operator<double> compile(const Scene& scene, const CompileOptions& options = {}, CompileReport* report = nullptr);

}  // namespace delassus
