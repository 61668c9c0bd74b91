/* Keeps the base of a quadruped where it is told, on four feet that hold. Single precision. */
#ifndef STAND_CONTROLLER_H
#define STAND_CONTROLLER_H

#include "robot.h"

enum { STAND_BASE = 6, STAND_LEGS = 4, STAND_MOTORS = 12 };

typedef struct {
  float q[ROBOT_NQ];
  float v[ROBOT_NV];
  float position[3], velocity[3],
      acceleration[3]; /* that the base is to have, world axes; its axes are to be those of the world */
} stand_input;

/* 0, or what a generated function says. */
uint32_t stand_torques(const stand_input* in, float torques[STAND_MOTORS]);

#endif
