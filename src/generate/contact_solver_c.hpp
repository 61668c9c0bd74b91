// The contact solver of generated code as it is written in C, after the laws of contact_law_c.hpp: ADMM on Λ⁻¹ λ + g, as src/solvers/admm.cpp
// has it, with a bounded number of solves. Words behind $ are filled in (generate/c_template.hpp, contact_text.cpp).
#pragma once

namespace delassus::generation::contact_solver_c {

// As src/solvers/contact_modes.cpp, and Admm::Work::hold_modes.
inline constexpr const char* kModes =
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
inline constexpr const char* kExtrapolation =
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
inline constexpr const char* kSolver =
    R"(/* From y and the velocities that it gives: at a solution this is the fixed point. */
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

inline constexpr const char* kFillRows = R"(  int r;
  for (r = 0; r < $ROWS; ++r) { s->damping[r] = rows[r]; }
)";
inline constexpr const char* kFillBlocks = R"(  $real *block = s->damping;
  int e;
  int i;
  for (e = 0; e < $CONSTRAINTS; ++e) {
    const int n = (int)$p_row_count[e];
    for (i = 0; i < (n * n); ++i) { block[i] = $(0); }
    for (i = 0; i < n; ++i) { block[(i * n) + i] = rows[(int)$p_first_row[e] + i]; }
    block = &block[n * n];
  }
)";

}  // namespace delassus::generation::contact_solver_c
