/* What newlib's printf() asks of a system: a console, which is the host's, and memory. Programs that do not print need none of this. */
#include <sys/stat.h>

#include "board.h"

extern char board_heap[];

int _write(int handle, const char* bytes, int count) {
  static int console = -1;
  (void)handle;
  if (console < 0) console = board_open(":tt", BOARD_WRITE);
  return board_write(console, bytes, (size_t)count) != 0 ? count : -1;
}

void* _sbrk(ptrdiff_t more) {
  static char* end = board_heap;
  char* const from = end;
  end += more;
  return from;
}

void _exit(int code) {
  board_exit(code);
  for (;;) {
  }
}

int _fstat(int handle, struct stat* about) {
  (void)handle;
  about->st_mode = S_IFCHR; /* a console: lines are written as they end */
  return 0;
}
int _isatty(int handle) { return handle >= 0 ? 1 : 0; }

/* There are no files, and no processes. */
int _close(int handle) { return handle >= 0 ? 0 : -1; }
int _lseek(int handle, int offset, int from) { return (handle >= 0) && (offset >= 0) && (from >= 0) ? 0 : -1; }
int _read(int handle, char* bytes, int count) { return (handle >= 0) && (bytes != NULL) && (count >= 0) ? 0 : -1; }
int _kill(int process, int signal) { return (process > 0) && (signal > 0) ? -1 : 0; }
int _getpid(void) { return 1; }
