#include "generate/contact_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "generate/c_template.hpp"
#include "generate/mask_text.hpp"

namespace delassus::generation {
namespace {

constexpr int kMemory = 5;  // steps that are extrapolated from

constexpr const char* kDeclarations = R"(/* Contact forces: settings, what the last call found, and its memory. */
typedef struct {
  /* Settings. $p_contact_settings makes them those of the scene; then they may be changed. */
  $real friction[$CONSTRAINTS]; /* coefficients of friction of contacts; of other constraints not read */
  $real bound[$CONSTRAINTS]; /* largest dry friction of joints, in N or N m; of other constraints not read */
  $real compliance[$ROWS]; /* m/s that a row gives way to a unit impulse; 0: rigid */
  $real tolerance; /* m/s: what ends with 0 has no larger residual */
  $real time_step; /* s: forces are impulses over so long; 1 if they are forces, and velocities accelerations */
  int iterations; /* damped solves, at most: they take nearly all of the time */
  int is_convex; /* not 0: the convex law, by which what slides also lifts off; else Coulomb's */
  /* Of the forces that the last call left. */
  $real velocity; /* m/s: by how much the law is missed */
  $real dual; /* m/s: how fast bodies approach, loops open */
  $real primal; /* N: how far a force lies outside of its set */
  $real complementarity; /* J: work of forces that should do none */
  $real rounding; /* m/s: what rounding may hide */
  int constraint; /* the one with the largest velocity; -1: none */
  int solves; /* damped solves */
  int dampings;
  /* Its own. */
  $real diagonal[$ROWS];
  $real mobility[$ROWS];
  $real weights[$ROWS];
  $real penalties[$ROWS];
  $real damping[$DAMPING];
  $real u[$ROWS];
  $real x[$ROWS];
  $real y[$ROWS];
  $real before[$ROWS];
  $real right[$ROWS];
  $real step[$ROWS];
  $real sigma[$ROWS];
  $real start[$ROWS];
  $real last_step[$ROWS];
  $real last_target[$ROWS];
  $real steps[$MEMORY][$ROWS];
  $real targets[$MEMORY][$ROWS];
  $real scale;
  $real rho;
  $real penalty;
  $real last_norm;
  int count;
  int next;
  int is_fresh;
  int next_constraint;
  unsigned char known[$CONSTRAINTS];
  unsigned char pushes[$ROWS];
  uint32_t is_set;
} $p_contact_solver;

/* Settings of the scene. Comes before the first call of $p_contact_forces. */
$settings;

/* Forces of contacts, loops, limits and dry friction, after update: lambda, each in its set, so that the velocities
 * Λ⁻¹ lambda + compliance lambda + free_velocity of the rows are what its law says. lambda is the start as well: that of the last
 * time step, or 0. It ends in its sets, whatever is returned: 0 is a promise that no residual is above the tolerance; NOT_CONVERGED
 * names the first row of the constraint that is farthest off, NOT_FINITE a row whose free velocity or start is no number, NOT_POSITIVE one
 * whose setting is negative (-1: tolerance or time step). Forgets the damping of the factor. */
$forces;

)";

constexpr const char* kTables = R"(static const uint16_t $p_first_row[$CONSTRAINTS] = {$first};
static const unsigned char $p_row_count[$CONSTRAINTS] = {$sizes};
/* 0: any force; 1: none that pulls; 2: between bounds; 3: a cone of friction. */
static const unsigned char $p_set_kind[$CONSTRAINTS] = {$kinds};

$settings {
  static const $real friction[$CONSTRAINTS] = {$friction};
  static const $real bound[$CONSTRAINTS] = {$bound};
  int e;
  int r;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    s->friction[e] = friction[e];
    s->bound[e] = bound[e];
    s->known[e] = 0U;
  }
  for (r = 0; r < $ROWS; ++r) {
    s->compliance[r] = $(0);
    s->diagonal[r] = $(0);
  }
  s->tolerance = $tolerance;
  s->time_step = $(1);
  s->iterations = 100;
  s->is_convex = 0;
  s->penalty = $(0.1);
  s->next_constraint = 0;
  s->is_set = 0x5e771e5U;
}

)";

// As src/solvers/contact_problem.cpp and contact_certificate.cpp.
constexpr const char* kLaw = R"(/* y = the point of a constraint's set that is nearest to x. */
static void $p_project(int kind, int rows, $real friction, $real bound, const $real *x, $real *y) {
  int k;
  if (kind == 3) {
    const $real tangent = $sqrt((x[1] * x[1]) + (x[2] * x[2]));
    const $real reach = (friction * tangent) + x[0];
    const $real normal = reach / ($(1) + (friction * friction));
    $real share = $(1);
    $real pressed = x[0];
    if (reach < $(0)) {
      share = $(0);
      pressed = $(0);
    } else if ((friction * x[0]) < tangent) {
      share = friction * normal / tangent;
      pressed = normal;
    } else {
      share = $(1);
    }
    y[0] = pressed;
    y[1] = share * x[1];
    y[2] = share * x[2];
  } else {
    for (k = 0; k < rows; ++k) {
      $real value = x[k];
      if (kind == 1) {
        value = (value < $(0)) ? $(0) : value;
      } else if (kind == 2) {
        value = (value < -bound) ? -bound : value;
        value = (bound < value) ? bound : value;
      } else {
        value = x[k];
      }
      y[k] = value;
    }
  }
}

/* y = the nearest forces to u. */
static void $p_project_all($p_contact_solver *s, const $p_factor *f) {
  int e;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    const int r = (int)$p_first_row[e];
    $p_project((int)$p_set_kind[e], (int)$p_row_count[e], s->friction[e], s->bound[e] * s->time_step, &s->u[r], &s->y[r]);
  }
  $p_clear_off(f, s->y);
}

/* sigma = Λ⁻¹ y + compliance y + free velocity. */
static void $p_find_velocity($p_contact_solver *s, const $p_factor *f, const $real *free_velocity) {
  int r;
  (void)$p_apply(f, s->y, s->sigma);
  for (r = 0; r < $ROWS; ++r) { s->sigma[r] += (s->compliance[r] * s->y[r]) + free_velocity[r]; }
  $p_clear_off(f, s->sigma);
}

static $real $p_most($real a, $real b) { return (a < b) ? b : a; }
static $real $p_positive_part($real x) { return (x < $(0)) ? $(0) : x; }

/* Residuals of one constraint, each the larger one of it and of what was before. Returns that of its law alone. */
static $real $p_measure($p_contact_solver *s, int e, $real *sum) {
  const int kind = (int)$p_set_kind[e];
  const int rows = (int)$p_row_count[e];
  const int r = (int)$p_first_row[e];
  const $real *const x = &s->y[r];
  const $real *const v = &s->sigma[r];
  const $real bound = s->bound[e] * s->time_step;
  $real scale = $(0);
  $real missed = $(0);
  $real law[6];
  $real from[6];
  $real to[6];
  int n = 1;
  int k;
  int i;
  for (k = 0; k < rows; ++k) { scale = $p_most(scale, s->diagonal[r + k] + s->compliance[r + k]); }
  if (!($(1e-28) < scale)) { scale = $(1); }
  if (kind == 3) {
    const $real friction = s->friction[e];
    const $real slides = friction * $sqrt((v[1] * v[1]) + (v[2] * v[2]));
    const $real shift = (s->is_convex != 0) ? $(0) : slides;
    const $real pull = $sqrt((x[1] * x[1]) + (x[2] * x[2]));
    const $real work = (x[1] * v[1]) + (x[2] * v[2]) + (x[0] * (v[0] + shift));
    $real least = $(0);
    n = 3;
    if ($(0) < pull) { least = pull / friction; }
    s->primal = $p_most(s->primal, $p_positive_part(least - x[0]));
    s->dual = $p_most(s->dual, $p_positive_part(((s->is_convex != 0) ? slides : $(0)) - v[0]));
    s->complementarity = $p_most(s->complementarity, $abs(work));
    law[0] = shift;
  } else {
    for (k = 0; k < rows; ++k) {
      if (kind == 1) {
        s->primal = $p_most(s->primal, $p_positive_part(-x[k]));
        s->dual = $p_most(s->dual, $p_positive_part(-v[k]));
        s->complementarity = $p_most(s->complementarity, $abs(x[k] * v[k]));
      } else if ((kind == 2) && (bound < INFINITY)) {
        s->primal = $p_most(s->primal, $p_positive_part($abs(x[k]) - bound));
        s->complementarity = $p_most(s->complementarity, $abs((bound * $abs(v[k])) + (x[k] * v[k])));
      } else {
        s->dual = $p_most(s->dual, $abs(v[k]));
      }
    }
    law[0] = $(0);
  }
  /* A cone as one; rows of others by themselves. What is the smaller one of force and velocity is not rounded away. */
  for (k = 0; k < rows; k += n) {
    $real push = $(0);
    $real speed = $(0);
    for (i = 0; i < n; ++i) {
      const $real force = scale * x[k + i];
      law[i] = v[k + i] + ((i == 0) ? law[0] : $(0));
      from[i] = force - law[i];
      push += $abs(force);
      speed += $abs(law[i]);
      *sum += force + law[i];
    }
    $p_project(kind, n, s->friction[e], scale * bound, from, to);
    for (i = 0; i < n; ++i) {
      const $real part = (push < speed) ? ((scale * x[k + i]) - to[i]) : (law[i] - (to[i] - from[i]));
      missed = $p_most(missed, $abs(part));
    }
    law[0] = $(0);
  }
  return missed;
}

/* Residuals of y with the velocities that it gives. Whether they are within the tolerance. */
static int $p_judge($p_contact_solver *s, const $p_factor *f) {
  $real sum = $(0);
  $real most = $(0);
  int e;
  int r;
  s->velocity = $(0);
  s->dual = $(0);
  s->primal = $(0);
  s->complementarity = $(0);
  s->rounding = $(0);
  s->constraint = -1;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    if (f->inactive[e] == 0U) {
      const $real missed = $p_measure(s, e, &sum);
      if ((s->constraint < 0) || (s->velocity < missed)) {
        s->velocity = missed;
        s->constraint = e;
      }
    }
  }
  for (r = 0; r < $ROWS; ++r) {
    if (f->inactive[$p_constraint_of[r]] == 0U) {
      const $real root = $sqrt(s->mobility[r]);
      most = $p_most(most, root);
      s->rounding += root * $abs(s->y[r]);
    }
  }
  s->rounding = $epsilon * most * s->rounding;
  s->primal = s->primal / s->time_step;
  s->velocity += sum - sum; /* no number, if one of them is none */
  return ((s->velocity <= s->tolerance) && (s->dual <= s->tolerance)) ? 1 : 0;
}

)";

// As src/solvers/row_mobility.cpp: find_each.
constexpr const char* kWeights =
    R"(/* The diagonal of Λ⁻¹ changes slowly: of all constraints that are new, and of one more in each call. */
static void $p_find_diagonal($p_contact_solver *s, const $p_factor *f) {
  int e;
  int k;
  int r;
  s->known[s->next_constraint] = 0U;
  s->next_constraint = ((s->next_constraint + 1) < $CONSTRAINTS) ? (s->next_constraint + 1) : 0;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    if ((f->inactive[e] != 0U) || (s->known[e] != 0U)) { continue; }
    for (k = (int)$p_first_row[e]; k < ((int)$p_first_row[e] + (int)$p_row_count[e]); ++k) {
      for (r = 0; r < $ROWS; ++r) { s->x[r] = $(0); }
      s->x[k] = $(1);
      (void)$p_apply(f, s->x, s->step);
      s->diagonal[k] = s->step[k];
    }
    s->known[e] = 1U;
  }
}

/* What rows yield, relative to their mean; rows of a contact count as alike. */
static void $p_weigh_rows($p_contact_solver *s, const $p_factor *f) {
  $real total = $(0);
  int rows = 0;
  int e;
  int k;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    const int first = (int)$p_first_row[e];
    const int n = (int)$p_row_count[e];
    $real mean = $(0);
    if (f->inactive[e] != 0U) { continue; }
    for (k = first; k < (first + n); ++k) { mean += s->diagonal[k]; }
    mean = mean / ($real)n;
    for (k = first; k < (first + n); ++k) {
      s->mobility[k] = ($p_set_kind[e] == 3U) ? mean : s->diagonal[k];
      total += $p_positive_part(s->mobility[k]);
    }
    rows += n;
  }
  s->scale = (($(1e-28) * ($real)rows) < total) ? (total / ($real)rows) : $(1);
  for (e = 0; e < $CONSTRAINTS; ++e) {
    for (k = (int)$p_first_row[e]; k < ((int)$p_first_row[e] + (int)$p_row_count[e]); ++k) {
      const $real share = $p_most(s->mobility[k] / s->scale, $(1e-6));
      if (f->inactive[e] != 0U) {
        s->weights[k] = $(0);
        s->penalties[k] = $(1);
        s->mobility[k] = $(1);
        continue;
      }
      s->mobility[k] = (share * s->scale) + s->compliance[k];
      s->weights[k] = share;
      if ($p_set_kind[e] == 0U) {
        s->weights[k] = $(1e-3) * share;
        s->penalties[k] = $held * share * s->scale;
      }
    }
  }
  s->rho = s->penalty * s->scale;
}

/* By how much a row with a penalty is damped. */
static uint32_t $p_damp_rows($p_contact_solver *s, $p_factor *f, const $real *rows) {
$fill  ++s->dampings;
  return $p_damp(f, s->damping);
}

static int $p_is_equality(int r) { return ($p_set_kind[$p_constraint_of[r]] == 0U) ? 1 : 0; }

static void $p_set_penalties($p_contact_solver *s) {
  int r;
  for (r = 0; r < $ROWS; ++r) {
    if ($p_is_equality(r) == 0) { s->penalties[r] = $p_most(s->rho * s->weights[r], $(1e-30)); }
  }
}

)";

// As src/solvers/contact_modes.cpp, and Admm::Work::hold_modes.
constexpr const char* kModes =
    R"(/* What sticks, touches or holds; whether any does, and no contact is at the surface of its cone. */
static int $p_list_modes($p_contact_solver *s, const $p_factor *f) {
  int any = 0;
  int e;
  int k;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    const int kind = (int)$p_set_kind[e];
    const int first = (int)$p_first_row[e];
    const $real *const x = &s->y[first];
    for (k = first; k < (first + (int)$p_row_count[e]); ++k) {
      int pushes = 0;
      if (f->inactive[e] != 0U) {
        pushes = 0;
      } else if (kind == 3) {
        const $real most = $(0.999999) * s->friction[e] * x[0];
        if (!($(0) < s->friction[e]) || (($(0) < x[0]) && ((most * most) <= ((x[1] * x[1]) + (x[2] * x[2]))))) { return 0; }
        if (($(0) < x[0]) || (s->sigma[first] < $(0))) { pushes = 1; }
      } else if (kind == 1) {
        if (($(0) < s->y[k]) || (s->sigma[k] < $(0))) { pushes = 1; }
      } else if (kind == 2) {
        if ($abs(s->y[k]) < (s->bound[e] * s->time_step)) { pushes = 1; }
      } else {
        pushes = 1;
      }
      s->pushes[k] = (unsigned char)pushes;
      any |= pushes;
    }
  }
  return any;
}

/* Takes the velocities of rows that push away, while all others keep their force. Whether y is the solution then; if not, it stays. */
static int $p_hold_modes($p_contact_solver *s, $p_factor *f, const $real *free_velocity) {
  $real last;
  int r;
  if ($p_list_modes(s, f) == 0) { return 0; }
  for (r = 0; r < $ROWS; ++r) {
    const $real share = (s->pushes[r] != 0U) ? $pushing : $(1e6);
    s->before[r] = s->y[r];
    s->right[r] = (($p_is_equality(r) != 0) ? s->penalties[r] : (share * s->mobility[r])) + s->compliance[r];
  }
  if ($p_damp_rows(s, f, s->right) != 0U) { return 0; }
  last = $p_most(s->velocity, s->dual);
  while (s->solves < s->iterations) {
    for (r = 0; r < $ROWS; ++r) { s->right[r] = (s->pushes[r] != 0U) ? -s->sigma[r] : $(0); }
    ++s->solves;
    (void)$p_solve(f, s->right, s->x);
    for (r = 0; r < $ROWS; ++r) { s->u[r] = s->y[r] + ((s->pushes[r] != 0U) ? s->x[r] : $(0)); }
    $p_project_all(s, f);
    $p_find_velocity(s, f, free_velocity);
    if ($p_judge(s, f) != 0) { return 1; }
    if (!($p_most(s->velocity, s->dual) < ($(0.01) * last))) { break; }
    last = $p_most(s->velocity, s->dual);
  }
  for (r = 0; r < $ROWS; ++r) { s->y[r] = s->before[r]; }
  $p_find_velocity(s, f, free_velocity);
  (void)$p_judge(s, f);
  return 0;
}

)";

// As src/solvers/anderson.cpp.
constexpr const char* kExtrapolation =
    R"(/* Solves a c = b; a is symmetric, with b behind the last column. Whether it is positive. */
static int $p_solve_small(int n, $real a[$MEMORY][$MEMORY + 1], $real *c) {
  int i;
  int j;
  int k;
  for (i = 0; i < n; ++i) {
    if (!($(0) < a[i][i])) { return 0; }
    for (j = i + 1; j < n; ++j) {
      const $real factor = a[j][i] / a[i][i];
      for (k = i; k <= n; ++k) { a[j][k] -= factor * a[i][k]; }
    }
  }
  for (i = n - 1; i >= 0; --i) {
    c[i] = a[i][n];
    for (j = i + 1; j < n; ++j) { c[i] -= a[i][j] * c[j]; }
    c[i] = c[i] / a[i][i];
  }
  return 1;
}

/* u = the next point: the combination of the last ones whose steps nearly cancel. */
static void $p_advance($p_contact_solver *s) {
  $real a[$MEMORY][$MEMORY + 1];
  $real c[$MEMORY];
  $real norm = $(0);
  $real trace = $(0);
  int combines = 0;
  int i;
  int j;
  int r;
  for (i = 0; i < $MEMORY; ++i) { c[i] = $(0); }
  if (s->count == 0) { s->next = 0; }
  for (r = 0; r < $ROWS; ++r) {
    const $real target = s->u[r] + s->step[r];
    norm += s->weights[r] * s->step[r] * s->step[r];
    s->steps[s->next][r] = s->step[r] - s->last_step[r];
    s->targets[s->next][r] = target - s->last_target[r];
    s->last_step[r] = s->step[r];
    s->last_target[r] = target;
  }
  norm = $sqrt(norm);
  if ((s->is_fresh != 0) || (($(2) * s->last_norm) < norm)) {
    s->count = 0;
  } else if (s->count < $MEMORY) {
    ++s->count;
  } else {
    s->count = $MEMORY;
  }
  s->last_norm = norm;
  s->is_fresh = 0;
  if (s->count > 0) {
    const int n = s->count;
    for (i = 0; i < n; ++i) {
      for (j = i; j <= n; ++j) {
        const $real *const other = (j < n) ? s->steps[j] : s->step;
        $real sum = $(0);
        for (r = 0; r < $ROWS; ++r) { sum += s->weights[r] * s->steps[i][r] * other[r]; }
        a[i][j] = sum;
        if (j < n) { a[j][i] = sum; }
      }
      trace += a[i][i];
    }
    for (i = 0; i < n; ++i) { a[i][i] += $regular * trace; }
    combines = $p_solve_small(n, a, c);
    s->next = ((s->next + 1) < $MEMORY) ? (s->next + 1) : 0;
  }
  for (r = 0; r < $ROWS; ++r) {
    s->u[r] = s->last_target[r];
    for (i = 0; (combines != 0) && (i < s->count); ++i) { s->u[r] -= s->targets[i][r] * c[i]; }
  }
}

)";

// As Admm::Work.
constexpr const char* kSolver = R"(/* From y and the velocities that it gives: at a solution this is the fixed point. */
static void $p_start($p_contact_solver *s) {
  int e;
  int r;
  $p_set_penalties(s);
  for (r = 0; r < $ROWS; ++r) {
    s->u[r] = ($p_is_equality(r) != 0) ? s->y[r] : (s->y[r] - (s->sigma[r] / s->penalties[r]));
  }
  for (e = 0; (s->is_convex == 0) && (e < $CONSTRAINTS); ++e) {
    r = (int)$p_first_row[e];
    if ($p_set_kind[e] == 3U) {
      s->u[r] -= (s->friction[e] * $sqrt((s->sigma[r + 1] * s->sigma[r + 1]) + (s->sigma[r + 2] * s->sigma[r + 2]))) / s->penalties[r];
    }
  }
  s->is_fresh = 1;
  s->count = 0;
}

/* Forces that give the velocities penalties (y - u), and how far they are from y. Returns the largest distance, weighted. */
static $real $p_take_step($p_contact_solver *s, const $p_factor *f, const $real *free_velocity) {
  $real most = $(0);
  int e;
  int r;
  for (r = 0; r < $ROWS; ++r) { s->right[r] = (s->penalties[r] * (s->y[r] + (s->y[r] - s->u[r]))) - free_velocity[r]; }
  for (e = 0; (s->is_convex == 0) && (e < $CONSTRAINTS); ++e) {
    r = (int)$p_first_row[e];
    if ($p_set_kind[e] == 3U) {
      const $real x = s->y[r + 1] - s->u[r + 1];
      const $real y = s->y[r + 2] - s->u[r + 2];
      s->right[r] -= s->penalties[r] * s->friction[e] * $sqrt((x * x) + (y * y));
    }
  }
  ++s->solves;
  (void)$p_solve(f, s->right, s->x);
  for (r = 0; r < $ROWS; ++r) {
    const $real difference = s->x[r] - s->y[r];
    s->step[r] = $(1.6) * difference;
    most = $p_most(most, s->weights[r] * $abs(difference));
  }
  return most;
}

/* Makes forces that miss their sets and velocities that projections change alike. Whether the penalty is another one then. */
static int $p_balance($p_contact_solver *s, $real miss) {
  $real change = $(0);
  $real ratio;
  int r;
  for (r = 0; r < $ROWS; ++r) { change = $p_most(change, s->weights[r] * $abs(s->y[r] - s->before[r])); }
  ratio = $sqrt(s->scale * miss / $p_most(s->rho * change, $(1e-30)));
  if ((ratio <= $(2)) && ($(0.5) <= ratio)) { return 0; }
  ratio = (ratio < $(0.2)) ? $(0.2) : ratio;
  ratio = ($(5) < ratio) ? $(5) : ratio;
  s->rho = s->rho * ratio;
  s->penalty = s->rho / s->scale;
  $p_set_penalties(s);
  for (r = 0; r < $ROWS; ++r) { s->u[r] = s->y[r] - ((s->y[r] - s->u[r]) / ratio); }
  return 1;
}

/* A damping by penalties and compliance. */
static uint32_t $p_damp_by_penalties($p_contact_solver *s, $p_factor *f) {
  int r;
  for (r = 0; r < $ROWS; ++r) { s->right[r] = s->penalties[r] + s->compliance[r]; }
  return $p_damp_rows(s, f, s->right);
}

static uint32_t $p_iterate($p_contact_solver *s, $p_factor *f, const $real *free_velocity) {
  $real low = $(10) * s->tolerance;
  uint32_t status;
  int own = 0;
  int k;
  int r;
  $p_start(s);
  status = $p_damp_by_penalties(s, f);
  while ((status == 0U) && (s->solves < s->iterations)) {
    $real miss;
    $real estimate;
    int is_other = 0;
    for (r = 0; r < $ROWS; ++r) { s->before[r] = s->y[r]; }
    $p_project_all(s, f);
    miss = $p_take_step(s, f, free_velocity);
    ++own;
    estimate = (s->scale + s->rho) * miss;
    if ((estimate <= low) || ((own % 5) == 0)) {
      $p_find_velocity(s, f, free_velocity);
      if ($p_judge(s, f) != 0) { return 0U; }
      low = $(0.5) * ((estimate < low) ? estimate : low);
    }
    if ((own % 10) == 0) {
      is_other = $p_balance(s, miss);
      if (own == 50) {
        for (k = 0; k < $ROWS; ++k) {
          if ($p_is_equality(k) != 0) { s->penalties[k] = $(1e-3) * s->mobility[k]; }
        }
        is_other = 1;
      }
    }
    if (is_other != 0) {
      s->is_fresh = 1;
      s->count = 0;
      status = $p_damp_by_penalties(s, f);
    } else {
      $p_advance(s);
    }
  }
  $p_project_all(s, f);
  $p_find_velocity(s, f, free_velocity);
  (void)$p_judge(s, f);
  return status;
}

static uint32_t $p_check_settings(const $p_contact_solver *s) {
  int e;
  int r;
  if (!($(0) < s->tolerance) || !($(0) < s->time_step) || !(s->time_step < INFINITY)) { return $notpositive; }
  for (e = 0; e < $CONSTRAINTS; ++e) {
    r = (int)$p_first_row[e];
    if (($p_set_kind[e] == 3U) && !(($(0) <= s->friction[e]) && (s->friction[e] < INFINITY))) { return $notpositive + (256U * ((uint32_t)r + 1U)); }
    if (($p_set_kind[e] == 2U) && !($(0) <= s->bound[e])) { return $notpositive + (256U * ((uint32_t)r + 1U)); }
  }
  for (r = 0; r < $ROWS; ++r) {
    if (!(($(0) <= s->compliance[r]) && (s->compliance[r] < INFINITY))) { return $notpositive + (256U * ((uint32_t)r + 1U)); }
  }
  return 0U;
}

static uint32_t $p_search($p_contact_solver *s, $p_factor *f, const $real *free_velocity) {
  uint32_t status = 0U;
  $real first;
  int r;
  $p_project_all(s, f);
  $p_find_velocity(s, f, free_velocity);
  if ($p_judge(s, f) != 0) { return 0U; }
  if ($p_hold_modes(s, f, free_velocity) != 0) { return 0U; }
  for (r = 0; r < $ROWS; ++r) { s->start[r] = s->y[r]; }
  first = $p_most(s->velocity, s->dual);
  status = $p_iterate(s, f, free_velocity);
  if (!($p_most(s->velocity, s->dual) <= first)) {
    for (r = 0; r < $ROWS; ++r) { s->y[r] = s->start[r]; }
    $p_find_velocity(s, f, free_velocity);
    (void)$p_judge(s, f);
  }
  return status;
}

$forces {
  $real velocity[$ROWS];
  uint32_t status;
  int r;
  if ((s->is_set != 0x5e771e5U) || ((f->done & 1U) == 0U)) { return $early; }
  status = $p_check_settings(s);
  if (status != 0U) { return status; }
  for (r = 0; r < $ROWS; ++r) {
    velocity[r] = free_velocity[r];
    s->u[r] = lambda[r];
  }
  $p_clear_off(f, velocity);
  $p_clear_off(f, s->u);
  for (r = 0; r < $ROWS; ++r) {
    if (!(((velocity[r] - velocity[r]) + (s->u[r] - s->u[r])) < $(1))) { return $notfinite + (256U * (uint32_t)r); }
  }
  s->solves = 0;
  s->dampings = 0;
  $p_find_diagonal(s, f);
  $p_weigh_rows(s, f);
  status = $p_search(s, f, velocity);
  f->done = f->done & 11U;
  for (r = 0; r < $ROWS; ++r) { lambda[r] = s->y[r]; }
  if ((s->velocity <= s->tolerance) && (s->dual <= s->tolerance) && (s->rounding <= s->tolerance)) { return 0U; }
  if (status != 0U) { return status; }
  return $notconverged + (256U * ((s->constraint < 0) ? 0U : (uint32_t)$p_first_row[s->constraint]));
}

)";

constexpr const char* kFillRows = R"(  int r;
  for (r = 0; r < $ROWS; ++r) { s->damping[r] = rows[r]; }
)";
constexpr const char* kFillBlocks = R"(  $real *block = s->damping;
  int e;
  int i;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    const int n = (int)$p_row_count[e];
    for (i = 0; i < (n * n); ++i) { block[i] = $(0); }
    for (i = 0; i < n; ++i) { block[(i * n) + i] = rows[(int)$p_first_row[e] + i]; }
    block = &block[n * n];
  }
)";

template <class F>
std::string list(const Material& m, F&& f) {
  std::string text;
  for (std::size_t e = 0; e < m.constraints.size(); ++e)
    text += (e == 0 ? "" : e % 12 == 0 ? ",\n    " : ", ") + f(m.constraints[e]);
  return text;
}

Words words_of(const Material& m) {
  const std::string p = m.dialect.prefix, real = m.dialect.real();
  const bool is_float = m.dialect.is_float;
  const auto number = [&](double x) { return m.dialect.number(x); };
  int row = 0;
  Words words{
      {"p", p},
      {"real", real},
      {"ROWS", macro(m, "ROWS")},
      {"DAMPING", macro(m, "DAMPING")},
      {"CONSTRAINTS", macro(m, "CONSTRAINTS")},
      {"MEMORY", std::to_string(kMemory)},
      {"abs", is_float ? "fabsf" : "fabs"},
      {"sqrt", is_float ? "sqrtf" : "sqrt"},
      // A product loses more than its last sums do: on Cassie five times as much.
      {"epsilon", number(8 * (is_float ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                       : std::numeric_limits<double>::epsilon()))},
      {"tolerance", number(is_float ? 1e-4 : 1e-8)},
      {"held", number(is_float ? 1e-3 : 1e-5)},
      {"pushing", number(is_float ? 1e-4 : 1e-6)},
      {"regular", number(is_float ? 1e-6 : 1e-10)},
      {"early", status_text({Status::Code::kBadArgument, -1})},
      {"notpositive", status_text({Status::Code::kNotPositive, -1})},
      {"notfinite", status_text({Status::Code::kNotFinite, 0})},
      {"notconverged", status_text({Status::Code::kNotConverged, 0})},
      {"settings", fmt::format("void {0}_contact_settings({0}_contact_solver *s)", p)},
      {"forces",
       fmt::format("uint32_t {0}_contact_forces({0}_contact_solver *s, {0}_factor *f, const {1} free_velocity[{2}],\n"
                   "    {1} lambda[{2}])",
                   p, real, macro(m, "ROWS"))},
      {"sizes", list(m, [](const Constraint& c) { return std::to_string(row_count(c)); })},
      {"kinds", list(m, [](const Constraint& c) { return std::to_string(static_cast<int>(set_of(c).kind)); })},
      {"friction",
       list(m,
            [&](const Constraint& c) { return number(set_of(c).kind == SetKind::kFrictionCone ? set_of(c).mu : 0); })},
      {"bound",
       list(m, [&](const Constraint& c) { return number(set_of(c).kind == SetKind::kBox ? set_of(c).bound : 0); })}};
  words["first"] = list(m, [&](const Constraint& c) { return std::to_string((row += row_count(c)) - row_count(c)); });
  words["fill"] =
      fill_in(m.options.damping == GenerateOptions::DampingForm::kRows ? kFillRows : kFillBlocks, words, m.dialect);
  return words;
}

static_assert(static_cast<int>(SetKind::kEquality) == 0 && static_cast<int>(SetKind::kNonNegative) == 1 &&
              static_cast<int>(SetKind::kBox) == 2 && static_cast<int>(SetKind::kFrictionCone) == 3);

/// Sums and products per row, and what does not depend on the number of rows.
void add_extrapolation(std::int64_t rows, GeneratedCost& cost) {
  constexpr std::int64_t n = kMemory, products = n * (n + 1) / 2 + n;
  cost.additions += rows * (4 + products + n) + 2 * n;
  cost.multiplications += rows * (2 + 2 * products + n) + n + 1;
  ++cost.square_roots;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t below = n - 1 - i;
    cost.divisions += below + 1;
    cost.additions += below * (n + 1 - i) + below;
    cost.multiplications += below * (n + 1 - i) + below;
  }
}

}  // namespace

GeneratedCost cost_of_contact_iteration(const Material& m, const GeneratedCost& solve) {
  GeneratedCost cost = solve;
  cost.function = "contact_forces";
  const std::int64_t rows = m.trace.rows;
  const auto cones = std::count_if(m.constraints.begin(), m.constraints.end(),
                                   [](const Constraint& c) { return set_of(c).kind == SetKind::kFrictionCone; });
  // Projections, then the right-hand side and the step, as kLaw and kSolver have them.
  cost.additions += 3 * cones + 4 * rows + 4 * cones;
  cost.multiplications += static_cast<std::int64_t>(m.constraints.size()) + 8 * cones + 3 * rows + 4 * cones;
  cost.divisions += 2 * cones;
  cost.square_roots += 2 * cones;
  add_extrapolation(rows, cost);
  cost.scratch_numbers += static_cast<int>(rows) + kMemory * (kMemory + 2);
  return cost;
}

std::string why_no_contact_solver(const Material& m) {
  if (m.trace.rows == 0) return "there are no constraints";
  if (!has_masks(m)) return "rows need dampings of their own: --damping rows or blocks";
  for (const Constraint& c : m.constraints) {
    const ForceSet& set = set_of(c);
    if (set.kind != SetKind::kFrictionCone) continue;
    if (row_count(c) != 3 || (set.mu_across != 0 && set.mu_across != set.mu))
      return "'" + name_of(c) + "' has other friction than that of sliding, the same in all directions";
  }
  return "";
}

std::string contact_declarations(const Material& m) { return fill_in(kDeclarations, words_of(m), m.dialect); }

std::string contact_text(const Material& m) {
  const Words words = words_of(m);
  std::string text;
  for (const char* part : {kTables, kLaw, kWeights, kModes, kExtrapolation, kSolver})
    text += fill_in(part, words, m.dialect);
  return text;
}

}  // namespace delassus::generation
