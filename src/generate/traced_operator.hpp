// The condensed operator on numbers that record, with the robot as it is or with its limbs in lanes. Both take and give the numbers of
// the robot, one by one.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/condensed.hpp"
#include "generate/generate.hpp"
#include "math/traced.hpp"
#include "model/limb_model.hpp"
#include "operators/condensed/factor.hpp"
#include "operators/limb_rows.hpp"

namespace delassus::generation {

/// Dampings as an operator takes them.
template <class T>
Damping<T> as_damping(const std::vector<T>& numbers, GenerateOptions::DampingForm form) {
  switch (form) {
    case GenerateOptions::DampingForm::kNumber:
      return Damping<T>(numbers.front());
    case GenerateOptions::DampingForm::kBlocks:
      return Damping<T>::blocks(numbers);
    case GenerateOptions::DampingForm::kRows:
      break;
  }
  return Damping<T>(numbers);
}

/// One number at a time.
template <class B>
class PlainOperator {
 public:
  using T = Traced<B>;

  PlainOperator(const Model& model, const RowStructure& rows, const CondensedOptions& options)
      : model_(model), op_(model, rows, options) {}

  /// Poses of links, from q.
  void place(const std::vector<T>& q, Kinematics<T>& kin) { update_kinematics<T>(model_, q, kin); }
  Status factor(const Kinematics<T>& kin, const ConstraintRows<T>& rows) { return op_.factor({model_, kin, rows}); }
  Status apply(const std::vector<T>& x, std::vector<T>& y) const { return op_.apply(x, y); }
  Status damp(const std::vector<T>& numbers, GenerateOptions::DampingForm form) {
    return op_.update_damping(as_damping(numbers, form));
  }
  Status solve(const std::vector<T>& b, std::vector<T>& z) const { return op_.solve(b, z); }
  bool checks_solves() const { return op_.checks_solves(); }
  /// What a status says in each lane.
  std::vector<Status> in_lanes(const Status& status) const { return {status}; }

 private:
  const Model& model_;
  CondensedDelassus<T> op_;
};

/// Where the numbers of a fold come from: one of the robot's for each lane, or a constant.
struct FoldSource {
  LimbSource from{-1, -1, -1, -1};
  double otherwise = 0;
};

/// A robot under constraints with its limbs in lanes.
struct FoldedStructure {
  /// Null if there is no such form, or it is no smaller.
  static std::shared_ptr<const FoldedStructure> make(const Model& model, const RowStructure& rows);

  std::shared_ptr<const LimbModel> limbs;
  RowStructure rows;
  std::vector<FoldSource> angles;                    // of coordinates
  std::vector<FoldSource> values, weights;           // of rows
  std::vector<FoldSource> vector, dampings, blocks;  // entries of x; dampings of rows; blocks of damping
};

/// Limbs in lanes.
template <class B>
class FoldedOperator {
 public:
  using T = Traced<B>;
  using L = TracedLimbs<B>;

  FoldedOperator(const FoldedStructure& fold, const CondensedOptions& options)
      : fold_(fold), kin_(fold.limbs->shape), op_(fold.limbs->shape, fold.rows, options) {}

  void place(const std::vector<T>& q, Kinematics<T>& kin) {
    const LimbModel& limbs = *fold_.limbs;
    update_coordinates(q, kin);
    place_links(limbs.shape, kin_);
    // By these failures would be explained: whether coordinates are numbers has been asked of those of the robot.
    std::fill(kin_.q.begin(), kin_.q.end(), L(0));
    for (int i = 0; i < static_cast<int>(limbs.place.size()); ++i) {
      const LimbPlace& place = limbs.place[i];
      const int lane = std::max(place.lane, 0);
      take_lane(kin_.pose[place.link], lane, kin.pose[i]);
      take_lane(kin_.inertia[place.link], lane, kin.inertia[i]);
    }
  }

  Status factor(const Kinematics<T>&, const ConstraintRows<T>& rows) {
    RowValues<L> values;
    values.values = folded(fold_.values, rows.values);
    values.weights = folded(fold_.weights, rows.weights);
    return op_.factor(fold_.limbs->shape, kin_, values);
  }
  Status apply(const std::vector<T>& x, std::vector<T>& y) const {
    std::vector<L> out(fold_.vector.size());
    const Status status = op_.apply(folded(fold_.vector, x), out);
    unfold(out, y);
    return status;
  }
  Status damp(const std::vector<T>& numbers, GenerateOptions::DampingForm form) {
    using Form = GenerateOptions::DampingForm;
    if (form == Form::kNumber) return op_.update_damping(Damping<L>(broadcast(numbers.front())));
    dampings_ = folded(form == Form::kRows ? fold_.dampings : fold_.blocks, numbers);
    return op_.update_damping(as_damping(dampings_, form));
  }
  Status solve(const std::vector<T>& b, std::vector<T>& z) const {
    std::vector<L> out(fold_.vector.size());
    const Status status = op_.solve(folded(fold_.vector, b), out);
    unfold(out, z);
    return status;
  }
  bool checks_solves() const { return op_.checks_solves(); }

  /// A status names a joint or a row of the fold: those of the robot. Lanes without one say what another lane says.
  std::vector<Status> in_lanes(const Status& status) const {
    const bool joint = status.code == Status::Code::kSingularJoint;
    if (status.ok() || status.index < 0) return {status};
    const LimbSource from = joint ? fold_.limbs->links[status.index] : fold_.vector[status.index].from;
    const int used = *std::find_if(from.begin(), from.end(), [](std::int32_t k) { return k >= 0; });
    std::vector<Status> out;
    for (const std::int32_t k : from) out.push_back({status.code, k >= 0 ? k : used});
    return out;
  }

 private:
  static L gathered(const FoldSource& source, const std::vector<T>& from) {
    Tape& tape = Tape::current();
    Tape::Four four{};
    for (int lane = 0; lane < kLimbLanes; ++lane) {
      const std::int32_t k = source.from[lane];
      four[lane] = k >= 0 ? from[k].node : tape.constant(source.otherwise);
    }
    return L::at(tape.gather(four));
  }
  static std::vector<L> folded(const std::vector<FoldSource>& sources, const std::vector<T>& from) {
    std::vector<L> list;
    for (const FoldSource& source : sources) list.push_back(gathered(source, from));
    return list;
  }
  static L broadcast(T x) { return L::at(Tape::current().gather({x.node, x.node, x.node, x.node})); }
  static T lane_of(L x, int lane) { return T::at(Tape::current().lane(x.node, lane)); }

  /// One lane of an object made of numbers.
  template <class X, class Y>
  static void take_lane(const X& from, int lane, Y& to) {
    static_assert(sizeof(X) == sizeof(Y) && sizeof(X) % sizeof(L) == 0 && sizeof(T) == sizeof(L));
    const auto* numbers = reinterpret_cast<const L*>(&from);
    auto* out = reinterpret_cast<T*>(&to);
    for (std::size_t k = 0; k < sizeof(X) / sizeof(L); ++k) out[k] = lane_of(numbers[k], lane);
  }

  void unfold(const std::vector<L>& from, std::vector<T>& to) const {
    for (std::size_t r = 0; r < from.size(); ++r) {
      for (int lane = 0; lane < kLimbLanes; ++lane) {
        if (const std::int32_t k = fold_.vector[r].from[lane]; k >= 0) to[k] = lane_of(from[r], lane);
      }
    }
  }

  void update_coordinates(const std::vector<T>& q, Kinematics<T>& kin) {
    const LimbModel& limbs = *fold_.limbs;
    for (std::size_t k = 0; k < q.size(); ++k) kin.q[k] = q[k];
    for (std::size_t k = 0; k < limbs.coordinates.size(); ++k)
      kin_.q[k] = gathered({limbs.coordinates[k], limbs.padding[k][0]}, q);
    for (std::size_t k = 0; k < fold_.angles.size(); ++k)
      sincos(gathered(fold_.angles[k], q), kin_.sine[k], kin_.cosine[k]);
  }

  const FoldedStructure& fold_;
  Kinematics<L> kin_;
  CondensedDelassus<L> op_;
  std::vector<L> dampings_;
};

}  // namespace delassus::generation
