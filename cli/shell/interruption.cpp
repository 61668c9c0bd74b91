#include "cli/shell/interruption.hpp"

#include <csignal>
#include <cstdlib>

namespace delassus::cli {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note_signal(int signal) {
  noted = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  noted = 0;
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interruption::asked() const { return noted != 0; }

void Interruption::obey() {
  std::raise(noted);
  std::abort();  // not reached: the signal has its default effect again
}

}  // namespace delassus::cli
