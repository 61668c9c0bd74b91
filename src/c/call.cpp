#include "c/call.hpp"

#include <array>
#include <cmath>
#include <exception>
#include <new>
#include <string>

#include "delassus/constraints/describe.hpp"
#include "delassus/math/isa.hpp"
#include "delassus/version.hpp"

namespace delassus::c {
namespace {

/// Of the last failure in this thread.
struct LastError {
  std::string message;
  int index = -1;
};
thread_local LastError last_error;

delassus_status remember(delassus_status status, const char* message, int index = -1) noexcept {
  try {
    last_error = {message, index};
  } catch (const std::bad_alloc&) {
    last_error.message.clear();  // the status says enough
    last_error.index = index;
  }
  return status;
}

/// An entry of an argument that is no number.
class EntryError : public Error {
 public:
  EntryError(std::string_view argument, int entry)
      : Error("argument '" + std::string(argument) + "': entry " + std::to_string(entry) + " is not a finite number"),
        entry_(entry) {}
  int entry() const { return entry_; }

 private:
  int entry_;
};

// The names of the statuses, by their numbers. Those of numerical outcomes are the codes of Status.
constexpr std::array<const char*, 13> kStatusNames{"ok",         "singular_joint", "not_positive", "degenerate",
                                                   "not_finite", "inaccurate",     "infeasible",   "not_converged",
                                                   "unbalanced", "singular_task",  "bad_argument", "out_of_memory",
                                                   "internal"};
static_assert(kStatusNames.size() == DELASSUS_INTERNAL + 1);

constexpr bool equal(delassus_status status, Status::Code code) {
  return static_cast<int>(status) == static_cast<int>(code);
}
static_assert(equal(DELASSUS_OK, Status::Code::kOk) && equal(DELASSUS_SINGULAR_JOINT, Status::Code::kSingularJoint) &&
              equal(DELASSUS_NOT_POSITIVE, Status::Code::kNotPositive) &&
              equal(DELASSUS_DEGENERATE, Status::Code::kDegenerate) &&
              equal(DELASSUS_NOT_FINITE, Status::Code::kNotFinite) &&
              equal(DELASSUS_INACCURATE, Status::Code::kInaccurate) &&
              equal(DELASSUS_INFEASIBLE, Status::Code::kInfeasible) &&
              equal(DELASSUS_NOT_CONVERGED, Status::Code::kNotConverged) &&
              equal(DELASSUS_UNBALANCED, Status::Code::kUnbalanced) &&
              equal(DELASSUS_SINGULAR_TASK, Status::Code::kSingularTask) &&
              equal(DELASSUS_BAD_ARGUMENT, Status::Code::kBadArgument));

/// Size and presence of a vector; an empty one needs no memory.
void require_vector(const double* data, int size, int expected, std::string_view argument) {
  require_size(argument, size, expected);
  if (data == nullptr && size > 0) throw_null(argument);
}

}  // namespace

delassus_status exception_status() noexcept {
  try {
    throw;
  } catch (const EntryError& error) {
    return remember(DELASSUS_NOT_FINITE, error.what(), error.entry());
  } catch (const Error& error) {
    return remember(DELASSUS_BAD_ARGUMENT, error.what());
  } catch (const std::bad_alloc&) {
    return remember(DELASSUS_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return remember(DELASSUS_INTERNAL, error.what());
  } catch (...) {
    return remember(DELASSUS_INTERNAL, "an exception of no known kind");
  }
}

delassus_status outcome(const Status& status, const Model& model, std::span<const Constraint> constraints) {
  if (status.ok()) return DELASSUS_OK;
  const std::string message = "model '" + model.name() + "': " + describe(status, model, constraints);
  return remember(static_cast<delassus_status>(status.code), message.c_str(), status.index);
}

void throw_null(std::string_view argument) { throw Error("argument '" + std::string(argument) + "' is NULL"); }

VectorView<const double> input(const double* data, int size, int expected, std::string_view argument) {
  require_vector(data, size, expected, argument);
  for (int k = 0; k < size; ++k) {
    if (!std::isfinite(data[k])) throw EntryError(argument, k);
  }
  return {data, size};
}

VectorView<double> output(double* data, int size, int expected, std::string_view argument) {
  require_vector(data, size, expected, argument);
  return {data, size};
}

}  // namespace delassus::c

extern "C" {

const char* delassus_last_error(void) { return delassus::c::last_error.message.c_str(); }

int delassus_last_index(void) { return delassus::c::last_error.index; }

const char* delassus_status_name(delassus_status status) {
  const unsigned index = delassus::c::number_of(status);
  return index < delassus::c::kStatusNames.size() ? delassus::c::kStatusNames[index] : "unknown";
}

const char* delassus_version(void) { return delassus::kVersion.data(); }

const char* delassus_isa(void) {
  return delassus::c::guarded_or<const char*>(nullptr, [] { return delassus::name_of(delassus::active_isa()).data(); });
}

}  // extern "C"
