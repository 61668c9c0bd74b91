// Parts on disk, and the threads that write them.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "support/command.hpp"
#include "sweep/sweep_folder.hpp"

namespace delassus {
namespace {

using testing::read_bytes;
using testing::TemporaryFolder;

ParameterSweep slopes(int cases) {
  return ParameterSweep::parse(R"({"format": "delassus-sweep-1", "scene": "incline:20", "seconds": 0.02, "cases": )" +
                                   std::to_string(cases) +
                                   R"(, "parameters": {"friction": {"uniform": [0, 1]}}, "keep": {"final": ["q"]}})",
                               "slopes.json", ".");
}

/// Every case once, whatever the workers ask for; parts of a wide sweep are small enough for memory.
TEST(SweepQueue, GivesEveryCaseOnce) {
  const ParameterSweep sweep = slopes(10'000);
  SweepQueue queue(sweep, {{5, 100}, {200, 7000}, {9999, 10'000}}, 3);
  std::vector<int> given(10'000, 0);
  std::mutex mutex;
  std::vector<std::jthread> workers;
  for (int w = 0; w < 3; ++w) {
    workers.emplace_back([&, w] {
      for (auto range = queue.next(0); range; range = queue.next(100.0 * w)) {
        const std::scoped_lock lock(mutex);
        for (std::int64_t i = range->first; i < range->end; ++i) ++given[static_cast<std::size_t>(i)];
      }
    });
  }
  workers.clear();
  for (std::int64_t i = 0; i < 10'000; ++i) {
    const bool wanted = (i >= 5 && i < 100) || (i >= 200 && i < 7000) || i == 9999;
    ASSERT_EQ(given[static_cast<std::size_t>(i)], wanted ? 1 : 0) << i;
  }
}

TEST(SweepFolder, ThreadsWriteWhatOneThreadWrites) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes(300);
  for (const int threads : {1, 2}) {
    const SweepFolder folder = SweepFolder::open(sweep, files.path(std::to_string(threads) + ".npz"));
    SweepQueue queue(sweep, folder.missing(), threads);
    EXPECT_EQ(run_sweep(folder, queue, {.threads = threads}).done, 300);
    EXPECT_TRUE(folder.missing().empty());
    folder.merge();
  }
  EXPECT_TRUE(read_bytes(files.path("1.npz")) == read_bytes(files.path("2.npz")));
}

TEST(SweepFolder, SaysWhatIsMissing) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes(100);
  const SweepFolder folder = SweepFolder::open(sweep, files.path("a.npz"));
  folder.write(sweep.run({10, 20}), 0);
  folder.write(sweep.run({15, 40}), 0);  // two runs may overlap
  folder.write(sweep.run({90, 100}), 0);
  EXPECT_EQ(folder.missing(), (std::vector<SweepRange>{{0, 10}, {40, 90}}));
  EXPECT_EQ(folder.missing({12, 30}), std::vector<SweepRange>());
  EXPECT_EQ(folder.missing({30, 50}), (std::vector<SweepRange>{{40, 50}}));
  EXPECT_THROW(folder.merge(), Error);
  folder.write(sweep.run({0, 10}), 0);
  folder.write(sweep.run({40, 90}), 0);
  folder.merge();
  const SweepFolder other = SweepFolder::open(sweep, files.path("b.npz"));
  other.write(sweep.run({0, 100}), 0);
  other.merge();
  EXPECT_TRUE(read_bytes(files.path("a.npz")) == read_bytes(files.path("b.npz")));
  EXPECT_TRUE(is_done(sweep, files.path("a.npz")));
  EXPECT_THROW((void)is_done(slopes(101), files.path("a.npz")), Error);
}

/// Boxes some of which start inside the slope, and fail.
ParameterSweep slopes_that_fail() {
  return ParameterSweep::parse(
      R"({"format": "delassus-sweep-1", "scene": "incline:20", "seconds": 0.02, "cases": 60, "seed": 11,
          "parameters": {"height": {"choice": {"of": [0, 0.1, -0.2]}}}})",
      "slopes.json", ".");
}

/// What a part's rows say counts once, however runs overlapped.
TEST(SweepFolder, FailuresOfPartsThatOverlapCountOnce) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes_that_fail();
  const auto failed = static_cast<std::int64_t>(sweep.run({0, 60}).failures.size());
  ASSERT_GT(failed, 5);
  const SweepFolder folder = SweepFolder::open(sweep, files.path("a.npz"));
  for (const SweepRange range : {SweepRange{0, 30}, {10, 20}, {20, 60}, {5, 45}, {0, 60}}) {
    folder.write(sweep.run(range), 1);
  }
  EXPECT_EQ(folder.failed(), failed);
  EXPECT_EQ(folder.parts().size(), 1U);
  const SweepFolder other = SweepFolder::open(sweep, files.path("b.npz"));
  other.write(sweep.run({0, 40}), 1);
  other.write(sweep.run({20, 60}), 1);
  EXPECT_EQ(other.failed(), failed);
  EXPECT_FALSE(finished_sweep(files.path("b.npz")));
  other.merge();
  const auto finished = finished_sweep(files.path("b.npz.parts"));
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->manifest.cases, 60);
  EXPECT_EQ(finished->manifest.failed, failed);
  // A kill right after the merge leaves the folder, of which nobody needs anything.
  SweepFolder::open(sweep, files.path("b.npz"));
  EXPECT_TRUE(finished_sweep(files.path("b.npz")));
}

/// Rows that somebody has removed, or that a full disk has cut, are computed anew.
TEST(SweepFolder, RowsThatAreGoneAreMissing) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes(40);
  const SweepFolder folder = SweepFolder::open(sweep, files.path("a.npz"));
  folder.write(sweep.run({0, 20}), 0);
  folder.write(sweep.run({20, 40}), 0);
  const auto rows = [&](int part) { return folder.folder() + "/" + folder.parts()[part].file; };
  const std::string first = rows(0), second = rows(1), bytes = read_bytes(second);
  std::filesystem::remove(first);
  EXPECT_EQ(folder.missing(), (std::vector<SweepRange>{{0, 20}}));
  std::filesystem::resize_file(second, bytes.size() / 2);
  EXPECT_EQ(folder.missing(), (std::vector<SweepRange>{{0, 40}}));
  folder.write(sweep.run({0, 20}), 0);
  folder.write(sweep.run({20, 40}), 0);
  EXPECT_TRUE(read_bytes(second) == bytes);
  folder.merge();
}

/// Long cases come one by one at first, so that a kill costs little.
TEST(SweepQueue, FirstPartsAreOfSomeSteps) {
  const auto first_part = [](const std::string& seconds) {
    const ParameterSweep sweep =
        ParameterSweep::parse(R"({"format": "delassus-sweep-1", "scene": "incline:20", "cases": 1000, "seconds": )" +
                                  seconds + R"(, "parameters": {"friction": {"uniform": [0, 1]}}})",
                              "slopes.json", ".");
    return SweepQueue(sweep, {{0, 1000}}, 1).next(0)->size();
  };
  EXPECT_EQ(first_part("0.02"), 64);
  EXPECT_EQ(first_part("10"), 10);
  EXPECT_EQ(first_part("1000"), 1);
}

TEST(SweepFolder, OfAnotherFileSystemIsTold) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes(40);
  EXPECT_THROW(SweepFolder::join(sweep, files.path("a.npz"), 0), Error);
  EXPECT_FALSE(std::filesystem::exists(files.path("a.npz.parts")));
  SweepFolder::open(sweep, files.path("a.npz"));
  EXPECT_EQ(SweepFolder::join(sweep, files.path("a.npz")).folder(), files.path("a.npz.parts"));
  EXPECT_THROW(SweepFolder::join(slopes(41), files.path("a.npz")), Error);
}

ParameterSweep slopes_with_seed(int seed) {
  return ParameterSweep::parse(
      R"({"format": "delassus-sweep-1", "scene": "incline:20", "seconds": 0.02, "cases": 20, "seed": )" +
          std::to_string(seed) + R"(, "parameters": {"friction": {"uniform": [0, 1]}}})",
      "slopes.json", ".");
}

/// Two sweeps that begin under one name at the same moment: one of them has it, and the other one is told.
TEST(SweepFolder, BelongsToOneSweep) {
  const TemporaryFolder files;
  const std::vector<ParameterSweep> sweeps{slopes_with_seed(1), slopes_with_seed(2)};
  for (int round = 0; round < 20; ++round) {
    const std::string results = files.path(std::to_string(round) + ".npz");
    std::atomic<int> ready = 0, opened = 0, refused = 0;
    std::vector<std::jthread> runs;
    for (const ParameterSweep& sweep : sweeps) {
      runs.emplace_back([&] {
        for (++ready; ready < 2;) std::this_thread::yield();
        try {
          SweepFolder::open(sweep, results);
          ++opened;
        } catch (const Error&) {
          ++refused;
        }
      });
    }
    runs.clear();
    EXPECT_EQ(opened, 1) << round;
    EXPECT_EQ(refused, 1) << round;
  }
}

/// A run whose folder was removed and begun anew with another specification, and which goes on writing.
TEST(SweepFolder, TakesNoPartsOfAnotherSweep) {
  const TemporaryFolder files;
  const ParameterSweep old = slopes_with_seed(1), now = slopes_with_seed(2);
  const SweepFolder lingering = SweepFolder::open(old, files.path("a.npz"));
  std::filesystem::remove_all(lingering.folder());
  const SweepFolder folder = SweepFolder::open(now, files.path("a.npz"));
  folder.write(now.run({0, 10}), 0);
  lingering.write(old.run({10, 20}), 0);
  EXPECT_THROW((void)folder.missing(), Error);
  EXPECT_THROW(folder.merge(), Error);
  std::filesystem::remove(folder.folder() + "/0000000000010-0000000000020.json");
  EXPECT_EQ(folder.missing(), (std::vector<SweepRange>{{10, 20}}));
}

/// A run that is still at work when another one of the same sweep has merged all leaves nothing behind.
TEST(SweepFolder, IsGoneForOthersToo) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes_with_seed(1);
  const SweepFolder slow = SweepFolder::open(sweep, files.path("a.npz"));
  const SweepFolder fast = SweepFolder::open(sweep, files.path("a.npz"));
  fast.write(sweep.run({0, 20}), 0);
  fast.merge();
  EXPECT_THROW(slow.write(sweep.run({0, 20}), 0), Error);
  EXPECT_TRUE(is_done(sweep, files.path("a.npz")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(files.path("")), {}), 2);  // results and manifest
}

/// Before all of it is computed, and nothing is made.
TEST(SweepFolder, RefusesWhatAnArchiveCannotHold) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes(100'000'000);
  EXPECT_THROW(SweepFolder::open(sweep, files.path("a.npz")), Error);
  EXPECT_TRUE(std::filesystem::is_empty(files.path("")));
}

/// The folder goes, so that no disk is full of what nobody needs; what it said of machines and durations stays beside the results.
TEST(SweepFolder, LeavesAManifest) {
  const TemporaryFolder files;
  const ParameterSweep sweep = slopes(10);
  const SweepFolder folder = SweepFolder::open(sweep, files.path("a.npz"));
  folder.write(sweep.run({0, 10}), 1.5);
  ASSERT_EQ(folder.parts().size(), 1u);
  EXPECT_EQ(folder.parts()[0].seconds, 1.5);
  folder.merge();
  EXPECT_FALSE(std::filesystem::exists(folder.folder()));
  const std::string manifest = read_bytes(files.path("a.npz.manifest.json"));
  EXPECT_NE(manifest.find(sweep.hash()), std::string::npos);
  EXPECT_NE(manifest.find(folder.maker().commit), std::string::npos);
}

}  // namespace
}  // namespace delassus
