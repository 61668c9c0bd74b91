#include "delassus/operators/operation_counts.hpp"

#include <algorithm>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/constraints/describe.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/any_delassus.hpp"
#include "model/wording.hpp"
#include "operators/explicit_methods.hpp"

namespace delassus {
namespace {

struct CountedSystem {
  CountedSystem(const Model& m, std::span<const Constraint> constraints, VectorView<const double> at)
      : model(m), kin(m) {
    const std::vector<Counted> q(at.data(), at.data() + at.size());
    update_kinematics<Counted>(model, q, kin);
    lower_structure<Counted>(model, constraints, rows);
    require_ok(lower_values<Counted>(model, kin, constraints, rows), constraints);
  }

  void require_ok(const Status& status, std::span<const Constraint> constraints) const {
    if (!status.ok()) throw Error("model '" + model.name() + "': " + describe(status, model, constraints));
  }

  const Model& model;
  Kinematics<Counted> kin;
  ConstraintRows<Counted> rows;
};

std::vector<Counted> square(int rows) { return std::vector<Counted>(static_cast<std::size_t>(rows) * rows); }

/// With entries that are neither zero nor one: no kernel branches on the numbers of Λ, so that rows which have none can be
/// counted too.
template <class Method>
void compute_inverse(Method& method, CountedSystem& s) {
  const int n = s.model.nv(), m = s.rows.num_rows();
  const std::vector<Counted> lambda(static_cast<std::size_t>(m) * m, Counted(0.5));
  std::vector<Counted> column(n), out(static_cast<std::size_t>(n) * m);
  consistent_inverse<Counted>(method, s.model, s.rows, MatrixView<const Counted>(lambda.data(), m, m), column,
                              MatrixView<Counted>(out.data(), n, m));
}

template <class Method>
AlgorithmCount count(CountedSystem& s, std::span<const Constraint> constraints, CountedResult result) {
  Method method(s.model);
  method.plan(s.model, s.rows);
  method.place(s.model, s.kin, s.rows);
  std::vector<Counted> lower_triangle = square(s.rows.num_rows());
  AlgorithmCount out;
  Status status;
  const OperationCount before = Counted::count();
  Stages::begin();
  out.total = count_operations([&] {
    status = method.compute(s.model, s.kin, s.rows, LowerView<Counted>{lower_triangle.data(), s.rows.num_rows()});
    if constexpr (HasInverse<Method, Counted>) {
      if (status.ok() && result == CountedResult::kMatrixAndInverse) compute_inverse(method, s);
    }
  });
  Counted::count() = before;
  s.require_ok(status, constraints);
  for (const Stages::Mark& mark : Stages::end()) out.stages.push_back({mark.name, mark.operations});
  return out;
}

template <class F>
AlgorithmCount count_in(Algorithm algorithm, CountedSystem& s, std::span<const Constraint> constraints,
                        CountedResult result) {
  switch (algorithm) {
    case Algorithm::kDense:
      return count<Dense<Counted>>(s, constraints, result);
    case Algorithm::kLtl:
      return count<Ltl<Counted, F>>(s, constraints, result);
    case Algorithm::kKjr:
      return count<Kjr<Counted, F>>(s, constraints, result);
    case Algorithm::kChangKhatib:
      return count<ChangKhatib<Counted, F>>(s, constraints, result);
    case Algorithm::kEfpa:
      return count<Efpa<Counted, F>>(s, constraints, result);
    case Algorithm::kPvOsim:
      return count<PvOsim<Counted, F>>(s, constraints, result);
    default:
      return count<PvOsimr<Counted, F>>(s, constraints, result);
  }
}

/// The same constraints with rows along the axes of link frames, where they have zeros and ones.
std::vector<Constraint> along_links(std::span<const Constraint> constraints) {
  std::vector<Constraint> out(constraints.begin(), constraints.end());
  for (Constraint& c : out) {
    if (const auto* contact = std::get_if<PointContact>(&c); contact && row_count(c) == 3) {
      c = make_ball(contact->name, contact->a, {contact->b});
    }
    if (auto* loop = std::get_if<LoopClosure>(&c)) loop->axes = LoopAxes::kFrame1;
  }
  return out;
}

/// Folds while it lives.
struct Folding {
  Folding() { Counted::folds() = true; }
  ~Folding() { Counted::folds() = false; }
  Folding(const Folding&) = delete;
  Folding& operator=(const Folding&) = delete;
};

AlgorithmCount count_folded(Algorithm algorithm, const Model& model, std::span<const Constraint> constraints,
                            CountedResult result) {
  const std::vector<Constraint> along = along_links(constraints);
  CountedSystem s(model, along, make_general_configuration(model));
  const Folding folding;
  return count_in<LinkFrames<Counted>>(algorithm, s, along, result);
}

AnyDelassus<Counted> make_unrefined(Algorithm algorithm, const CountedSystem& s) {
  if (algorithm == Algorithm::kLcaba) {
    return AnyDelassus<Counted>(LcabaDelassus<Counted>(s.model, s.rows, {.refinements = 0}));
  }
  if (algorithm == Algorithm::kCondensed) {
    return AnyDelassus<Counted>(CondensedDelassus<Counted>(s.model, s.rows, {.refinements = 0}));
  }
  if (algorithm == Algorithm::kLimbs) {
    return AnyDelassus<Counted>(LimbDelassus<Counted>(s.model, s.rows, {.refinements = 0}));
  }
  return AnyDelassus<Counted>(algorithm, s.model, s.rows);
}

}  // namespace

bool is_counted(Algorithm algorithm, CountedFrames frames, CountedResult result) {
  using enum Algorithm;
  if (std::ranges::find(kExplicitAlgorithms, algorithm) == kExplicitAlgorithms.end()) return false;
  return result == CountedResult::kMatrix || frames == CountedFrames::kWorldAxes || algorithm == kDense ||
         algorithm == kLtl || algorithm == kEfpa;
}

AlgorithmCount count_algorithm(Algorithm algorithm, CountedFrames frames, const Model& model,
                               std::span<const Constraint> constraints, VectorView<const double> q,
                               CountedResult result) {
  const std::string name = in_quotes(name_of(algorithm));
  if (!is_counted(algorithm, CountedFrames::kWorldAxes, result)) {
    throw Error(name + " does not compute the matrix; it is counted as an operator");
  }
  if (!is_counted(algorithm, frames, result)) {
    throw Error(name +
                " has the consistent inverse by responses, which are computed in world frames; count it in those");
  }
  const bool folded = frames == CountedFrames::kLinkAxesFolded && algorithm != Algorithm::kDense;
  if (folded) return count_folded(algorithm, model, constraints, result);
  CountedSystem s(model, constraints, q);
  return frames == CountedFrames::kWorldAxes ? count_in<WorldFrames<Counted>>(algorithm, s, constraints, result)
                                             : count_in<LinkFrames<Counted>>(algorithm, s, constraints, result);
}

OperatorCount count_operator(Algorithm algorithm, const Model& model, std::span<const Constraint> constraints,
                             VectorView<const double> q, const Workload& workload) {
  const CountedSystem s(model, constraints, q);
  AnyDelassus<Counted> op = make_unrefined(algorithm, s);
  const int m = s.rows.num_rows();
  const std::vector<Counted> x(m, Counted(1));
  std::vector<Counted> y(m);
  const auto count = [](auto&& work) { return count_operations(work).total(); };
  const auto count_checked = [&](auto&& work) {
    Status status;
    const std::int64_t operations = count([&] { status = work(); });
    s.require_ok(status, constraints);
    return operations;
  };
  const auto damp = [&] { return op.update_damping(Damping<Counted>(Counted(1))); };

  OperatorCount out;
  out.factor = count_checked([&] { return op.factor({s.model, s.kin, s.rows}); });
  if (workload.matrix) {
    std::vector<Counted> matrix = square(m);
    out.matrix = count([&] { op.dense(MatrixView<Counted>(matrix.data(), m, m)); });
  }
  if (workload.products > 0) out.product = count([&] { op.apply(x, y); });
  if (workload.all_dampings() > 0) out.damping = count_checked(damp);
  if (workload.all_dampings() > 1) out.redamping = count_checked(damp);
  if (workload.solves > 0) out.solve = count_checked([&] { return op.solve(x, y); });
  return out;
}

}  // namespace delassus
