#include "generate/entry_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "operators/operator_code.hpp"

namespace delassus::generation {
namespace {

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

// Sizes and alignment are asked of the compiler: it knows what form the factor has.
std::string entry_text(const GeneratedCode& code, const GenerateOptions& options, bool has_contacts) {
  const bool number = options.damping == GenerateOptions::DampingForm::kNumber;
  return fmt::format(
      R"(
#include <stddef.h>

struct {p}_aligned {{ char first; {p}_factor factor; }};

static uint32_t {p}_entry_update(void *f, const double *q, const double *contacts) {{
  {unused}return {p}_update(({p}_factor *)f, q{contacts});
}}
static uint32_t {p}_entry_apply(const void *f, const double *x, double *y) {{
  return {p}_apply((const {p}_factor *)f, x, y);
}}
static uint32_t {p}_entry_damp(void *f, const double *damping) {{
  return {p}_damp(({p}_factor *)f, {damping});
}}
static uint32_t {p}_entry_solve(const void *f, const double *b, double *z) {{
  return {p}_solve((const {p}_factor *)f, b, z);
}}

typedef struct {{
  uint32_t version, coordinates, rows, dampings, contacts, alignment;
  uint64_t bytes;
  uint32_t (*update)(void *, const double *, const double *);
  uint32_t (*apply)(const void *, const double *, double *);
  uint32_t (*damp)(void *, const double *);
  uint32_t (*solve)(const void *, const double *, double *);
}} {p}_entry;

__attribute__((visibility("default"))) extern const {p}_entry {symbol};
const {p}_entry {symbol} = {{
  {version}, {P}_NQ, {P}_ROWS, {P}_DAMPING, {count}, offsetof(struct {p}_aligned, factor), sizeof({p}_factor),
  {p}_entry_update, {p}_entry_apply, {p}_entry_damp, {p}_entry_solve}};
)",
      fmt::arg("p", code.name), fmt::arg("P", in_capitals(code.name)), fmt::arg("symbol", kEntrySymbol),
      fmt::arg("version", OperatorEntry::kVersion), fmt::arg("unused", has_contacts ? "" : "(void)contacts; "),
      fmt::arg("contacts", has_contacts ? fmt::format(", (const {}_contact *)contacts", code.name) : ""),
      fmt::arg("count", has_contacts ? in_capitals(code.name) + "_CONTACTS" : "0"),
      fmt::arg("damping", number ? "*damping" : "damping"));
}

}  // namespace delassus::generation
