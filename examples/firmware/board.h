/* What a program of a Cortex-M has from its board here: a stack to measure, a clock, and files of the host by semihosting. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

enum board_mode { BOARD_READ = 1, BOARD_WRITE = 5 }; /* of fopen: "rb", "wb" */

/* A file of the host, or a pipe with a name: its handle, or -1. */
int board_open(const char* name, enum board_mode mode);
/* Waits for all bytes; 0 if the other side has ended. */
int board_read(int handle, void* bytes, size_t count);
int board_write(int handle, const void* bytes, size_t count);
/* Ends the emulator, or the debugger's session, with this code. */
void board_exit(int code);

/* Ticks of the processor's clock since the last call of it; up to 2^24. */
uint32_t board_ticks(void);

/* How many bytes of stack a call takes, beside what its caller has. */
uint32_t board_stack_of(void (*call)(void));

#endif
