/* Of all forces at the feet that carry the body as it is wanted to move, those that move the feet least by Gauss' measure:
 *
 *   least  1/2 z' (R⁻¹ + Λ⁻¹) z   with  Jb' z = f        so  z = Y m,  Y = (R⁻¹ + Λ⁻¹)⁻¹ Jb,  (Jb' Y) m = f
 *
 * f is the force that the base would have to be pushed with, from inverse dynamics; Jb are the velocities of the feet for each of the six
 * of the base. Torques are those of inverse dynamics less what the feet take over. */
#include "stand_controller.h"

#include <math.h>

static const float kStiffness = 400.0F; /* of the base, 1/s^2 and 1/s */
static const float kDamping = 40.0F;
static const float kFootRadius = 0.022F; /* m */
static const float kCompliance = 0.1F;   /* R⁻¹, s/kg: feet share the load more evenly than Gauss would have it */

typedef float rows[ROBOT_ROWS];

/* Velocities of the points below the feet, in the order of the rows: along z, x, y. */
static uint32_t feet(const float q[ROBOT_NQ], const float v[ROBOT_NV], rows out) {
  robot_frame frames[ROBOT_FRAMES];
  const uint32_t status = robot_frames(q, v, frames);
  int k;
  for (k = 0; k < STAND_LEGS; ++k) {
    out[3 * k] = frames[k].velocity[2];
    out[(3 * k) + 1] = frames[k].velocity[0] - (kFootRadius * frames[k].angular_velocity[1]);
    out[(3 * k) + 2] = frames[k].velocity[1] + (kFootRadius * frames[k].angular_velocity[0]);
  }
  return status;
}

/* The same for one: of the base, or of one joint of each leg, since legs do not move each other's feet. */
static uint32_t feet_for(const float q[ROBOT_NQ], int first, int step, rows out) {
  float v[ROBOT_NV] = {0.0F};
  int k;
  for (k = first; k < ROBOT_NV; k += step) v[k] = 1.0F;
  return feet(q, v, out);
}

/* Contacts at the lowest points of the feet, which are balls. */
static uint32_t contacts_of(const float q[ROBOT_NQ], robot_contact contacts[ROBOT_CONTACTS]) {
  static const float axes[9] = {0.0F, 0.0F, 1.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F};
  static const float still[ROBOT_NV] = {0.0F};
  robot_frame frames[ROBOT_FRAMES];
  const uint32_t status = robot_frames(q, still, frames);
  int k;
  int i;
  for (k = 0; k < ROBOT_CONTACTS; ++k) {
    for (i = 0; i < 3; ++i) contacts[k].point[i] = -kFootRadius * frames[k].axes[6 + i];
    for (i = 0; i < 9; ++i) contacts[k].axes[i] = axes[i];
  }
  return status;
}

/* Accelerations that bring the base back; joints follow. In the base's own axes, as robot_inverse_dynamics takes them. */
static void wanted_acceleration(const stand_input* in, float a[ROBOT_NV]) {
  const float* const quaternion = &in->q[3];
  const float* const spin = in->v;
  const float* const way = &in->v[3];
  const float x = quaternion[0];
  const float y = quaternion[1];
  const float z = quaternion[2];
  const float w = quaternion[3];
  const float turn[3][3] = {
      {1.0F - (2.0F * ((y * y) + (z * z))), 2.0F * ((x * y) - (w * z)), 2.0F * ((x * z) + (w * y))},
      {2.0F * ((x * y) + (w * z)), 1.0F - (2.0F * ((x * x) + (z * z))), 2.0F * ((y * z) - (w * x))},
      {2.0F * ((x * z) - (w * y)), 2.0F * ((y * z) + (w * x)), 1.0F - (2.0F * ((x * x) + (y * y)))}};
  float world[3];
  int i;
  for (i = 0; i < ROBOT_NV; ++i) a[i] = 0.0F;
  for (i = 0; i < 3; ++i) {
    const float velocity = (turn[i][0] * way[0]) + (turn[i][1] * way[1]) + (turn[i][2] * way[2]);
    world[i] =
        in->acceleration[i] + (kStiffness * (in->position[i] - in->q[i])) + (kDamping * (in->velocity[i] - velocity));
  }
  for (i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    a[i] = -(kStiffness * 2.0F * w * quaternion[i]) - (kDamping * spin[i]);
    a[3 + i] = (turn[0][i] * world[0]) + (turn[1][i] * world[1]) + (turn[2][i] * world[2]) - (spin[j] * way[k]) +
               (spin[k] * way[j]);
  }
}

/* m = A⁻¹ f by Cholesky's factors, which overwrite A. 0 if it is not positive. */
static int solve_base(float A[STAND_BASE][STAND_BASE], float m[STAND_BASE]) {
  int i;
  int j;
  int k;
  for (j = 0; j < STAND_BASE; ++j) {
    for (i = j; i < STAND_BASE; ++i) {
      for (k = 0; k < j; ++k) A[i][j] -= A[i][k] * A[j][k];
      if (i == j) {
        if (!(A[j][j] > 0.0F)) return 0;
        A[j][j] = sqrtf(A[j][j]);
      } else {
        A[i][j] /= A[j][j];
      }
    }
  }
  for (i = 0; i < STAND_BASE; ++i) {
    for (k = 0; k < i; ++k) m[i] -= A[i][k] * m[k];
    m[i] /= A[i][i];
  }
  for (i = STAND_BASE - 1; i >= 0; --i) {
    for (k = i + 1; k < STAND_BASE; ++k) m[i] -= A[k][i] * m[k];
    m[i] /= A[i][i];
  }
  return 1;
}

/* Forces at the feet, in z. */
static uint32_t share_load(const float q[ROBOT_NQ], const float load[STAND_BASE], rows z) {
  static robot_factor factor;
  static rows J[STAND_BASE];
  static rows Y[STAND_BASE];
  robot_contact contacts[ROBOT_CONTACTS];
  float A[STAND_BASE][STAND_BASE];
  float m[STAND_BASE];
  uint32_t status = contacts_of(q, contacts);
  int i;
  int j;
  int r;
  if (status == 0U) status = robot_update(&factor, q, (const robot_contact*)contacts);
  if (status == 0U) status = robot_damp(&factor, kCompliance);
  for (i = 0; (i < STAND_BASE) && (status == 0U); ++i) {
    status = feet_for(q, i, ROBOT_NV, J[i]);
    if (status == 0U) status = robot_solve(&factor, J[i], Y[i]);
    m[i] = load[i];
  }
  if (status != 0U) return status;
  for (i = 0; i < STAND_BASE; ++i) {
    for (j = 0; j < STAND_BASE; ++j) {
      A[i][j] = 0.0F;
      for (r = 0; r < ROBOT_ROWS; ++r) A[i][j] += J[i][r] * Y[j][r];
    }
  }
  if (solve_base(A, m) == 0) return ROBOT_NOT_POSITIVE;
  for (r = 0; r < ROBOT_ROWS; ++r) {
    z[r] = 0.0F;
    for (i = 0; i < STAND_BASE; ++i) z[r] += Y[i][r] * m[i];
  }
  return 0U;
}

uint32_t stand_torques(const stand_input* in, float torques[STAND_MOTORS]) {
  float a[ROBOT_NV];
  float force[ROBOT_NV];
  rows z;
  uint32_t status;
  int joint;
  int leg;
  int r;
  wanted_acceleration(in, a);
  status = robot_inverse_dynamics(in->q, in->v, a, force);
  if (status == 0U) status = share_load(in->q, force, z);
  for (joint = 0; (joint < 3) && (status == 0U); ++joint) {
    rows J;
    status = feet_for(in->q, STAND_BASE + joint, 3, J);
    for (leg = 0; leg < STAND_LEGS; ++leg) {
      float torque = force[STAND_BASE + (3 * leg) + joint];
      for (r = 3 * leg; r < (3 * leg) + 3; ++r) torque -= J[r] * z[r];
      torques[(3 * leg) + joint] = torque;
    }
  }
  return status;
}
