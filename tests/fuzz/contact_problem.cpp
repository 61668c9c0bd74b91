// Any bytes as a file of a contact problem: a problem or an Error comes out, and what comes out is the same once written and read. Also with checksums
// that are right, without which no change of a number gets past them; and as one array alone.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "delassus/math/error.hpp"
#include "io/contact_file.hpp"
#include "io/npy.hpp"
#include "tests/fuzz/zip_checksums.hpp"

namespace {

using delassus::io::StoredProblem;

void read(const std::string& bytes) {
  try {
    const StoredProblem problem = delassus::io::parse_contact_problem(bytes, "fuzz.npz");
    const StoredProblem again =
        delassus::io::parse_contact_problem(delassus::io::write_contact_problem(problem), "again.npz");
    if (again.matrix != problem.matrix || again.spans != problem.spans || again.start != problem.start) std::abort();
  } catch (const delassus::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  read(bytes);
  read(delassus::fuzz::with_checksums(bytes));
  try {
    delassus::io::parse_npy(bytes, "fuzz.npy");
  } catch (const delassus::Error&) {
  }
  return 0;
}
