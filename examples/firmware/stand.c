/* The controller on a board, in step with a simulation on the host: states come from one pipe, torques go into another. */
#include "board.h"
#include "stand_controller.h"

typedef struct {
  float torques[STAND_MOTORS];
  uint32_t status;
  uint32_t ticks; /* of the clock, that they took */
} answer;

int main(void) {
  const int from_host = board_open("to_board", BOARD_READ);
  const int to_host = board_open("from_board", BOARD_WRITE);
  static stand_input input;
  if ((from_host < 0) || (to_host < 0)) return 2;
  while (board_read(from_host, &input, sizeof input) != 0) {
    answer out;
    (void)board_ticks();
    out.status = stand_torques(&input, out.torques);
    out.ticks = board_ticks();
    if (board_write(to_host, &out, sizeof out) == 0) return 3;
  }
  return 0;
}
