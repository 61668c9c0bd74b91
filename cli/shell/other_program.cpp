#include "cli/shell/other_program.hpp"

#include <unistd.h>

#include <filesystem>

#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

/// Where the system does not say which file this program is, the first that PATH has.
std::string beside(const std::string& name) {
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  return none ? name : (self.parent_path() / name).string();
}

}  // namespace

void become(const std::string& name, std::vector<std::string> words, const std::string& advice) {
  const std::string program = beside(name);
  words.insert(words.begin(), program);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(program.c_str(), arguments.data());
  throw Error("this is in a program of its own, and " + program + " cannot be started; " + advice);
}

}  // namespace delassus::cli
