// The sets of constraints that a live page knows: as many as its frames can have, however long the simulation runs.
#include "cli/pages/structures.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cli/viewer/live_log.hpp"
#include "delassus/constraints/lower.hpp"
#include "scenes/boxes.hpp"

namespace delassus::cli {
namespace {

/// Contacts at the corner of the boxes whose bits are set, so that each number is a set of its own.
class Sets {
 public:
  explicit Sets(int kept) : structures(model, kept) {}

  int find(unsigned bits) {
    std::vector<Constraint> constraints;
    std::vector<std::string> names;
    for (int box = 0; box < kBoxes; ++box) {
      if ((bits >> box & 1U) == 0) continue;
      names.push_back("box" + std::to_string(box + 1));
      constraints.emplace_back(PointContact{.name = names.back(), .a = attach(model, names.back())});
    }
    ConstraintRows<double> rows;
    lower_structure<double>(model, constraints, rows);
    return structures.find(constraints, names, rows);
  }

  static constexpr int kBoxes = 10;
  const Model model{make_box_stack(kBoxes)};
  Structures structures;
};

TEST(Structures, AreAllKeptInARecording) {
  Sets sets(0);
  for (unsigned k = 1; k < 200; ++k) EXPECT_EQ(sets.find(k), static_cast<int>(k) - 1);
  EXPECT_EQ(sets.find(1), 0);
  EXPECT_EQ(sets.structures.texts().size(), 199u);
}

TEST(Structures, OfALivePageAreNoMoreThanItsFrames) {
  constexpr int kKept = 20;
  Sets sets(kKept);
  std::vector<std::pair<unsigned, int>> last;  // of the frames: set and index
  for (unsigned k = 1; k < 1000; ++k) {
    const unsigned bits = k % 7 == 0 ? 1023 : k;  // one comes again and again
    last.emplace_back(bits, sets.find(bits));
    // No two sets of the last frames share an index.
    std::set<std::pair<unsigned, int>> pairs;
    std::set<unsigned> seen;
    std::set<int> indices;
    for (std::size_t f = last.size() - std::min<std::size_t>(last.size(), kKept); f < last.size(); ++f) {
      pairs.insert(last[f]);
      seen.insert(last[f].first);
      indices.insert(last[f].second);
    }
    ASSERT_EQ(pairs.size(), seen.size());
    ASSERT_EQ(indices.size(), seen.size());
  }
  EXPECT_LE(sets.structures.texts().size(), kKept + 1u);
  EXPECT_EQ(sets.structures.number(static_cast<std::size_t>(sets.find(1023))), 6);  // the seventh that was made
}

/// A page is told of a set again if its index has gone to another one.
TEST(LiveLog, TellsOfSetsThatTookAnIndex) {
  Sets sets(3);
  LiveLog log(sets.structures);
  LiveLog::Reader reader;
  const auto told = [&](unsigned bits) {
    const int index = sets.find(bits);
    log.add("{}");
    const std::string event = log.next_event(reader);
    return event.find("\"structures_at\":[" + std::to_string(index) + "]") != std::string::npos;
  };
  for (const unsigned bits : {1U, 2U, 3U, 4U, 5U, 6U, 1U}) EXPECT_TRUE(told(bits)) << bits;
  EXPECT_FALSE(told(1));
}

}  // namespace
}  // namespace delassus::cli
