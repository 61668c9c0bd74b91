// Operators with generated code.
#pragma once

#include <memory>
#include <vector>

#include "delassus/generate/compile.hpp"
#include "operator_object.hpp"

namespace delassus::python {

/// Called with the GIL, which it gives back while a compiler runs.
std::unique_ptr<OperatorObject> make_compiled(std::shared_ptr<Model> model, const std::vector<Constraint>& constraints,
                                              const CompileOptions& options);

}  // namespace delassus::python
