// What a kernel computes, written down: nodes that name their operands, each made once.
//
// Traced (math/traced.hpp) are scalars whose operators append to the tape of their thread. Sums with 0, products with 0, 1 and -1,
// signs and constants are folded, equal nodes are shared. x - x is not folded: it tells whether x is finite.
//
// Kernels never branch on a scalar but by all_lanes(mask). Here that is a check: it is written down and holds, unless the mask is
// denied. What a kernel does when a check fails is seen by running it again with that mask denied.
#pragma once

#include <cstdint>
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
  kSelect,  // a where the mask holds, else b
};

class Tape {
 public:
  using Index = std::int32_t;
  /// The constant 0 of every tape.
  static constexpr Index kZero = 0;

  struct Node {
    TapeOp op;
    Index a = 0, b = 0, c = 0;  // operands; of a constant or an input, its number
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

  Index constant(double value);
  Index input();
  /// Folds and shares. For kSelect a is the mask.
  Index record(TapeOp op, Index a, Index b = 0, Index c = 0);
  /// Whether a mask holds: known of constants, else written down as a check, which holds unless it is denied.
  bool ask(Index mask);

  int size() const { return static_cast<int>(nodes_.size()); }
  int num_inputs() const { return num_inputs_; }
  const Node& node(Index k) const { return nodes_[static_cast<std::size_t>(k)]; }
  double value(Index constant) const { return constants_[static_cast<std::size_t>(node(constant).a)]; }
  bool is_constant(Index k) const { return node(k).op == TapeOp::kConstant; }
  static int operands(TapeOp op);
  static Index operand(const Node& node, int k) { return k == 0 ? node.a : k == 1 ? node.b : node.c; }

  /// Masks that were asked since the last call of begin_checks, each once, in the order of asking.
  const std::vector<Index>& checks() const { return checks_; }
  void begin_checks(std::vector<Index> denied = {});

 private:
  Index keep(const Node& node);
  bool is(Index k, double value) const { return is_constant(k) && this->value(k) == value; }
  double rounded(double value) const {
    return rounds_to_float_ ? static_cast<double>(static_cast<float>(value)) : value;
  }
  Index add(Index a, Index b);
  Index subtract(Index a, Index b);
  Index multiply(Index a, Index b);
  Index divide(Index a, Index b);
  Index negate(Index a);
  Index select(Index mask, Index a, Index b);

  struct Hash {
    std::size_t operator()(const Node& node) const;
  };

  bool rounds_to_float_;
  int num_inputs_ = 0;
  std::vector<Node> nodes_;
  std::vector<double> constants_;
  std::unordered_map<Node, Index, Hash> seen_;
  std::unordered_map<std::uint64_t, Index> seen_constants_;  // by their bits
  std::vector<Index> checks_, denied_;
};

}  // namespace delassus
