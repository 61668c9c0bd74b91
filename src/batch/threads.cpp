#include "batch/threads.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <string>

#include "delassus/math/error.hpp"

#ifdef DELASSUS_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace delassus {
namespace {

// oneTBB of the system is not compiled with the thread sanitizer, which so does not see that work begins after it was handed over
// and is done before run() returns; nor is this file, into which its headers go. Ranges that touch the same memory are still found.
#ifdef DELASSUS_THREAD_SANITIZER
void hand_over(void* work) { __tsan_release(work); }
void take_over(void* work) { __tsan_acquire(work); }
#else
void hand_over(void*) {}
void take_over(void*) {}
#endif

}  // namespace

class BatchThreads::Arena {
 public:
  explicit Arena(int threads) : arena(threads) {}
  tbb::task_arena arena;
};

BatchThreads::BatchThreads(int threads) : count_(threads == 0 ? tbb::info::default_concurrency() : threads) {
  if (threads < 0) {
    throw Error("option 'threads' is " + std::to_string(threads) +
                "; it is 1 or more, or 0 for as many as there are cores");
  }
  if (count_ > 1) arena_ = std::make_unique<Arena>(count_);
}

BatchThreads::~BatchThreads() = default;

void BatchThreads::run(int items, int grain, void* context, Call call) {
  if (!arena_ || items <= grain) return call(context, 0, 0, items);
  char begun = 0, done = 0;
  hand_over(&begun);
  arena_->arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, items, static_cast<std::size_t>(grain)),
                      [&](const tbb::blocked_range<int>& range) {
                        take_over(&begun);
                        call(context, tbb::this_task_arena::current_thread_index(), range.begin(), range.end());
                        hand_over(&done);
                      });
  });
  take_over(&done);
}

}  // namespace delassus
