/* The C interface from a C compiler: the numbers of the C++ library, no allocation in the loop, and misuse without a crash. */
#include "delassus/c/delassus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c/reference.h"

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "line %d: %s; last error: %s\n", line, what, delassus_last_error());
}
#define EXPECT(condition) expect((condition) != 0, #condition, __LINE__)
#define EXPECT_OK(call) expect((call) == DELASSUS_OK, #call, __LINE__)
/* A call fails with this status, and its message has this text. */
#define EXPECT_FAILS(call, status, text) \
  expect((call) == (status) && strstr(delassus_last_error(), text) != NULL, #call, __LINE__)
/* The same code on the same numbers: the same bits. */
#define EXPECT_SAME(a, b, count) expect(memcmp(a, b, (size_t)(count) * sizeof(double)) == 0, #a " equals " #b, __LINE__)

enum { MOST = 256 };

/* A scene by name and an operator on its constraints. */
typedef struct fixture {
  delassus_scene* scene;
  delassus_operator* op;
  int nq, nv, rows;
  double q[MOST], v[MOST], x[REFERENCE_COLUMNS * MOST];
} fixture;

static fixture make_fixture(const char* name, const char* algorithm) {
  fixture f = {0};
  int k;
  EXPECT_OK(delassus_scene_load(name, DELASSUS_BASE_DEFAULT, &f.scene));
  EXPECT_OK(delassus_operator_new(f.scene, algorithm, &f.op));
  f.nq = delassus_scene_nq(f.scene);
  f.nv = delassus_scene_nv(f.scene);
  f.rows = delassus_operator_rows(f.op);
  if (f.op == NULL || f.nq > MOST || f.rows > MOST) exit(1);
  EXPECT_OK(delassus_scene_state(f.scene, f.q, f.nq, f.v, f.nv));
  for (k = 0; k < REFERENCE_COLUMNS * f.rows; ++k) f.x[k] = 1.0 / (k + 1);
  return f;
}

static void free_fixture(fixture* f) {
  delassus_operator_free(f->op);
  delassus_scene_free(f->scene);
}

static double* numbers(int count) { return calloc((size_t)count + 1, sizeof(double)); }

static reference_numbers make_numbers(int rows, int nv) {
  reference_numbers n;
  n.apply = numbers(rows);
  n.apply_panel = numbers(rows * REFERENCE_COLUMNS);
  n.dense = numbers(rows * rows);
  n.diagonal = numbers(rows);
  n.solve = numbers(rows);
  n.solve_rows = numbers(rows);
  n.solve_panel = numbers(rows * REFERENCE_COLUMNS);
  n.response = numbers(nv);
  n.jacobian = numbers(rows);
  n.transpose = numbers(nv);
  return n;
}

static void free_numbers(reference_numbers* n) {
  free(n->apply), free(n->apply_panel), free(n->dense), free(n->diagonal), free(n->solve);
  free(n->solve_rows), free(n->solve_panel), free(n->response), free(n->jacobian), free(n->transpose);
}

/* All loop verbs of an operator, at its configuration. */
static void run_verbs(fixture* f, double damping, const double* row_damping, const double* velocity,
                      reference_numbers* out) {
  const int m = f->rows;
  EXPECT_OK(delassus_operator_update(f->op, f->q, f->nq));
  EXPECT_OK(delassus_operator_apply(f->op, f->x, out->apply, m));
  EXPECT_OK(delassus_operator_apply_panel(f->op, f->x, out->apply_panel, m, REFERENCE_COLUMNS));
  EXPECT_OK(delassus_operator_dense(f->op, out->dense, m));
  EXPECT_OK(delassus_operator_diagonal(f->op, out->diagonal, m));
  EXPECT_OK(delassus_operator_joint_response(f->op, f->x, m, out->response, f->nv));
  EXPECT_OK(delassus_operator_update_damping(f->op, damping));
  EXPECT_OK(delassus_operator_solve(f->op, f->x, out->solve, m));
  EXPECT_OK(delassus_operator_solve_panel(f->op, f->x, out->solve_panel, m, REFERENCE_COLUMNS));
  EXPECT_OK(delassus_operator_update_damping_rows(f->op, row_damping, m));
  EXPECT_OK(delassus_operator_solve(f->op, f->x, out->solve_rows, m));
  EXPECT_OK(delassus_operator_apply_jacobian(f->op, velocity, f->nv, out->jacobian, m));
  EXPECT_OK(delassus_operator_apply_jacobian_transpose(f->op, f->x, m, out->transpose, f->nv));
}

static void test_numbers(const char* name, const char* algorithm) {
  fixture f = make_fixture(name, algorithm);
  reference_numbers ours = make_numbers(f.rows, f.nv), theirs = make_numbers(f.rows, f.nv);
  double row_damping[MOST], velocity[MOST];
  long before;
  int k;
  EXPECT(f.rows == delassus_scene_rows(f.scene) && f.nv == delassus_operator_nv(f.op));
  EXPECT(strcmp(delassus_operator_algorithm(f.op), algorithm) == 0);
  for (k = 0; k < f.rows; ++k) row_damping[k] = 0.1 + 0.01 * k;
  for (k = 0; k < f.nv; ++k) velocity[k] = sin(k);
  run_verbs(&f, 0.25, row_damping, velocity, &ours);
  reference_operator(name, algorithm, 0.25, row_damping, f.x, velocity, &theirs);
  EXPECT_SAME(ours.apply, theirs.apply, f.rows);
  EXPECT_SAME(ours.apply_panel, theirs.apply_panel, f.rows * REFERENCE_COLUMNS);
  EXPECT_SAME(ours.dense, theirs.dense, f.rows * f.rows);
  EXPECT_SAME(ours.diagonal, theirs.diagonal, f.rows);
  EXPECT_SAME(ours.solve, theirs.solve, f.rows);
  EXPECT_SAME(ours.solve_rows, theirs.solve_rows, f.rows);
  EXPECT_SAME(ours.solve_panel, theirs.solve_panel, f.rows * REFERENCE_COLUMNS);
  EXPECT_SAME(ours.response, theirs.response, f.nv);
  EXPECT_SAME(ours.jacobian, theirs.jacobian, f.rows);
  EXPECT_SAME(ours.transpose, theirs.transpose, f.nv);

  before = reference_allocations();
  run_verbs(&f, 0.5, row_damping, velocity, &ours);
  EXPECT(reference_allocations() == before);
  free_numbers(&ours);
  free_numbers(&theirs);
  free_fixture(&f);
}

static void test_dynamics(const char* name) {
  fixture f = make_fixture(name, "condensed");
  double qdd[MOST], lambda[MOST] = {0}, tau[MOST] = {0}, their_qdd[MOST], their_lambda[MOST];
  delassus_dynamics* dynamics = NULL;
  long before;
  EXPECT_OK(delassus_dynamics_new(f.scene, &dynamics));
  EXPECT_FAILS(delassus_dynamics_solve(dynamics, tau, f.nv, NULL, qdd, lambda, f.rows), DELASSUS_BAD_ARGUMENT,
               "delassus_dynamics_update first");
  EXPECT_OK(delassus_dynamics_update(dynamics, f.q, f.nq, f.v, f.nv));
  EXPECT_OK(delassus_dynamics_solve(dynamics, tau, f.nv, NULL, qdd, lambda, f.rows));
  reference_dynamics(name, their_qdd, their_lambda);
  EXPECT_SAME(qdd, their_qdd, f.nv);
  EXPECT_SAME(lambda, their_lambda, f.rows);
  before = reference_allocations();
  EXPECT_OK(delassus_dynamics_update(dynamics, f.q, f.nq, f.v, f.nv));
  EXPECT_OK(delassus_dynamics_solve(dynamics, tau, f.nv, NULL, qdd, lambda, f.rows));
  EXPECT(reference_allocations() == before);
  tau[0] = NAN;
  EXPECT_FAILS(delassus_dynamics_solve(dynamics, tau, f.nv, NULL, qdd, lambda, f.rows), DELASSUS_NOT_FINITE, "'tau'");
  delassus_dynamics_free(dynamics);
  free_fixture(&f);
}

static void test_contact(const char* name) {
  fixture f = make_fixture(name, "condensed");
  double falling[MOST] = {0}, free_velocity[MOST], impulse[MOST] = {0}, theirs[MOST];
  const double time_step = 1e-3;
  delassus_contact_solver* solver = NULL;
  delassus_certificate certificate;
  long before;
  EXPECT_OK(delassus_contact_solver_new(0, 0, &solver));
  EXPECT_FAILS(delassus_contact_solver_solve(solver, f.op, falling, impulse, f.rows, time_step, NULL),
               DELASSUS_BAD_ARGUMENT, "delassus_operator_update first");
  EXPECT_OK(delassus_operator_update(f.op, f.q, f.nq));
  falling[5] = -9.81 * time_step; /* of the free joint, along z */
  EXPECT_OK(delassus_operator_apply_jacobian(f.op, falling, f.nv, free_velocity, f.rows));
  EXPECT_OK(delassus_contact_solver_solve(solver, f.op, free_velocity, impulse, f.rows, time_step, &certificate));
  EXPECT(reference_contact(name, "condensed", free_velocity, time_step, theirs) == certificate.iterations);
  EXPECT_SAME(impulse, theirs, f.rows);
  EXPECT(certificate.velocity <= 1e-6 && certificate.dual <= 1e-6); /* the tolerance of the header */
  before = reference_allocations();
  memset(impulse, 0, sizeof impulse);
  EXPECT_OK(delassus_contact_solver_solve(solver, f.op, free_velocity, impulse, f.rows, time_step, &certificate));
  EXPECT(reference_allocations() == before);
  EXPECT_FAILS(delassus_operator_solve(f.op, f.x, impulse, f.rows), DELASSUS_BAD_ARGUMENT, "no damping");
  delassus_contact_solver_free(solver);

  /* What takes ADMM hundreds of iterations: the other method arrives, and then knows how much memory that takes. */
  EXPECT_OK(delassus_contact_solver_new(1e-12, 0, &solver));
  memset(impulse, 0, sizeof impulse);
  EXPECT_OK(delassus_contact_solver_solve(solver, f.op, free_velocity, impulse, f.rows, time_step, &certificate));
  EXPECT(certificate.velocity <= 1e-12 && certificate.dual <= 1e-12);
  EXPECT(certificate.dampings > 10 && certificate.iterations < 250); /* one for each iteration of the other method */
  before = reference_allocations();
  memset(impulse, 0, sizeof impulse);
  EXPECT_OK(delassus_contact_solver_solve(solver, f.op, free_velocity, impulse, f.rows, time_step, &certificate));
  EXPECT(reference_allocations() == before);
  delassus_contact_solver_free(solver);

  EXPECT_OK(delassus_contact_solver_new(1e-14, 1, &solver));
  memset(impulse, 0, sizeof impulse);
  EXPECT_FAILS(delassus_contact_solver_solve(solver, f.op, free_velocity, impulse, f.rows, time_step, &certificate),
               DELASSUS_NOT_CONVERGED, "iterations");
  EXPECT(delassus_last_index() >= 0 && certificate.iterations == 1);
  EXPECT_OK(delassus_contact_solver_set_max_time(solver, 0));
  EXPECT_FAILS(delassus_contact_solver_solve(solver, f.op, free_velocity, impulse, f.rows, time_step, &certificate),
               DELASSUS_NOT_CONVERGED, "");
  EXPECT(certificate.iterations == 0);
  EXPECT_FAILS(delassus_contact_solver_set_max_time(solver, NAN), DELASSUS_BAD_ARGUMENT, "'seconds'");
  EXPECT_FAILS(delassus_contact_solver_set_max_time(solver, -1), DELASSUS_BAD_ARGUMENT, "'seconds'");
  EXPECT_FAILS(delassus_contact_solver_set_max_time(NULL, 1), DELASSUS_BAD_ARGUMENT, "'solver' is NULL");
  delassus_contact_solver_free(solver);
  EXPECT_FAILS(delassus_contact_solver_new(NAN, 0, &solver), DELASSUS_BAD_ARGUMENT, "tolerance");
  EXPECT_FAILS(delassus_contact_solver_new(0, -1, &solver), DELASSUS_BAD_ARGUMENT, "'iterations'");
  free_fixture(&f);
}

/* A hinge about y with 2 kg at 0.5 m: J M^-1 J^T of a contact of the mass is 1/m across the arm, 0 along it and along the axis. */
static const char* const kPendulum =
    "<robot name='pendulum'><link name='base'/><link name='bob'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>"
    "<inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='hinge' type='continuous'><parent link='base'/><child link='bob'/><axis xyz='0 1 0'/></joint></robot>";

static void test_constraints(void) {
  const double tip[3] = {0.5, 0, 0}, along[3] = {7, 0, 0}, zero[3] = {0, 0, 0}, bad_turn[7] = {0};
  const char* hinge = "hinge";
  const double weight = 2;
  double q = 0, matrix[81], diagonal[9];
  delassus_scene* scene = NULL;
  delassus_operator* op = NULL;
  EXPECT_OK(delassus_scene_parse(kPendulum, "pendulum.urdf", DELASSUS_BASE_DEFAULT, &scene));
  EXPECT(delassus_scene_nq(scene) == 1 && delassus_scene_joints(scene) == 1 && delassus_scene_rows(scene) == 0);
  EXPECT(strcmp(delassus_scene_name(scene), "pendulum") == 0);
  EXPECT(strcmp(delassus_scene_joint_name(scene, 0), hinge) == 0);

  EXPECT_OK(delassus_scene_add_contact(scene, "up", "bob", tip, NULL, 0.5));
  EXPECT_OK(delassus_scene_add_contact(scene, "along", "bob", tip, along, INFINITY));
  EXPECT_OK(delassus_scene_add_joint_limit(scene, "limit", hinge, 0, 1, 1.0));
  EXPECT_OK(delassus_scene_add_joint_friction(scene, "friction", hinge, 0, 0.1));
  EXPECT_OK(delassus_scene_add_joint_coupling(scene, "gear", &hinge, &weight, 1, 0.0));
  EXPECT(delassus_scene_constraints(scene) == 5 && delassus_scene_rows(scene) == 9);
  EXPECT(strcmp(delassus_scene_constraint_name(scene, 4), "gear") == 0);
  EXPECT_OK(delassus_operator_new(scene, "dense", &op));
  EXPECT_OK(delassus_operator_update(op, &q, 1));
  EXPECT_OK(delassus_operator_dense(op, matrix, 9));
  EXPECT_OK(delassus_operator_diagonal(op, diagonal, 9));
  /* M = 2 * 0.5^2. Numbers of a handful of operations. */
  EXPECT(fabs(diagonal[0] - 0.5) < 1e-15 && fabs(diagonal[1]) < 1e-15 && fabs(diagonal[2]) < 1e-15);
  EXPECT(fabs(diagonal[3]) < 1e-15);
  EXPECT(fabs(diagonal[6] - 2) < 1e-14 && fabs(diagonal[7] - 2) < 1e-14 && fabs(diagonal[8] - 8) < 1e-14);
  EXPECT(matrix[8] == matrix[72] && fabs(matrix[8] + 2.0) < 1e-14); /* up falls where the hinge turns forward */

  /* The operator keeps what it has; the scene goes on alone. */
  EXPECT_OK(delassus_scene_clear_constraints(scene));
  EXPECT(delassus_scene_rows(scene) == 0 && delassus_operator_rows(op) == 9);
  EXPECT_OK(delassus_scene_add_loop(scene, "weld", "bob", NULL, "base", NULL, 0, 0));
  EXPECT(delassus_scene_rows(scene) == 6);

  EXPECT_FAILS(delassus_scene_add_contact(scene, "c", "bub", NULL, NULL, 0), DELASSUS_BAD_ARGUMENT, "'bob'");
  EXPECT_FAILS(delassus_scene_add_contact(scene, "c", "bob", NULL, zero, 0), DELASSUS_BAD_ARGUMENT, "'normal'");
  EXPECT_FAILS(delassus_scene_add_contact(scene, "c", "bob", NULL, NULL, -1), DELASSUS_BAD_ARGUMENT, "friction");
  EXPECT_FAILS(delassus_scene_add_contact(scene, "c", "bob", NULL, NULL, NAN), DELASSUS_BAD_ARGUMENT, "friction");
  EXPECT_FAILS(delassus_scene_add_contact(scene, NULL, "bob", NULL, NULL, 0), DELASSUS_BAD_ARGUMENT, "'name' is NULL");
  EXPECT_FAILS(delassus_scene_add_loop(scene, "l", "bob", bad_turn, "base", NULL, 0, 0), DELASSUS_BAD_ARGUMENT,
               "'first_pose'");
  EXPECT_FAILS(delassus_scene_add_loop(scene, "l", "bob", NULL, "base", NULL, 8, 0), DELASSUS_BAD_ARGUMENT,
               "'free_linear'");
  EXPECT_FAILS(delassus_scene_add_loop(scene, "l", "bob", NULL, "base", NULL, 7, 7), DELASSUS_BAD_ARGUMENT,
               "every axis");
  EXPECT_FAILS(delassus_scene_add_joint_limit(scene, "j", hinge, 1, 0, 0), DELASSUS_BAD_ARGUMENT, "'hinge'");
  EXPECT_FAILS(delassus_scene_add_joint_limit(scene, "j", "knee", 0, 0, 0), DELASSUS_BAD_ARGUMENT, "knee");
  EXPECT_FAILS(delassus_scene_add_joint_coupling(scene, "j", &hinge, &weight, 0, 0), DELASSUS_BAD_ARGUMENT, "'count'");
  EXPECT_FAILS(delassus_scene_add_joint_coupling(scene, "j", NULL, &weight, 1, 0), DELASSUS_BAD_ARGUMENT, "'joints'");
  EXPECT(delassus_scene_constraints(scene) == 1);
  EXPECT_OK(delassus_scene_clear_constraints(scene));
  EXPECT_OK(delassus_operator_update(op, &q, 1));
  delassus_operator_free(op);
  EXPECT_OK(delassus_operator_new(scene, "condensed", &op));
  delassus_scene_free(scene);
  EXPECT_OK(delassus_operator_update(op, &q, 1)); /* the model lives as long as the operator */
  EXPECT_OK(delassus_operator_apply_panel(op, NULL, NULL, 0, 2147483647)); /* no rows, and no time for them */
  delassus_operator_free(op);
}

static void test_scene_misuse(void) {
  double q[MOST];
  delassus_scene* scene = NULL;
  EXPECT_FAILS(delassus_scene_load("go3", DELASSUS_BASE_DEFAULT, &scene), DELASSUS_BAD_ARGUMENT, "go2");
  EXPECT(scene == NULL);
  EXPECT_FAILS(delassus_scene_load(NULL, DELASSUS_BASE_DEFAULT, &scene), DELASSUS_BAD_ARGUMENT, "'name' is NULL");
  EXPECT_FAILS(delassus_scene_load("go2", DELASSUS_BASE_DEFAULT, NULL), DELASSUS_BAD_ARGUMENT, "'scene' is NULL");
  EXPECT_FAILS(delassus_scene_load("go2", (delassus_base)7, &scene), DELASSUS_BAD_ARGUMENT, "'base' is 7");
  EXPECT_FAILS(delassus_scene_load("go2-standing", DELASSUS_BASE_FIXED, &scene), DELASSUS_BAD_ARGUMENT, "'base'");
  EXPECT_FAILS(delassus_scene_parse("<robot", "r.urdf", DELASSUS_BASE_DEFAULT, &scene), DELASSUS_BAD_ARGUMENT,
               "r.urdf:1");
  EXPECT_FAILS(delassus_scene_parse(NULL, "r.urdf", DELASSUS_BASE_DEFAULT, &scene), DELASSUS_BAD_ARGUMENT, "'text'");
  EXPECT(delassus_scene_nq(NULL) == -1 && delassus_scene_rows(NULL) == -1 && delassus_scene_name(NULL) == NULL);
  delassus_scene_free(NULL);

  EXPECT_OK(delassus_scene_load("anymal_like", DELASSUS_BASE_DEFAULT, &scene));
  EXPECT_FAILS(delassus_scene_neutral(scene, q, 3), DELASSUS_BAD_ARGUMENT, "'q' has 3 entries");
  EXPECT_OK(delassus_scene_neutral(scene, q, delassus_scene_nq(scene)));
  EXPECT(q[6] == 1.0); /* w of a quaternion that turns nothing */
  EXPECT_FAILS(delassus_scene_keyframe(scene, 1000, q, delassus_scene_nq(scene)), DELASSUS_BAD_ARGUMENT, "1000");
  EXPECT(delassus_scene_frame_name(scene, -1) == NULL && strstr(delassus_last_error(), "'frame' is -1") != NULL);
  EXPECT(delassus_scene_frame_name(scene, 0) != NULL);
  delassus_scene_free(scene);
}

static void test_operator_misuse(void) {
  fixture f = make_fixture("go2-standing", "condensed");
  const delassus_workload nothing = {0, 0, 0, 0}, iterations = {0, 4, 30, 0};
  double y[MOST], bad[MOST] = {0};
  char text[16];
  const char* algorithm = NULL;
  size_t length = 0;
  delassus_operator* op = NULL;
  EXPECT_FAILS(delassus_operator_new(f.scene, "fast", &op), DELASSUS_BAD_ARGUMENT, "condensed");
  EXPECT_FAILS(delassus_operator_new(NULL, "dense", &op), DELASSUS_BAD_ARGUMENT, "'scene' is NULL");
  EXPECT_FAILS(delassus_operator_apply(f.op, f.x, y, f.rows), DELASSUS_BAD_ARGUMENT, "delassus_operator_update first");
  EXPECT_FAILS(delassus_operator_update(f.op, f.q, f.nq - 1), DELASSUS_BAD_ARGUMENT, "'q'");
  EXPECT_FAILS(delassus_operator_update(f.op, NULL, f.nq), DELASSUS_BAD_ARGUMENT, "'q' is NULL");
  EXPECT_FAILS(delassus_operator_update(f.op, bad, f.nq), DELASSUS_BAD_ARGUMENT, "quaternion");
  bad[4] = INFINITY;
  EXPECT_FAILS(delassus_operator_update(f.op, bad, f.nq), DELASSUS_NOT_FINITE, "entry 4");
  EXPECT(delassus_last_index() == 4);
  EXPECT_FAILS(delassus_operator_diagonal(f.op, y, f.rows), DELASSUS_BAD_ARGUMENT, "no values");

  EXPECT_OK(delassus_operator_update(f.op, f.q, f.nq));
  EXPECT_FAILS(delassus_operator_apply(NULL, f.x, y, f.rows), DELASSUS_BAD_ARGUMENT, "'op' is NULL");
  EXPECT_FAILS(delassus_operator_apply(f.op, f.x, y, f.rows + 1), DELASSUS_BAD_ARGUMENT, "'x'");
  EXPECT_FAILS(delassus_operator_apply(f.op, f.x, NULL, f.rows), DELASSUS_BAD_ARGUMENT, "'y' is NULL");
  EXPECT_FAILS(delassus_operator_apply(f.op, f.x, f.x + 1, f.rows), DELASSUS_BAD_ARGUMENT, "overlaps");
  EXPECT_FAILS(delassus_operator_apply(f.op, bad, y, f.rows), DELASSUS_NOT_FINITE, "'x': entry 4");
  EXPECT_FAILS(delassus_operator_apply_panel(f.op, f.x, y, f.rows, -1), DELASSUS_BAD_ARGUMENT, "'columns'");
  EXPECT_FAILS(delassus_operator_apply_panel(f.op, f.x, y, f.rows, 2147483647), DELASSUS_BAD_ARGUMENT, "'columns'");
  EXPECT_OK(delassus_operator_apply_panel(f.op, NULL, NULL, f.rows, 0));
  EXPECT_FAILS(delassus_operator_solve(f.op, f.x, y, f.rows), DELASSUS_BAD_ARGUMENT, "no damping");
  EXPECT_FAILS(delassus_operator_update_damping(f.op, NAN), DELASSUS_NOT_FINITE, "'damping'");
  EXPECT(delassus_operator_update_damping(f.op, -1e9) == DELASSUS_NOT_POSITIVE);
  EXPECT_FAILS(delassus_operator_solve(f.op, f.x, y, f.rows), DELASSUS_BAD_ARGUMENT, "no damping");
  EXPECT_OK(delassus_operator_update_damping(f.op, 1e-3));
  memcpy(y, f.x, sizeof y);
  EXPECT_OK(delassus_operator_solve(f.op, y, y, f.rows)); /* in place */
  EXPECT_FAILS(delassus_operator_apply_jacobian(f.op, f.x, f.nv + 1, y, f.rows), DELASSUS_BAD_ARGUMENT, "'v'");
  EXPECT(delassus_operator_rows(NULL) == -1 && delassus_operator_algorithm(NULL) == NULL);

  EXPECT_FAILS(delassus_plan(f.scene, &nothing, &algorithm, NULL, 0, NULL), DELASSUS_BAD_ARGUMENT, "nothing");
  EXPECT_FAILS(delassus_plan(f.scene, NULL, &algorithm, NULL, 0, NULL), DELASSUS_BAD_ARGUMENT, "'workload' is NULL");
  EXPECT_OK(delassus_plan(f.scene, &iterations, &algorithm, text, sizeof text, &length));
  EXPECT(strlen(text) == sizeof text - 1 && length > strlen(text)); /* cut, with its zero */
  EXPECT_OK(delassus_operator_new(f.scene, algorithm, &op));
  delassus_operator_free(op);
  delassus_operator_free(NULL);
  free_fixture(&f);
}

/* A handle that nobody gets is not made: all that is allocated are words. */
static void test_handles_without_a_place(void) {
  fixture f = make_fixture("go2-standing", "condensed");
  const long most = 30, before = reference_allocations();
  EXPECT_FAILS(delassus_scene_load("go2", DELASSUS_BASE_DEFAULT, NULL), DELASSUS_BAD_ARGUMENT, "'scene' is NULL");
  EXPECT_FAILS(delassus_scene_parse(kPendulum, "p.urdf", DELASSUS_BASE_DEFAULT, NULL), DELASSUS_BAD_ARGUMENT,
               "'scene' is NULL");
  EXPECT_FAILS(delassus_operator_new(f.scene, "condensed", NULL), DELASSUS_BAD_ARGUMENT, "'op' is NULL");
  EXPECT_FAILS(delassus_dynamics_new(f.scene, NULL), DELASSUS_BAD_ARGUMENT, "'dynamics' is NULL");
  EXPECT_FAILS(delassus_contact_solver_new(0, 0, NULL), DELASSUS_BAD_ARGUMENT, "'solver' is NULL");
  EXPECT(reference_allocations() - before < most);
  free_fixture(&f);
}

static void test_words(void) {
  int status;
  for (status = DELASSUS_OK; status <= DELASSUS_INTERNAL; ++status)
    EXPECT(strcmp(delassus_status_name((delassus_status)status), "unknown") != 0);
  EXPECT(strcmp(delassus_status_name(DELASSUS_NOT_CONVERGED), "not_converged") == 0);
  EXPECT(strcmp(delassus_status_name((delassus_status)99), "unknown") == 0);
  EXPECT(strcmp(delassus_version(), EXPECTED_VERSION) == 0);
  EXPECT(delassus_isa() != NULL);
}

int main(void) {
  static const char* const kAlgorithms[] = {"dense",   "ltl",         "kjr",       "chang-khatib", "efpa",
                                            "pv-osim", "pv-osimr",    "kkt",       "lcaba",        "condensed",
                                            "limbs",   "matrix-free", "three-maps"};
  size_t k;
  EXPECT(strcmp(delassus_last_error(), "") == 0 && delassus_last_index() == -1); /* nothing has failed yet */
  for (k = 0; k < sizeof kAlgorithms / sizeof *kAlgorithms; ++k) {
    test_numbers("go2-standing", kAlgorithms[k]);
    test_numbers("cassie-standing", kAlgorithms[k]); /* with closed loops */
  }
  test_dynamics("g1-standing");
  test_contact("go2-fallen-friction");
  test_constraints();
  test_scene_misuse();
  test_operator_misuse();
  test_handles_without_a_place();
  test_words();
  if (failures > 0) fprintf(stderr, "%d failures\n", failures);
  return failures > 0;
}
