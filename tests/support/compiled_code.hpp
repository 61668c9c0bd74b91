// Generated code, compiled by the system's compiler and loaded, for tests.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "delassus/io/scene.hpp"
#include "generate/generate.hpp"

namespace delassus::test {

/// Whether there is a compiler of C.
bool has_c_compiler();

/// Functions of generated code, whatever its numbers are: they are converted.
class CompiledCode {
 public:
  /// `more`: C code that is compiled with it. Throws an Error with what the compiler says.
  CompiledCode(const Scene& scene, const GenerateOptions& options, const std::string& more = "");
  ~CompiledCode();
  CompiledCode(const CompiledCode&) = delete;
  CompiledCode& operator=(const CompiledCode&) = delete;

  /// `contacts`: twelve numbers each, if they are inputs.
  std::uint32_t update(std::span<const double> q, std::span<const double> contacts = {});
  std::uint32_t apply(std::span<const double> x, std::span<double> y) const;
  std::uint32_t damp(std::span<const double> damping);
  std::uint32_t solve(std::span<const double> b, std::span<double> z) const;
  std::uint32_t inverse_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                                 std::span<double> tau) const;
  std::uint32_t forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                                 std::span<double> a) const;
  /// 18 numbers each: position, axes, velocity, angular velocity.
  std::uint32_t frames(std::span<const double> q, std::span<const double> v, std::span<double> frames) const;

  /// Which constraints hold.
  void activate(const std::vector<unsigned char>& active);
  std::uint32_t free_motion(std::span<const double> v, std::span<const double> tau, std::span<double> a,
                            std::span<double> row_velocity, std::span<double> row_acceleration,
                            std::span<double> row_drift);
  std::uint32_t response(std::span<const double> x, std::span<double> a);
  std::uint32_t row_torques(std::span<const double> x, std::span<double> tau);
  std::uint32_t constrained_dynamics(std::span<const double> v, std::span<const double> tau,
                                     std::span<const double> target, int steps, std::span<double> a,
                                     std::span<double> lambda);
  std::uint32_t damped_dynamics(std::span<const double> v, std::span<const double> tau, std::span<const double> target,
                                std::span<double> a, std::span<double> lambda);

  const GeneratedCode& code() const { return code_; }
  bool is_float() const { return options_.scalar == GenerateOptions::Scalar::kFloat; }
  /// A function by what follows its prefix.
  void* symbol(const std::string& function) const;
  void* factor() const { return factor_.data(); }

 private:
  template <class R>
  std::uint32_t run(const char* function, bool with_factor, const std::vector<std::span<const double>>& in,
                    std::span<double> out) const;
  std::uint32_t call(const char* function, bool with_factor, const std::vector<std::span<const double>>& in,
                     std::span<double> out) const;

  GenerateOptions options_;
  GeneratedCode code_;
  std::string folder_;
  void* library_ = nullptr;
  mutable std::vector<double> factor_;  // its bytes
};

/// A Status as generated code returns it.
std::uint32_t as_generated(const Status& status);

}  // namespace delassus::test
