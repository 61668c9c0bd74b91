// A user of the installed library. USE_ALL: linked with all components, not core alone.
#include <cstdio>
#include <delassus/math/mat.hpp>
#include <delassus/version.hpp>

#ifdef USE_ALL
#include <delassus/dynamics/forward_dynamics.hpp>
#include <delassus/generate/compile.hpp>
#include <delassus/io/load.hpp>
#include <delassus/model/builder.hpp>
#include <vector>
#endif

int main() {
  if (delassus::kVersion != EXPECTED_VERSION) {
    std::puts("the headers are of another version");
    return 1;
  }
  const delassus::Mat<double, 3, 3> m{};
  static_cast<void>(m);
#ifdef USE_ALL
  // A call into a compiled library, so that linking is tested too.
  for (const delassus::EmbeddedFile& file : delassus::embedded_files()) {
    if (file.name.empty() || file.text.empty()) return 1;
  }
  // Packs are laid out alike on both sides, although this program is compiled for another instruction set.
  using Lanes = delassus::Pack<double, 8>;
  delassus::ModelBuilder builder("pendulum");
  builder.add_body("bob", delassus::kWorld, delassus::revolute("hinge", {{0, 1, 0}}),
                   delassus::box_inertial(1, {{0.1, 0.1, 0.1}}, {{0, 0, -1}}));
  const delassus::Model model = builder.make_model();
  delassus::ForwardDynamics<Lanes> work(model);
  std::vector<Lanes> q(1, Lanes(0.5)), v(1, Lanes(0.0)), tau(1, Lanes(0.0)), qdd(1, Lanes(0.0));
  if (!delassus::aba<Lanes>(model, q, v, tau, qdd, work).ok() || !(qdd[0][7] < 0)) return 1;
  // Without a compiler, which the machine need not have.
  const std::vector<delassus::Constraint> limit{delassus::JointLimit{"limit", 0}};
  const auto code = delassus::compile(model, limit, {.compiler = "/nowhere/cc"});
  if (code.has_code() || code.reason().find("/nowhere/cc") == std::string::npos) return 1;
#endif
  std::puts("ok");
  return 0;
}
