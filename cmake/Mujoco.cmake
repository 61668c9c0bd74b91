# MuJoCo, to compare with directly where it is (Debian: libmujoco-dev). Sources named mujoco_* or *_mujoco.cpp need it.
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
mark_as_advanced(MUJOCO_INCLUDE_DIR MUJOCO_LIBRARY)
