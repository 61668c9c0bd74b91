#include "delassus/math/error.hpp"

namespace delassus {

void throw_wrong_size(std::string_view argument, int size, int expected) {
  throw Error("argument '" + std::string(argument) + "' has " + std::to_string(size) + " entries, but " +
              std::to_string(expected) + " are needed");
}

}  // namespace delassus
