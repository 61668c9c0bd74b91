// Sathya, Montaut, de Mont-Marin, Carpentier, "Matrix-Free Delassus Operations: Scalable and Memory-Efficient Algorithms",
// Table I: Intel Core Ultra 7 165H, clang 21.1.1, Pinocchio. Its scenes were taken from a simulation; ours have the same
// robots and numbers of rows, and are not the same states. The last two scenes stand in its text, without figures.
#include "bench/table1/table1.hpp"

#include <algorithm>

#include "cli/shell/find_by_name.hpp"
#include "delassus/io/load.hpp"
#include "scenes/generated.hpp"
#include "scenes/recipes.hpp"

namespace delassus::cli {
namespace {

constexpr PaperFigures figures(double product_from_q, double product, double solve_from_q, double solve,
                               double redamp_solve, double kilobytes) {
  return {{{product_from_q, product, solve_from_q, solve, redamp_solve}}, kilobytes};
}

using Paper = Table1Scene::Paper;

constexpr std::array kScenes{
    Table1Scene{"go2-standing", "go2-standing",
                Paper{figures(1.55, 0.369, 1.64, 0.389, 1.112, 29), figures(3.11, 0.027, 3.65, 0.135, 0.402, 32)}},
    Table1Scene{"go2-standing-friction", "go2-standing-friction",
                Paper{figures(1.61, 0.399, 1.63, 0.421, 1.171, 32), figures(4.64, 0.052, 5.95, 0.305, 1.3, 43)}},
    Table1Scene{"go2-fallen", "go2-fallen",
                Paper{figures(1.74, 0.515, 2.42, 0.591, 1.911, 42), figures(5.89, 0.083, 7.63, 0.371, 1.671, 56)}},
    Table1Scene{"go2-fallen-friction", "go2-fallen-friction",
                Paper{figures(1.77, 0.567, 2.44, 0.62, 1.88, 49), figures(8.10, 0.147, 12.00, 0.601, 3.791, 81)}},
    Table1Scene{"cassie", "cassie-standing",
                Paper{figures(2.94, 0.77, 4.26, 0.854, 3.444, 69), figures(9.27, 0.052, 10.40, 0.30, 1.34, 88)}},
    Table1Scene{"cassie-friction", "cassie-standing-friction",
                Paper{figures(3.07, 0.805, 4.51, 0.894, 3.604, 72), figures(16.00, 0.20, 21.72, 0.718, 5.798, 143)}},
    Table1Scene{"g1-standing", "g1-standing",
                Paper{figures(3.66, 0.919, 3.58, 0.906, 2.426, 110), figures(9.37, 0.051, 10.60, 0.297, 1.327, 235)}},
    Table1Scene{"g1-standing-friction", "g1-standing-friction",
                Paper{figures(3.96, 1.01, 3.83, 1.00, 2.7, 117), figures(18.53, 0.226, 25.00, 0.796, 6.486, 334)}},
    Table1Scene{"g1-fallen", "g1-fallen",
                Paper{figures(4.27, 1.43, 6.22, 1.46, 5.1, 62), figures(25.98, 0.379, 37.88, 1.08, 11.48, 80)}},
    Table1Scene{"g1-fallen-friction", "g1-fallen-friction",
                Paper{figures(4.41, 1.45, 7.33, 1.62, 6.06, 65), figures(42.09, 0.89, 70.40, 1.80, 29, 127)}},
    Table1Scene{"boxes", "boxes",
                Paper{figures(9.47, 5.22, 31.38, 7.58, 30.58, 269), figures(1214, 9.51, 2482, 14.1, 1257.1, 1850)}},
    Table1Scene{"pyramid", "pyramid",
                Paper{figures(14.88, 10.7, 65.20, 15.5, 64.7, 826), figures(5925, 94.9, 23092, 87.4, 16822.4, 15530)}},
    Table1Scene{"pyramid-robots", "pyramid-robots",
                Paper{figures(20.34, 6.84, 37.12, 8.72, 32.02, 730), figures(1511, 7.36, 2430, 12.6, 906.6, 5630)}},
    Table1Scene{"swimmer", "swimmer:100", std::nullopt},
    Table1Scene{"g1-maximal", "g1-maximal", std::nullopt},
};

}  // namespace

std::span<const Table1Scene> table1_scenes() { return kScenes; }

const Table1Scene& find_table1_scene(const std::string& name) {
  const auto same = std::ranges::find(kScenes, name, &Table1Scene::source);
  return same != kScenes.end() ? *same : find_by_name(kScenes, name, "scene of Table I", &Table1Scene::name);
}

BenchScene make_bench_scene(const Table1Scene& scene) {
  return {std::string(scene.name),
          is_generated_scene(scene.source) ? make_scene(scene.source) : load_embedded_scene(scene.source)};
}

}  // namespace delassus::cli
