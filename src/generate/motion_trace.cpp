#include "generate/motion_trace.hpp"

#include <span>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/frames.hpp"
#include "generate/explore.hpp"
#include "generate/input_faults.hpp"
#include "math/traced.hpp"

namespace delassus::generation {
namespace {

constexpr Inputs kAll = 1;

/// A program of one stage that is being written.
template <class B>
class MotionTracer {
 public:
  using T = Traced<B>;

  MotionTracer(MotionTrace& trace, const std::string& stage) : trace_(trace) {
    trace.program.stages = {{stage, kAll, {}}};
  }

  std::vector<T> inputs(const std::string& name, int count, const std::string& size) {
    std::vector<T> list;
    for (int k = 0; k < count; ++k) {
      list.push_back(T::input());
      trace_.program.inputs.push_back({list.back().node, kAll, name + "[" + std::to_string(k) + "]"});
    }
    trace_.arguments.push_back({name, "real", size});
    return list;
  }
  void leave(const T& x, const std::string& place) { trace_.program.outputs.push_back({x.node, 0, place}); }
  void leave(const std::vector<T>& list, const std::string& name, const std::string& size) {
    for (std::size_t k = 0; k < list.size(); ++k) leave(list[k], name + "[" + std::to_string(k) + "]");
    trace_.arguments.push_back({name, "real", size});
  }

 private:
  MotionTrace& trace_;
};

/// Traces for the number that the code computes with: f(std::type_identity<float or double>, trace).
template <class F>
MotionTrace traced(bool is_float, F&& f) {
  MotionTrace trace(is_float);
  const Tape::Recording recording(trace.program.tape);
  if (is_float) {
    f(std::type_identity<float>(), trace);
  } else {
    f(std::type_identity<double>(), trace);
  }
  return trace;
}

}  // namespace

MotionTrace trace_inverse_dynamics(const Model& model, bool is_float) {
  return traced(is_float, [&]<class B>(std::type_identity<B>, MotionTrace& trace) {
    using T = Traced<B>;
    MotionTracer<B> tracer(trace, "inverse_dynamics");
    const std::vector<T> q = tracer.inputs("q", model.nq(), "NQ"), v = tracer.inputs("v", model.nv(), "NV"),
                         a = tracer.inputs("a", model.nv(), "NV");
    Kinematics<T> kin(model);
    Velocities<T> vel(model);
    InverseDynamics<T> work(model);
    std::vector<T> tau(v.size());
    update_kinematics<T>(model, q, kin);
    update_velocities<T>(model, kin, v, vel);
    rnea<T>(model, kin, vel, a, tau, work);
    tracer.leave(tau, "tau", "NV");
  });
}

MotionTrace trace_forward_dynamics(const Model& model, bool is_float) {
  return traced(is_float, [&]<class B>(std::type_identity<B>, MotionTrace& trace) {
    using T = Traced<B>;
    MotionTracer<B> tracer(trace, "forward_dynamics");
    const std::vector<T> q = tracer.inputs("q", model.nq(), "NQ"), v = tracer.inputs("v", model.nv(), "NV"),
                         tau = tracer.inputs("tau", model.nv(), "NV");
    ForwardDynamics<T> work(model);
    std::vector<T> a(v.size());
    std::vector<T> inputs(q);
    for (const auto* list : {&v, &tau}) inputs.insert(inputs.end(), list->begin(), list->end());
    ForwardDynamics<double> library_work(model);
    const InputFaults faults(model, static_cast<int>(inputs.size()), [&](std::span<const double> at) {
      std::vector<double> left(model.nv());
      return aba<double>(model, at.first(q.size()), at.subspan(q.size(), v.size()), at.last(v.size()), left,
                         library_work);
    });
    const auto run = [&] {
      const Status status = faults.check(inputs);
      return status.ok() ? aba<T>(model, q, v, tau, a, work) : status;
    };
    trace.program.stages[0].checks = explore(trace.program.tape, run);
    (void)run();
    tracer.leave(a, "a", "NV");
  });
}

MotionTrace trace_frames(const Model& model, const std::vector<int>& frames, bool is_float) {
  return traced(is_float, [&]<class B>(std::type_identity<B>, MotionTrace& trace) {
    using T = Traced<B>;
    MotionTracer<B> tracer(trace, "frames");
    const std::vector<T> q = tracer.inputs("q", model.nq(), "NQ"), v = tracer.inputs("v", model.nv(), "NV");
    Kinematics<T> kin(model);
    Velocities<T> vel(model);
    update_kinematics<T>(model, q, kin);
    update_velocities<T>(model, kin, v, vel);
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const Pose<T> pose = frame_pose(model, kin, frames[f]);
      const Motion<T> velocity = frame_velocity(model, kin, vel, frames[f]);
      const std::string place = "frames[" + std::to_string(f) + "]";
      for (int k = 0; k < 3; ++k) {
        const std::string at = "[" + std::to_string(k) + "]";
        tracer.leave(pose.p[k], place + ".position" + at);
        tracer.leave(velocity.angular[k], place + ".angular_velocity" + at);
        tracer.leave(velocity.linear[k], place + ".velocity" + at);
      }
      for (int k = 0; k < 9; ++k) tracer.leave(pose.R.a[k], place + ".axes[" + std::to_string(k) + "]");
    }
    trace.arguments.push_back({"frames", "frame", "FRAMES"});
  });
}

}  // namespace delassus::generation
