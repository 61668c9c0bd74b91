// Any bytes as an STL or an OBJ file: a surface or an Error comes out.
#include <cstddef>
#include <cstdint>
#include <string>

#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  for (const auto parse : {&delassus::parse_stl, &delassus::parse_obj}) {
    try {
      parse(bytes, "fuzz", {{1, 1, 1}});
    } catch (const delassus::Error&) {
    }
  }
  return 0;
}
