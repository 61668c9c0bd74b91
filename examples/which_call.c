/* Which call for what, in C: docs/which-call.md shows these parts one by one. */
#include <delassus/c/delassus.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 12, COLUMNS = 100, MOST = 64 };

static void check(delassus_status status) {
  if (status == DELASSUS_OK) return;
  fprintf(stderr, "%s\n", delassus_last_error());
  exit(1);
}

static void require(int claim, const char* what) {
  if (claim) return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

static void one_product(const delassus_scene* go2, const double* q, int nq) {
  double x[ROWS], y[ROWS];
  for (int k = 0; k < ROWS; ++k) x[k] = 1;
  // begin one-product
  delassus_operator* op;
  check(delassus_operator_new(go2, "limbs", &op)); /* legs in lanes, or the condensed tree */
  check(delassus_operator_update(op, q, nq));      /* at every q; allocates nothing */
  check(delassus_operator_apply(op, x, y, ROWS));  /* m/s^2 for N */
  // end one-product
  printf("one product: y[0] = %.4f m/s2\n", y[0]);
  require(y[0] > 10.3 && y[0] < 10.4, "the product of which_call.cpp");
  delassus_operator_free(op);
}

static void many_products(const delassus_scene* go2, const double* q, int nq) {
  static double x[ROWS * COLUMNS], y[ROWS * COLUMNS];
  for (int k = 0; k < ROWS * COLUMNS; ++k) x[k] = 1;
  // begin many-products
  delassus_workload workload = {.products = 100};
  const char* algorithm; /* the one that is predicted to be fastest */
  delassus_operator* op;
  check(delassus_plan(go2, &workload, &algorithm, NULL, 0, NULL));
  check(delassus_operator_new(go2, algorithm, &op));
  check(delassus_operator_update(op, q, nq));
  check(delassus_operator_apply_panel(op, x, y, ROWS, COLUMNS)); /* one vector after the other */
  // end many-products
  printf("many products: %s\n", algorithm);
  require(y[0] > 10.3 && y[0] < 10.4 && y[ROWS * COLUMNS - ROWS] > 10.3,
          "every column is the product of which_call.cpp");
  delassus_operator_free(op);
}

static void contact_forces(const delassus_scene* go2, const double* q, int nq) {
  double free_velocity[ROWS] = {0}, impulse[ROWS] = {0}, dt = 1e-3;
  for (int foot = 0; foot < 4; ++foot) free_velocity[3 * foot] = -0.1; /* all feet come down */
  // begin admm
  delassus_operator* op;
  delassus_contact_solver* admm;
  delassus_certificate found; /* .velocity in m/s, .force in N */
  check(delassus_operator_new(go2, "condensed", &op));
  check(delassus_contact_solver_new(0, 0, &admm)); /* tolerance and iterations of the library */
  check(delassus_operator_update(op, q, nq));
  check(delassus_contact_solver_solve(admm, op, free_velocity, impulse, ROWS, dt, &found));
  // end admm
  printf("admm: %d iterations, law missed by %.0e m/s\n", found.iterations, found.velocity);
  require(found.velocity < 1e-6 && impulse[0] > 0, "feet that come down are stopped");
  delassus_contact_solver_free(admm);
  delassus_operator_free(op);
}

static void redundant_feet(void) {
  double q[MOST], v[MOST] = {0}, tau[MOST] = {0}, qdd[MOST], force[2 * ROWS] = {0};
  delassus_scene* g1; /* four points under each foot: 24 rows of rank 12 */
  check(delassus_scene_load("g1-standing", DELASSUS_BASE_DEFAULT, &g1));
  const int nq = delassus_scene_nq(g1), nv = delassus_scene_nv(g1);
  require(nq <= MOST && nv <= MOST && delassus_scene_rows(g1) == 2 * ROWS, "room for G1");
  check(delassus_scene_state(g1, q, nq, v, nv));
  // begin redundant-feet
  delassus_dynamics* dynamics; /* any rank, no damping to choose */
  check(delassus_dynamics_new(g1, &dynamics));
  check(delassus_dynamics_update(dynamics, q, nq, v, nv));
  check(delassus_dynamics_solve(dynamics, tau, nv, NULL, qdd, force, 2 * ROWS)); /* NULL: rows keep their velocities */
  // end redundant-feet
  double carried = 0;
  for (int point = 0; point < 8; ++point) carried += force[3 * point];
  printf("redundant feet: %.2f N\n", carried);
  require(carried > 100 && carried < 327, "limp, it carries a part of its weight");
  delassus_dynamics_free(dynamics);
  delassus_scene_free(g1);
}

static void closed_loops(void) {
  delassus_scene* linkage;
  check(delassus_scene_load("four_bar", DELASSUS_BASE_DEFAULT, &linkage));
  check(delassus_scene_clear_constraints(linkage));
  // begin closed-loops
  const double end[7] = {0.8, 0, 0.2, 0, 0, 0, 1}, top[7] = {0, 0, 0.5, 0, 0, 0, 1}; /* position, quaternion x y z w */
  check(delassus_scene_add_loop(linkage, "pin", "coupler", end, "rocker", top, 0, 2)); /* bit 1: turns freely about y */
  // end closed-loops
  printf("closed loops: %d rows\n", delassus_scene_rows(linkage));
  require(delassus_scene_rows(linkage) == 5, "a hinge has five rows");
  delassus_scene_free(linkage);
}

static void real_time(const delassus_scene* go2, const double* q, int nq) {
  double b[ROWS] = {1}, z[ROWS];
  delassus_operator* op;
  check(delassus_operator_new(go2, "condensed", &op));
  // begin real-time
  delassus_status status = delassus_operator_update(op, q, nq); /* in the loop: nothing allocates */
  if (status == DELASSUS_OK) status = delassus_operator_update_damping(op, 1e-6);
  if (status == DELASSUS_OK) status = delassus_operator_solve(op, b, z, ROWS);
  if (status != DELASSUS_OK) fprintf(stderr, "%s\n", delassus_last_error());
  // end real-time
  printf("real-time control: %s\n", delassus_status_name(status));
  require(status == DELASSUS_OK && z[0] > 0, "a foot that is to go up is pushed up");
  delassus_operator_free(op);
}

int main(void) {
  double q[MOST], v[MOST];
  delassus_scene* go2; /* four contacts, three rows each */
  check(delassus_scene_load("go2-standing", DELASSUS_BASE_DEFAULT, &go2));
  const int nq = delassus_scene_nq(go2), nv = delassus_scene_nv(go2);
  require(nq <= MOST && nv <= MOST && delassus_scene_rows(go2) == ROWS, "room for Go2");
  check(delassus_scene_state(go2, q, nq, v, nv));
  one_product(go2, q, nq);
  many_products(go2, q, nq);
  contact_forces(go2, q, nq);
  redundant_feet();
  closed_loops();
  real_time(go2, q, nq);
  delassus_scene_free(go2);
  return 0;
}
