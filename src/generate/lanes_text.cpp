#include "generate/lanes_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "generate/sincos_text.hpp"

namespace delassus::generation {
namespace {

constexpr std::string_view kTypes = R"(/* Four numbers, one of each limb. What is kept lies anywhere, as numbers do. */
typedef {real} {p}_lanes __attribute__((vector_size(4 * sizeof({real}))));
typedef {real} {p}_kept __attribute__((vector_size(4 * sizeof({real})), aligned(sizeof({real})), may_alias));
typedef {integer} {p}_mask __attribute__((vector_size(4 * sizeof({real}))));
#define {P}_ALIGNED __attribute__((aligned(4 * sizeof({real}))))
#define {P}_AT(array, place) (*({p}_kept *)(&(array)[place]))
#define {P}_READ(array, place) (*(const {p}_kept *)(&(array)[place]))
#define {P}_HELPER static inline __attribute__((always_inline, unused))
#if defined(__clang__)
#define {P}_SHUFFLE(x, a, b, c, d) __builtin_shufflevector(x, x, a, b, c, d)
#else
#define {P}_SHUFFLE(x, a, b, c, d) __builtin_shuffle(x, ({p}_mask){{a, b, c, d}})
#endif

)";

constexpr std::string_view kFunctions = R"({P}_HELPER {p}_lanes {p}_pick({p}_mask m, {p}_lanes a, {p}_lanes b) {{
  return ({p}_lanes)((({p}_mask)a & m) | (({p}_mask)b & ~m));
}}
{P}_HELPER {p}_lanes {p}_keep_lanes({p}_lanes x, {p}_mask m) {{ return ({p}_lanes)(({p}_mask)x & m); }}
{P}_HELPER {p}_lanes {p}_sum_lanes({p}_lanes x) {{
  const {p}_lanes pairs = x + {P}_SHUFFLE(x, 2, 3, 0, 1);
  return pairs + {P}_SHUFFLE(pairs, 1, 0, 3, 2);
}}
{P}_HELPER {p}_lanes {p}_largest_lane({p}_lanes x) {{
  const {p}_lanes y = {P}_SHUFFLE(x, 2, 3, 0, 1), pairs = {p}_pick(x < y, y, x), z = {P}_SHUFFLE(pairs, 1, 0, 3, 2);
  return {p}_pick(pairs < z, z, pairs);
}}
{P}_HELPER int {p}_all({p}_mask m) {{ return (m[0] & m[1] & m[2] & m[3]) != 0; }}
{P}_HELPER {p}_lanes {p}_sqrt({p}_lanes x) {{
  return ({p}_lanes){{{sqrt}(x[0]), {sqrt}(x[1]), {sqrt}(x[2]), {sqrt}(x[3])}};
}}

)";

}  // namespace

std::string lanes_text(const Dialect& d, bool angles) {
  const std::string real = d.real(), sqrt = d.is_float ? "sqrtf" : "sqrt";
  const auto filled = [&](std::string_view text) {
    return fmt::format(fmt::runtime(text), fmt::arg("p", d.prefix), fmt::arg("P", upper(d.prefix)),
                       fmt::arg("real", real), fmt::arg("integer", d.is_float ? "int32_t" : "int64_t"),
                       fmt::arg("sqrt", sqrt));
  };
  return filled(kTypes) + filled(kFunctions) + (angles ? sincos_in_lanes_text(d) : "");
}

}  // namespace delassus::generation
