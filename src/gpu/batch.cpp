#include <algorithm>
#include <future>
#include <limits>
#include <optional>

#include "batch/shapes.hpp"
#include "gpu/compiler.hpp"
#include "gpu/kernel_text.hpp"
#include "gpu/loaded_kernel.hpp"

namespace delassus::gpu {
namespace {

template <class T>
constexpr const char* kRealName = sizeof(T) == 4 ? "float" : "double";

template <class T>
Array<T> array_of(const BatchView<T>& view) {
  return {view.data(), view.environment_stride(), static_cast<int>(view.component_stride())};
}

template <class T>
std::vector<T> converted(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

}  // namespace

template <class T>
class Batch<T>::Parts {
 public:
  Parts(const Device& device, const Model& model, int count, const BatchOptions& options)
      : plan(make_plan(model, options.constraints)),
        size(require_count(count)),
        model_(model),
        device_(device),
        numbers_(device, plan.numbers.size()),
        indices_(device, plan.indices.size()),
        solves_contacts(options.contact_forces),
        status(device, static_cast<std::size_t>(count)),
        outcome(device, options.contact_forces ? 2 * static_cast<std::size_t>(count) : 0),
        residual(device, static_cast<std::size_t>(count) * static_cast<std::size_t>(plan.rows)) {
    if (solves_contacts && !plan.contact_fault.empty()) {
      throw Error("contact forces cannot be solved for on the GPU: " + plan.contact_fault +
                  "; take it out, or use delassus::Batch");
    }
    numbers_.write(converted<T>(plan.numbers));
    indices_.write(plan.indices);
    load_kernels(options.cache.empty() ? default_cache_folder() : options.cache);
  }

  /// Arguments of a verb, without those that it alone has.
  Arguments<T> arguments(BatchIn<T> q, BatchIn<T> in, BatchOut<T> out) const {
    Arguments<T> a{};
    a.q = array_of(q), a.in = array_of(in), a.out = array_of(out);
    a.status = status.data();
    a.numbers = numbers_.data(), a.indices = indices_.data();
    for (int k = 0; k < 3; ++k) a.gravity[k] = static_cast<T>(model_.gravity()[k]);
    a.size = size;
    a.num_numbers = static_cast<int>(numbers_.size()), a.num_indices = static_cast<int>(indices_.size());
    return a;
  }

  void start(Verb verb, Arguments<T> a, Stream stream) const {
    kernels_[static_cast<int>(verb)]->start(&a, static_cast<long long>(size) * plan.lanes, stream);
  }

  /// A shape, and strides that kernels can follow.
  template <class X>
  void require_array(std::string_view name, const BatchView<X>& view, int components, std::string_view meaning) const {
    require_shape(name, view, size, components, meaning);
    const std::ptrdiff_t most = std::numeric_limits<int>::max() / std::max(components, 1);
    if (view.component_stride() > most || view.component_stride() < -most) {
      throw Error("argument '" + std::string(name) + "' has components " + std::to_string(view.component_stride()) +
                  " numbers apart; the GPU takes up to " + std::to_string(most));
    }
  }

  void require_motion(BatchIn<T> q, BatchIn<T> v) const {
    require_array("q", q, model_.nq(), "the configuration");
    require_array("v", v, model_.nv(), "the velocity");
  }
  void require_rows(BatchIn<T> q, std::string_view name, BatchIn<T> in, std::string_view out_name,
                    BatchOut<T> out) const {
    if (plan.rows == 0) throw Error("the batch has no constraints; name some in BatchOptions");
    require_array("q", q, model_.nq(), "the configuration");
    require_array(name, in, plan.rows, "all rows");
    require_array(out_name, out, plan.rows, "all rows");
  }
  void require_dofs(std::string_view name, BatchIn<T> x) const {
    require_array(name, x, model_.nv(), "all degrees of freedom");
  }

  /// What a buffer holds when all work of a stream is done.
  template <class X>
  std::vector<X> read_after(Stream stream, const Buffer<X>& buffer) const {
    {
      const Current current(*device_.parts());
      require_done(driver().synchronize_stream(stream), "work of a batch");
    }
    std::vector<X> out(buffer.size());
    buffer.read(out);
    return out;
  }
  std::size_t bytes() const {
    return sizeof(T) * (numbers_.size() + residual.size() + outcome.size()) + sizeof(std::int32_t) * indices_.size() +
           status.size();
  }

  Plan plan;
  int size;
  int compiled = 0;
  std::string notice;

 private:
  /// Compiled side by side, each on a thread: seconds for a humanoid.
  void load_kernels(const std::string& folder) {
    std::future<Kernel> made[kNumVerbs];
    for (int verb = 0; verb < kNumVerbs; ++verb) {
      const bool of_rows = Verb(verb) >= Verb::kApply;
      if ((of_rows && plan.rows == 0) || (Verb(verb) == Verb::kContacts && !solves_contacts)) continue;
      const KernelSource source{kernel_text(plan, Verb(verb), kRealName<T>), device_.architecture()};
      made[verb] = std::async(std::launch::async, [source, folder] { return kept_or_compiled(source, folder); });
    }
    for (int verb = 0; verb < kNumVerbs; ++verb) {
      if (!made[verb].valid()) continue;
      const Kernel kernel = made[verb].get();
      if (!kernel.was_kept) ++compiled;
      if (!kernel.notice.empty()) notice = kernel.notice;
      kernels_[verb].emplace(device_.parts(), kernel.code,
                             numbers_.size() * sizeof(T) + indices_.size() * sizeof(std::int32_t));
    }
  }

  Model model_;
  Device device_;
  Buffer<T> numbers_;
  Buffer<std::int32_t> indices_;
  std::optional<LoadedKernel> kernels_[kNumVerbs];

 public:
  bool solves_contacts;
  Buffer<std::uint8_t> status;
  Buffer<T> outcome;   // of contact_solve: residual and iterations
  Buffer<T> residual;  // of refinements
};

template <class T>
Batch<T>::Batch(const Device& device, const Model& model, int size, const BatchOptions& options)
    : parts_(std::make_unique<Parts>(device, model, size, options)) {}
template <class T>
Batch<T>::Batch(Batch&&) noexcept = default;
template <class T>
Batch<T>& Batch<T>::operator=(Batch&&) noexcept = default;
template <class T>
Batch<T>::~Batch() = default;

template <class T>
int Batch<T>::size() const {
  return parts_->size;
}
template <class T>
int Batch<T>::rows() const {
  return parts_->plan.rows;
}
template <class T>
int Batch<T>::lanes() const {
  return parts_->plan.lanes;
}
template <class T>
std::size_t Batch<T>::bytes() const {
  return parts_->bytes();
}
template <class T>
int Batch<T>::compiled() const {
  return parts_->compiled;
}
template <class T>
const std::string& Batch<T>::notice() const {
  return parts_->notice;
}

template <class T>
void Batch<T>::inverse_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> a, BatchOut<T> tau, Stream stream) {
  parts_->require_motion(q, v);
  parts_->require_dofs("a", a);
  parts_->require_dofs("tau", tau);
  Arguments<T> arguments = parts_->arguments(q, a, tau);
  arguments.v = array_of(v);
  parts_->start(Verb::kInverseDynamics, arguments, stream);
}

template <class T>
void Batch<T>::forward_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> tau, BatchOut<T> a, Stream stream) {
  parts_->require_motion(q, v);
  parts_->require_dofs("tau", tau);
  parts_->require_dofs("a", a);
  Arguments<T> arguments = parts_->arguments(q, tau, a);
  arguments.v = array_of(v);
  parts_->start(Verb::kForwardDynamics, arguments, stream);
}

template <class T>
void Batch<T>::apply_at(BatchIn<T> q, BatchIn<T> x, BatchOut<T> y, Stream stream) {
  parts_->require_rows(q, "x", x, "y", y);
  parts_->start(Verb::kApply, parts_->arguments(q, x, y), stream);
}

template <class T>
void Batch<T>::solve_at(BatchIn<T> q, const BatchDamping<T>& damping, BatchIn<T> b, BatchOut<T> z, int refinements,
                        Stream stream) {
  parts_->require_rows(q, "b", b, "z", z);
  using Damping = BatchDamping<T>;
  if (damping.kind() == Damping::Kind::kPerRow)
    throw Error("argument 'damping' is one for each row; the GPU takes one for each environment");
  if (refinements < 0) throw Error("argument 'refinements' is " + std::to_string(refinements) + "; it is 0 or more");
  if (refinements > 0 && b.data() == z.data())
    throw Error("argument 'z' is 'b', which refinements need; give z memory of its own");
  Arguments<T> solve = parts_->arguments(q, b, z);
  if (damping.kind() == Damping::Kind::kPerEnvironment) {
    require_shape("damping", damping.values(), parts_->size, 1, "its damping");
    solve.damping = array_of(damping.values());
  } else if (!(damping.scalar() > 0)) {
    throw Error("argument 'damping' is " + std::to_string(damping.scalar()) + "; it has to be positive");
  }
  solve.R = damping.scalar();
  parts_->start(Verb::kSolve, solve, stream);
  const BatchView<T> residual = parts_->residual.view(parts_->size, parts_->plan.rows);
  Arguments<T> remainder = parts_->arguments(q, z, residual), correction = parts_->arguments(q, residual, z);
  remainder.target = array_of(b);
  correction.add = 1;
  for (Arguments<T>* a : {&remainder, &correction}) a->damping = solve.damping, a->R = solve.R;
  for (int k = 0; k < refinements; ++k) {
    parts_->start(Verb::kApply, remainder, stream);
    parts_->start(Verb::kSolve, correction, stream);
  }
}

template <class T>
void Batch<T>::contact_solve(BatchIn<T> q, BatchIn<T> free_velocity, BatchOut<T> lambda, const ContactOptions& options,
                             Stream stream) {
  parts_->require_rows(q, "free_velocity", free_velocity, "lambda", lambda);
  if (!parts_->solves_contacts) throw Error("the batch was made without BatchOptions::contact_forces; set it");
  if (!(options.tolerance > 0))
    throw Error("ContactOptions::tolerance is " + std::to_string(options.tolerance) + "; it has to be positive");
  if (!(options.time_step > 0))
    throw Error("ContactOptions::time_step is " + std::to_string(options.time_step) + "; it has to be positive");
  if (options.iterations < 0)
    throw Error("ContactOptions::iterations is " + std::to_string(options.iterations) + "; it is 0 or more");
  Arguments<T> arguments = parts_->arguments(q, lambda, lambda);
  arguments.target = array_of(free_velocity);
  arguments.outcome = array_of(parts_->outcome.view(parts_->size, 2));
  arguments.R = static_cast<T>(options.time_step);
  arguments.tolerance = static_cast<T>(options.tolerance);
  arguments.iterations = options.iterations;
  parts_->start(Verb::kContacts, arguments, stream);
}

template <class T>
std::vector<ContactOutcome> Batch<T>::contact_outcomes(Stream stream) const {
  const std::vector<T> all = parts_->read_after(stream, parts_->outcome);
  std::vector<ContactOutcome> out;
  for (std::size_t k = 0; k + 1 < all.size(); k += 2)
    out.push_back({static_cast<double>(all[k]), static_cast<int>(all[k + 1])});
  return out;
}

template <class T>
const std::uint8_t* Batch<T>::status_codes() const {
  return parts_->status.data();
}

template <class T>
std::vector<Status> Batch<T>::statuses(Stream stream) const {
  std::vector<Status> out;
  for (const std::uint8_t code : parts_->read_after(stream, parts_->status)) out.push_back({Status::Code(code), -1});
  return out;
}

template <class T>
int Batch<T>::count_bad(Stream stream) const {
  int bad = 0;
  for (const std::uint8_t code : parts_->read_after(stream, parts_->status)) bad += code == 0 ? 0 : 1;
  return bad;
}

template class Batch<float>;
template class Batch<double>;

}  // namespace delassus::gpu
