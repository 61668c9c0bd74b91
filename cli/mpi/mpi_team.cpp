#include "cli/mpi/mpi_team.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

constexpr int kWish = 1, kGift = 2, kFarewell = 3;

/// From a rank: so fast am I, and so much is done; the last one is a farewell. From the leader: cases, or none for good.
struct Wish {
  double cases_per_second = 0;
  std::int64_t done = 0, failed = 0;
  std::int64_t stopped = 0;  // 1: what I have got last is not done, and I want no more
};

/// Asks the leader. One thread at a time speaks to MPI.
class LedSource : public SweepSource {
 public:
  std::optional<SweepRange> next(double cases_per_second) override {
    const std::scoped_lock lock(mutex_);
    if (ended_) return std::nullopt;
    const SweepRange gift = ask({cases_per_second, done_, failed_, 0});
    ended_ = gift.size() == 0;
    return ended_ ? std::nullopt : std::optional(gift);
  }
  /// After the last thread has come back: by the leader's word, or by a signal that the leader knows nothing of.
  void end() {
    if (!ended_) ask({0, done_, failed_, 1});
  }
  void note(const SweepProgress& p) {
    const std::scoped_lock lock(mutex_);
    done_ = p.done;
    failed_ = p.failed;
  }
  static void take_leave(const SweepProgress& p) {
    const Wish wish{0, p.done, p.failed, 0};
    MPI_Send(&wish, sizeof wish, MPI_BYTE, 0, kFarewell, MPI_COMM_WORLD);
  }

 private:
  static SweepRange ask(const Wish& wish) {
    SweepRange gift;
    MPI_Send(&wish, sizeof wish, MPI_BYTE, 0, kWish, MPI_COMM_WORLD);
    MPI_Recv(&gift, sizeof gift, MPI_BYTE, 0, kGift, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return gift;
  }

  std::mutex mutex_;
  std::int64_t done_ = 0, failed_ = 0;
  bool ended_ = false;
};

/// What the other ranks say, and what they get.
class Desk {
 public:
  Desk(SweepQueue& queue, int ranks) : queue_(queue), wishes_(static_cast<std::size_t>(ranks)), working_(ranks - 1) {}

  bool has_guests() const { return working_ > 0; }
  /// Whether a signal has ended a rank: its last cases are missing. May be asked by any thread.
  bool is_stopped() const { return stopped_; }

  /// Answers whoever has asked. After `ending`, or when a rank was stopped, nobody gets more.
  void serve(bool ending) {
    for (int flag = 1; flag != 0;) {
      MPI_Status from;
      MPI_Iprobe(MPI_ANY_SOURCE, kWish, MPI_COMM_WORLD, &flag, &from);
      if (flag == 0) return;
      Wish& wish = wishes_[static_cast<std::size_t>(from.MPI_SOURCE)];
      MPI_Recv(&wish, sizeof wish, MPI_BYTE, from.MPI_SOURCE, kWish, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (wish.stopped != 0) stopped_ = true;
      const std::optional<SweepRange> cases = ending || stopped_ ? std::nullopt : queue_.next(wish.cases_per_second);
      if (!cases) --working_;
      const SweepRange gift = cases.value_or(SweepRange{});
      MPI_Send(&gift, sizeof gift, MPI_BYTE, from.MPI_SOURCE, kGift, MPI_COMM_WORLD);
    }
  }

  /// After the last gift: what the others have done in the end.
  void see_off() {
    for (std::size_t rank = 1; rank < wishes_.size(); ++rank)
      MPI_Recv(&wishes_[rank], sizeof(Wish), MPI_BYTE, static_cast<int>(rank), kFarewell, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  }

  /// With what the others have done.
  SweepProgress sum(SweepProgress own) const {
    for (const Wish& w : wishes_) {
      own.done += w.done;
      own.failed += w.failed;
    }
    return own;
  }

 private:
  SweepQueue& queue_;
  std::vector<Wish> wishes_;
  int working_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

MpiTeam::MpiTeam(int& argc, char**& argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < MPI_THREAD_SERIALIZED)
    throw Error("this MPI cannot be called from several threads in turn; use --shard instead");
}

MpiTeam::~MpiTeam() { MPI_Finalize(); }

void MpiTeam::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();  // not reached
}

bool MpiTeam::agree(bool ready) {
  int word = ready ? 1 : 0;
  MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return word != 0;
}

SweepProgress MpiTeam::run(const SweepFolder& folder, std::vector<SweepRange> ranges, const SweepRunOptions& options) {
  return leads() ? lead(folder, std::move(ranges), options) : follow(folder, options);
}

/// Own workers run beside this thread, which answers the others: a wish waits for as long as a sleep here at most.
SweepProgress MpiTeam::lead(const SweepFolder& folder, std::vector<SweepRange> ranges, const SweepRunOptions& options) {
  constexpr auto kNap = std::chrono::microseconds(500);
  SweepQueue queue(folder.sweep(), std::move(ranges), size_ * options.threads);
  Desk desk(queue, size_);
  SweepRunOptions own = options;
  own.stop = [&] { return desk.is_stopped() || (options.stop && options.stop()); };
  std::mutex mutex;
  SweepProgress here;
  own.progress = [&](const SweepProgress& p) {
    const std::scoped_lock lock(mutex);
    here = p;
  };
  std::atomic<bool> working = true;
  std::exception_ptr failure;
  std::jthread crew([&] {
    try {
      const SweepProgress done = run_sweep(folder, queue, own);
      own.progress(done);
    } catch (...) {
      failure = std::current_exception();
    }
    working = false;
  });
  const auto start = std::chrono::steady_clock::now();
  const auto all = [&] {
    const std::scoped_lock lock(mutex);
    SweepProgress out = desk.sum(here);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  };
  while (working || desk.has_guests()) {
    desk.serve(options.stop && options.stop());
    if (!working && failure) break;
    if (options.progress) options.progress(all());
    std::this_thread::sleep_for(kNap);
  }
  crew.join();
  if (failure) std::rethrow_exception(failure);
  desk.see_off();
  if (desk.is_stopped() && !(options.stop && options.stop()))
    throw Error("a rank was stopped by a signal; the same command goes on with what is done");
  return all();
}

SweepProgress MpiTeam::follow(const SweepFolder& folder, const SweepRunOptions& options) {
  LedSource source;
  SweepRunOptions own = options;
  own.progress = [&](const SweepProgress& p) { source.note(p); };
  const SweepProgress out = run_sweep(folder, source, own);
  source.end();
  LedSource::take_leave(out);
  return out;
}

}  // namespace delassus::cli
