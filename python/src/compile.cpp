// compile(): an operator with generated code.
#include "compile.hpp"

#include <utility>

#include "bindings.hpp"
#include "convert.hpp"
#include "scene.hpp"

namespace delassus::python {
namespace {

std::unique_ptr<OperatorObject> compile_scene(const SceneObject& scene, const py::object& compiler,
                                              const py::object& cache, const py::object& keep, const py::object& blocks,
                                              const py::object& seconds) {
  CompileOptions options;
  if (!compiler.is_none()) options.compiler = Convert<std::string>::from(compiler, "compiler");
  if (!cache.is_none()) options.cache = path_from(cache, "cache");
  options.keep = Convert<bool>::from(keep, "keep");
  options.blocks = Convert<bool>::from(blocks, "blocks");
  options.seconds = Convert<double>::from(seconds, "seconds");
  return make_compiled(scene.model, std::vector<Constraint>(scene.constraints), options);
}

}  // namespace

std::unique_ptr<OperatorObject> make_compiled(std::shared_ptr<Model> model, const std::vector<Constraint>& constraints,
                                              const CompileOptions& options) {
  const py::gil_scoped_release release;
  GeneratedDelassus<double> code = compile(*model, constraints, options);
  return std::make_unique<OperatorObject>(std::move(model), constraints, std::move(code));
}

void bind_compile(py::module_& m) {
  m.def(
      "compile", &compile_scene, py::arg("scene"), py::kw_only(), py::arg("compiler") = py::none(),
      py::arg("cache") = py::none(), py::arg("keep") = true, py::arg("blocks") = false, py::arg("seconds") = 600.0,
      "An Operator whose products and solves are C code for the model and the constraints of a Scene, compiled by the "
      "system's\n"
      "compiler and loaded. Points and axes of contacts may move (set_constraints); for other constraints, and where "
      "no\n"
      "code could be made, the library computes: Operator.reason says why.\n\n"
      "compiler: a name or path, or words; None: what the variable CC says, else cc, gcc or clang.\n"
      "cache: folder that keeps what was compiled; None: DELASSUS_CACHE, else delassus in XDG_CACHE_HOME or "
      "~/.cache.\n"
      "keep: whether to use it. blocks: dampings of one block per constraint in code as well, which costs the "
      "others.\n"
      "seconds: that the compiler may take.");
}

}  // namespace delassus::python
