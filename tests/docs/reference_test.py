#!/usr/bin/env python3
"""How docs/site/headers.py reads headers: what is told, what is left out, and under which name."""

from __future__ import annotations

import unittest

from blocks import ROOT  # noqa: F401  also finds docs/site
from headers import Item, read_header

HEADER = """// What it is for.
//
//   y = A x
#pragma once
#include <vector>

namespace delassus {

/// A place.
struct Place {
  int frame = 0;
  Pose<double> offset = Pose<double>::identity();  // in the frame
  bool operator==(const Place&) const = default;
};
struct Tag {};

#define DELASSUS_TWICE(T) f(T); \\
  f(T);
DELASSUS_TWICE(int)

/// Solves.
template <class T>
  requires(sizeof(T) > 4)
class [[nodiscard]] Solver : public Base<T> {
 public:
  explicit Solver(int rows = {}) : rows_(rows), all_{rows} {}
  /// The size.
  int rows() const { return rows_; }
  int columns() const;
  // ------------------------------------------------------------ verbs
  template <class Op>
    requires requires(Op& op) {
      op.apply();
    }
  Status solve(Op& op, const char* brace = "}{");

 private:
  int rows_;  // NOLINT
};

template <class T>
concept Scalar = requires(T a) {
  { a + a } -> std::convertible_to<T>;
};

template <class T>
DELASSUS_INLINE T select(bool mask,
                         T a) { return mask ? a : T{}; }
enum class Kind : char { kOne, kTwo };
constexpr int kSizes[] = {1, 2};
template <class T>
int Solver<T>::columns() const {
  return 1;
}
extern template class Solver<double>;

}  // namespace delassus
namespace delassus::oracle {
double slow(double x);
}
"""


def outline(items: list[Item]) -> list[str | tuple[str, list[str]]]:
    return [(item.name, [member.name for member in item.members]) if item.members else item.name for item in items]


class Headers(unittest.TestCase):
    def setUp(self) -> None:
        self.header = read_header(HEADER)
        self.items = {item.name: item for item in self.header.items}

    def test_names(self) -> None:
        self.assertEqual(outline(self.header.items),
                         [("Place", ["frame", "offset", "operator=="]), "Tag", ("Solver", ["Solver", "rows", "columns", "solve"]),
                          "Scalar", "select", "Kind", "kSizes", "oracle::slow"])

    def test_comments(self) -> None:
        self.assertEqual(self.header.comment, ["What it is for.", "", "  y = A x"])
        self.assertEqual(self.items["Place"].comment, ["A place."])
        made, rows, columns, solve = self.items["Solver"].members
        self.assertEqual((rows.comment, columns.comment, columns.apart), (["The size."], [], False))
        self.assertEqual((made.heading, solve.heading), ("", "verbs"))

    def test_code_is_without_bodies(self) -> None:
        made, rows, _, solve = self.items["Solver"].members
        self.assertEqual(made.code, "explicit Solver(int rows = {});")
        self.assertEqual(rows.code, "int rows() const;")
        self.assertTrue(solve.code.endswith('Status solve(Op& op, const char* brace = "}{");'), solve.code)
        self.assertEqual(self.items["select"].code, "template <class T>\nT select(bool mask,\n         T a);")
        self.assertEqual(self.items["Place"].members[1].code, "Pose<double> offset = Pose<double>::identity();  // in the frame")
        self.assertEqual(self.items["Kind"].code, "enum class Kind : char { kOne, kTwo };")

    def test_c(self) -> None:
        header = read_header("/* In C.\n * All of it. */\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n/* Frees it. */\n"
                             "void op_free(op* it);\ntypedef struct op op;\n#ifdef __cplusplus\n}\n#endif\n")
        self.assertEqual((header.comment, outline(header.items)), (["In C.", "All of it."], ["op_free", "op"]))
        self.assertEqual(header.items[0].comment, ["Frees it."])


if __name__ == "__main__":
    unittest.main()
