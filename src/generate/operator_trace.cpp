#include "generate/operator_trace.hpp"

#include <algorithm>
#include <variant>

#include "constraints/geometry.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/math/rotation.hpp"
#include "delassus/operators/condensed.hpp"
#include "generate/contact_input.hpp"
#include "generate/explore.hpp"
#include "generate/free_motion.hpp"
#include "generate/input_faults.hpp"
#include "generate/schedule.hpp"
#include "generate/traced_operator.hpp"

namespace delassus::generation {
namespace {

enum Given : Inputs {
  kConfiguration = 1,
  kDampings = 2,
  kVector = 4,
  kRightSide = 8,
  kMotion = 16,
  kForces = 32,
  kPull = 64
};

std::string element(const std::string& array, int k) { return array + "[" + std::to_string(k) + "]"; }

/// Whether a link of the mechanism, not the world.
bool moves(const Model& model, int frame) { return model.frame(frame).link != kWorld; }

/// Λ⁻¹ does not depend on the pose of a free base, if constraints turn with it: those between links, those in joints other than the base's,
/// and those along world axes, which are turned. Then it is traced with the base at the world's origin.
bool follows_base(const Model& model, std::span<const Constraint> constraints) {
  if (model.num_links() == 0 || model.link(0).parent != kWorld || model.link(0).kind != JointKind::kFree ||
      model.link(0).q != 0)
    return false;
  for (int i = 1; i < model.num_links(); ++i) {
    if (model.link(i).parent == kWorld) return false;
  }
  return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& constraint) {
    return std::visit(
        [&]<class X>(const X& x) {
          if constexpr (std::same_as<X, PointContact>) {
            return moves(model, x.a.frame);
          } else if constexpr (std::same_as<X, LoopClosure> || std::same_as<X, Distance>) {
            return moves(model, x.first.frame) && moves(model, x.second.frame);
          } else if constexpr (std::same_as<X, JointLimit> || std::same_as<X, JointFriction> ||
                               std::same_as<X, JointPolynomial>) {
            return x.link != 0;
          } else if constexpr (std::same_as<X, JointCoupling>) {
            return std::none_of(x.terms.begin(), x.terms.end(), [](const auto& term) { return term.link == 0; });
          } else {
            return false;
          }
        },
        constraint);
  });
}

/// Whether its rows do not turn with the bodies that it holds.
bool is_along_world_axes(const Constraint& constraint) {
  if (const auto* loop = std::get_if<LoopClosure>(&constraint)) return loop->axes == LoopAxes::kWorldAxes;
  return std::holds_alternative<PointContact>(constraint);
}

/// `Operator` is one of traced_operator.hpp; `fold` its structure, if it has one.
template <class B, class Operator>
class OperatorTracer {
 public:
  using T = Traced<B>;

  /// `plain`: the trace of one number at a time, which says in which order failures are told; null where this is that one.
  OperatorTracer(const Model& model, std::span<const Constraint> constraints, const GenerateOptions& options,
                 OperatorTrace& trace, const FoldedStructure* fold = nullptr, const OperatorTrace* plain = nullptr)
      : model_(model),
        constraints_(constraints),
        options_(options),
        trace_(trace),
        fold_(fold),
        plain_(plain),
        kin_(model),
        turns_(follows_base(model, constraints)),
        faults_(model, model.nq(), [&](const std::vector<double>& q) { return library_status(q); }) {
    lower_structure<T>(model, constraints, rows_);
    trace.rows = rows_.num_rows();
  }

  void run() {
    Program& p = trace_.program;
    p.stages = {{"update", kConfiguration},
                {"prepare", kConfiguration},
                {"damp", kConfiguration | kDampings},
                {"apply", kConfiguration | kVector},
                {"solve", kConfiguration | kDampings | kRightSide}};
    p.delays = {{OperatorTrace::kUpdate, OperatorTrace::kPrepare, {OperatorTrace::kApply}}};
    q_ = inputs("q", model_.nq(), kConfiguration);
    if (trace_.rows == 0) return;
    place_contact_inputs();
    place_base();

    Operator op = make({}), plain = make(without_checks());
    find_checks(OperatorTrace::kUpdate, op, [&] { return update(op); });
    require(update(op));
    require(update(plain));

    const std::vector<T> x = inputs("x", trace_.rows, kVector);
    std::vector<T> y(x.size());
    require(op.apply(x, y));
    outputs("y", y, OperatorTrace::kApply);

    const std::vector<T> numbers = dampings();
    find_checks(OperatorTrace::kDamp, op, [&] { return damp(op, numbers); });
    require(damp(op, numbers));
    trace_.always_refines = op.checks_solves();
    if (const Tape::Index mask = check_that_decides(op, numbers); mask >= 0) {
      p.outputs.push_back({mask, OperatorTrace::kDamp, "*mild"});
      trace_.asks_damping = true;
    }
    require(damp(op, numbers));
    require(damp(plain, numbers));

    const std::vector<T> b = inputs("b", trace_.rows, kRightSide);
    std::vector<T> z(b.size());
    require(plain.solve(b, z));
    outputs("z", z, OperatorTrace::kSolve);
    if (!trace_.always_refines) {
      p.tape.begin_checks();
      require(op.solve(b, z));
      if (p.tape.checks().size() > 1) throw Error("internal error: a solve asks more than one question");
      if (!p.tape.checks().empty()) {
        p.outputs.push_back({p.tape.checks().front(), OperatorTrace::kSolve, "*mild"});
        trace_.asks_solution = true;
      }
    }
    if (options_.functions == GenerateOptions::Functions::kAll) trace_motion();
  }

 private:
  Operator make(const CondensedOptions& options) const {
    if constexpr (std::same_as<Operator, FoldedOperator<B>>) {
      return Operator(*fold_, options);
    } else {
      return Operator(model_, rows_, options);
    }
  }
  template <class Run>
  void find_checks(int stage, const Operator& op, Run&& run) {
    Tape& tape = trace_.program.tape;
    std::vector<Check>& checks = trace_.program.stages[stage].checks;
    if (plain_ == nullptr) {
      checks = explore(tape, run);
      return;
    }
    std::vector<Status> reference;
    append_statuses(plain_->program.stages[stage].checks, reference);
    checks =
        lane_by_lane(tape, explore(tape, run), reference, [&](const Status& status) { return op.in_lanes(status); });
  }
  static CondensedOptions without_checks() {
    CondensedOptions options;
    options.refinements = 0;
    return options;
  }
  static void require(Status status) {
    if (!status.ok()) throw Error("internal error: a traced function fails");
  }

  /// Of joints and rows, without forces of constraints and by them. Numbers that the operator has computed as well are shared, unless it has them in
  /// lanes.
  void trace_motion() {
    const std::vector<Stage> stages{{"prepare_motion", kConfiguration},
                                    {"free_motion", kConfiguration | kMotion},
                                    {"response", kConfiguration | kForces},
                                    {"row_torques", kConfiguration | kPull}};
    Program& p = trace_.program;
    p.stages.insert(p.stages.end(), stages.begin(), stages.end());
    p.delays.push_back(
        {OperatorTrace::kPrepare, OperatorTrace::kPrepareMotion, {OperatorTrace::kDamp, OperatorTrace::kSolve}});
    trace_.has_motion = true;
    Kinematics<T> kin(model_);
    update_kinematics<T>(model_, placed_, kin);
    CondensedDelassus<T> op(model_, rows_, without_checks());
    require(op.factor({model_, kin, rows_}));
    const int nv = model_.nv();
    const std::vector<T> v = inputs("velocity", nv, kMotion), tau = inputs("tau", nv, kMotion);
    FreeMotionTracer<T> tracer(model_, constraints_, kin, rows_, contacts_, turns_ ? &base_ : nullptr);
    const FreeMotion<T> motion = tracer.trace(op, v, tau);
    outputs("a", motion.acceleration, OperatorTrace::kFreeMotion);
    outputs("row_velocity", motion.row_velocity, OperatorTrace::kFreeMotion);
    outputs("row_acceleration", motion.row_acceleration, OperatorTrace::kFreeMotion);
    outputs("row_drift", motion.row_drift, OperatorTrace::kFreeMotion);

    std::vector<T> a(v.size()), pull(v.size());
    require(op.joint_response(inputs("x", trace_.rows, kForces), a));
    outputs("a", a, OperatorTrace::kResponse);
    LinkForces<T> forces(model_);
    apply_jacobian_transpose<T>(model_, kin, rows_, inputs("x", trace_.rows, kPull), pull, forces);
    outputs("tau", pull, OperatorTrace::kRowTorques);
  }

  T input(const std::string& place, Inputs comes_with) {
    const T x = T::input();
    trace_.program.inputs.push_back({x.node, comes_with, place});
    return x;
  }
  std::vector<T> inputs(const std::string& array, int count, Inputs comes_with) {
    std::vector<T> list;
    for (int k = 0; k < count; ++k) list.push_back(input(element(array, k), comes_with));
    return list;
  }
  void outputs(const std::string& array, const std::vector<T>& list, int stage) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      trace_.program.outputs.push_back({list[k].node, stage, element(array, static_cast<int>(k))});
    }
  }

  /// A contact's point in its frame and its three axes.
  void place_contact_inputs() {
    int n = 0;
    for (const int e : contact_inputs(constraints_, options_)) {
      const std::string contact = element("contacts", n++);
      ContactInput<T> in{e, {}, {}};
      for (int k = 0; k < 3; ++k) in.point[k] = input(contact + element(".point", k), kConfiguration);
      for (int k = 0; k < 9; ++k) in.axes.a[k] = input(contact + element(".axes", k), kConfiguration);
      contacts_.push_back(in);
    }
  }

  void place_base() {
    placed_ = q_;
    if (!turns_) return;
    // In the axes that the traced base has, those of its placement.
    const Mat3<T> placement = cast<T>(model_.link(0).placement.R);
    base_ = placement * rotation_of(Quaternion<T>{{q_[3], q_[4], q_[5], q_[6]}}) * transposed(placement);
    for (int k = 0; k < 7; ++k) placed_[k] = T(k == 6 ? 1 : 0);
  }

  Status library_status(const std::vector<double>& q) const {
    State<double> state(model_, constraints_);
    if (const Status status = state.update(q); !status.ok()) return status;
    return CondensedDelassus<double>(state).factor(state);
  }

  Status update(Operator& op) {
    if (const Status status = faults_.check(q_); !status.ok()) return status;
    op.place(placed_, kin_);
    if (turns_) std::copy_n(q_.begin(), 7, kin_.q.begin());  // by which failures are explained
    if (const Status status = lower_values<T>(model_, kin_, constraints_, rows_); !status.ok()) return status;
    for (const ContactInput<T>& in : contacts_)
      place_contact(in, model_, kin_, std::get<PointContact>(constraints_[in.constraint]), rows_);
    if (turns_) {
      for (std::size_t e = 0; e < constraints_.size(); ++e) {
        if (is_along_world_axes(constraints_[e])) turn(rows_.spans[e]);
      }
    }
    return op.factor(kin_, rows_);
  }

  /// Directions in the axes of the base.
  void turn(const RowSpan& span) {
    for (int k = span.first_block; k < span.first_block + span.blocks; ++k) {
      const RowBlock& block = rows_.blocks[k];
      for (int r = 0; r < block.rows; ++r) {
        T* at = &rows_.values[block.value + 3 + 3 * r];
        const Vec3<T> direction{{at[0], at[1], at[2]}};
        put_vector<T>(at, {{dot(column(base_, 0), direction), dot(column(base_, 1), direction),
                            dot(column(base_, 2), direction)}});
      }
    }
  }

  std::vector<T> dampings() {
    if (options_.damping == GenerateOptions::DampingForm::kNumber) {
      trace_.damping_numbers = 1;
      return {input("damping", kDampings)};
    }
    trace_.damping_numbers = trace_.rows;
    if (options_.damping == GenerateOptions::DampingForm::kBlocks) {
      trace_.damping_numbers = 0;
      for (const RowSpan& span : rows_.spans) trace_.damping_numbers += span.rows * span.rows;
    }
    return inputs("damping", trace_.damping_numbers, kDampings);
  }

  Status damp(Operator& op, const std::vector<T>& numbers) const { return op.damp(numbers, options_.damping); }

  /// The check on which it depends whether solves are refined.
  Tape::Index check_that_decides(Operator& op, const std::vector<T>& numbers) {
    if (trace_.always_refines) return -1;
    Tape& tape = trace_.program.tape;
    tape.begin_checks();
    require(damp(op, numbers));
    const std::vector<Tape::Index> asked = tape.checks();
    Tape::Index decides = -1;
    for (const Tape::Index mask : asked) {
      tape.begin_checks({mask});
      if (damp(op, numbers).ok() && op.checks_solves()) decides = mask;
    }
    tape.begin_checks();
    return decides;
  }

  const Model& model_;
  std::span<const Constraint> constraints_;
  const GenerateOptions& options_;
  OperatorTrace& trace_;
  const FoldedStructure* fold_;
  const OperatorTrace* plain_;
  Kinematics<T> kin_;
  ConstraintRows<T> rows_;
  bool turns_;
  InputFaults faults_;
  std::vector<T> q_, placed_;  // the configuration, and the one that is traced
  Mat3<T> base_ = Mat3<T>::identity();
  std::vector<ContactInput<T>> contacts_;
};

}  // namespace

std::vector<int> contact_inputs(std::span<const Constraint> constraints, const GenerateOptions& options) {
  std::vector<int> list;
  if (options.contacts == GenerateOptions::Contacts::kFixed) return list;
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    if (std::holds_alternative<PointContact>(constraints[e])) list.push_back(static_cast<int>(e));
  }
  return list;
}

namespace {

/// Operations on vectors take about as long as those on numbers, and numbers have to be put into vectors and out of them. Loops are small code,
/// and may take a little longer.
constexpr double kWorthLanes = 0.8, kWorthLimbs = 1.2;

/// Of the operator: motion is the same in all forms.
double operations(const OperatorTrace& trace) {
  const Schedule schedule(trace.program);
  double sum = 0;
  for (int stage = OperatorTrace::kUpdate; stage <= OperatorTrace::kSolve; ++stage) {
    const OperationCount& n = schedule.counts[stage];
    sum += static_cast<double>(n.additions + n.multiplications + n.divisions + n.square_roots);
  }
  return sum;
}

template <class B>
OperatorTrace trace_as(const Model& model, std::span<const Constraint> constraints, const GenerateOptions& options) {
  using Form = GenerateOptions::Form;
  constexpr bool kIsFloat = std::same_as<B, float>;
  OperatorTrace plain(kIsFloat);
  {
    const Tape::Recording recording(plain.program.tape);
    OperatorTracer<B, PlainOperator<B>>(model, constraints, options, plain).run();
  }
  if (options.form == Form::kParts || plain.rows == 0) return plain;
  ConstraintRows<B> rows;
  lower_structure<B>(model, constraints, rows);
  const auto fold = FoldedStructure::make(model, rows);
  if (!fold) {
    if (options.form == Form::kAuto) return plain;
    throw Error(
        "argument 'form' asks for limbs side by side, and these limbs and constraints have no such form: take 'parts'");
  }
  OperatorTrace folded(kIsFloat);
  const Tape::Recording recording(folded.program.tape);
  OperatorTracer<B, FoldedOperator<B>>(model, constraints, options, folded, fold.get(), &plain).run();
  folded.form = options.form != Form::kAuto ? options.form : kIsFloat ? Form::kLimbs : Form::kLanes;
  if (folded.form == Form::kLimbs) folded.program.lanes = Program::Lanes::kLoops;
  const double worth = folded.form == Form::kLanes ? kWorthLanes : kWorthLimbs;
  if (options.form == Form::kAuto && !(operations(folded) < worth * operations(plain))) return plain;
  return folded;
}

}  // namespace

OperatorTrace trace_operator(const Model& model, std::span<const Constraint> constraints,
                             const GenerateOptions& options) {
  return options.scalar == GenerateOptions::Scalar::kFloat ? trace_as<float>(model, constraints, options)
                                                           : trace_as<double>(model, constraints, options);
}

}  // namespace delassus::generation
