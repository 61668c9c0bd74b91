#include "generate/sincos_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string_view>

#include "math/sincos.hpp"

namespace delassus::generation {
namespace {

constexpr std::string_view kOfOne =
    R"(/* Within pi / 4 of a multiple of pi / 2, in three steps that lose nothing; then two polynomials. */
static void {p}_sincos({real} x, {real} *s, {real} *c) {{
  if ((x > -{limit}) && (x < {limit})) {{
    const {real} turns = x * {two_over_pi};
    const {real} rounded = turns + ((turns < {zero}) ? -{half} : {half});
    const int32_t quadrant = (int32_t)rounded; /* towards zero */
    const {real} k = ({real})quadrant;
    const {real} r = ((x - (k * {pi0})) - (k * {pi1})) - (k * {pi2});
    const {real} z = r * r;
    const {real} sine = r + ((r * z) * {sine});
    const {real} cosine = {one} - (({half} * z) - ((z * z) * {cosine}));
    const uint32_t turn = (uint32_t)quadrant & 3U;
    const {real} s1 = ((turn & 1U) != 0U) ? cosine : sine;
    const {real} c1 = ((turn & 1U) != 0U) ? sine : cosine;
    *s = ((turn & 2U) != 0U) ? -s1 : s1;
    *c = (((turn + 1U) & 2U) != 0U) ? -c1 : c1;
  }} else {{
    *s = sin{suffix}(x);
    *c = cos{suffix}(x);
  }}
}}

)";

constexpr std::string_view kInLanes = R"({P}_HELPER void {p}_sincos_lanes({p}_lanes x, {p}_lanes *s, {p}_lanes *c) {{
  const {p}_lanes rounded = x * {two_over_pi} + {round};
  const {p}_lanes k = rounded - {round};
  const {p}_lanes r = ((x - (k * {pi0})) - (k * {pi1})) - (k * {pi2});
  const {p}_lanes z = r * r;
  const {p}_lanes sine = r + ((r * z) * {sine});
  const {p}_lanes cosine = {one} - (({half} * z) - ((z * z) * {cosine}));
  const {p}_mask turn = ({p}_mask)rounded;
  const {p}_mask odd = (turn & 1) != 0;
  const {p}_lanes s1 = {p}_pick(odd, cosine, sine);
  const {p}_lanes c1 = {p}_pick(odd, sine, cosine);
  *s = {p}_pick((turn & 2) != 0, -s1, s1);
  *c = {p}_pick(((turn + 1) & 2) != 0, -c1, c1);
  if ({p}_all((x < {limit}) & (x > -{limit})) == 0) {{
    int lane;
    for (lane = 0; lane < 4; ++lane) {{
      {real} one_s;
      {real} one_c;
      {p}_sincos(x[lane], &one_s, &one_c);
      (*s)[lane] = one_s;
      (*c)[lane] = one_c;
    }}
  }}
}}

)";

template <class B>
std::string filled(std::string_view text, const Dialect& d) {
  using C = SinCosConstants<B>;
  const auto number = [&](B x) { return d.number(static_cast<double>(x)); };
  const auto polynomial = [&](const auto& c) {
    const std::size_t n = std::size(c);
    std::string sum = number(c[n - 1]);
    for (std::size_t k = n - 1; k-- > 0;) sum = fmt::format("(({} * z) + {})", sum, number(c[k]));
    return sum;
  };
  return fmt::format(
      fmt::runtime(text), fmt::arg("p", d.prefix), fmt::arg("P", upper(d.prefix)), fmt::arg("real", d.real()),
      fmt::arg("limit", number(C::kReductionLimit)), fmt::arg("two_over_pi", number(C::kTwoOverPi)),
      fmt::arg("round", number(C::kRound)), fmt::arg("zero", number(0)), fmt::arg("half", number(B(0.5))),
      fmt::arg("pi0", number(C::kHalfPi[0])), fmt::arg("pi1", number(C::kHalfPi[1])),
      fmt::arg("pi2", number(C::kHalfPi[2])), fmt::arg("sine", polynomial(C::kSin)),
      fmt::arg("cosine", polynomial(C::kCos)), fmt::arg("one", number(1)), fmt::arg("suffix", d.is_float ? "f" : ""));
}

std::string filled(std::string_view text, const Dialect& d) {
  return d.is_float ? filled<float>(text, d) : filled<double>(text, d);
}

}  // namespace

std::string sincos_text(const Dialect& dialect) { return filled(kOfOne, dialect); }
std::string sincos_in_lanes_text(const Dialect& dialect) { return filled(kInLanes, dialect); }

}  // namespace delassus::generation
