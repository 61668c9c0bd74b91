#include "generate/dynamics_text.hpp"

#include <algorithm>
#include <limits>

#include "generate/c_template.hpp"
#include "generate/mask_text.hpp"

namespace delassus::generation {
namespace {

// As src/solvers/proximal_method.hpp: residuals from products without damping, so that a step sees what the last one lost. It is over where
// a step leaves no less than it found.
constexpr const char* kText = R"(/* What is missing at the rows without forces; their size. */
static $real $p_missing($(factor)const $real *drift, const $real *row_acceleration, const $real *target,
    $real *wanted) {
  $real size = $(0);
  int r;
  for (r = 0; r < $ROWS; ++r) { wanted[r] = target[r] - drift[r]; }
$maskwanted  for (r = 0; r < $ROWS; ++r) {
    $real now = $abs(wanted[r]);
    if (now < $abs(row_acceleration[r])) { now = $abs(row_acceleration[r]); }
    size = (size < now) ? now : size;
    wanted[r] -= row_acceleration[r];
  }
$maskwanted  return size;
}

/* left = wanted - Λ⁻¹ lambda. Returns the row of its largest entry, or of the first that is no number. */
static int $p_remainder(const $p_factor *f, const $real *wanted, const $real *lambda, $real *left) {
  int worst = 0;
  int r;
  (void)$p_apply(f, lambda, left);
  for (r = 0; r < $ROWS; ++r) { left[r] = wanted[r] - left[r]; }
  for (r = 0; r < $ROWS; ++r) {
    if (!((left[r] - left[r]) < $(1))) { return r; }
    if ($abs(left[worst]) < $abs(left[r])) { worst = r; }
  }
  return worst;
}

/* a += M⁻¹ Jᵀ lambda */
static uint32_t $p_move_by($p_factor *f, const $real *lambda, $real *a) {
  $real added[$NV];
  int k;
  (void)$p_response(f, lambda, added);
  for (k = 0; k < $NV; ++k) { a[k] += added[k]; }
  for (k = 0; k < $NV; ++k) {
    if (!((a[k] - a[k]) < $(1))) { return $notfinite + (256U * (uint32_t)k); }
  }
  return 0U;
}

$constrained {
  $real velocity_of_rows[$ROWS];
  $real wanted[$ROWS];
  $real left[$ROWS];
  $real step[$ROWS];
  $real size;
  $real residual;
  uint32_t status;
  int is_over = 0;
  int worst;
  int k;
  int r;
  if ((f->done & 4U) == 0U) { return $early; }
  (void)$p_free_motion(f, velocity, tau, a, velocity_of_rows, left, step);
  size = $p_missing($(f)step, left, target, wanted);
$masklambda  worst = $p_remainder(f, wanted, lambda, left);
  residual = $abs(left[worst]);
  for (k = 0; (k < steps) && (is_over == 0); ++k) {
    if (($enough * size) < residual) {
      $real after;
      (void)$p_solve(f, left, step);
      for (r = 0; r < $ROWS; ++r) { step[r] += lambda[r]; }
      worst = $p_remainder(f, wanted, step, left);
      after = $abs(left[worst]);
      is_over = 1;
      if ((k == 0) || (after < residual)) {
        for (r = 0; r < $ROWS; ++r) { lambda[r] = step[r]; }
        residual = after;
        is_over = 0;
      }
    } else {
      is_over = 1;
    }
  }
  status = $p_move_by(f, lambda, a);
  if (status != 0U) { return status; }
  return (residual <= ($accepted * size)) ? 0U : ($notconverged + (256U * (uint32_t)worst));
}

$damped {
  $real velocity_of_rows[$ROWS];
  $real wanted[$ROWS];
  $real row_acceleration[$ROWS];
  $real drift[$ROWS];
  uint32_t solved;
  uint32_t status;
  if ((f->done & 4U) == 0U) { return $early; }
  (void)$p_free_motion(f, velocity, tau, a, velocity_of_rows, row_acceleration, drift);
  (void)$p_missing($(f)drift, row_acceleration, target, wanted);
  solved = $p_solve(f, wanted, lambda);
  status = $p_move_by(f, lambda, a);
  return (status != 0U) ? status : solved;
}

)";

Words words_of(const Material& m) {
  const double epsilon = m.dialect.is_float ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                            : std::numeric_limits<double>::epsilon();
  const auto told = [](Status::Code code, int index) { return status_text({code, index}); };
  return {{"p", m.dialect.prefix},
          {"real", m.dialect.real()},
          {"ROWS", macro(m, "ROWS")},
          {"NV", macro(m, "NV")},
          {"abs", m.dialect.is_float ? "fabsf" : "fabs"},
          {"early", told(Status::Code::kBadArgument, -1)},
          {"notfinite", told(Status::Code::kNotFinite, 0)},
          {"notconverged", told(Status::Code::kNotConverged, 0)},
          {"enough", m.dialect.number((m.dialect.is_float ? 1e2 : 1e4) * epsilon)},
          {"accepted", m.dialect.number(m.dialect.is_float ? 1e-4 : 1e-9)},
          {"factor", has_masks(m) ? "const " + m.dialect.prefix + "_factor *f, " : ""},
          {"f", has_masks(m) ? "f, " : ""},
          {"maskwanted", has_masks(m) ? "  " + m.dialect.prefix + "_clear_off(f, wanted);\n" : ""},
          {"masklambda", has_masks(m) ? "  " + m.dialect.prefix + "_clear_off(f, lambda);\n" : ""},
          {"constrained", dynamics_signature(m, "constrained_dynamics")},
          {"damped", dynamics_signature(m, "damped_dynamics")}};
}

/// Runs, once for a configuration, what only dampings need, and what only motion does.
std::string prepare_text(const Material& m, const std::vector<StageText>& stages) {
  const std::string p = m.dialect.prefix;
  const StageText& s = stages[OperatorTrace::kPrepareMotion];
  std::string text = s.functions +
                     "/* What follows from the configuration, and dampings and motion need. */\nstatic void " + p +
                     "_prepare_motion(" + p + "_factor *f) {\n" + scratch(m, s) + state(m, s, "");
  if (!stages[OperatorTrace::kPrepare].calls.empty())
    text += "  if ((f->done & 2U) == 0U) { " + p + "_prepare(f->v); }\n";
  return text + s.calls + "  f->done = f->done | 10U;\n}\n\n";
}

/// A function of one stage. `checks`: statements that return what is wrong with arguments.
std::string stage_function(const Material& m, const StageText& s, const std::string& function,
                           const std::vector<std::string>& arguments, const std::string& checks) {
  std::string text = s.functions + dynamics_signature(m, function) + " {\n" + scratch(m, s) + state(m, s, "const ");
  if (!checks.empty()) text += "  int k;\n";
  text += "  if ((f->done & 1U) == 0U) { return " + status_text({Status::Code::kBadArgument, -1}) + "; }\n" + checks;
  text += "  if ((f->done & 8U) == 0U) { " + m.dialect.prefix + "_prepare_motion(f); }\n";
  return text + unused(s, arguments) + s.calls + "  return 0U;\n}\n\n";
}

}  // namespace

bool has_dynamics(const Material& m) { return m.trace.has_motion; }

std::string dynamics_text(const Material& m, const std::vector<StageText>& stages) {
  const Words words = words_of(m);
  const std::string finite = fill_in(R"(  for (k = 0; k < $NV; ++k) {
    if (!(((velocity[k] - velocity[k]) + (tau[k] - tau[k])) < $(1))) { return $notfinite + (256U * (uint32_t)k); }
  }
)",
                                     words, m.dialect);
  const auto one = [&](int stage, const std::string& function, const std::vector<std::string>& arguments,
                       const std::string& checks) {
    return stage_function(m, stages[stage], function, arguments, checks);
  };
  return prepare_text(m, stages) +
         one(OperatorTrace::kFreeMotion, "free_motion",
             {"velocity", "tau", "a", "row_velocity", "row_acceleration", "row_drift"}, finite) +
         one(OperatorTrace::kResponse, "response", {"x", "a"}, "") +
         one(OperatorTrace::kRowTorques, "row_torques", {"x", "tau"}, "") + fill_in(kText, words, m.dialect);
}

void add_dynamics_costs(const Material& m, std::size_t first, std::vector<GeneratedCost>& costs) {
  const int rows = m.trace.rows, nv = m.model.nv();
  const auto sum = [&](const char* name, std::initializer_list<int> stages, int additions, int multiplications,
                       int memory) {
    GeneratedCost total{name};
    int most = 0;
    for (const int stage : stages) {
      const GeneratedCost& c = costs[first + static_cast<std::size_t>(stage)];
      total.additions += c.additions;
      total.multiplications += c.multiplications;
      total.divisions += c.divisions;
      total.square_roots += c.square_roots;
      most = std::max(most, c.scratch_numbers);
    }
    total.additions += additions;
    total.multiplications += multiplications;
    total.scratch_numbers = most + memory;
    costs.push_back(total);
  };
  using Stages = OperatorTrace;
  // What is missing, twice what is left of it, and the step that is added.
  sum("constrained_dynamics", {Stages::kFreeMotion, Stages::kApply, Stages::kSolve, Stages::kApply, Stages::kResponse},
      5 * rows + nv, 0, 4 * rows + nv);
  sum("damped_dynamics", {Stages::kFreeMotion, Stages::kSolve, Stages::kResponse}, 2 * rows + nv, 0, 4 * rows + nv);
}

std::string dynamics_signature(const Material& m, const std::string& function) {
  const std::string real = m.dialect.real(), rows = "[" + macro(m, "ROWS") + "]", dofs = "[" + macro(m, "NV") + "]";
  const auto in = [&](const std::string& name, const std::string& size) {
    return ", const " + real + " " + name + size;
  };
  const auto out = [&](const std::string& name, const std::string& size) { return ", " + real + " " + name + size; };
  std::string given;
  if (function == "free_motion") {
    given = in("velocity", dofs) + in("tau", dofs) + out("a", dofs) + out("row_velocity", rows) +
            out("row_acceleration", rows) + out("row_drift", rows);
  } else if (function == "response") {
    given = in("x", rows) + out("a", dofs);
  } else if (function == "row_torques") {
    given = in("x", rows) + out("tau", dofs);
  } else {
    given = in("velocity", dofs) + in("tau", dofs) + in("target", rows) +
            (function == "constrained_dynamics" ? ", int steps" : "") + out("a", dofs) + out("lambda", rows);
  }
  return "uint32_t " + m.dialect.prefix + "_" + function + "(" + m.dialect.prefix + "_factor *f" + given + ")";
}

std::string dynamics_words(const std::string& function) {
  if (function == "free_motion")
    return "Without forces of constraints, after update, of all rows, also those that are off: a = M⁻¹ (tau - h); "
           "row_velocity = J v,\n"
           " * row_acceleration = J a, row_drift = J̇ v. The free velocity of a time step dt is row_velocity + dt "
           "row_acceleration";
  if (function == "response")
    return "a = M⁻¹ Jᵀ x, after update: what forces at the rows add to accelerations, impulses to velocities";
  if (function == "row_torques") return "tau = Jᵀ x, after update: the joint torques of forces at the rows";
  if (function == "constrained_dynamics")
    return "Accelerations and forces under constraints, after damp: M a + h = tau + Jᵀ lambda, J a + J̇ v = target; a "
           "target of 0 keeps the\n"
           " * velocities of rows. lambda is the start as well: 0, or the last one. In at most so many steps, each a "
           "solve with the damping. A\n"
           " * millionth of what rows yield (in double 1e-8 of it) takes about 5; how much it is does not change the "
           "answer. NOT_CONVERGED: a row misses\n"
           " * its target by more than 1e-9 (float: 1e-4) of the largest row acceleration; rows may contradict each "
           "other";
  return "The same with rows that give way to their forces, in one solve: J a + J̇ v + R⁻¹ lambda = target";
}

}  // namespace delassus::generation
