// What is measured of an operator: the calls that the papers compare.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace delassus::cli {

/// From q: with kinematics and the lowering of contacts. In an order in which each leaves the operator as the next needs it.
enum class Verb : std::uint8_t {
  kProductFromQ,
  kProduct,      // with another vector
  kSolveFromQ,   // damped
  kSolve,        // with another vector
  kRedampSolve,  // with another damping
  kMatrixFromQ,
  kRedampContactsSolve,  // with another damping of all rows but equalities, which keep theirs
};

inline constexpr std::array kAllVerbs{Verb::kProductFromQ, Verb::kProduct,     Verb::kSolveFromQ,         Verb::kSolve,
                                      Verb::kRedampSolve,  Verb::kMatrixFromQ, Verb::kRedampContactsSolve};
/// Those that every report has.
inline constexpr std::array kVerbs{Verb::kProductFromQ, Verb::kProduct,     Verb::kSolveFromQ,
                                   Verb::kSolve,        Verb::kRedampSolve, Verb::kMatrixFromQ};
/// Those of the matrix-free paper, which operators without a matrix are made for.
inline constexpr std::array kPaperVerbs{Verb::kProductFromQ, Verb::kProduct, Verb::kSolveFromQ, Verb::kSolve,
                                        Verb::kRedampSolve};

/// And how a solver of contacts damps anew where there are loops.
inline constexpr std::array kTable1Verbs{Verb::kProductFromQ, Verb::kProduct,     Verb::kSolveFromQ,
                                         Verb::kSolve,        Verb::kRedampSolve, Verb::kRedampContactsSolve};

/// One value for each verb.
template <class Value>
class ByVerb : public std::array<Value, kAllVerbs.size()> {
 public:
  Value& operator[](Verb verb) { return this->at(static_cast<std::size_t>(verb)); }
  const Value& operator[](Verb verb) const { return this->at(static_cast<std::size_t>(verb)); }
};

/// As files and arguments spell it.
constexpr std::string_view name_of(Verb verb) {
  constexpr std::array<std::string_view, kAllVerbs.size()> kNames{
      "product_from_q", "product", "solve_from_q", "solve", "redamp_solve", "matrix_from_q", "redamp_contacts_solve"};
  return kNames[static_cast<std::size_t>(verb)];
}

/// In the heads of tables.
constexpr std::string_view title_of(Verb verb) {
  constexpr std::array<std::string_view, kAllVerbs.size()> kTitles{
      "product from q", "product", "solve from q", "solve", "redamp, solve", "matrix from q", "loops keep"};
  return kTitles[static_cast<std::size_t>(verb)];
}

}  // namespace delassus::cli
