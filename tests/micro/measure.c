/* Instructions and stack of each generated function, on a line each. Numbers and their comparison are those of the generated test. */
#define main compare_with_library
#include "robot_test.c"
#undef main

#include "board.h"

enum { kCalls = 64 }; /* the clock ticks once in 1.25 instructions, and has 24 bits */

static uint32_t failed;

__attribute__((noinline)) static uint32_t nothing(void) {
  __asm volatile("");
  return 0U;
}
static void call_nothing(void) { failed |= nothing(); }
static void call_inverse_dynamics(void) { failed |= robot_inverse_dynamics(q, v, a, got_tau); }
static void call_forward_dynamics(void) { failed |= robot_forward_dynamics(q, v, tau, got_a); }
static void call_frames(void) {
  static robot_frame frames[ROBOT_FRAMES];
  failed |= robot_frames(q, v, frames);
}
static void call_update(void) { failed |= robot_update(&factor, q); }
static void call_apply(void) { failed |= robot_apply(&factor, x, got_y); }
static void call_damp(void) { failed |= robot_damp(&factor, damping[0]); }
static void call_solve(void) { failed |= robot_solve(&factor, x, got_z); }

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
  measure("inverse_dynamics", call_nothing, call_inverse_dynamics);
  measure("forward_dynamics", call_nothing, call_forward_dynamics);
  measure("frames", call_nothing, call_frames);
  measure("update", call_nothing, call_update);
  measure("apply", call_nothing, call_apply);
  measure("first_damp", call_update, call_damp);
  measure("damp", call_nothing, call_damp);
  measure("solve", call_nothing, call_solve);
  (void)printf("a factor has %lu bytes\n", (unsigned long)sizeof factor);
  return failed != 0U ? 1 : compare_with_library();
}
