#include "bench/planner/planner_measure.hpp"

#include <array>
#include <memory>
#include <optional>

#include "cli/shell/delassus_matrix.hpp"
#include "delassus/math/error.hpp"
#include "delassus/operators/operator.hpp"

namespace delassus::cli {
namespace {

/// The penalty that ADMM begins with, relative to the mean of the diagonal; and one that is a little off, so that no call
/// repeats the numbers of the one before.
constexpr std::array kPenalties{0.1, 0.11};

/// What is measured: calls that need a fresh q together with it.
enum Timed : std::uint8_t { kFactor, kFactorMatrix, kProduct, kFactorDamping, kRedamping, kSolve, kTimed };

/// One algorithm on a scene, with the memory that its calls need.
class Entrant {
 public:
  Entrant(const BenchScene& scene, Algorithm algorithm)
      : scene_(scene), op_(scene.model, scene.constraints, algorithm), y_(scene.x.size()) {
    matrix_.resize(y_.size() * y_.size());
    update();
    op_.diagonal(y_);
    double sum = 0;
    for (const double d : y_) sum += d;
    scale_ = sum / static_cast<double>(y_.size());
  }

  bool in_lanes() const {
    const auto* limbs = std::get_if<LimbDelassus<double>>(&op_.held());
    return !limbs || limbs->in_lanes();
  }
  /// What has to come before the call and is no part of it.
  void prepare(Timed what) {
    if (what == kSolve && !op_.damped()) damp();
    if (what == kRedamping && !op_.damped()) damp();
  }
  void call(Timed what) {
    if (what == kFactor || what == kFactorMatrix || what == kFactorDamping) update();
    if (what == kFactorMatrix) op_.dense(MatrixView<double>(matrix_.data(), op_.rows(), op_.rows()));
    if (what == kProduct) op_.apply(scene_.x, y_);
    if (what == kFactorDamping || what == kRedamping) damp();
    if (what == kSolve) require(op_.solve(scene_.x, y_));
  }

 private:
  void update() { require(op_.update(scene_.q[configurations_++ % scene_.q.size()])); }
  void damp() { require(op_.update_damping(scale_ * kPenalties[dampings_++ % kPenalties.size()])); }
  void require(const Status& status) const { require_ok(status, scene_.model, scene_.constraints); }

  const BenchScene& scene_;
  Operator<double> op_;
  std::vector<double> y_, matrix_;
  double scale_ = 0;  // of Λ⁻¹
  unsigned configurations_ = 0, dampings_ = 0;
};

struct Candidate {
  Algorithm algorithm;
  std::unique_ptr<Entrant> entrant;
  std::vector<TimedCall> calls;  // in the order of Timed
};

std::optional<Candidate> make_candidate(const BenchScene& scene, Algorithm algorithm, const Effort& effort) {
  Candidate out{algorithm, std::make_unique<Entrant>(scene, algorithm), {}};
  if (!out.entrant->in_lanes()) return std::nullopt;  // it is the condensed tree
  for (int k = 0; k < kTimed; ++k) {
    const auto what = static_cast<Timed>(k);
    Entrant* entrant = out.entrant.get();
    entrant->prepare(what);
    TimedCall call(std::string(name_of(algorithm)), [=](std::int64_t calls) {
      for (std::int64_t c = 0; c < calls; ++c) entrant->call(what);
    });
    call.calibrate(effort);
    out.calls.push_back(std::move(call));
  }
  return out;
}

OperatorTime times_of(const Candidate& c) {
  const auto ns = [&](Timed what) { return c.calls[what].least_us(); };
  const double factor = ns(kFactor);
  return {factor, ns(kFactorMatrix) - factor, ns(kProduct), ns(kFactorDamping) - factor, ns(kRedamping), ns(kSolve)};
}

}  // namespace

std::map<Algorithm, OperatorTime> measure_calls(const BenchScene& scene, const Effort& effort) {
  std::vector<Candidate> candidates;
  for (const Algorithm algorithm : kDirectAlgorithms) {
    try {
      if (auto c = make_candidate(scene, algorithm, effort)) candidates.push_back(std::move(*c));
    } catch (const Error&) {  // one call takes seconds, or the scene is singular for it: it is not the best
    }
  }
  for (int round = 0; round < effort.rounds; ++round) {
    for (Candidate& c : candidates) {
      for (int k = 0; k < kTimed; ++k) {
        c.entrant->prepare(static_cast<Timed>(k));
        c.calls[k].sample(effort);
      }
    }
  }
  std::map<Algorithm, OperatorTime> out;
  for (const Candidate& c : candidates) out.emplace(c.algorithm, times_of(c));
  return out;
}

}  // namespace delassus::cli
