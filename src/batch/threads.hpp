// Threads of a batch. The headers of oneTBB are read by threads.cpp alone.
#pragma once

#include <memory>

namespace delassus {

class BatchThreads {
 public:
  /// 0: as many as there are cores. Throws an Error if there are less.
  explicit BatchThreads(int threads);
  ~BatchThreads();

  int count() const { return count_; }

  /// Calls work(thread, item) for all items, each on some thread; two with the same `thread` never at once. `grain` items at least
  /// stay together.
  template <class Work>
  void for_each(int items, int grain, Work&& work) {
    run(items, grain, &work, [](void* context, int thread, int first, int end) {
      auto& call = *static_cast<std::remove_reference_t<Work>*>(context);
      for (int item = first; item < end; ++item) call(thread, item);
    });
  }

 private:
  using Call = void (*)(void* context, int thread, int first, int end);
  void run(int items, int grain, void* context, Call call);

  class Arena;
  int count_;
  std::unique_ptr<Arena> arena_;  // none for one thread
};

}  // namespace delassus
