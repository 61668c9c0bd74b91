// The laws of contact of generated code as they are written in C: settings, sets of forces and their projections, the certificate, weights of rows.
// Words behind $ are filled in (generate/c_template.hpp, contact_text.cpp).
#pragma once

namespace delassus::generation::contact_solver_c {

inline constexpr const char* kDeclarations =
    R"(/* Contact forces: settings, what the last call found, and its memory. */
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

inline constexpr const char* kTables = R"(static const uint16_t $p_first_row[$CONSTRAINTS] = {$first};
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
inline constexpr const char* kLaw = R"(/* y = the point of a constraint's set that is nearest to x. */
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
inline constexpr const char* kWeights =
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

}  // namespace delassus::generation::contact_solver_c
