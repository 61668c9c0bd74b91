#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "delassus/operators/condensed.hpp"
#include "generate/contact_text.hpp"
#include "generate/dynamics_text.hpp"
#include "generate/lanes_text.hpp"
#include "generate/mask_text.hpp"
#include "generate/sincos_text.hpp"

namespace delassus::generation {
namespace {

GeneratedCost cost_of(const std::string& function, const OperationCount& n, int scratch) {
  return {function, n.additions, n.multiplications, n.divisions, n.square_roots, n.trigonometric, scratch};
}

/// Of the function that calls a stage.
StackNeed stack_of(const StageText& stage) { return stage.stack.within(stage.scratch); }

/// Registers, the address to return to, arguments and what aligns them: more than any of the usual conventions has.
int stack_bytes(const Material& m, const StackNeed& need) {
  constexpr int kCallBytes = 192;
  return need.numbers * (m.dialect.is_float ? 4 : 8) + need.calls * kCallBytes;
}

class OperatorSource {
 public:
  OperatorSource(const Material& m, std::vector<GeneratedCost>& costs)
      : m_(m), p_(m.dialect.prefix), real_(m.dialect.real()) {
    const std::size_t first = costs.size();
    LaneTable table;
    for (int s = 0; s < static_cast<int>(m.trace.program.stages.size()); ++s) {
      stages_.push_back(write_stage(m.trace.program, m.schedule, s, m.dialect, parameters_of(m, s), table));
      costs.push_back(cost_of(m.trace.program.stages[s].name, m.schedule.counts[s], stages_.back().scratch));
    }
    limbs_ = table.text(m.dialect) + largest();
    costs[first + OperatorTrace::kDamp].scratch_numbers += stages_[OperatorTrace::kPrepare].scratch;
    costs.push_back(cost_of_refinement(costs[first + OperatorTrace::kApply], costs[first + OperatorTrace::kSolve]));
    bound_stacks(std::span(costs).subspan(first));
    if (has_masks(m)) add_copies(first, costs);
    if (has_dynamics(m)) {
      add_dynamics_costs(m, first, costs);
      bound_dynamics(std::span(costs).subspan(first));
    }
    if (has_contact_solver(m)) {
      costs.push_back(cost_of_contact_iteration(m, costs[first + OperatorTrace::kSolve]));
      costs.back().stack_bytes = contact_stack();
    }
  }

  std::string text() const {
    return limbs_ + mask_text(m_) + update() + apply() + masked_text(m_, "apply") + damp() + masked_text(m_, "damp") +
           solve() + (has_dynamics(m_) ? dynamics_text(m_, stages_) : "") +
           (has_contact_solver(m_) ? contact_text(m_) : "");
  }

 private:
  /// `costs` ends with that of refine.
  void bound_stacks(std::span<GeneratedCost> costs) {
    using enum OperatorTrace::Stage;
    for (std::size_t s = 0; s < stages_.size(); ++s) costs[s].stack_bytes = stack_bytes(m_, stack_of(stages_[s]));
    const int rows = m_.trace.rows, copy = has_masks(m_) ? rows : 0;
    const auto masked = [&](const StackNeed& need, int numbers) {
      return has_masks(m_) ? need.within(numbers + kLocals) : need;
    };
    // A new damping may have to prepare first. Solves are refined: by a residual, which takes a product, and another solve.
    apply_ = masked(stack_of(stages_[kApply]), copy);
    damp_ = masked(most_of(stages_[kDamp].stack, stack_of(stages_[kPrepare])).within(stages_[kDamp].scratch),
                   m_.trace.damping_numbers);
    const StackNeed residual = apply_.within(2 * kLocals);
    const StackNeed refine = most_of(residual, stack_of(stages_[kSolve])).within(2 * rows + 2 * kLocals);
    solve_ = masked(refine.within(kLocals), copy);
    costs[kApply].stack_bytes = stack_bytes(m_, apply_);
    costs[kDamp].stack_bytes = stack_bytes(m_, damp_);
    costs[kSolve].stack_bytes = stack_bytes(m_, solve_);
    costs.back().stack_bytes = stack_bytes(m_, masked(refine, copy));
  }
  static constexpr int kLocals = 8;  // numbers and counters of functions that are the same for all robots

  /// `costs`: those of the dynamics' functions as well, the last two.
  void bound_dynamics(std::span<GeneratedCost> costs) const {
    using enum OperatorTrace::Stage;
    const int rows = m_.trace.rows, nv = m_.model.nv();
    const StackNeed prepare =
        most_of(stages_[kPrepareMotion].stack, stack_of(stages_[kPrepare])).within(stages_[kPrepareMotion].scratch);
    const auto of = [&](int stage) {
      return most_of(stages_[stage].stack, prepare).within(stages_[stage].scratch + kLocals);
    };
    for (const int stage : {kFreeMotion, kResponse, kRowTorques}) costs[stage].stack_bytes = stack_bytes(m_, of(stage));
    const StackNeed most =
        most_of(most_of(of(kFreeMotion), of(kResponse).within(nv + kLocals)), most_of(solve_, apply_.within(kLocals)))
            .within(5 * rows + 2 * kLocals);
    for (GeneratedCost& cost : costs.last(2)) cost.stack_bytes = stack_bytes(m_, most);
  }

  /// Projections, residuals and the extrapolation have some numbers of their own.
  int contact_stack() const {
    const StackNeed own{cost_of_contact_iteration(m_, {}).scratch_numbers + 3 * 6, 1};
    return stack_bytes(m_, most_of(own, most_of(most_of(solve_, damp_), apply_.within(2 * kLocals)))
                               .within(2 * kLocals)
                               .within(2 * kLocals)
                               .within(2 * kLocals)
                               .within(m_.trace.rows + 2 * kLocals));
  }

  /// A step: a solve, a product, and sums over the rows.
  GeneratedCost cost_of_refinement(const GeneratedCost& apply, const GeneratedCost& solve) const {
    GeneratedCost cost{"refine", apply.additions + solve.additions, apply.multiplications + solve.multiplications,
                       apply.divisions + solve.divisions, apply.square_roots + solve.square_roots};
    const bool blocks = m_.options.damping == GenerateOptions::DampingForm::kBlocks;
    cost.additions += 4 * m_.trace.rows + (blocks ? m_.trace.damping_numbers : 0);
    cost.multiplications += blocks ? m_.trace.damping_numbers : m_.trace.rows;
    cost.scratch_numbers = 2 * m_.trace.rows + std::max(apply.scratch_numbers, solve.scratch_numbers);
    return cost;
  }

  std::string largest() const {
    const std::string call = p_ + "_largest(";
    const bool used = std::any_of(stages_.begin(), stages_.end(),
                                  [&](const StageText& s) { return s.functions.find(call) != std::string::npos; });
    if (!used) return "";
    return fmt::format(
        "static {0} {1}_largest({0} a, {0} b, {0} c, {0} d) {{\n  const {0} x = (a < b) ? b : a;\n"
        "  const {0} y = (c < d) ? d : c;\n  return (x < y) ? y : x;\n}}\n\n",
        real_, p_);
  }

  /// Of what is given, without rows that are off.
  void add_copies(std::size_t first, std::vector<GeneratedCost>& costs) const {
    for (const int stage : {OperatorTrace::kApply, OperatorTrace::kSolve})
      costs[first + stage].scratch_numbers += m_.trace.rows;
    costs[first + OperatorTrace::kDamp].scratch_numbers += m_.trace.damping_numbers;
    costs.back().scratch_numbers += m_.trace.rows;
  }

  std::string too_early() const { return status_text({Status::Code::kBadArgument, -1}); }
  std::string early(const std::string& unless) const {
    return fmt::format("  if ({}) {{ return {}; }}\n", unless, too_early());
  }

  std::string update() const {
    const StageText& s = stages_[OperatorTrace::kUpdate];
    const bool contacts = !contact_inputs(m_.constraints, m_.options).empty();
    std::string text = s.functions;
    text += operator_signature(m_, "update") + " {\n";
    text += scratch(m_, s) + state(m_, s, "") + "  f->done = 0U;\n" + unused(s, {"q"}) +
            (contacts ? unused(s, {"contacts"}) : "");
    return text + body(s) + "  f->done = 1U;\n  return 0U;\n}\n\n";
  }

  std::string apply() const {
    const StageText& s = stages_[OperatorTrace::kApply];
    std::string text = s.functions;
    text += core_signature(m_, "apply") + " {\n";
    text += scratch(m_, s) + state(m_, s, "const ") + early("(f->done & 1U) == 0U") + unused(s, {"x"});
    return text + s.calls + "  return 0U;\n}\n\n";
  }

  std::string damp() const {
    const StageText &first = stages_[OperatorTrace::kPrepare], &s = stages_[OperatorTrace::kDamp];
    const bool number = m_.options.damping == GenerateOptions::DampingForm::kNumber;
    std::string text = first.functions + s.functions;
    if (!first.calls.empty()) {
      text += fmt::format(
          "/* What follows from the configuration, and only dampings need. */\nstatic void {}_prepare({} *v) {{\n", p_,
          real_);
      text += scratch(m_, first) + first.calls + "}\n\n";
    }
    text += core_signature(m_, "damp") + " {\n";
    text += scratch(m_, s) + state(m_, s, "");
    if (m_.trace.asks_damping) text += "  int is_mild = 0;\n  int *const mild = &is_mild;\n";
    if (!number) text += "  int k;\n";
    text += early("(f->done & 1U) == 0U");
    if (!first.calls.empty()) text += fmt::format("  if ((f->done & 2U) == 0U) {{ {}_prepare(f->v); }}\n", p_);
    text += "  f->done = (f->done & 8U) | 3U;\n" + body(s);
    text += number
                ? "  f->damping[0] = damping;\n"
                : fmt::format("  for (k = 0; k < {}; ++k) {{ f->damping[k] = damping[k]; }}\n", macro(m_, "DAMPING"));
    text += fmt::format("  f->refines = {};\n", m_.trace.always_refines || m_.trace.asks_damping ? 1 : 0);
    if (m_.trace.asks_damping && !m_.trace.always_refines) text += "  if (is_mild != 0) { f->refines = 0; }\n";
    return text + "  f->done = f->done | 4U;\n  return 0U;\n}\n\n";
  }

  std::string solve() const {
    const StageText& s = stages_[OperatorTrace::kSolve];
    std::string text = s.functions;
    const bool asks = m_.trace.asks_solution;
    text += fmt::format("static {0} {1}_solve_once(const {1}_factor *f, const {2} *b, {2} *z) {{\n",
                        asks ? "int" : "void", p_, real_);
    text += scratch(m_, s) + state(m_, s, "const ");
    if (asks) text += "  int is_mild = 0;\n  int *const mild = &is_mild;\n";
    if (!uses(s, "v")) text += "  (void)f;\n";
    text += unused(s, {"b"}) + s.calls + (has_masks(m_) ? "  " + p_ + "_clear_off(f, z);\n" : "") +
            (asks ? "  return is_mild;\n}\n\n" : "}\n\n");
    text += residual() + refine();
    text += core_signature(m_, "solve") + " {\n";
    text += fmt::format("  {} sum = {};\n  int mild = 1;\n  int r;\n", real_, m_.dialect.number(0));
    text += early("(f->done & 4U) == 0U");
    text += fmt::format("  {}{}_solve_once(f, b, z);\n", asks ? "mild = " : "", p_);
    text += fmt::format("  for (r = 0; r < {}; ++r) {{ sum += z[r]; }}\n", macro(m_, "ROWS"));
    text += "  /* What is no number is told as what is not accurate. */\n";
    text += fmt::format("  if ((mild != 0) && (f->refines == 0) && ((sum - sum) < {})) {{ return 0U; }}\n",
                        m_.dialect.number(1));
    text += fmt::format("  return {}(f, b, z, {});\n}}\n\n", core_name(m_, "refine"), CondensedOptions().refinements);
    return text + masked_text(m_, "refine") + masked_text(m_, "solve");
  }

  /// left = (b - R⁻¹ z) - left, row by row.
  std::string subtract_by_rows() const {
    const bool number = m_.options.damping == GenerateOptions::DampingForm::kNumber;
    return fmt::format("  for (r = 0; r < {}; ++r) {{ left[r] = (b[r] - (f->damping[{}] * z[r])) - left[r]; }}\n",
                       macro(m_, "ROWS"), number ? "0" : "r");
  }
  /// The same where R⁻¹ has blocks.
  std::string subtract_by_blocks() const {
    std::string sizes;
    for (const Constraint& c : m_.constraints) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", row_count(c));
    return fmt::format(
        "  for (e = 0; e < {1}; ++e) {{\n"
        "    static const int sizes[{1}] = {{{0}}};\n"
        "    const int n = sizes[e];\n"
        "    int i;\n"
        "    int j;\n"
        "    for (i = 0; i < n; ++i) {{\n"
        "      {2} damped = {3};\n"
        "      for (j = 0; j < n; ++j) {{\n"
        "        const int entry = (j <= i) ? ((i * n) + j) : ((j * n) + i);\n"
        "        damped += f->damping[block + entry] * z[first + j];\n"
        "      }}\n"
        "      left[first + i] = (b[first + i] - damped) - left[first + i];\n"
        "    }}\n"
        "    block += n * n;\n"
        "    first += n;\n"
        "  }}\n",
        sizes, m_.constraints.size(), real_, m_.dialect.number(0));
  }

  std::string residual() const {
    const bool blocks = m_.options.damping == GenerateOptions::DampingForm::kBlocks;
    return fmt::format(
        "/* left = b - (R⁻¹ + Λ⁻¹) z. Returns its largest entry, and no number if one of them is none. */\n"
        "static {real} {p}_residual(const {p}_factor *f, const {real} *b, const {real} *z, {real} *left) {{\n"
        "  {real} most = {zero};\n"
        "  {real} sum = {zero};\n"
        "{counters}"
        "  int r;\n"
        "  (void){p}_apply(f, z, left);\n"
        "{subtract}"
        "  for (r = 0; r < {rows}; ++r) {{\n"
        "    sum += left[r];\n"
        "    most = (most < {abs}(left[r])) ? {abs}(left[r]) : most;\n"
        "  }}\n"
        "  return most + (sum - sum);\n"
        "}}\n\n",
        fmt::arg("real", real_), fmt::arg("p", p_),
        fmt::arg("counters", blocks ? "  int block = 0;\n  int first = 0;\n  int e;\n" : ""),
        fmt::arg("subtract", blocks ? subtract_by_blocks() : subtract_by_rows()),
        fmt::arg("zero", m_.dialect.number(0)), fmt::arg("rows", macro(m_, "ROWS")),
        fmt::arg("abs", m_.dialect.is_float ? "fabsf" : "fabs"));
  }

  /// As src/operators/refinement.hpp.
  std::string refine() const {
    const double epsilon = m_.dialect.is_float ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                               : std::numeric_limits<double>::epsilon();
    const double least = m_.dialect.is_float ? static_cast<double>(std::numeric_limits<float>::min())
                                             : std::numeric_limits<double>::min();
    const double tolerance = std::max(CondensedOptions().tolerance, 1e4 * epsilon);
    return fmt::format(
        "{signature} {{\n"
        "  {real} left[{rows}];\n"
        "  {real} step[{rows}];\n"
        "  {real} size = {zero};\n"
        "  {real} residual;\n"
        "  {real} least;\n"
        "  {real} end;\n"
        "  int worst = 0;\n"
        "  int r;\n"
        "  int k;\n"
        "{early}"
        "  for (r = 0; r < {rows}; ++r) {{ size = (size < {abs}(b[r])) ? {abs}(b[r]) : size; }}\n"
        "  least = ({rounding} * size) + {least};\n"
        "  end = least;\n"
        "  residual = {p}_residual(f, b, z, left);\n"
        "  for (k = 0; (k < steps) && !(residual < end); ++k) {{\n"
        "    const {real} wanted = end;\n"
        "    {real} after;\n"
        "    {real} reached;\n"
        "    {discard}{p}_solve_once(f, left, step);\n"
        "    for (r = 0; r < {rows}; ++r) {{ step[r] += z[r]; }}\n"
        "    after = {p}_residual(f, b, step, left);\n"
        "    /* A step that leaves much more than a solve does: the product is not exact, and no more can be had. */\n"
        "    reached = end;\n"
        "    if (after < ({enough} * size)) {{ reached = after + after; }}\n"
        "    if (((({ten} * residual) * residual) < (after * size)) && (end < reached)) {{ end = reached; }}\n"
        "    if ((after < residual) && (wanted < residual)) {{\n"
        "      for (r = 0; r < {rows}; ++r) {{ z[r] = step[r]; }}\n"
        "      residual = after;\n"
        "    }}\n"
        "  }}\n"
        "  if ((residual < ({tolerance} * size)) || (residual < least)) {{ return 0U; }}\n"
        "  (void){p}_residual(f, b, z, left);\n"
        "  for (r = 1; r < {rows}; ++r) {{ worst = ({abs}(left[worst]) < {abs}(left[r])) ? r : worst; }}\n"
        "  return {inaccurate}U + (256U * ((uint32_t)worst + 1U));\n"
        "}}\n\n",
        fmt::arg("signature", core_signature(m_, "refine")), fmt::arg("p", p_), fmt::arg("real", real_),
        fmt::arg("rows", macro(m_, "ROWS")), fmt::arg("zero", m_.dialect.number(0)),
        fmt::arg("early", early("(f->done & 4U) == 0U")), fmt::arg("abs", m_.dialect.is_float ? "fabsf" : "fabs"),
        fmt::arg("rounding", m_.dialect.number(64 * epsilon)), fmt::arg("least", m_.dialect.number(least)),
        fmt::arg("ten", m_.dialect.number(10)), fmt::arg("enough", m_.dialect.number(1e-2 * tolerance)),
        fmt::arg("tolerance", m_.dialect.number(tolerance)),
        fmt::arg("discard", m_.trace.asks_solution ? "(void)" : ""),
        fmt::arg("inaccurate", static_cast<int>(Status::Code::kInaccurate)));
  }

  const Material& m_;
  std::string p_, real_;
  std::string limbs_;  // what loops over limbs take
  std::vector<StageText> stages_;
  StackNeed apply_, damp_, solve_;
};

std::string motion_text(const Material& m, const MotionTrace& motion, std::vector<GeneratedCost>& costs) {
  const Schedule schedule(motion.program);
  std::vector<Parameter> parameters{{"w", m.dialect.real() + " *restrict w"}};
  for (std::size_t k = 0; k < motion.arguments.size(); ++k) {
    const MotionTrace::Argument& a = motion.arguments[k];
    parameters.push_back({a.name, fmt::format("{}{}_{} *restrict {}", k + 1 < motion.arguments.size() ? "const " : "",
                                              m.dialect.prefix, a.type, a.name)});
  }
  LaneTable table;
  const StageText s = write_stage(motion.program, schedule, 0, m.dialect, parameters, table);
  costs.push_back(cost_of(motion.program.stages[0].name, schedule.counts[0], s.scratch));
  costs.back().stack_bytes = stack_bytes(m, stack_of(s));
  std::vector<std::string> names;
  for (const MotionTrace::Argument& a : motion.arguments) names.push_back(a.name);
  return s.functions + motion_signature(m, motion) + " {\n" + scratch(m, s) + unused(s, names) + body(s) +
         "  return 0U;\n}\n\n";
}

}  // namespace

std::string source_text(const Material& m, std::vector<GeneratedCost>& costs) {
  std::string functions;
  for (const MotionTrace& motion : m.motions) functions += motion_text(m, motion, costs);
  if (m.trace.rows > 0) functions += OperatorSource(m, costs).text();
  std::string text = fmt::format(
      "/* Generated by delassus, not to be edited. C99; no memory but the caller's and the stack. */\n"
      "#include \"{0}.h\"\n\n#include <math.h>\n\n"
      "/* Parts stay functions of their own: compilers take minutes for all in one. */\n"
      "#if defined(__GNUC__)\n#define {1} __attribute__((noinline))\n#else\n#define {1}\n#endif\n\n",
      m.dialect.prefix, part_word(m.dialect));
  if (std::any_of(costs.begin(), costs.end(), [](const GeneratedCost& c) { return c.sines_and_cosines > 0; }))
    text += sincos_text(m.dialect);
  if (m.trace.form == GenerateOptions::Form::kLanes)
    text += lanes_text(m.dialect, !m.model.angle_coordinates().empty());
  return text + functions;
}

}  // namespace delassus::generation
