#include "generate/mask_text.hpp"

#include "generate/c_template.hpp"

namespace delassus::generation {
namespace {

// The stiffness of such a row is lost in the rounding of any inertia, and numbers of float can hold its square root and its inverse.
constexpr const char* kText = R"($signature {
  int is_masked = 0;
  int changed = 0;
  int e;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    const unsigned char is_off = (unsigned char)((active[e] != 0U) ? 0U : 1U);
    if (is_off != f->inactive[e]) { changed = 1; }
    f->inactive[e] = is_off;
    if (is_off != 0U) { is_masked = 1; }
  }
  f->is_masked = is_masked;
  if (changed != 0) { f->done = f->done & 11U; }
}

static const uint16_t $p_constraint_of[$ROWS] = {$constraints};

/* Zero in rows that are switched off. */
static void $p_clear_off(const $p_factor *f, $real *x) {
  int r;
  if (f->is_masked == 0) { return; }
  for (r = 0; r < $ROWS; ++r) {
    if (f->inactive[$p_constraint_of[r]] != 0U) { x[r] = $(0); }
  }
}

/* x, or a copy that is zero in rows that are switched off. */
static const $real *$p_without_off(const $p_factor *f, const $real *x, $real *copy) {
  int r;
  if (f->is_masked == 0) { return x; }
  for (r = 0; r < $ROWS; ++r) { copy[r] = x[r]; }
  $p_clear_off(f, copy);
  return copy;
}

/* A damping, or a copy that rows which are switched off do not feel. */
static const $real *$p_stiffened(const $p_factor *f, const $real *damping, $real *copy) {
  int k;
  if (f->is_masked == 0) { return damping; }
  for (k = 0; k < $DAMPING; ++k) { copy[k] = damping[k]; }
$stiffen  return copy;
}

)";

constexpr const char* kStiffenRows = R"(  for (k = 0; k < $ROWS; ++k) {
    if (f->inactive[$p_constraint_of[k]] != 0U) { copy[k] = $(1e20); }
  }
)";
constexpr const char* kStiffenBlocks = R"(  {
    static const unsigned char sizes[$CONSTRAINTS] = {$sizes};
    $real *block = copy;
    int e;
    int i;
    for (e = 0; e < $CONSTRAINTS; ++e) {
      const int n = (int)sizes[e];
      if (f->inactive[e] != 0U) {
        for (i = 0; i < (n * n); ++i) { block[i] = $(0); }
        for (i = 0; i < n; ++i) { block[(i * n) + i] = $(1e20); }
      }
      block = &block[n * n];
    }
  }
)";

constexpr const char* kApply = R"($signature {
  $real copy[$ROWS];
  const uint32_t status = $core(f, $p_without_off(f, x, copy), y);
  $p_clear_off(f, y);
  return status;
}

)";
constexpr const char* kDamp = R"($signature {
  $real copy[$DAMPING];
  return $core(f, $p_stiffened(f, damping, copy));
}

)";
constexpr const char* kSolve = R"($signature {
  $real copy[$ROWS];
  return $core(f, $p_without_off(f, b, copy), z$steps);
}

)";

std::string list(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    text += (k == 0 ? "" : k % 24 == 0 ? ",\n    " : ", ") + std::to_string(numbers[k]);
  return text;
}

Words words_of(const Material& m) {
  std::vector<int> sizes, constraints;
  for (const Constraint& c : m.constraints) {
    constraints.insert(constraints.end(), row_count(c), static_cast<int>(sizes.size()));
    sizes.push_back(row_count(c));
  }
  return {{"p", m.dialect.prefix},
          {"real", m.dialect.real()},
          {"ROWS", macro(m, "ROWS")},
          {"DAMPING", macro(m, "DAMPING")},
          {"CONSTRAINTS", macro(m, "CONSTRAINTS")},
          {"sizes", list(sizes)},
          {"constraints", list(constraints)}};
}

}  // namespace

bool has_masks(const Material& m) {
  return m.trace.rows > 0 && m.options.damping != GenerateOptions::DampingForm::kNumber;
}

std::string mask_text(const Material& m) {
  if (!has_masks(m)) return "";
  Words words = words_of(m);
  const bool rows = m.options.damping == GenerateOptions::DampingForm::kRows;
  words["stiffen"] = fill_in(rows ? kStiffenRows : kStiffenBlocks, words, m.dialect);
  words["signature"] = operator_signature(m, "activate");
  return fill_in(kText, words, m.dialect);
}

std::string core_name(const Material& m, const std::string& function) {
  return m.dialect.prefix + "_" + function + (has_masks(m) ? "_all" : "");
}

std::string core_signature(const Material& m, const std::string& function) {
  const std::string signature = operator_signature(m, function);
  return has_masks(m) ? "static uint32_t " + core_name(m, function) + signature.substr(signature.find('(')) : signature;
}

std::string masked_text(const Material& m, const std::string& function) {
  if (!has_masks(m)) return "";
  Words words = words_of(m);
  words["signature"] = operator_signature(m, function);
  words["core"] = core_name(m, function);
  words["steps"] = function == "refine" ? ", steps" : "";
  return fill_in(function == "apply" ? kApply : function == "damp" ? kDamp : kSolve, words, m.dialect);
}

}  // namespace delassus::generation
