#include "delassus/operators/generated_delassus.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "delassus/constraints/lower.hpp"
#include "math/instantiate.hpp"
#include "operators/column_verbs.hpp"
#include "operators/operator_code.hpp"

namespace delassus {
namespace {

/// The factor of generated code: plain numbers, aligned as the compiler of the code wants them.
class FactorMemory {
 public:
  FactorMemory() = default;
  FactorMemory(std::size_t bytes, std::size_t alignment)
      : bytes_(bytes), alignment_(std::align_val_t{alignment}), data_(::operator new(bytes, alignment_)) {
    std::memset(data_, 0, bytes_);
  }
  FactorMemory(const FactorMemory& other) {
    if (!other.data_) return;
    *this = FactorMemory(other.bytes_, static_cast<std::size_t>(other.alignment_));
    std::memcpy(data_, other.data_, bytes_);
  }
  FactorMemory(FactorMemory&& other) noexcept { swap(other); }
  FactorMemory& operator=(FactorMemory other) noexcept {
    swap(other);
    return *this;
  }
  ~FactorMemory() {
    if (data_) ::operator delete(data_, alignment_);
  }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void swap(FactorMemory& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(alignment_, other.alignment_);
    std::swap(data_, other.data_);
  }

  std::size_t bytes_ = 0;
  std::align_val_t alignment_{alignof(double)};
  void* data_ = nullptr;
};

constexpr const char* kNoCode = "there is no code: compile() makes it";
constexpr const char* kOtherRows =
    "the constraints or the model are others than the code was made for: compile() makes code for them";

}  // namespace

template <class T>
struct GeneratedDelassus<T>::Work {
  /// Whose damping solves are with: the code's; the explicit matrix's; that of the library.
  enum class Damped : std::uint8_t { kByCode, kByMatrix, kByLibrary };

  Work(const Model& its_model, const CondensedOptions& its_options)
      : model(its_model), checked(its_model), options(its_options), kin(its_model), library(its_model, its_options) {}

  std::size_t bytes() const {
    return heap_bytes(factor, kin, rows, q, contacts, dampings, constraints, columns, damping, fallback, library);
  }

  bool takes(const Model& other) {
    if (!other.is(checked)) {
      checked = other;
      fits = code->is_of(other);
    }
    return fits;
  }
  /// R⁻¹ as the code takes it.
  const double* in_code(const Damping<double>& given);

  std::shared_ptr<const OperatorCode> code;
  std::string reason = kNoCode;
  Model model;                 // of the rows at hand
  Model checked;               // the last one that the code's was compared with,
  bool fits = false;           // and how that ended
  bool active = false;         // the rows at hand are in code,
  bool refused = false;        // or are others than the code was made for
  bool library_ready = false;  // the library has them as well
  bool lowered = false;        // `rows` have their values
  Damped damped = Damped::kByCode;
  CondensedOptions options;
  FactorMemory factor;
  std::vector<T> q;
  std::vector<double> contacts, dampings;
  std::vector<Constraint> constraints;  // of the code, with contacts where they are: by them the library lowers
  ConstraintRows<T> rows;
  Kinematics<T> kin;
  ColumnMemory<T> columns;
  KeptDamping<T> damping;
  ExplicitFallback<T> fallback;
  LimbDelassus<T> library;
};

template <class T>
GeneratedDelassus<T>::GeneratedDelassus(const Model& model, const CondensedOptions& options)
    : work_(std::in_place, model, options) {}

template <class T>
GeneratedDelassus<T>::GeneratedDelassus(const Model& model, const RowStructure& rows, const CondensedOptions& options)
    : GeneratedDelassus(model, options) {
  update_structure(model, rows);
}

template <class T>
GeneratedDelassus<T>::GeneratedDelassus(const Model& model, std::span<const Constraint> constraints,
                                        const std::shared_ptr<const OperatorCode>& code, const std::string& reason)
    : GeneratedDelassus(model) {
  Work& w = *work_;
  w.reason = reason;
  lower_structure<T>(model, constraints, w.rows);
  w.library.update_structure(model, w.rows);
  if constexpr (std::same_as<T, double>) {
    if (!code) return;
    const int rows = w.rows.num_rows();
    w.code = code;
    w.fits = w.code->is_of(model);
    w.factor = FactorMemory(w.code->entry.bytes, w.code->entry.alignment);
    w.q.resize(static_cast<std::size_t>(model.nq()));
    w.contacts.resize(static_cast<std::size_t>(contact_numbers(constraints)));
    w.dampings.resize(w.code->entry.dampings);
    w.constraints = w.code->constraints;
    w.columns.resize(rows);
    w.damping.reserve(w.rows.spans, rows);
  }
}

template <class T>
void GeneratedDelassus<T>::update_structure(const Model& model, const RowStructure& rows) {
  Work& w = *work_;
  w.library.update_structure(model, rows);
  w.active = w.library_ready = false;
}

/// At `q` with `contacts`.
template <class T>
Status GeneratedDelassus<T>::run_code() const {
  Work& w = *work_;
  w.damped = Work::Damped::kByCode;
  w.library_ready = false;
  w.fallback.forget_matrix();
  if constexpr (std::same_as<T, double>) {
    const Status status = from_generated(w.code->entry.update(w.factor.data(), w.q.data(), w.contacts.data()));
    w.active = status.ok();
    return status;
  }
  return kTooEarly;
}

/// kBadArgument where the rows are not for the code.
template <class T>
Status GeneratedDelassus<T>::factor_code(const StateView<T>& at) const {
  constexpr Status kNotForCode{Status::Code::kBadArgument, 0};
  Work& w = *work_;
  if constexpr (std::same_as<T, double>) {
    if (!w.code || !w.takes(at.model) || !same_structure(w.code->structure, at.rows)) return kNotForCode;
    if (!w.code->read_contacts(at, w.rows, w.contacts)) return kNotForCode;
    w.q = at.kin.q;
    w.rows.take_values(at.rows);
    w.lowered = true;
    return run_code();
  }
  return kNotForCode;
}

template <class T>
Status GeneratedDelassus<T>::factor(const StateView<T>& at) {
  Work& w = *work_;
  w.active = false;
  w.model = at.model;
  const Status status = factor_code(at);
  w.refused = status.code == Status::Code::kBadArgument;
  // Which joint or row it is where the code has no result, the library says.
  if (status.ok()) return {};
  return w.library.factor(at);
}

template <class T>
Status GeneratedDelassus<T>::update(In<T> q, std::span<const Constraint> constraints) {
  Work& w = *work_;
  if (const Status s = check_sizes({{0, q.size(), w.model.nq()}}); !s.ok()) return s;
  w.active = false;
  if constexpr (std::same_as<T, double>) {
    w.refused = !w.code || !w.takes(w.model) || !w.code->read_contacts(constraints, w.contacts);
    if (!w.refused) {
      std::copy_n(q.data(), q.size(), w.q.data());
      w.lowered = false;
      if (run_code().ok()) return {};
    }
  }
  ConstraintRows<T> rows;  // those of the code stay as they are
  const Status fits = as_status(1, [&] { lower_structure<T>(w.model, constraints, rows); });
  return fits.ok() ? w.library.update(w.model, q, constraints, rows) : fits;
}

/// What the code has not is asked of the library, where the code is.
template <class T>
LimbDelassus<T>& GeneratedDelassus<T>::library() const {
  Work& w = *work_;
  if (!w.active || w.library_ready) return w.library;
  if constexpr (std::same_as<T, double>) {
    update_kinematics<T>(w.model, w.q, w.kin);
    if (!w.lowered) {
      const double* next = w.contacts.data();
      for (Constraint& constraint : w.constraints) {
        auto* contact = std::get_if<PointContact>(&constraint);
        if (!contact) continue;
        std::copy_n(next, 3, contact->a.offset.p.a);
        std::copy_n(next + 3, 9, contact->axes.a);
        next += kContactNumbers;
      }
      w.lowered = lower_values<T>(w.model, w.kin, w.constraints, w.rows).ok();
    }
    w.library_ready = w.lowered && w.library.factor({w.model, w.kin, w.rows}).ok();
  }
  return w.library;
}

template <class T>
int GeneratedDelassus<T>::rows() const {
  return work_->active ? work_->rows.num_rows() : work_->library.rows();
}

template <class T>
CallStatus GeneratedDelassus<T>::apply(In<T> x, Out<T> y) const {
  Work& w = *work_;
  if (!w.active) return w.library.apply(x, y);
  if constexpr (std::same_as<T, double>) {
    if (const Status s = check_vectors(x, rows(), y, rows()); !s.ok()) return spoiled(s, y);
    const double* in = x.data();
    if (in < y.data() + y.size() && y.data() < in + x.size()) {
      std::copy_n(in, x.size(), w.columns.right.data());
      in = w.columns.right.data();
    }
    return from_generated(w.code->entry.apply(w.factor.data(), in, y.data()));
  }
  return {};
}

template <class T>
CallStatus GeneratedDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  return library().joint_response(x, acceleration);
}

template <class T>
const double* GeneratedDelassus<T>::Work::in_code(const Damping<double>& given) {
  const bool scalar = given.kind() == Damping<double>::Kind::kScalar;
  if (!scalar && code->blocks == given.has_blocks()) return given.values().data();
  std::fill(dampings.begin(), dampings.end(), 0.0);
  const auto value = [&](int r) { return scalar ? given.scalar() : given.values()[r]; };
  double* block = dampings.data();
  for (const RowSpan& span : rows.spans) {
    for (int r = 0; r < span.rows; ++r) block[code->blocks ? r * span.rows + r : r] = value(span.first_row + r);
    block += code->blocks ? span.rows * span.rows : span.rows;
  }
  return dampings.data();
}

template <class T>
Status GeneratedDelassus<T>::update_damping(const Damping<T>& damping) {
  Work& w = *work_;
  if (!w.active) return w.library.update_damping(damping);
  if constexpr (std::same_as<T, double>) {
    if (!damping.fits(w.rows.spans, rows())) return {Status::Code::kBadArgument, 0};
    w.fallback.forget_damping();
    w.damping.take(damping, w.rows.spans, rows());
    if (damping.kind() == Damping<T>::Kind::kUnsymmetric) {
      w.damped = Work::Damped::kByMatrix;
      return w.fallback.damp_instead(*this, damping, w.rows.spans, w.columns.left);
    }
    if (damping.kind() == Damping<T>::Kind::kBlocks && !w.code->blocks) {
      w.damped = Work::Damped::kByLibrary;
      return library().update_damping(damping);
    }
    w.damped = Work::Damped::kByCode;
    return from_generated(w.code->entry.damp(w.factor.data(), w.in_code(damping)));
  }
  return {};
}

template <class T>
Status GeneratedDelassus<T>::solve(In<T> b, Out<T> z) const {
  Work& w = *work_;
  if (!w.active || w.damped == Work::Damped::kByLibrary) return w.library.solve(b, z);
  if constexpr (std::same_as<T, double>) {
    if (const Status s = check_vectors(b, rows(), z, rows()); !s.ok()) return s;
    if (w.damped == Work::Damped::kByMatrix) return w.fallback.solve_instead(b, z);
    std::copy_n(b.data(), b.size(), w.columns.right.data());
    const Status status = from_generated(w.code->entry.solve(w.factor.data(), w.columns.right.data(), z.data()));
    w.fallback.begin_solve();
    if (status.code != Status::Code::kInaccurate) return status;
    return solve_again<T>(*this, w.damping, w.rows.spans, w.options, z, w.columns, w.fallback);
  }
  return {};
}

template <class T>
CallStatus GeneratedDelassus<T>::apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
  if (!work_->active) return work_->library.apply_panel(x, y);
  return for_each_column<T>(rows(), x, y, work_->columns, [&](auto in, auto out) { apply(in, out); });
}

template <class T>
Status GeneratedDelassus<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  if (!work_->active) return work_->library.solve_panel(b, z);
  return solve_by_columns<T>(*this, b, z, work_->columns);
}

template <class T>
CallStatus GeneratedDelassus<T>::dense(MatrixOut<T> matrix) const {
  if (!work_->active) return work_->library.dense(matrix);
  return matrix_by_columns<T>(*this, matrix, work_->columns);
}

template <class T>
CallStatus GeneratedDelassus<T>::diagonal(Out<T> out) const {
  if (!work_->active) return work_->library.diagonal(out);
  return diagonal_by_columns<T>(*this, out, work_->columns);
}

template <class T>
std::size_t GeneratedDelassus<T>::bytes() const {
  return sizeof(Work) + heap_bytes(*work_);
}

template <class T>
bool GeneratedDelassus<T>::used_matrix() const {
  const Work& w = *work_;
  return !w.active || w.damped == Work::Damped::kByLibrary ? w.library.used_matrix() : w.fallback.used();
}

template <class T>
bool GeneratedDelassus<T>::has_code() const {
  return work_->code != nullptr;
}

template <class T>
bool GeneratedDelassus<T>::in_code() const {
  return work_->active;
}

template <class T>
std::string GeneratedDelassus<T>::reason() const {
  const Work& w = *work_;
  if (!w.code) return w.reason;
  return w.refused ? kOtherRows : "";
}

#define DELASSUS_INSTANTIATE(T)        \
  template class GeneratedDelassus<T>; \
  static_assert(DelassusOperator<GeneratedDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
