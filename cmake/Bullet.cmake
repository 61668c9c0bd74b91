# Bullet with double precision, to compare collisions with where it is (Debian: libbullet-dev). Sources named bullet_* need it.
find_path(BULLET_INCLUDE_DIR btBulletCollisionCommon.h PATH_SUFFIXES bullet)
find_library(BULLET_COLLISION_LIBRARY BulletCollision-float64)
find_library(BULLET_MATH_LIBRARY LinearMath-float64)
mark_as_advanced(BULLET_INCLUDE_DIR BULLET_COLLISION_LIBRARY BULLET_MATH_LIBRARY)
