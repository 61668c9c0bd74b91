// Where the test files are, and how to look at an Error.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "delassus/math/error.hpp"

namespace delassus::io_test {

inline std::filesystem::path corpus() { return std::filesystem::path(DELASSUS_SOURCE_DIR) / "tests" / "corpus"; }

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::filesystem::path> files_with(const std::filesystem::path& folder,
                                                     const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The parts that the message must have: the lines of a file beside it, or the comment in its first line.
inline std::vector<std::string> expected_parts(const std::filesystem::path& path) {
  std::vector<std::string> parts;
  std::filesystem::path beside = path;
  beside.replace_extension(".expect");
  if (std::filesystem::exists(beside)) {
    std::istringstream lines(read_file(beside));
    for (std::string line; std::getline(lines, line);) parts.push_back(line);
    return parts;
  }
  const std::string text = read_file(path);
  const std::string start = "<!-- expect: ", separator = " | ";
  if (!text.starts_with(start)) return parts;
  std::string rest = text.substr(start.size(), text.find(" -->") - start.size());
  for (std::size_t cut = rest.find(separator); cut != std::string::npos; cut = rest.find(separator)) {
    parts.push_back(rest.substr(0, cut));
    rest.erase(0, cut + separator.size());
  }
  parts.push_back(rest);
  return parts;
}

/// The message of the Error that a function throws; empty, and a failure, if it throws none.
template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << text << "\" does not contain \"" << part << "\"";
}

/// A folder that is gone at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(::testing::TempDir()) /
            (std::string("delassus_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace delassus::io_test
