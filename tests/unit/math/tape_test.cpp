// Recording of what is done with numbers.
#include "math/tape.hpp"

#include <gtest/gtest.h>

#include "delassus/math/error.hpp"
#include "math/traced.hpp"

namespace delassus {
namespace {

using T = Traced<double>;

class Recorded : public ::testing::Test {
 protected:
  const Tape::Node& node(T x) const { return tape_.node(x.node); }

  Tape tape_;
  Tape::Recording recording_{tape_};
  T a_ = T::input(), b_ = T::input(), c_ = T::input();
};

TEST_F(Recorded, EqualOperationsAreOneNode) {
  EXPECT_EQ((a_ + b_).node, (b_ + a_).node);
  EXPECT_EQ((a_ * b_).node, (b_ * a_).node);
  EXPECT_NE((a_ - b_).node, (b_ - a_).node);
  EXPECT_EQ((sqrt(a_ * b_) / c_).node, (sqrt(b_ * a_) / c_).node);
  EXPECT_EQ(T(3.5).node, T(3.5).node);
}

TEST_F(Recorded, ZerosAndOnesVanish) {
  EXPECT_EQ((a_ + T(0)).node, a_.node);
  EXPECT_EQ((T(0) + a_).node, a_.node);
  EXPECT_EQ((a_ - T(0)).node, a_.node);
  EXPECT_EQ((a_ * T(1)).node, a_.node);
  EXPECT_EQ((a_ / T(1)).node, a_.node);
  EXPECT_EQ((a_ * T(0)).node, Tape::kZero);
  EXPECT_EQ((T(-0.0) * a_).node, Tape::kZero);
  EXPECT_EQ((T(2) * T(3) - T(6)).node, Tape::kZero);
  EXPECT_EQ((a_ * T(-1)).node, (-a_).node);
}

TEST_F(Recorded, SignsMoveToWhereTheyCostNothing) {
  EXPECT_EQ((-(-a_)).node, a_.node);
  EXPECT_EQ((a_ + -b_).node, (a_ - b_).node);
  EXPECT_EQ((a_ - -b_).node, (a_ + b_).node);
  EXPECT_EQ((-a_ * b_).node, (-(a_ * b_)).node);
  EXPECT_EQ((-(a_ - b_)).node, (b_ - a_).node);
  EXPECT_EQ((-a_ * -b_).node, (a_ * b_).node);
}

/// x - x is how kernels ask whether x is finite.
TEST_F(Recorded, DifferencesOfTheSameStay) {
  EXPECT_EQ(node(a_ - a_).op, TapeOp::kSubtract);
  tape_.begin_checks();
  EXPECT_TRUE(all_lanes(is_finite(a_)));
  EXPECT_EQ(tape_.checks().size(), 1U);
}

TEST_F(Recorded, ConstantsAreThoseOfTheNumber) {
  EXPECT_EQ(tape_.value(T(0.1).node), 0.1);
  Tape floats(true);
  const Tape::Recording recording(floats);
  EXPECT_EQ(floats.value(Traced<float>(0.1).node), static_cast<double>(0.1F));
  const Traced<float> third = Traced<float>(1) / Traced<float>(3);
  EXPECT_EQ(floats.value(third.node), static_cast<double>(1.0F / 3.0F));
}

TEST_F(Recorded, ChecksHoldUnlessDenied) {
  const TracedMask first = a_ < b_, second = b_ < c_;
  tape_.begin_checks();
  EXPECT_TRUE(all_lanes(first) && all_lanes(second) && all_lanes(first));
  EXPECT_EQ(tape_.checks(), (std::vector<Tape::Index>{first.node, second.node}));
  tape_.begin_checks({second.node});
  EXPECT_TRUE(all_lanes(first));
  EXPECT_FALSE(all_lanes(second));
  EXPECT_FALSE(all_lanes(second));
}

TEST_F(Recorded, ComparisonsOfConstantsAreKnown) {
  tape_.begin_checks();
  EXPECT_TRUE(all_lanes(T(1) < T(2)));
  EXPECT_FALSE(all_lanes(T(2) < T(1)));
  EXPECT_TRUE(tape_.checks().empty());
  EXPECT_EQ(select(T(1) < T(2), a_, b_).node, a_.node);
  EXPECT_EQ(select(a_ < b_, c_, c_).node, c_.node);
  EXPECT_EQ(node(select(a_ < b_, b_, c_)).op, TapeOp::kSelect);
}

TEST(Tape, NumbersOfNoTapeAreAnError) { EXPECT_THROW(T(1.0), Error); }

}  // namespace
}  // namespace delassus
