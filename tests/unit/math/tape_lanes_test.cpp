// Nodes of four lanes: what they compute, whatever the four are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "math/tape.hpp"
#include "support/random_system.hpp"

namespace delassus {
namespace {

using Index = Tape::Index;
using Four = Tape::Four;
using Numbers = Tape::FourNumbers;

/// What a node is, number by number: there is nothing that folds or gathers here.
class Evaluation {
 public:
  Evaluation(const Tape& tape, std::vector<double> inputs) : tape_(tape), inputs_(std::move(inputs)) {}

  Numbers of(Index k) const {
    Numbers out{};
    for (int l = 0; l < Tape::kLanes; ++l) out[static_cast<std::size_t>(l)] = lane(k, l);
    return out;
  }

  double lane(Index k, int l) const {
    const Tape::Node& n = tape_.node(k);
    const auto all = [&](auto&& f, double begin) {
      double result = begin;
      for (int other = 0; other < Tape::kLanes; ++other) result = f(result, lane(n.a, other));
      return result;
    };
    switch (n.op) {
      case TapeOp::kConstant:
        return tape_.value(k, l);
      case TapeOp::kInput:
        return inputs_[static_cast<std::size_t>(n.a)];
      case TapeOp::kAdd:
        return lane(n.a, l) + lane(n.b, l);
      case TapeOp::kSubtract:
        return lane(n.a, l) - lane(n.b, l);
      case TapeOp::kMultiply:
        return lane(n.a, l) * lane(n.b, l);
      case TapeOp::kDivide:
        return lane(n.a, l) / lane(n.b, l);
      case TapeOp::kNegate:
        return -lane(n.a, l);
      case TapeOp::kSquareRoot:
        return std::sqrt(lane(n.a, l));
      case TapeOp::kSine:
        return std::sin(lane(n.a, l));
      case TapeOp::kCosine:
        return std::cos(lane(n.a, l));
      case TapeOp::kLess:
        return lane(n.a, l) < lane(n.b, l) ? 1 : 0;
      case TapeOp::kSelect:
        return lane(n.a, l) != 0 ? lane(n.b, l) : lane(n.c, l);
      case TapeOp::kGather:
        return lane(Tape::operand(n, l), 0);
      case TapeOp::kLane:
        return lane(n.a, n.b);
      case TapeOp::kSumLanes:
        return all([](double a, double b) { return a + b; }, 0);
      case TapeOp::kLargestLane:
        return all([](double a, double b) { return std::max(a, b); }, -INFINITY);
      case TapeOp::kKeepLanes:
        return (n.b >> l & 1) != 0 ? lane(n.a, l) : 0;
    }
    return NAN;
  }

 private:
  const Tape& tape_;
  std::vector<double> inputs_;
};

/// Four inputs and two nodes of four lanes, and whatever is made of them.
class TapeLanes : public ::testing::Test {
 protected:
  TapeLanes() {
    for (int k = 0; k < 4; ++k) inputs_.push_back(tape_.input());
    wide_ = tape_.gather({inputs_[0], inputs_[1], inputs_[2], inputs_[3]});
  }

  /// An expression of one number, in one of few shapes: lanes are alike in most.
  Index expression(int lane, int depth) {
    if (depth == 0 || random_.chance(0.12)) {
      const Index of_lane =
          tape_.lane(tape_.record(TapeOp::kSquareRoot, tape_.record(TapeOp::kMultiply, wide_, wide_)), lane);
      return random_.pick<Index>({inputs_[static_cast<std::size_t>(lane)], of_lane, of_lane,
                                  tape_.constant(random_.uniform(-2, 2)), Tape::kZero, tape_.constant(1),
                                  tape_.constant(-1)});
    }
    const TapeOp operations[] = {TapeOp::kAdd,      TapeOp::kAdd,      TapeOp::kSubtract,
                                 TapeOp::kMultiply, TapeOp::kMultiply, TapeOp::kNegate,
                                 TapeOp::kCosine,   TapeOp::kSine,     TapeOp::kDivide};
    // One seed for all lanes at most places.
    const TapeOp op = operations[(shape_ * 7 + static_cast<std::size_t>(depth)) % std::size(operations)];
    if (random_.chance(0.15)) return expression(lane, depth - 1);
    const Index a = expression(lane, depth - 1);
    if (Tape::operands(op) == 1) return tape_.record(op, a);
    if (op != TapeOp::kDivide) return tape_.record(op, a, expression(lane, depth - 1));
    const Index square = expression(lane, depth - 1);
    return tape_.record(op, a,
                        tape_.record(TapeOp::kAdd, tape_.constant(1), tape_.record(TapeOp::kMultiply, square, square)));
  }

  Tape tape_;
  samples::Random random_{5};
  std::vector<Index> inputs_;
  Index wide_ = 0;
  std::size_t shape_ = 0;
};

// Signs move, zeros and ones come in: nothing rounds otherwise. 1e-13: compilers fuse products and sums here and not there.
TEST_F(TapeLanes, GatheringChangesNoNumber) {
  const Evaluation evaluation(tape_, {0.3, -1.7, 2.1, 0.9});
  int in_lanes = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    shape_ = static_cast<std::size_t>(trial);
    Four four{};
    for (int l = 0; l < Tape::kLanes; ++l) four[static_cast<std::size_t>(l)] = expression(l, 4);
    const Index gathered = tape_.gather(four);
    const Numbers got = evaluation.of(gathered);
    for (int l = 0; l < Tape::kLanes; ++l) {
      const double wanted = evaluation.lane(four[static_cast<std::size_t>(l)], 0);
      EXPECT_NEAR(got[static_cast<std::size_t>(l)], wanted, 1e-13 * (1 + std::abs(wanted)))
          << "trial " << trial << ", lane " << l;
    }
    in_lanes += tape_.node(gathered).op != TapeOp::kGather ? 1 : 0;
  }
  EXPECT_GT(in_lanes, 1000) << "hardly anything went in lanes";
}

TEST_F(TapeLanes, WhatIsTheSameInEachLaneIsOneOperation) {
  Four products{}, mirrored{};
  for (int l = 0; l < Tape::kLanes; ++l) {
    const auto at = static_cast<std::size_t>(l);
    products[at] = tape_.record(TapeOp::kMultiply, tape_.lane(wide_, l), tape_.constant(l + 2.0));
    // a + c b on one side of a robot, a - c b on the other
    mirrored[at] = tape_.record(l % 2 == 0 ? TapeOp::kAdd : TapeOp::kSubtract, inputs_[at], products[at]);
  }
  const Index product = tape_.gather(products);
  EXPECT_EQ(tape_.node(product).op, TapeOp::kMultiply);
  EXPECT_EQ(tape_.node(tape_.gather(mirrored)).op, TapeOp::kAdd);
  // Where a lane is free, or zero.
  EXPECT_EQ(tape_.node(tape_.gather({products[0], products[1], products[2], Tape::kAny})).op, TapeOp::kMultiply);
  EXPECT_EQ(tape_.node(tape_.gather({products[0], products[1], products[2], Tape::kZero})).op, TapeOp::kMultiply);
}

TEST_F(TapeLanes, LanesOfANodeAreTheNode) {
  const Index root = tape_.record(TapeOp::kSquareRoot, wide_);
  const auto lane = [&](int l) { return tape_.lane(root, l); };
  EXPECT_EQ(tape_.gather({lane(0), lane(1), lane(2), lane(3)}), root);
  EXPECT_EQ(tape_.gather({lane(0), Tape::kAny, lane(2), lane(3)}), root);
  const Index kept = tape_.gather({lane(0), Tape::kZero, lane(2), Tape::kZero});
  EXPECT_EQ(tape_.node(kept).op, TapeOp::kKeepLanes);
  EXPECT_EQ(tape_.lane(kept, 1), Tape::kZero);
  EXPECT_EQ(tape_.lane(kept, 2), lane(2));
  EXPECT_EQ(tape_.lane(wide_, 3), inputs_[3]);
}

TEST_F(TapeLanes, SumsAndLargestAreTheSameInAllLanes) {
  const Evaluation evaluation(tape_, {0.5, -1.5, 2, 0.25});
  const Index sum = tape_.sum_of_lanes(wide_), largest = tape_.largest_lane(wide_);
  EXPECT_EQ(evaluation.of(sum), (Numbers{1.25, 1.25, 1.25, 1.25}));
  EXPECT_EQ(evaluation.of(largest), (Numbers{2, 2, 2, 2}));
  EXPECT_EQ(tape_.lane(sum, 1), tape_.lane(sum, 3));
  EXPECT_EQ(tape_.gather({tape_.lane(sum, 1), tape_.lane(sum, 0), tape_.lane(sum, 2), tape_.lane(sum, 3)}), sum);
  const Index constant = tape_.constant(Numbers{1, 2, 3, 4});
  EXPECT_EQ(tape_.value(tape_.sum_of_lanes(constant)), 10);
  EXPECT_EQ(tape_.value(tape_.largest_lane(constant)), 4);
  EXPECT_EQ(tape_.numbers(tape_.keep_lanes(constant, 0b0110)), (Numbers{0, 2, 3, 0}));
}

/// A comparison of constants of which some lanes hold is neither true nor false.
TEST_F(TapeLanes, ChecksHoldInAllLanes) {
  const Index low = tape_.constant(Numbers{0, 0, 0, 0}), some = tape_.constant(Numbers{1, -1, 1, 1});
  tape_.begin_checks();
  EXPECT_FALSE(tape_.ask(tape_.record(TapeOp::kLess, low, some)));
  EXPECT_TRUE(tape_.ask(tape_.record(TapeOp::kLess, low, tape_.constant(Numbers{1, 2, 3, 4}))));
  EXPECT_TRUE(tape_.checks().empty());
  const Index chosen = tape_.record(TapeOp::kSelect, tape_.record(TapeOp::kLess, low, some), wide_, low);
  EXPECT_EQ(tape_.node(chosen).op, TapeOp::kSelect);
  EXPECT_TRUE(tape_.has_lanes(chosen));
}

}  // namespace
}  // namespace delassus
