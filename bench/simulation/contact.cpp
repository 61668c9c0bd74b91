#include "bench/simulation/contact.hpp"

#include <algorithm>
#include <concepts>
#include <deque>
#include <memory>
#include <type_traits>

#include "bench/measure/number.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "delassus/scenes/load_named.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/contact_interior_point.hpp"
#include "delassus/solvers/contact_newton.hpp"
#include "delassus/solvers/pgs.hpp"
#include "solvers/unconstrained_motion.hpp"

namespace delassus::cli {
namespace {

constexpr double kTimeStep = 1e-3;
/// PGS works on the matrix, and takes seconds where there are more.
constexpr int kMostPgsRows = 150;

/// A step of one scene, as often as it is called.
class ContactRun {
 public:
  virtual ~ContactRun() = default;
  virtual void step() = 0;
  virtual const ContactCertificate& certificate() const = 0;
};

template <class Solver, class Op>
class RunOn final : public ContactRun {
 public:
  explicit RunOn(const Scene& scene)
      : scene_(scene), state_(scene.model, scene.constraints), motion_(scene.model), op_(scene.model, state_.rows()) {
    const auto rows = static_cast<std::size_t>(state_.num_rows());
    free_.resize(rows);
    lambda_.resize(rows);
    solver_.reserve(static_cast<int>(scene.constraints.size()), state_.num_rows());
  }

  void step() override {
    require(state_.update(scene_.q, scene_.v));
    require(op_.factor(state_));
    require(motion_.factor(op_, state_));
    motion_.begin(op_, state_, scene_.tau, free_);
    for (std::size_t r = 0; r < free_.size(); ++r) free_[r] = state_.velocity()[r] + kTimeStep * free_[r];
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    if constexpr (requires { solver_.set_penalty(0); }) solver_.set_penalty(0);
    ContactProblem problem{state_.rows().spans, state_.rows().sets, free_};
    problem.time_step = kTimeStep;
    // A solve that did not converge is a result here: the certificate says so.
    const Status status = solver_.solve(op_, problem, lambda_);
    if (status.code != Status::Code::kNotConverged) require(status);
  }
  const ContactCertificate& certificate() const override { return solver_.certificate(); }

 private:
  static void require(const Status& status) {
    if (!status.ok()) throw Error("the step failed");
  }

  const Scene& scene_;
  State<double> state_;
  std::conditional_t<std::same_as<Op, CondensedDelassus<double>>, MotionBySweeps<double, Op>, MotionApart<double, Op>>
      motion_;
  Op op_;
  Solver solver_;
  std::vector<double> free_, lambda_;
};

/// A solver on an operator, and what was measured of it so far.
struct Entrant {
  ContactTimes times;
  std::unique_ptr<ContactRun> run;
  TimedCall call;
};

template <class Op>
void add_runs(const Scene& scene, int rows, std::string_view op, std::deque<Entrant>& out) {
  const auto add = [&](const char* solver, std::unique_ptr<ContactRun> run) {
    ContactRun* const step = run.get();
    out.push_back(
        {{.solver = solver, .op = std::string(op)}, std::move(run), TimedCall(solver, [step](std::int64_t calls) {
           for (std::int64_t k = 0; k < calls; ++k) step->step();
         })});
  };
  add("admm", std::make_unique<RunOn<Admm, Op>>(scene));
  add("interior-point", std::make_unique<RunOn<ContactInteriorPoint, Op>>(scene));
  add("newton", std::make_unique<RunOn<ContactNewton, Op>>(scene));
  if (rows < kMostPgsRows) add("pgs", std::make_unique<RunOn<Pgs, Op>>(scene));
}

/// One that takes too long is left out.
template <class Work>
void on_all(std::deque<Entrant>& entrants, Work&& work) {
  for (Entrant& e : entrants) {
    if (!e.times.left_out.empty()) continue;
    try {
      work(e.call);
    } catch (const Error& error) {
      e.times.left_out = error.what();
    }
  }
}

}  // namespace

const std::vector<std::string>& contact_scenes() {
  static const std::vector<std::string> kNames{"go2-standing", "g1-standing",        "cassie-standing-friction",
                                               "g1-fallen",    "g1-fallen-friction", "boxes",
                                               "pyramid",      "box-stack:30"};
  return kNames;
}

ContactResult measure_contact(const std::string& name, const Effort& effort) {
  const Scene scene = load_named(name);
  require_unread(scene.report);
  const int rows = State<double>(scene.model, scene.constraints).num_rows();
  std::deque<Entrant> entrants;
  add_runs<CondensedDelassus<double>>(scene, rows, "condensed", entrants);
  add_runs<LtlDelassus<double>>(scene, rows, "ltl", entrants);
  on_all(entrants, [&](TimedCall& call) { call.calibrate(effort); });
  for (int round = 0; round < effort.rounds; ++round) {
    on_all(entrants, [&](TimedCall& call) { call.sample(effort); });
  }
  ContactResult out{name, scene.model.nv(), rows, static_cast<int>(scene.constraints.size()), {}};
  for (Entrant& e : entrants) {
    if (e.times.left_out.empty()) {
      e.times.median_us = e.call.median_us();
      e.times.least_us = e.call.least_us();
      e.times.certificate = e.run->certificate();
    }
    out.solvers.push_back(e.times);
  }
  return out;
}

std::string contact_head() {
  return fmt::format(
      "one step of {} ms from rest, no motors, Coulomb friction; forces from zero\n"
      "times from q and v to forces in µs, medians of runs that take turns; least: the shortest\n"
      "velocity in m/s (the larger one of velocity and dual) and force in N: by how much the law is missed; work in J; "
      "asked for: 1e-8 m/s\n\n"
      "{:<30}{:>9}{:>9}{:>7}{:>10}{:>10}{:>9}{:>9}  {}\n",
      kTimeStep * 1e3, "", "time", "least", "iter", "dampings", "velocity", "force", "work", "ended");
}

std::string as_text(const ContactResult& result) {
  std::string text =
      fmt::format("{}: nv {}, {} rows of {} constraints\n", result.name, result.nv, result.rows, result.constraints);
  for (const ContactTimes& t : result.solvers) {
    text += fmt::format("  {:<16}{:<12}", t.solver, t.op);
    if (!t.left_out.empty()) {
      text += fmt::format("left out: {}\n", t.left_out);
      continue;
    }
    const ContactCertificate& c = t.certificate;
    text += fmt::format("{:>9}{:>9}{:>7}{:>10}{:>10.0e}{:>9.0e}{:>9.0e}  {}\n", three_digits(t.median_us),
                        three_digits(t.least_us), c.iterations, c.dampings, c.worst(), c.force, c.complementarity,
                        name_of(c.reason));
  }
  return text;
}

nlohmann::json as_json(const ContactResult& result) {
  nlohmann::json out{{"name", result.name},
                     {"nv", result.nv},
                     {"rows", result.rows},
                     {"constraints", result.constraints},
                     {"solvers", nlohmann::json::array()}};
  for (const ContactTimes& t : result.solvers) {
    nlohmann::json one{{"solver", t.solver}, {"operator", t.op}};
    if (t.left_out.empty()) {
      const ContactCertificate& c = t.certificate;
      one.update({{"step_us", t.median_us},
                  {"step_least_us", t.least_us},
                  {"iterations", c.iterations},
                  {"dampings", c.dampings},
                  {"reason", name_of(c.reason)},
                  {"velocity_residual", c.velocity},
                  {"force_residual", c.force},
                  {"primal_residual", c.primal},
                  {"dual_residual", c.dual},
                  {"complementarity_residual", c.complementarity}});
    } else {
      one["left_out"] = t.left_out;
    }
    out["solvers"].push_back(std::move(one));
  }
  return out;
}

}  // namespace delassus::cli
