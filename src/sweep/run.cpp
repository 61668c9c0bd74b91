// Workers of one process: each takes cases from the source, simulates them, and writes a part.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "sweep/sweep_folder.hpp"

namespace delassus {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Bytes of the rows of a part at most.
constexpr std::int64_t kMostBytes = std::int64_t{32} << 20U;
/// A first part, before anybody knows how long cases take: at most so many, and of about so many steps.
constexpr std::int64_t kFirstCases = 64, kFirstSteps = 100'000;
/// Seconds of a part: long enough that files cost nothing, and as much as a kill may lose. Longer runs have longer parts, so that there are never too many.
constexpr double kLeastSeconds = 1, kMostSeconds = 60, kShareOfRun = 0.1;

}  // namespace

struct SweepQueue::Parts {
  std::mutex mutex;
  std::vector<SweepRange> ranges;  // the next one last
  std::int64_t left = 0, most = 1, first = kFirstCases;
  int workers = 1;
  Clock::time_point start = Clock::now();
};

SweepQueue::SweepQueue(const ParameterSweep& sweep, std::vector<SweepRange> ranges, int workers)
    : parts_(std::make_unique<Parts>()) {
  std::int64_t bytes = 0;
  for (const SweepColumn& c : sweep.columns()) bytes += 8 * c.width();
  parts_->most = std::max<std::int64_t>(kMostBytes / bytes, 1);
  parts_->workers = workers;
  parts_->first = std::clamp<std::int64_t>(kFirstSteps / std::max<std::int64_t>(sweep.steps(), 1), 1, kFirstCases);
  for (const SweepRange& r : ranges) parts_->left += r.size();
  std::ranges::reverse(ranges);
  parts_->ranges = std::move(ranges);
}
SweepQueue::~SweepQueue() = default;

/// Shrinks towards the end, so that all workers end together.
std::optional<SweepRange> SweepQueue::next(double cases_per_second) {
  Parts& p = *parts_;
  const std::scoped_lock lock(p.mutex);
  if (p.ranges.empty()) return std::nullopt;
  const double seconds = std::clamp(kShareOfRun * since(p.start), kLeastSeconds, kMostSeconds);
  const auto wanted =
      cases_per_second > 0 ? static_cast<std::int64_t>(std::min(cases_per_second * seconds, 1e15)) : p.first;
  const std::int64_t fair = (p.left + 2 * p.workers - 1) / (2 * p.workers);
  const std::int64_t size = std::clamp<std::int64_t>(std::min(wanted, fair), 1, p.most);
  SweepRange& from = p.ranges.back();
  const SweepRange out{from.first, std::min(from.first + size, from.end)};
  from.first = out.end;
  p.left -= out.size();
  if (from.size() == 0) p.ranges.pop_back();
  return out;
}

namespace {

/// All that workers share.
class Crew {
 public:
  Crew(const SweepFolder& folder, SweepSource& source, const SweepRunOptions& options)
      : folder_(folder), source_(source), options_(options) {}

  SweepProgress run() {
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    working_ = options_.threads > 0 ? options_.threads : static_cast<int>(cores);
    std::vector<std::jthread> threads;
    const int count = working_;
    for (int k = 0; k < count; ++k) threads.emplace_back([this] { work(); });
    wait();
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
    return progress();
  }

 private:
  bool must_stop() const { return stopping_ || (options_.stop && options_.stop()); }

  void work() {
    try {
      double rate = 0;
      for (auto range = source_.next(rate); range && !must_stop(); range = source_.next(rate)) {
        const Clock::time_point start = Clock::now();
        const SweepRows rows = folder_.sweep().run(*range, [this] { return must_stop(); });
        folder_.write(rows, since(start));
        note(rows);
        rate = static_cast<double>(range->size()) / std::max(since(start), 1e-6);
      }
    } catch (const SweepStopped&) {
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopping_ = true;
    }
    const std::scoped_lock lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  void note(const SweepRows& rows) {
    const std::scoped_lock lock(mutex_);
    done_ += rows.range.size();
    failed_ += static_cast<std::int64_t>(rows.failures.size());
  }

  SweepProgress progress() {
    const std::scoped_lock lock(mutex_);
    return {done_, failed_, since(start_)};
  }

  void wait() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return working_ == 0; })) return;
      }
      if (options_.progress) options_.progress(progress());
    }
  }

  const SweepFolder& folder_;
  SweepSource& source_;
  const SweepRunOptions& options_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stopping_ = false;
  int working_ = 0;
  std::int64_t done_ = 0, failed_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

SweepProgress run_sweep(const SweepFolder& folder, SweepSource& source, const SweepRunOptions& options) {
  return Crew(folder, source, options).run();
}

}  // namespace delassus
