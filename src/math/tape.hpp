// What a kernel computes, written down: nodes that name their operands, each made once.
//
// Traced (math/traced.hpp) are scalars whose operators append to the tape of their thread. Sums with 0, products with 0, 1 and -1,
// signs and constants are folded, equal nodes are shared. x - x is not folded: it tells whether x is finite.
//
// Nodes have one number, or four: the lanes of a fold (math/limbs.hpp). Where all lanes of a sum, product, ... of four are of the same
// operation, the four are gathered and one operation is written down, whichever of the two the kernels did (src/math/tape_lanes.cpp).
//
// Kernels never branch on a scalar but by all_lanes(mask). Here that is a check: it is written down and holds, unless the mask is
// denied. What a kernel does when a check fails is seen by running it again with that mask denied.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace delassus {

enum class TapeOp : std::uint8_t {
  kConstant,
  kInput,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kNegate,
  kSquareRoot,
  kSine,
  kCosine,
  kLess,    // a mask: a < b
  kSelect,  // b where the mask a holds, else c
  // Of four lanes.
  kGather,       // one number from each of a, b, c, d
  kLane,         // the number in lane b of a
  kSumLanes,     // the sum over the lanes of a, in every lane
  kLargestLane,  // the largest of them, in every lane
  kKeepLanes,    // a in the lanes of the set b, zero in the others
};

class Tape {
 public:
  using Index = std::int32_t;
  static constexpr int kLanes = 4;
  using Four = std::array<Index, kLanes>;
  using FourNumbers = std::array<double, kLanes>;
  /// The constant 0 of every tape.
  static constexpr Index kZero = 0;

  struct Node {
    TapeOp op;
    Index a = 0, b = 0, c = 0, d = 0;  // operands; of a constant or an input, its number
    bool operator==(const Node&) const = default;
  };

  /// With constants rounded to float, if numbers are.
  explicit Tape(bool rounds_to_float = false);

  /// The one that this thread records on; there has to be one.
  static Tape& current();
  /// Makes a tape the thread's for as long as this lives.
  class Recording {
   public:
    explicit Recording(Tape& tape);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    Tape* before_;
  };

  Index constant(double value) { return constant(FourNumbers{value, value, value, value}); }
  Index constant(FourNumbers lanes);
  Index input();
  /// Folds and shares. For kSelect a is the mask.
  Index record(TapeOp op, Index a, Index b = 0, Index c = 0);
  Index record(const Node& node);
  /// Whether a mask holds: known of constants, else written down as a check, which holds unless it is denied.
  bool ask(Index mask);

  /// Four lanes from four nodes of one number. kAny: the lane may have any number that is one.
  static constexpr Index kAny = -1;
  Index gather(const Four& lanes);
  Index lane(Index a, int lane);
  Index sum_of_lanes(Index a);
  Index largest_lane(Index a);
  Index keep_lanes(Index a, int set);

  bool rounds_to_float() const { return rounds_to_float_; }
  int size() const { return static_cast<int>(nodes_.size()); }
  int num_inputs() const { return num_inputs_; }
  const Node& node(Index k) const { return nodes_[static_cast<std::size_t>(k)]; }
  double value(Index constant, int lane = 0) const { return numbers(constant)[static_cast<std::size_t>(lane)]; }
  const FourNumbers& numbers(Index constant) const { return constants_[static_cast<std::size_t>(node(constant).a)]; }
  bool is_constant(Index k) const { return node(k).op == TapeOp::kConstant; }
  /// Whether lanes differ; of a mask, whether those of what it compares do.
  bool has_lanes(Index k) const { return has_lanes_[static_cast<std::size_t>(k)] != 0; }
  static int operands(TapeOp op);
  static Index operand(const Node& node, int k) { return k == 0 ? node.a : k == 1 ? node.b : k == 2 ? node.c : node.d; }

  /// Masks that were asked since the last call of begin_checks, each once, in the order of asking.
  const std::vector<Index>& checks() const { return checks_; }
  void begin_checks(std::vector<Index> denied = {});

 private:
  Index keep(const Node& node);
  bool is(Index k, double value) const;
  template <class F>
  Index fold(Index a, Index b, F&& f);
  double rounded(double value) const {
    return rounds_to_float_ ? static_cast<double>(static_cast<float>(value)) : value;
  }
  Index add(Index a, Index b);
  Index subtract(Index a, Index b);
  Index multiply(Index a, Index b);
  Index divide(Index a, Index b);
  Index negate(Index a);
  Index select(Index mask, Index a, Index b);
  /// Whether a comparison of constants holds in all lanes, or in none; else it is not known.
  enum class Known : std::uint8_t { kNo, kHolds, kFails };
  Known known(Index mask) const;

  Index gather_new(const Four& lanes);
  Index gather_same_operation(const Four& lanes);
  bool take_lanes_of_one(const Four& lanes, Index& out);
  std::optional<TapeOp> common_operation(const Four& lanes) const;
  std::optional<std::pair<Index, Index>> operands_for(TapeOp op, Index k);
  void align(Four& a, Four& b) const;
  bool is_alike_in_lanes(Index k) const {
    return node(k).op == TapeOp::kSumLanes || node(k).op == TapeOp::kLargestLane;
  }

  struct Hash {
    std::size_t operator()(const Node& node) const;
  };

  bool rounds_to_float_;
  int num_inputs_ = 0;
  std::vector<Node> nodes_;
  std::vector<char> has_lanes_;
  std::vector<FourNumbers> constants_;
  std::unordered_map<Node, Index, Hash> seen_, gathered_;
  std::map<std::array<std::uint64_t, kLanes>, Index> seen_constants_;  // by their bits
  std::vector<Index> checks_, denied_;
};

}  // namespace delassus
