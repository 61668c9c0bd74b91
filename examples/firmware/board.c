/* A Cortex-M with a floating point unit, from its reset to main(); its clock; its way to the host: semihosting, as QEMU and debuggers have
 * it ("Semihosting for AArch32 and AArch64", Arm). */
#include "board.h"

extern uint32_t board_data[], board_data_end[], board_data_source[], board_zeros[], board_zeros_end[];
extern char board_heap[], board_stack_top[];
extern int main(void);

/* ------------------------------------------------------------------------------------------------ start */

/* The unit is off at first: no function that may use it is called before. */
static void start_floating_point(void) {
  volatile uint32_t* const access = (volatile uint32_t*)0xE000ED88U; /* CPACR */
  *access |= 0xFU << 20U;
  __asm volatile("dsb\n isb" ::: "memory");
}

void board_reset(void) {
  uint32_t* from = board_data_source;
  uint32_t* to;
  for (to = board_data; to < board_data_end; ++to) *to = *from++;
  for (to = board_zeros; to < board_zeros_end; ++to) *to = 0U;
  start_floating_point();
  board_exit(main());
}

/* Faults, and interrupts that nobody asked for. */
static void board_fault(void) { board_exit(70); }

struct vectors {
  const char* stack;
  void (*handlers[15])(void);
};
__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    board_stack_top,
    {board_reset, board_fault, board_fault, board_fault, board_fault, board_fault, NULL, NULL, NULL, NULL, board_fault,
     board_fault, NULL, board_fault, board_fault}};

/* ---------------------------------------------------------------------------------------------- the host */

enum semihosting { SYS_OPEN = 0x01, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_EXIT_EXTENDED = 0x20 };

static int32_t ask_host(enum semihosting what, const uint32_t* with) {
  register int32_t r0 __asm("r0") = (int32_t)what;
  register const uint32_t* r1 __asm("r1") = with;
  __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

int board_open(const char* name, enum board_mode mode) {
  uint32_t with[3] = {(uint32_t)name, (uint32_t)mode, 0U};
  while (name[with[2]] != '\0') ++with[2];
  return (int)ask_host(SYS_OPEN, with);
}

/* Reads and writes say how many bytes are left. */
int board_read(int handle, void* bytes, size_t count) {
  uint32_t at = 0U;
  while (at < count) {
    const uint32_t with[3] = {(uint32_t)handle, (uint32_t)bytes + at, (uint32_t)count - at};
    const uint32_t left = (uint32_t)ask_host(SYS_READ, with);
    if (left >= with[2]) return 0;
    at = (uint32_t)count - left;
  }
  return 1;
}

int board_write(int handle, const void* bytes, size_t count) {
  const uint32_t with[3] = {(uint32_t)handle, (uint32_t)bytes, (uint32_t)count};
  return ask_host(SYS_WRITE, with) == 0 ? 1 : 0;
}

void board_exit(int code) {
  const uint32_t with[2] = {0x20026U, (uint32_t)code}; /* that the application ends by itself */
  for (;;) (void)ask_host(SYS_EXIT_EXTENDED, with);
}

/* ----------------------------------------------------------------------------------------------- measures */

uint32_t board_ticks(void) {
  volatile uint32_t* const systick = (volatile uint32_t*)0xE000E010U; /* control, reload, value */
  static uint32_t last;
  uint32_t now, since;
  if (systick[0] == 0U) {
    systick[1] = 0xFFFFFFU;
    systick[2] = 0U;
    systick[0] = 5U; /* counts down, by the processor's clock, without an interrupt */
  }
  now = systick[2];
  since = (last - now) & 0xFFFFFFU;
  last = now;
  return since;
}

enum { kPaint = 0x5A5A5A5A, kPaintedWords = 16384 };

__attribute__((noinline)) uint32_t board_stack_of(void (*call)(void)) {
  volatile uint32_t* stack;
  uint32_t used;
  __asm volatile("mov %0, sp" : "=r"(stack)::);
  for (used = 1; used <= kPaintedWords; ++used) stack[-(int32_t)used] = kPaint;
  call();
  for (used = kPaintedWords; used > 0U && stack[-(int32_t)used] == kPaint; --used) {
  }
  return 4U * used;
}
