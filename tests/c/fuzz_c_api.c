/* Random calls of the C interface with hostile arguments, in child processes: nothing may crash, hang, leak under a sanitizer, answer
 * DELASSUS_INTERNAL or DELASSUS_OUT_OF_MEMORY, fail without words, or say ok with a NaN where what went in was tame.
 *
 *   fuzz_c_api HEADER --calls 100000 [--seconds 60] [--first 0]
 *   fuzz_c_api HEADER --session 17          one session again, here, call by call
 *
 * A session follows from its number. HEADER is delassus.h: every function of it has to be called here.
 *
 * What the contract forbids is not done: no handle is used after it was freed (it is NULL then), and no array is shorter than the size
 * that comes with it, unless that size is refused. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "delassus/c/delassus.h"

enum { CALLS = 200, SESSIONS = 50, LONGEST = 20, POOL = 3, NOTE = 512 };

/* ------------------------------------------------------------------------------------------------------------- numbers */

static unsigned long long state;

/* splitmix64 */
static unsigned next_bits(void) {
  unsigned long long z = state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (unsigned)((z ^ (z >> 31)) >> 33);
}
static int below(int n) { return (int)(next_bits() % (unsigned)n); }
static int chance(int percent) { return below(100) < percent; }
static double uniform(void) { return next_bits() / 1073741824.0 - 1.0; }

static const double kOdd[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e-320, -1.0, 0.0, 1e30};
static double odd_number(void) { return kOdd[below(sizeof kOdd / sizeof *kOdd)]; }
static const int kOddSizes[] = {-1, 0, 1, 2147483647, -2147483647 - 1, 7, 1000000};
static int odd_size(void) { return kOddSizes[below(sizeof kOddSizes / sizeof *kOddSizes)]; }

/* Whether all that went into a call, or into the objects it works on, is such that a NaN is a mistake. */
static int tame;

/* Most vectors have no odd number at all. */
static int wild;

static double number(void) {
  if (!wild || chance(80)) return uniform();
  tame = 0;
  return odd_number();
}

/* --------------------------------------------------------------------------------------------------------------- pools */

typedef struct scene_slot {
  delassus_scene* it;
  int tame;
} scene_slot;
typedef struct operator_slot {
  delassus_operator* it;
  int tame;
} operator_slot;
typedef struct dynamics_slot {
  delassus_dynamics* it;
  int tame;
} dynamics_slot;

static scene_slot scenes[POOL];
static operator_slot operators[POOL];
static dynamics_slot dynamics[POOL];
static delassus_contact_solver* solvers[POOL];

static scene_slot* some_scene(void) { return &scenes[below(POOL)]; }
static operator_slot* some_operator(void) { return &operators[below(POOL)]; }
static dynamics_slot* some_dynamics(void) { return &dynamics[below(POOL)]; }

/* -------------------------------------------------------------------------------------------------------------- report */

typedef struct shared_note {
  char call[NOTE];
  char finding[NOTE];
  long calls;
  long session;
  int findings;
} shared_note;
static shared_note* note;
static int verbose = 0;

static void found(const char* what) {
  if (note->findings++ == 0)
    snprintf(note->finding, NOTE, "session %ld, %.200s: %s; last error: %.150s", note->session, note->call, what,
             delassus_last_error());
}

static void judge(delassus_status status) {
  if (status == DELASSUS_INTERNAL) found("internal error");
  if (status == DELASSUS_OUT_OF_MEMORY) found("out of memory");
  if (strcmp(delassus_status_name(status), "unknown") == 0) found("a status that is none");
  if (status != DELASSUS_OK && *delassus_last_error() == '\0') found("failed without a word");
}

/* An answer of `size` numbers; those that were not written are NaN still. */
static void judge_numbers(delassus_status status, const double* x, int size) {
  int k;
  judge(status);
  if (status != DELASSUS_OK || !tame || x == NULL) return;
  for (k = 0; k < size; ++k) {
    if (isnan(x[k])) {
      found("ok, with a NaN");
      return;
    }
  }
}

/* -------------------------------------------------------------------------------------------------------------- vectors */

/* A vector with memory of exactly its size, so that a sanitizer sees a step beyond, or NULL. */
typedef struct vector {
  double* x;
  int size;   /* that is passed */
  int memory; /* that is there */
} vector;

static vector make_vector(int expected, double (*entry)(void)) {
  vector v;
  int k;
  wild = chance(10);
  if (expected < 0) expected = 0;
  v.size = chance(95) ? expected : odd_size();
  v.memory = v.size >= 0 && v.size < 100000 ? v.size : 1;
  v.x = chance(97) ? malloc(sizeof(double) * (size_t)(v.memory > 0 ? v.memory : 1)) : NULL;
  for (k = 0; v.x != NULL && k < v.memory; ++k) v.x[k] = entry();
  return v;
}
static double unwritten(void) { return NAN; }
static double zero(void) { return 0; }
static vector input(int expected) { return make_vector(expected, number); }
static vector output(int expected) { return make_vector(expected, unwritten); }
static vector start(int expected) { return make_vector(expected, chance(50) ? zero : number); }

/* Coordinates: mostly near those that the scene has. */
static void near_state(vector* q, const double* from, int nq) {
  int k;
  if (q->x == NULL || q->memory < nq || chance(10)) return;
  tame = 1;
  for (k = 0; k < nq; ++k) q->x[k] = from[k] + 0.01 * number();
}

/* ---------------------------------------------------------------------------------------------------------------- words */

static char long_word[5001];
static const char* const kWords[] = {"", "world", "no such name", "\xff\xfe", "base", "FL_foot", "x"};
static const char* const kScenes[] = {"go2-standing", "go2-fallen-friction", "four_bar", "panda", "cassie-standing",
                                      "stem:3x2",     "boxes",               "delta"};
static const char* const kTexts[] = {
    "<robot name='r'><link name='base'/></robot>", "<robot", "", "{}", "<mujoco/>",
    "<robot name='pendulum'><link name='base'/><link name='bob'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>"
    "<inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='hinge' type='continuous'><parent link='base'/><child link='bob'/><axis xyz='0 1 0'/></joint></robot>"};
static const char* const kAlgorithms[] = {"dense",   "ltl",         "kjr",        "chang-khatib", "efpa",
                                          "pv-osim", "pv-osimr",    "kkt",        "lcaba",        "condensed",
                                          "limbs",   "matrix-free", "three-maps", "fast"};
#define ONE_OF(list) (list)[below(sizeof(list) / sizeof *(list))]

static const char* odd_word(void) {
  if (chance(30)) return NULL;
  return chance(10) ? long_word : ONE_OF(kWords);
}
static const char* frame_of(const delassus_scene* scene) {
  const int frames = scene == NULL ? 0 : delassus_scene_frames(scene);
  return frames > 0 && chance(90) ? delassus_scene_frame_name(scene, below(frames)) : odd_word();
}
static const char* joint_of(const delassus_scene* scene) {
  const int joints = scene == NULL ? 0 : delassus_scene_joints(scene);
  return joints > 0 && chance(90) ? delassus_scene_joint_name(scene, below(joints)) : odd_word();
}

/* ---------------------------------------------------------------------------------------------------------------- calls */

static void call_status_name(void) { (void)delassus_status_name((delassus_status)odd_size()); }
static void call_version(void) { (void)delassus_version(); }
static void call_isa(void) { (void)delassus_isa(); }
static void call_last_error(void) { (void)strlen(delassus_last_error()); }
static void call_last_index(void) { (void)delassus_last_index(); }

static delassus_base some_base(void) { return (delassus_base)(chance(90) ? 0 : below(4)); }

/* In the place of another, which is one that is free if there is. */
static int place_for(const void* a, const void* b, const void* c) {
  if (a == NULL) return 0;
  if (b == NULL) return 1;
  return c == NULL ? 2 : below(POOL);
}

static void keep_scene(delassus_status status, delassus_scene* made) {
  scene_slot* slot = &scenes[place_for(scenes[0].it, scenes[1].it, scenes[2].it)];
  judge(status);
  if (status != DELASSUS_OK) return;
  delassus_scene_free(slot->it);
  slot->it = made;
  slot->tame = 1;
}

static void call_scene_load(void) {
  delassus_scene* made = NULL;
  const char* name = chance(90) ? ONE_OF(kScenes) : odd_word();
  const delassus_status status = delassus_scene_load(name, some_base(), chance(95) ? &made : NULL);
  keep_scene(status, made);
}

static void call_scene_parse(void) {
  delassus_scene* made = NULL;
  const char* text = chance(95) ? ONE_OF(kTexts) : odd_word();
  const char* file = chance(90) ? "r.urdf" : odd_word();
  const delassus_status status = delassus_scene_parse(text, file, some_base(), chance(95) ? &made : NULL);
  keep_scene(status, made);
}

static void call_scene_free(void) {
  delassus_scene_free(scenes[0].it);
  scenes[0].it = NULL;
}

static void call_scene_nq(void) { (void)delassus_scene_nq(some_scene()->it); }
static void call_scene_nv(void) { (void)delassus_scene_nv(some_scene()->it); }
static void call_scene_frames(void) { (void)delassus_scene_frames(some_scene()->it); }
static void call_scene_joints(void) { (void)delassus_scene_joints(some_scene()->it); }
static void call_scene_constraints(void) { (void)delassus_scene_constraints(some_scene()->it); }
static void call_scene_rows(void) { (void)delassus_scene_rows(some_scene()->it); }
static void call_scene_keyframes(void) { (void)delassus_scene_keyframes(some_scene()->it); }
static void call_scene_name(void) { (void)delassus_scene_name(some_scene()->it); }

static int some_index(void) { return chance(60) ? below(12) : odd_size(); }
static void judge_name(const char* name) {
  if (name == NULL && *delassus_last_error() == '\0') found("NULL without a word");
  if (name != NULL) (void)strlen(name);
}
static void call_scene_frame_name(void) { judge_name(delassus_scene_frame_name(some_scene()->it, some_index())); }
static void call_scene_joint_name(void) { judge_name(delassus_scene_joint_name(some_scene()->it, some_index())); }
static void call_scene_constraint_name(void) {
  judge_name(delassus_scene_constraint_name(some_scene()->it, some_index()));
}
static void call_scene_keyframe_name(void) { judge_name(delassus_scene_keyframe_name(some_scene()->it, some_index())); }

static int nq_of(const delassus_scene* scene) { return scene == NULL ? 3 : delassus_scene_nq(scene); }
static int nv_of(const delassus_scene* scene) { return scene == NULL ? 3 : delassus_scene_nv(scene); }

static void call_scene_neutral(void) {
  const scene_slot* s = some_scene();
  vector q = output(nq_of(s->it));
  judge_numbers(delassus_scene_neutral(s->it, q.x, q.size), q.x, q.memory);
  free(q.x);
}
static void call_scene_keyframe(void) {
  const scene_slot* s = some_scene();
  vector q = output(nq_of(s->it));
  judge_numbers(delassus_scene_keyframe(s->it, some_index(), q.x, q.size), q.x, q.memory);
  free(q.x);
}
static void call_scene_state(void) {
  const scene_slot* s = some_scene();
  vector q = output(nq_of(s->it)), v = output(nv_of(s->it));
  const delassus_status status = delassus_scene_state(s->it, q.x, q.size, v.x, v.size);
  judge_numbers(status, q.x, q.memory);
  judge_numbers(status, v.x, v.memory);
  free(q.x), free(v.x);
}

static void call_scene_clear_constraints(void) {
  scene_slot* s = some_scene();
  judge(delassus_scene_clear_constraints(s->it));
  s->tame = 1;
}

/* What was added is part of the scene. */
static void added(scene_slot* s, delassus_status status) {
  judge(status);
  if (status == DELASSUS_OK && !tame) s->tame = 0;
  if (s->it != NULL && delassus_scene_rows(s->it) > 60) judge(delassus_scene_clear_constraints(s->it));
}

static void call_scene_add_contact(void) {
  scene_slot* s = some_scene();
  double point[3], normal[3];
  int k;
  const char* name = chance(95) ? "contact" : odd_word();
  for (k = 0; k < 3; ++k) point[k] = number(), normal[k] = number();
  added(s, delassus_scene_add_contact(s->it, name, frame_of(s->it), chance(70) ? point : NULL,
                                      chance(70) ? normal : NULL, chance(30) ? INFINITY : fabs(number())));
}
static void call_scene_add_loop(void) {
  scene_slot* s = some_scene();
  double a[7], b[7];
  int k;
  for (k = 0; k < 7; ++k) a[k] = number(), b[k] = number();
  added(s, delassus_scene_add_loop(s->it, chance(95) ? "loop" : odd_word(), frame_of(s->it), chance(50) ? a : NULL,
                                   frame_of(s->it), chance(50) ? b : NULL, (unsigned)below(9), (unsigned)below(9)));
}
static void call_scene_add_joint_limit(void) {
  scene_slot* s = some_scene();
  added(s, delassus_scene_add_joint_limit(s->it, chance(95) ? "limit" : odd_word(), joint_of(s->it),
                                          chance(80) ? 0 : odd_size(), below(2), number()));
}
static void call_scene_add_joint_friction(void) {
  scene_slot* s = some_scene();
  added(s, delassus_scene_add_joint_friction(s->it, chance(95) ? "friction" : odd_word(), joint_of(s->it),
                                             chance(80) ? 0 : odd_size(), number()));
}
static void call_scene_add_joint_coupling(void) {
  scene_slot* s = some_scene();
  const char* joints[3];
  double weights[3];
  int k;
  for (k = 0; k < 3; ++k) joints[k] = joint_of(s->it), weights[k] = number();
  added(s, delassus_scene_add_joint_coupling(s->it, chance(95) ? "gear" : odd_word(), chance(95) ? joints : NULL,
                                             chance(95) ? weights : NULL, below(5) - 1, number()));
}

static void call_operator_new(void) {
  const scene_slot* s = some_scene();
  operator_slot* slot = &operators[place_for(operators[0].it, operators[1].it, operators[2].it)];
  delassus_operator* made = NULL;
  const char* algorithm = chance(98) ? ONE_OF(kAlgorithms) : odd_word();
  const delassus_status status = delassus_operator_new(s->it, algorithm, chance(95) ? &made : NULL);
  judge(status);
  if (status != DELASSUS_OK) return;
  delassus_operator_free(slot->it);
  slot->it = made;
  slot->tame = s->tame;
}
static void call_operator_free(void) {
  delassus_operator_free(operators[0].it); /* so that others live */
  operators[0].it = NULL;
}

static void call_operator_rows(void) { (void)delassus_operator_rows(some_operator()->it); }
static void call_operator_nv(void) { (void)delassus_operator_nv(some_operator()->it); }
static void call_operator_algorithm(void) { (void)delassus_operator_algorithm(some_operator()->it); }

/* The sizes that an operator has. nq is that of some scene, which is mostly another one: then a vector of nv numbers or one more. */
static int rows_of(const delassus_operator* op) { return op == NULL ? 3 : delassus_operator_rows(op); }
static int dofs_of(const delassus_operator* op) { return op == NULL ? 3 : delassus_operator_nv(op); }

/* A state of a scene of that many degrees of freedom; else numbers. */
static vector state_for(int nv, int* known) {
  int k;
  *known = 0;
  for (k = 0; k < POOL; ++k) {
    const delassus_scene* scene = scenes[k].it;
    if (scene != NULL && delassus_scene_nv(scene) == nv) {
      const int nq = delassus_scene_nq(scene);
      double* from = malloc(sizeof(double) * (size_t)(nq + nv + 1));
      vector q = input(nq);
      if (delassus_scene_state(scene, from, nq, from + nq, nv) == DELASSUS_OK) near_state(&q, from, nq), *known = 1;
      free(from);
      return q;
    }
  }
  return input(nv + below(2));
}

static void call_operator_update(void) {
  operator_slot* s = some_operator();
  int known;
  vector q = state_for(dofs_of(s->it), &known);
  const delassus_status status = delassus_operator_update(s->it, q.x, q.size);
  judge(status);
  if (status == DELASSUS_OK && !(tame && known)) s->tame = 0;
  free(q.x);
}

static void call_operator_apply(void) {
  const operator_slot* s = some_operator();
  vector x = input(rows_of(s->it)), y = output(rows_of(s->it));
  const int in_place = chance(3), rows = x.memory == y.memory ? x.size : -1;
  if (!s->tame) tame = 0;
  judge_numbers(delassus_operator_apply(s->it, x.x, in_place ? x.x : y.x, rows), in_place ? x.x : y.x, y.memory);
  free(x.x), free(y.x);
}

typedef delassus_status (*panel_verb)(delassus_operator*, const double*, double*, int, int);
static void run_panel(panel_verb verb) {
  const operator_slot* s = some_operator();
  const int rows = rows_of(s->it), columns = chance(90) ? below(4) : chance(50) || rows == 1 ? -1 : 2147483647;
  const int size = rows * (columns > 0 && columns < 4 ? columns : 0);
  double* x = malloc(sizeof(double) * (size_t)(size + 1));
  double* y = malloc(sizeof(double) * (size_t)(size + 1));
  int k;
  if (!s->tame) tame = 0;
  for (k = 0; k < size; ++k) x[k] = number(), y[k] = NAN;
  judge_numbers(verb(s->it, x, y, chance(95) ? rows : -rows - 1, columns), y, size);
  free(x), free(y);
}
static void call_operator_apply_panel(void) { run_panel(delassus_operator_apply_panel); }
static void call_operator_solve_panel(void) { run_panel(delassus_operator_solve_panel); }

static void call_operator_dense(void) {
  const operator_slot* s = some_operator();
  const int rows = rows_of(s->it);
  double* y = malloc(sizeof(double) * (size_t)(rows * rows + 1));
  int k;
  for (k = 0; k < rows * rows; ++k) y[k] = NAN;
  if (!s->tame) tame = 0;
  judge_numbers(delassus_operator_dense(s->it, chance(97) ? y : NULL, chance(95) ? rows : -1), y, rows * rows);
  free(y);
}
static void call_operator_diagonal(void) {
  const operator_slot* s = some_operator();
  vector y = output(rows_of(s->it));
  if (!s->tame) tame = 0;
  judge_numbers(delassus_operator_diagonal(s->it, y.x, y.size), y.x, y.memory);
  free(y.x);
}
static void call_operator_update_damping(void) {
  judge(delassus_operator_update_damping(some_operator()->it, chance(80) ? 1e-3 : number()));
}
static void call_operator_update_damping_rows(void) {
  const operator_slot* s = some_operator();
  vector d = input(rows_of(s->it));
  int k;
  for (k = 0; d.x != NULL && k < d.memory && chance(90); ++k) d.x[k] = fabs(d.x[k]) + 1e-6;
  judge(delassus_operator_update_damping_rows(s->it, d.x, d.size));
  free(d.x);
}
static void call_operator_solve(void) {
  const operator_slot* s = some_operator();
  vector b = input(rows_of(s->it)), z = output(rows_of(s->it));
  const int in_place = chance(20), rows = b.memory == z.memory ? b.size : -1;
  if (!s->tame) tame = 0;
  judge_numbers(delassus_operator_solve(s->it, b.x, in_place ? b.x : z.x, rows), in_place ? b.x : z.x, z.memory);
  free(b.x), free(z.x);
}
static void call_operator_apply_jacobian(void) {
  const operator_slot* s = some_operator();
  vector v = input(dofs_of(s->it)), y = output(rows_of(s->it));
  if (!s->tame) tame = 0;
  judge_numbers(delassus_operator_apply_jacobian(s->it, v.x, v.size, y.x, y.size), y.x, y.memory);
  free(v.x), free(y.x);
}
static void call_operator_apply_jacobian_transpose(void) {
  const operator_slot* s = some_operator();
  vector x = input(rows_of(s->it)), tau = output(dofs_of(s->it));
  if (!s->tame) tame = 0;
  judge_numbers(delassus_operator_apply_jacobian_transpose(s->it, x.x, x.size, tau.x, tau.size), tau.x, tau.memory);
  free(x.x), free(tau.x);
}
static void call_operator_joint_response(void) {
  const operator_slot* s = some_operator();
  vector x = input(rows_of(s->it)), a = output(dofs_of(s->it));
  if (!s->tame) tame = 0;
  judge_numbers(delassus_operator_joint_response(s->it, x.x, x.size, a.x, a.size), a.x, a.memory);
  free(x.x), free(a.x);
}

static void call_plan(void) {
  const scene_slot* s = some_scene();
  const delassus_workload w = {below(5) - 1, below(5) - 1, below(5) - 1, below(3) - 1};
  const char* algorithm = NULL;
  char text[64];
  size_t length = 0;
  if (chance(90)) return; /* it counts the operations of every algorithm */
  judge(delassus_plan(s->it, chance(95) ? &w : NULL, chance(80) ? &algorithm : NULL, chance(80) ? text : NULL,
                      (size_t)below(65), chance(80) ? &length : NULL));
}

static void call_dynamics_new(void) {
  const scene_slot* s = some_scene();
  dynamics_slot* slot = &dynamics[place_for(dynamics[0].it, dynamics[1].it, dynamics[2].it)];
  delassus_dynamics* made = NULL;
  const delassus_status status = delassus_dynamics_new(s->it, chance(95) ? &made : NULL);
  judge(status);
  if (status != DELASSUS_OK) return;
  delassus_dynamics_free(slot->it);
  slot->it = made;
  slot->tame = s->tame;
}
static void call_dynamics_free(void) {
  delassus_dynamics_free(dynamics[0].it);
  dynamics[0].it = NULL;
}

/* The dynamics do not say how large they are: sizes are those of some scene, which is mostly the right one. */
static void call_dynamics_update(void) {
  dynamics_slot* d = some_dynamics();
  const scene_slot* s = some_scene();
  int known;
  vector q = state_for(nv_of(s->it), &known), v = input(nv_of(s->it));
  const delassus_status status = delassus_dynamics_update(d->it, q.x, q.size, v.x, v.size);
  judge(status);
  if (status == DELASSUS_OK && !(tame && known)) d->tame = 0;
  free(q.x), free(v.x);
}
static void call_dynamics_solve(void) {
  dynamics_slot* d = some_dynamics();
  const scene_slot* s = some_scene();
  const int nv = nv_of(s->it), rows = s->it == NULL ? 3 : delassus_scene_rows(s->it);
  vector tau = input(nv), target = input(rows), qdd = output(nv), lambda = start(rows);
  const int n = tau.memory == qdd.memory ? tau.size : -1, m = target.memory == lambda.memory ? target.size : -1;
  delassus_status status;
  if (!d->tame) tame = 0;
  status = delassus_dynamics_solve(d->it, tau.x, n, chance(50) ? target.x : NULL, qdd.x, lambda.x, m);
  judge_numbers(status, qdd.x, qdd.memory);
  judge_numbers(status, lambda.x, lambda.memory);
  free(tau.x), free(target.x), free(qdd.x), free(lambda.x);
}

static void call_contact_solver_new(void) {
  delassus_contact_solver* made = NULL;
  const int at = place_for(solvers[0], solvers[1], solvers[2]), iterations = below(60) - 5;
  const double tolerance = chance(80) ? 0 : number();
  const delassus_status status = delassus_contact_solver_new(tolerance, iterations, chance(95) ? &made : NULL);
  judge(status);
  if (status != DELASSUS_OK) return;
  delassus_contact_solver_free(solvers[at]);
  solvers[at] = made;
}
static void call_contact_solver_free(void) {
  delassus_contact_solver_free(solvers[0]);
  solvers[0] = NULL;
}
static void call_contact_solver_set_max_time(void) {
  judge(delassus_contact_solver_set_max_time(solvers[below(POOL)], chance(50) ? INFINITY : number()));
}
static void call_contact_solver_solve(void) {
  const operator_slot* s = some_operator();
  vector v = input(rows_of(s->it)), impulse = start(rows_of(s->it));
  const int rows = v.memory == impulse.memory ? v.size : -1;
  const double time_step = chance(90) ? 1e-3 : number();
  delassus_certificate certificate;
  delassus_status status;
  if (!s->tame) tame = 0;
  status = delassus_contact_solver_solve(solvers[below(POOL)], s->it, v.x, impulse.x, rows, time_step,
                                         chance(80) ? &certificate : NULL);
  judge_numbers(status, impulse.x, impulse.memory);
  free(v.x), free(impulse.x);
}

typedef struct entry {
  const char* name;
  void (*call)(void);
} entry;
#define ENTRY(name) {"delassus_" #name, call_##name}
static const entry kCalls[] = {ENTRY(last_error),
                               ENTRY(last_index),
                               ENTRY(status_name),
                               ENTRY(version),
                               ENTRY(isa),
                               ENTRY(scene_load),
                               ENTRY(scene_parse),
                               ENTRY(scene_free),
                               ENTRY(scene_nq),
                               ENTRY(scene_nv),
                               ENTRY(scene_frames),
                               ENTRY(scene_joints),
                               ENTRY(scene_constraints),
                               ENTRY(scene_rows),
                               ENTRY(scene_keyframes),
                               ENTRY(scene_name),
                               ENTRY(scene_frame_name),
                               ENTRY(scene_joint_name),
                               ENTRY(scene_constraint_name),
                               ENTRY(scene_keyframe_name),
                               ENTRY(scene_neutral),
                               ENTRY(scene_keyframe),
                               ENTRY(scene_state),
                               ENTRY(scene_clear_constraints),
                               ENTRY(scene_add_contact),
                               ENTRY(scene_add_loop),
                               ENTRY(scene_add_joint_limit),
                               ENTRY(scene_add_joint_friction),
                               ENTRY(scene_add_joint_coupling),
                               ENTRY(operator_new),
                               ENTRY(operator_free),
                               ENTRY(operator_rows),
                               ENTRY(operator_nv),
                               ENTRY(operator_algorithm),
                               ENTRY(operator_update),
                               ENTRY(operator_apply),
                               ENTRY(operator_apply_panel),
                               ENTRY(operator_dense),
                               ENTRY(operator_diagonal),
                               ENTRY(operator_update_damping),
                               ENTRY(operator_update_damping_rows),
                               ENTRY(operator_solve),
                               ENTRY(operator_solve_panel),
                               ENTRY(operator_apply_jacobian),
                               ENTRY(operator_apply_jacobian_transpose),
                               ENTRY(operator_joint_response),
                               ENTRY(plan),
                               ENTRY(dynamics_new),
                               ENTRY(dynamics_free),
                               ENTRY(dynamics_update),
                               ENTRY(dynamics_solve),
                               ENTRY(contact_solver_new),
                               ENTRY(contact_solver_free),
                               ENTRY(contact_solver_set_max_time),
                               ENTRY(contact_solver_solve),
                               /* more often, since others need it first */
                               ENTRY(operator_update),
                               ENTRY(operator_update),
                               ENTRY(operator_update),
                               ENTRY(operator_update_damping),
                               ENTRY(dynamics_update),
                               ENTRY(dynamics_update)};
enum { NUM_CALLS = sizeof kCalls / sizeof *kCalls };

static int is_called(const char* name, size_t length) {
  int k;
  for (k = 0; k < NUM_CALLS; ++k)
    if (strlen(kCalls[k].name) == length && strncmp(kCalls[k].name, name, length) == 0) return 1;
  return 0;
}

/* Whether every function that the header declares is called here. */
static int calls_all_of(const char* header) {
  FILE* file = fopen(header, "r");
  char line[512];
  int missing = 0, seen = 0;
  if (file == NULL) {
    fprintf(stderr, "cannot read %s\n", header);
    return 0;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    const char* at = strstr(line, "delassus_");
    for (; at != NULL && line[0] != ' ' && line[0] != '/'; at = strstr(at + 1, "delassus_")) {
      const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
      if (at[length] != '(') continue;
      ++seen;
      if (is_called(at, length)) continue;
      fprintf(stderr, "%.*s is not called by this fuzzer; add it to kCalls\n", (int)length, at);
      ++missing;
    }
  }
  fclose(file);
  if (seen == 0) fprintf(stderr, "%s declares nothing\n", header);
  return missing == 0 && seen > 0;
}

/* ------------------------------------------------------------------------------------------------------------ processes */

static void run_session(long number) {
  int k;
  state = (unsigned long long)number * 2654435761ULL + 12345;
  (void)next_bits();
  note->session = number;
  for (k = 0; k < POOL; ++k) call_scene_load();
  for (k = 0; k < POOL; ++k) call_operator_new(), call_dynamics_new(), call_contact_solver_new();
  for (k = 0; k < CALLS; ++k) {
    const entry* e = &kCalls[below(NUM_CALLS)];
    snprintf(note->call, NOTE, "call %d, %s", k, e->name);
    if (verbose) printf("%s\n", note->call), fflush(stdout);
    tame = 1;
    wild = chance(15);
    alarm(LONGEST);
    e->call();
    alarm(0);
    ++note->calls;
  }
  for (k = 0; k < POOL; ++k) {
    delassus_scene_free(scenes[k].it), delassus_operator_free(operators[k].it), delassus_dynamics_free(dynamics[k].it);
    delassus_contact_solver_free(solvers[k]);
    scenes[k].it = NULL, operators[k].it = NULL, dynamics[k].it = NULL, solvers[k] = NULL;
  }
}

/* Sessions in one process: how many there were; one that ended by a signal is the last. */
static long spawn(long first) {
  int status = 0;
  long k;
  pid_t pid;
  fflush(stdout); /* else the child would print it too */
  pid = fork();
  if (pid == 0) {
    for (k = first; k < first + SESSIONS; ++k) run_session(k);
    exit(0); /* with what a sanitizer has to say at the end */
  }
  if (pid < 0 || waitpid(pid, &status, 0) < 0) exit(2);
  if (status == 0) return SESSIONS;
  if (note->findings++ == 0)
    snprintf(note->finding, NOTE, "session %ld, %.200s: %s %d", note->session, note->call,
             WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "took too long," : "ended with status", status);
  return note->session - first + 1;
}

static int campaign(long calls, double seconds, long first) {
  const time_t begin = time(NULL);
  int findings = 0;
  long number = first;
  while (note->calls < calls && difftime(time(NULL), begin) < seconds) {
    note->findings = 0;
    number += spawn(number);
    if (note->findings == 0) continue;
    ++findings;
    printf("%s\n", note->finding);
  }
  printf("%ld calls in sessions %ld to %ld: %d findings\n", note->calls, first, number - 1, findings);
  return findings > 0 || note->calls == 0;
}

int main(int argc, char** argv) {
  double calls = 1e9, seconds = 1e9;
  long first = 0, session = -1;
  int k;
  memset(long_word, 'n', sizeof long_word - 1);
  for (k = 2; k + 1 < argc; k += 2) {
    if (strcmp(argv[k], "--calls") == 0) calls = atof(argv[k + 1]);
    if (strcmp(argv[k], "--seconds") == 0) seconds = atof(argv[k + 1]);
    if (strcmp(argv[k], "--first") == 0) first = atol(argv[k + 1]);
    if (strcmp(argv[k], "--session") == 0) session = atol(argv[k + 1]);
  }
  if (argc < 2 || !calls_all_of(argv[1])) return 2;
  note = mmap(NULL, sizeof *note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (note == MAP_FAILED) return 2;
  if (session < 0) return campaign((long)calls, seconds, first);
  verbose = 1;
  run_session(session);
  if (note->findings > 0) printf("%s\n", note->finding);
  return note->findings > 0;
}
