// Files of results: what stands in them, that the same rows give the same bytes, and that none is left where something went wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "delassus/math/error.hpp"
#include "io/npz.hpp"
#include "io/text_file.hpp"
#include "sweep/result_file.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

using io_test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<SweepColumn> kResultColumns{{"case", "", {}, true},
                                              {"parameters/friction", "", {}, false},
                                              {"parameters/slope", "rad", {}, false},
                                              {"end/q", "m", {2, 3}, false},
                                              {"nothing", "", {0}, false}};
const ResultHead kResultHead{.specification = R"({"format": "delassus-sweep-1"})",
                             .hash = "0123abcd",
                             .version = "1.2",
                             .commit = "",
                             .status_words = {"done", "diverged"}};

/// Rows of these cases, as any sweep that is a function of the case gives them.
SweepRows result_rows(std::int64_t first, std::int64_t end) {
  SweepRows out;
  out.range = {first, end};
  out.columns.resize(kResultColumns.size());
  for (std::int64_t i = first; i < end; ++i) {
    const auto x = static_cast<double>(i);
    out.columns[0].push_back(x);
    out.columns[1].push_back(x / 3);
    out.columns[2].push_back(i == 4 ? std::numeric_limits<double>::quiet_NaN() : -x);
    for (int k = 0; k < 6; ++k) out.columns[3].push_back(x + k / 7.0);
    if (i % 10 == 4) out.failures.push_back({i, "case " + std::to_string(i) + " failed"});
  }
  return out;
}

/// Writes rows in parts of this size.
void write_results(const std::string& path, std::int64_t rows, std::int64_t part) {
  const std::unique_ptr<ResultFile> file = ResultFile::create(path, kResultColumns, rows, kResultHead);
  for (std::int64_t first = 0; first < rows; first += part) file->put(result_rows(first, std::min(first + part, rows)));
  file->keep();
}

int count_files(const TemporaryFolder& folder) {
  const std::filesystem::directory_iterator files(folder.path(""));
  return static_cast<int>(std::distance(begin(files), end(files)));
}

bool has_hdf5() {
  try {
    require_result_name("a.h5");
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Both formats, of those that are there.
class ResultFiles : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() != std::string(".npz") && !has_hdf5()) GTEST_SKIP() << "there is no HDF5";
  }
  static std::string name(const std::string& stem) { return stem + GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Formats, ResultFiles, ::testing::Values(".h5", ".npz"),
                         [](const auto& format) { return std::string(format.param).substr(1); });

TEST_P(ResultFiles, HaveTheirHash) {
  const TemporaryFolder folder;
  for (const std::int64_t rows : {0, 1, 5, 100}) {
    write_results(folder.path(name("a")), rows, 7);
    EXPECT_EQ(result_hash(folder.path(name("a"))), "0123abcd") << rows;
  }
}

/// In whatever parts they come, and whatever else the process did.
TEST_P(ResultFiles, HaveTheSameBytes) {
  const TemporaryFolder folder;
  write_results(folder.path(name("a")), 1000, 1000);
  write_results(folder.path(name("other")), 3, 1);
  write_results(folder.path(name("b")), 1000, 17);
  const std::string bytes = io::read_text_file(folder.path(name("a")));
  EXPECT_EQ(bytes, io::read_text_file(folder.path(name("b"))));
  write_results(folder.path(name("other")), 1000, 10);  // in the place of an old one
  EXPECT_EQ(bytes, io::read_text_file(folder.path(name("other"))));
}

TEST_P(ResultFiles, AreThereOrNot) {
  const TemporaryFolder folder;
  const std::string path = folder.path(name("a"));
  {
    const std::unique_ptr<ResultFile> file = ResultFile::create(path, kResultColumns, 10, kResultHead);
    file->put(result_rows(0, 5));
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_THAT(io_test::error_of([&] { file->keep(); }), HasSubstr("5 of 10 rows are there"));
    EXPECT_THAT(io_test::error_of([&] { file->put(result_rows(6, 7)); }), HasSubstr("do not follow row 5 of 10"));
    EXPECT_THAT(io_test::error_of([&] { file->put(result_rows(5, 11)); }), HasSubstr("do not follow row 5 of 10"));
  }
  EXPECT_EQ(count_files(folder), 0);
}

TEST_P(ResultFiles, TakeLongTexts) {
  const TemporaryFolder folder;
  ResultHead head = kResultHead;
  head.specification = std::string(3'000'000, 'x');  // more than the header of an object takes
  head.hash = std::string(100'000, 'h');
  ResultFile::create(folder.path(name("a")), {}, 0, head)->keep();
  EXPECT_EQ(result_hash(folder.path(name("a"))), head.hash);
}

TEST_P(ResultFiles, RefuseOthersThanWholeNumbers) {
  const TemporaryFolder folder;
  SweepRows rows = result_rows(0, 1);
  rows.columns[0][0] = 0.5;
  const auto write = [&] {
    const std::unique_ptr<ResultFile> file = ResultFile::create(folder.path(name("a")), kResultColumns, 1, kResultHead);
    file->put(rows);
    file->keep();
  };
  EXPECT_EQ(io_test::error_of(write), "the column 'case' has 0.5, and is one of whole numbers");
  rows.columns[0][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(io_test::error_of(write), "the column 'case' has nan, and is one of whole numbers");
  EXPECT_EQ(count_files(folder), 0);
}

TEST_P(ResultFiles, AreToldFromOthers) {
  const TemporaryFolder folder;
  EXPECT_THAT(io_test::error_of([&] { result_hash(folder.path(name("a"))); }), HasSubstr("there is no such file"));
  EXPECT_THROW(result_hash(folder.file(name("a"), "some text")), Error);
  EXPECT_THROW(result_hash(folder.file(name("a"), "")), Error);
  io::NpzWriter archive;
  archive.add_text("hash", "0123");
  archive.add_text("format", "another");
  EXPECT_THAT(io_test::error_of([&] { result_hash(folder.file(name("a"), archive.finish())); }),
              HasSubstr("has no results of a sweep"));
}

/// As on a full disk: the system refuses to let the file grow. In a process of its own, which lives to write another file.
TEST_P(ResultFiles, SayThatTheyCouldNotBeWritten) {
  const TemporaryFolder folder;
  const auto write_limited = [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit low{100'000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    const std::string message = io_test::error_of([&] { write_results(folder.path(name("a")), 10'000, 1000); });
    setrlimit(RLIMIT_FSIZE, &limit);
    write_results(folder.path(name("b")), 10'000, 1000);
    return message.find(folder.path(name("a"))) != std::string::npos &&
           result_hash(folder.path(name("b"))) == "0123abcd";
  };
  EXPECT_EXIT(std::exit(write_limited() ? 0 : 1), ::testing::ExitedWithCode(0), "");
  EXPECT_FALSE(std::filesystem::exists(folder.path(name("a"))));
  EXPECT_EQ(count_files(folder), 1);
}

TEST(ResultNpz, HasItsMembers) {
  const TemporaryFolder folder;
  write_results(folder.path("a.npz"), 5, 2);
  const io::NpzReader file = io::NpzReader::map(folder.path("a.npz"));
  EXPECT_THAT(file.read_texts("format"), ElementsAre("delassus-sweep-results-1"));
  EXPECT_THAT(file.read_texts("specification"), ElementsAre(kResultHead.specification));
  EXPECT_THAT(file.read_texts("commit"), ElementsAre(""));
  EXPECT_THAT(file.read_texts("status_words"), ElementsAre("done", "diverged"));
  EXPECT_THAT(file.read_texts("columns"),
              ElementsAre("case", "parameters/friction", "parameters/slope", "end/q", "nothing"));
  EXPECT_THAT(file.read_texts("units"), ElementsAre("", "", "rad", "m", ""));
  EXPECT_THAT(file.read("case").whole, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(file.read("parameters/friction").real, ElementsAre(0, 1 / 3.0, 2 / 3.0, 1, 4 / 3.0));
  EXPECT_THAT(file.read("end/q").shape, ElementsAre(5, 2, 3));
  EXPECT_THAT(file.read("nothing").shape, ElementsAre(5, 0));
  EXPECT_THAT(file.read("failures/index").whole, ElementsAre(4));
  EXPECT_THAT(file.read_texts("failures/message"), ElementsAre("case 4 failed"));
}

TEST(ResultNpz, SaysThatItIsTooLarge) {
  const TemporaryFolder folder;
  EXPECT_EQ(io_test::error_of(
                [&] { ResultFile::create(folder.path("a.npz"), kResultColumns, std::int64_t{1} << 30U, kResultHead); }),
            folder.path("a.npz") +
                ": 72.0 GiB of numbers are too many for an .npz file, of which 2 GiB are the most; "
                "give the results a name that ends in .h5");
  EXPECT_EQ(count_files(folder), 0);
}

TEST(ResultNames, AreThoseOfFormats) {
  EXPECT_EQ(io_test::error_of([] { require_result_name("results.csv"); }),
            "'results.csv' is no name for a file of results: let it end in .h5 or .hdf5 (HDF5), or .npz (NumPy)");
  EXPECT_NO_THROW(require_result_name("folder/a.npz"));
}

TEST(ResultNames, OfColumnsAreTheirOwn) {
  for (const char* name : {"hash", "failures", "failures/index", "columns"})
    EXPECT_TRUE(is_reserved_column(name)) << name;
  for (const char* name : {"case", "parameters/hash", "hashes"}) EXPECT_FALSE(is_reserved_column(name)) << name;
  const TemporaryFolder folder;
  const std::vector<SweepColumn> columns{{"hash", "", {}, false}};
  EXPECT_EQ(io_test::error_of([&] { ResultFile::create(folder.path("a.npz"), columns, 1, kResultHead); }),
            "the column 'hash' has the name of something else in a file of results; give it another");
}

}  // namespace
}  // namespace delassus
