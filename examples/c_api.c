/* The impulses that give every foot of a quadruped 1 m/s upwards, in C: quick_start.cpp by the C interface.
 *
 *   cc c_api.c $(pkg-config --cflags --libs delassus-c)
 */
#include <delassus/c/delassus.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEET = 4, ROWS = 3 * FEET };

static void check(delassus_status status) {
  if (status == DELASSUS_OK) return;
  fprintf(stderr, "%s\n", delassus_last_error());
  exit(1);
}

int main(void) {
  static const char* const feet[FEET] = {"FL_foot", "FR_foot", "RL_foot", "RR_foot"};
  double q[64], v[64], velocity[ROWS] = {0}, impulse[ROWS];
  delassus_scene* go2;
  delassus_operator* op;
  int k, nq, nv;

  check(delassus_scene_load("go2", DELASSUS_BASE_FLOATING, &go2)); /* or the path of a file */
  for (k = 0; k < FEET; ++k) check(delassus_scene_add_contact(go2, feet[k], feet[k], NULL, NULL, INFINITY));
  check(delassus_operator_new(go2, "condensed", &op)); /* allocates; what follows does not */
  nq = delassus_scene_nq(go2);
  nv = delassus_scene_nv(go2);
  if (nq > 64 || nv > 64) return 1;
  check(delassus_scene_state(go2, q, nq, v, nv));

  check(delassus_operator_update(op, q, nq)); /* at every configuration */
  for (k = 0; k < FEET; ++k) velocity[3 * k] = 1;
  check(delassus_operator_update_damping(op, 1e-6));
  check(delassus_operator_solve(op, velocity, impulse, ROWS));
  for (k = 0; k < FEET; ++k) printf("%s %.3f Ns\n", feet[k], impulse[3 * k]);

  delassus_operator_free(op);
  delassus_scene_free(go2);
  return 0;
}
