// A user of the installed library. USE_ALL: linked with all components, not core alone.
#include <cstdio>
#include <delassus/math/mat.hpp>
#include <delassus/version.hpp>

#ifdef USE_ALL
#include <delassus/delassus.hpp>
#include <delassus/io/embedded.hpp>
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
  for (const delassus::EmbeddedFile& file : delassus::embedded_robot_files()) {
    if (file.name.empty() || file.text.empty()) return 1;
  }
#endif
  std::puts("ok");
  return 0;
}
