#include "generate/other_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // NOLINT: sigset_t and kill are those of POSIX
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "model/wording.hpp"

extern char** environ;  // NOLINT: of POSIX

namespace delassus::generation {
namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 10U;

bool is_program(const std::string& path) {
  struct stat file {};
  return stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string read_some(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostOutput, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

/// The environment, but for the language of messages.
std::vector<std::string> english_environment() {
  std::vector<std::string> list;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("LC_ALL=") && !text.starts_with("LANGUAGE=")) list.emplace_back(text);
  }
  list.emplace_back("LC_ALL=C");
  return list;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

/// In a process group of its own, so that all of it can be ended; signals are as at the start of a program.
int start(std::vector<std::string> words, const std::string& log, pid_t& child) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  std::vector<std::string> environment = english_environment();
  const int error = posix_spawn(&child, words.front().c_str(), &files, &attributes, pointers(words).data(),
                                pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/// waitpid until then; false if it is still running.
bool wait_for(pid_t child, std::chrono::steady_clock::time_point end, int& status) {
  std::chrono::microseconds pause(500);
  for (;;) {
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return true;
    // Who ignores SIGCHLD is not told how children end: then what they left tells.
    if (done < 0 && errno != EINTR) {
      status = 0;
      return true;
    }
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20'000));
  }
}

/// The first line with "error" in it, else the first one.
std::string telling_line(const std::string& output) {
  std::istringstream lines(output);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (line.find("error") != std::string::npos) return printable(line);
    if (first.empty()) first = line;
  }
  return printable(first);
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    if (!folder.starts_with('/') || name.empty()) continue;  // what lies in the current folder is not meant
    if (std::string file = folder + "/" + name; is_program(file)) return file;
  }
  return "";
}

std::string Ended::in_words() const {
  const std::string line = telling_line(output), said = line.empty() ? "" : ": " + line;
  switch (how) {
    case How::kExited:
      return fmt::format("ended with status {}{}", code, said);
    case How::kKilled:
      return fmt::format("was ended by signal {}{}", code, said);
    case How::kTooSlow:
      return fmt::format("was stopped after {} s{}", code, said);
    case How::kNotStarted:
      return "cannot be started: " + std::generic_category().message(code);
  }
  return "";
}

Ended run_program(const std::vector<std::string>& words, const std::string& log, double seconds) {
  Ended ended;
  pid_t child = 0;
  // Beyond a year there is no clock that counts.
  const std::chrono::duration<double> limit(std::clamp(seconds, 0.0, 3e7));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::milliseconds>(limit);
  if ((ended.code = start(words, log, child)) != 0) return ended;
  int status = 0;
  const bool in_time = wait_for(child, end, status);
  if (!in_time) {
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  ended.output = read_some(log);
  ended.how = !in_time ? Ended::How::kTooSlow : WIFEXITED(status) ? Ended::How::kExited : Ended::How::kKilled;
  ended.code = !in_time ? static_cast<int>(limit.count()) : WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  return ended;
}

}  // namespace delassus::generation
