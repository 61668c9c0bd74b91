/* Instructions and stack of each generated function, on a line each. Numbers and their comparison are those of the generated test.
 * Which functions are measured is said by MEASURE_ALL, MEASURE_OPERATOR or MEASURE_CONTACT_FORCES. */
#define main compare_with_library
#include "robot_test.c"
#undef main

#include "board.h"

#include <string.h>

enum { kCalls = 32 }; /* the clock ticks once in 1.25 instructions, and has 24 bits */

static uint32_t failed;

__attribute__((noinline)) static uint32_t nothing(void) {
  __asm volatile("");
  return 0U;
}
static void call_nothing(void) { failed |= nothing(); }
#if !defined(MEASURE_CONTACT_FORCES)
static void call_update(void) { failed |= robot_update(&factor, q); }
static void call_apply(void) { failed |= robot_apply(&factor, x, got_y); }
static void call_damp(void) { failed |= robot_damp(&factor, damping[0]); }
static void call_solve(void) { failed |= robot_solve(&factor, x, got_z); }
#endif
#if !defined(MEASURE_OPERATOR)
static robot_real forces[ROBOT_ROWS];
static void start_at_zero(void) { (void)memset(forces, 0, sizeof forces); }
#endif
#if defined(MEASURE_ALL)
static void call_inverse_dynamics(void) { failed |= robot_inverse_dynamics(q, v, a, got_tau); }
static void call_forward_dynamics(void) { failed |= robot_forward_dynamics(q, v, tau, got_a); }
static void call_frames(void) {
  static robot_frame frames[ROBOT_FRAMES];
  failed |= robot_frames(q, v, frames);
}
static void call_free_motion(void) {
  static robot_real row_velocity[ROBOT_ROWS], row_acceleration[ROBOT_ROWS], row_drift[ROBOT_ROWS];
  failed |= robot_free_motion(&factor, v, tau, got_a, row_velocity, row_acceleration, row_drift);
}
static void call_response(void) { failed |= robot_response(&factor, x, got_moved); }
static void call_row_torques(void) { failed |= robot_row_torques(&factor, x, got_tau); }
/* At rest, which contacts that hold more than once can keep. */
static const robot_real still[ROBOT_NV];
static const robot_real kept[ROBOT_ROWS];
static void call_constrained_dynamics(void) { failed |= robot_constrained_dynamics(&factor, still, tau, kept, 20, got_a, forces); }
static void call_damped_dynamics(void) { failed |= robot_damped_dynamics(&factor, still, tau, kept, got_a, forces); }
#endif
#if defined(MEASURE_CONTACT_FORCES)
static void call_contact_forces(void) { failed |= robot_contact_forces(&solver, &factor, free_velocity, forces); }
#endif

static uint32_t ticks_of(void (*before)(void), void (*call)(void)) {
  int k;
  (void)board_ticks();
  for (k = 0; k < kCalls; ++k) {
    before();
    call();
  }
  return board_ticks();
}

static void measure(const char* name, void (*before)(void), void (*call)(void)) {
  const uint32_t ticks = ticks_of(before, call) - ticks_of(before, call_nothing);
  before();
  (void)printf("%s %lu %lu\n", name, (unsigned long)(ticks * TICK_NS / INSTRUCTION_NS / kCalls),
               (unsigned long)(board_stack_of(call) - board_stack_of(call_nothing)));
}

int main(void) {
#if defined(MEASURE_ALL)
  measure("inverse_dynamics", call_nothing, call_inverse_dynamics);
  measure("forward_dynamics", call_nothing, call_forward_dynamics);
  measure("frames", call_nothing, call_frames);
#endif
#if defined(MEASURE_CONTACT_FORCES)
  failed |= robot_update(&factor, q);
  robot_contact_settings(&solver);
  measure("contact_forces", start_at_zero, call_contact_forces);
  (void)printf("%d solves, a solver of %lu bytes\n", solver.solves, (unsigned long)sizeof solver);
#else
  measure("update", call_nothing, call_update);
  measure("apply", call_nothing, call_apply);
  measure("first_damp", call_update, call_damp);
  measure("damp", call_nothing, call_damp);
  measure("solve", call_nothing, call_solve);
#endif
#if defined(MEASURE_ALL)
  measure("free_motion", call_update, call_free_motion);
  call_damp();
  measure("response", call_nothing, call_response);
  measure("row_torques", call_nothing, call_row_torques);
  measure("constrained_dynamics", start_at_zero, call_constrained_dynamics);
  measure("damped_dynamics", call_nothing, call_damped_dynamics);
#endif
  (void)printf("a factor has %lu bytes\n", (unsigned long)sizeof factor);
  return failed != 0U ? 1 : compare_with_library();
}
