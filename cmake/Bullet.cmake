# Bullet with double precision (Debian: libbullet-dev): hulls and meshes collide through it. Installed with the package too, since
# users of a static library link what it uses. Makes delassus::bullet where it is found.
find_path(BULLET_INCLUDE_DIR btBulletCollisionCommon.h PATH_SUFFIXES bullet)
find_library(BULLET_COLLISION_LIBRARY BulletCollision-float64)
find_library(BULLET_MATH_LIBRARY LinearMath-float64)
mark_as_advanced(BULLET_INCLUDE_DIR BULLET_COLLISION_LIBRARY BULLET_MATH_LIBRARY)
if(BULLET_COLLISION_LIBRARY AND BULLET_MATH_LIBRARY AND NOT TARGET delassus::bullet)
  # Without its headers: one source includes them, and users of the library need not have them.
  add_library(delassus::bullet INTERFACE IMPORTED GLOBAL)
  target_link_libraries(delassus::bullet INTERFACE "${BULLET_COLLISION_LIBRARY}" "${BULLET_MATH_LIBRARY}")
endif()
