// A scene with every joint kind, shape kind and constraint kind, and numbers of every kind.
#pragma once

#include "delassus/io/scene.hpp"

namespace delassus::io_test {

Scene random_scene(unsigned seed);

}  // namespace delassus::io_test
