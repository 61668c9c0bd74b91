// Batches on a GPU of NVIDIA (docs/gpu.md): the verbs of Batch for thousands of environments, in the library delassus::cuda.
//
// The driver of CUDA and NVRTC, its compiler, are opened when a Device or a Batch is made, so a program that links this library runs
// on machines without either, and gets an Error there that says what is missing. A Batch compiles kernels for its robot, which takes
// seconds, or finds them in a folder where an earlier one put them.
//
// Arguments are BatchViews of memory of the device: a Buffer, or whatever another library allocated there. Verbs put their work into a
// stream and return: nothing waits, and nothing is allocated, so that a graph can capture them. What an environment gets depends on its
// own numbers alone, the same bits for any size of the batch, place and neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "delassus/batch/batch.hpp"
#include "delassus/batch/batch_view.hpp"
#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"
#include "delassus/model/model.hpp"

struct CUstream_st;

namespace delassus::gpu {

/// CUstream, cudaStream_t: null is the default stream.
using Stream = CUstream_st*;

/// A handle: copies are the same device.
class Device {
 public:
  /// Throws an Error that says what is missing: the driver, or a device of that number.
  explicit Device(int index = 0);

  /// How many there are; 0 without a driver.
  static int count();

  int index() const;
  const std::string& name() const;
  /// What kernels are compiled for: "sm_90".
  const std::string& architecture() const;
  std::size_t memory_bytes() const;
  /// Waits until all that was put into streams of the device is done. Throws an Error if something of it failed.
  void synchronize() const;

  class Parts;
  const std::shared_ptr<const Parts>& parts() const { return parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

/// Memory of a device. T: float, double, or bytes.
template <class T>
class Buffer {
 public:
  Buffer(const Device& device, std::size_t count);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Dense, the numbers of an environment next to each other. Throws an Error if the buffer is smaller.
  BatchView<T> view(int environments, int components) const;
  /// Dense, the environments next to each other.
  BatchView<T> view_by_component(int environments, int components) const;

  /// Copies all, and waits for it. Throws an Error if the sizes differ.
  void write(std::span<const T> values);
  void read(std::span<T> values) const;

 private:
  std::shared_ptr<const Device::Parts> device_;
  T* data_;
  std::size_t size_;
};

struct BatchOptions {
  /// For all environments. Sliding and frictionless contacts and pins against what does not move; balls in world axes between two links,
  /// if no joint is part of two such loops; limits and dry friction of joints. Others are an Error that names them.
  std::vector<Constraint> constraints = {};
  /// Whether contact_solve will be called: its kernel takes some seconds more to compile.
  bool contact_forces = false;
  /// Folder of compiled kernels; empty: $DELASSUS_GPU_CACHE, or that of the user.
  std::string cache = {};
};

/// Of contact_solve.
struct ContactOptions {
  double tolerance = 1e-4;  // metres per second by which velocities may miss the law
  int iterations = 200;     // at most
  double time_step = 1;  // bounds of joint friction are forces, and what is solved for are impulses: force times this
};
struct ContactOutcome {
  double residual;  // metres per second
  int iterations;
};

template <class T>
class Batch {
 public:
  /// Compiles the kernels, or takes them from the cache. Throws an Error that names what the device cannot do: a second body that is
  /// free, constraints of other kinds, a robot with more than some eighty degrees of freedom in a lane.
  Batch(const Device& device, const Model& model, int size, const BatchOptions& options = {});
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  int size() const;
  int rows() const;
  /// Threads that an environment has: limbs side by side (docs/algorithms/limbs.md).
  int lanes() const;
  /// Of the device.
  std::size_t bytes() const;
  /// Kernels that were compiled, and not taken from the cache.
  int compiled() const;
  /// Why kernels could not be kept in the cache; empty where they could.
  const std::string& notice() const;

  /// tau = M(q) a + h(q, v): RNEA. All (B, nv), q (B, nq).
  void inverse_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> a, BatchOut<T> tau, Stream stream = nullptr);
  /// a = M⁻¹ (tau - h): ABA.
  void forward_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> tau, BatchOut<T> a, Stream stream = nullptr);

  /// y = Λ⁻¹ x, (B, rows()).
  void apply_at(BatchIn<T> q, BatchIn<T> x, BatchOut<T> y, Stream stream = nullptr);
  /// z = (R⁻¹ + Λ⁻¹)⁻¹ b, with one damping for all or one for each environment (then it is memory of the device). Each refinement costs a
  /// product and a solve more, and gains digits where the damping is small beside Λ⁻¹: docs/gpu.md says how many to take. With
  /// refinements z may not be b.
  void solve_at(BatchIn<T> q, const BatchDamping<T>& damping, BatchIn<T> b, BatchOut<T> z, int refinements = 0,
                Stream stream = nullptr);

  /// lambda such that the velocities sigma = Λ⁻¹ lambda + free_velocity obey their laws: Coulomb's at contacts, with the coefficient of each
  /// constraint's set; limits; dry friction of joints; and nothing moves that is held. lambda is the start as well: zero if nothing better is
  /// known. By alternating directions (docs/gpu.md); kNotConverged leaves the forces of the last iteration. Throws an Error if a constraint
  /// has another law, or is a loop.
  void contact_solve(BatchIn<T> q, BatchIn<T> free_velocity, BatchOut<T> lambda, const ContactOptions& options = {},
                     Stream stream = nullptr);
  /// How the last one ended, of each environment. Waits for the stream.
  std::vector<ContactOutcome> contact_outcomes(Stream stream = nullptr) const;

  /// Codes of the last verb, in memory of the device: one byte for each environment, of Status::Code. Outputs of an environment that
  /// is not ok are NaN.
  const std::uint8_t* status_codes() const;
  /// The same as statuses, on the host. Waits for the stream.
  std::vector<Status> statuses(Stream stream = nullptr) const;
  /// How many are not ok. Waits for the stream.
  int count_bad(Stream stream = nullptr) const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

extern template class Buffer<float>;
extern template class Buffer<double>;
extern template class Buffer<std::uint8_t>;
extern template class Buffer<std::int32_t>;
extern template class Batch<float>;
extern template class Batch<double>;

}  // namespace delassus::gpu
