#include "support/compiled_code.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace delassus::test {

bool has_c_compiler() {
  static const bool there = std::system("cc --version > /dev/null 2>&1") == 0;  // NOLINT: a fixed command
  return there;
}

CompiledCode::CompiledCode(const Scene& scene, const GenerateOptions& options, const std::string& more)
    : options_(options), code_(generate(scene.model, scene.constraints, scene.q, options)) {
  std::string folder = std::filesystem::temp_directory_path() / "delassus-generated-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) throw Error("cannot make a folder in " + folder);
  folder_ = folder;
  write_generated(code_, folder_);
  const std::string base = folder_ + "/" + options_.name, log = folder_ + "/log";
  std::ofstream(base + "_more.c") << "#include \"" + options_.name + ".h\"\n" + more;
  // -O1: what is compared are numbers. For this processor, as the library is: fused operations round once.
  const std::string command =
      "cc -std=c99 -O1 -march=native -fPIC -shared -ffp-contract=fast -Wall -Wextra -Wpedantic -Wconversion -Wshadow "
      "-Werror -o " +
      base + ".so " + base + ".c " + base + "_more.c -lm > " + log + " 2>&1";
  if (std::system(command.c_str()) != 0) {  // NOLINT: names of our own
    std::ifstream file(log);
    std::ostringstream text;
    text << file.rdbuf();
    throw Error(command + "\n" + text.str());
  }
  library_ = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw Error(dlerror());
  factor_.resize(static_cast<std::size_t>(code_.state_numbers) + 2000);
}

CompiledCode::~CompiledCode() {
  if (library_ != nullptr) dlclose(library_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

template <class R>
std::uint32_t CompiledCode::run(const char* function, bool with_factor, const std::vector<std::span<const double>>& in,
                                std::span<double> out) const {
  void* const symbol = this->symbol(function);
  std::vector<std::vector<R>> given;
  for (const auto& list : in) given.emplace_back(list.begin(), list.end());
  std::vector<R> left(out.size());
  std::vector<void*> arguments;
  if (with_factor) arguments.push_back(factor_.data());
  for (auto& list : given) arguments.push_back(list.data());
  if (!left.empty()) arguments.push_back(left.data());
  std::uint32_t status = 0;
  switch (arguments.size()) {
    case 2:
      status = reinterpret_cast<std::uint32_t (*)(void*, void*)>(symbol)(arguments[0], arguments[1]);
      break;
    case 3:
      status =
          reinterpret_cast<std::uint32_t (*)(void*, void*, void*)>(symbol)(arguments[0], arguments[1], arguments[2]);
      break;
    case 4:
      status = reinterpret_cast<std::uint32_t (*)(void*, void*, void*, void*)>(symbol)(arguments[0], arguments[1],
                                                                                       arguments[2], arguments[3]);
      break;
    default:
      throw Error("a function of generated code has two to four arguments");
  }
  std::copy(left.begin(), left.end(), out.begin());
  return status;
}

std::uint32_t CompiledCode::call(const char* function, bool with_factor, const std::vector<std::span<const double>>& in,
                                 std::span<double> out) const {
  return options_.scalar == GenerateOptions::Scalar::kFloat ? run<float>(function, with_factor, in, out)
                                                            : run<double>(function, with_factor, in, out);
}

std::uint32_t CompiledCode::update(std::span<const double> q, std::span<const double> contacts) {
  if (contacts.empty()) return call("update", true, {q}, {});
  return call("update", true, {q, contacts}, {});
}
std::uint32_t CompiledCode::apply(std::span<const double> x, std::span<double> y) const {
  return call("apply", true, {x}, y);
}

std::uint32_t CompiledCode::damp(std::span<const double> damping) {
  if (options_.damping != GenerateOptions::DampingForm::kNumber) return call("damp", true, {damping}, {});
  void* const symbol = this->symbol("damp");
  if (options_.scalar == GenerateOptions::Scalar::kFloat)
    return reinterpret_cast<std::uint32_t (*)(void*, float)>(symbol)(factor_.data(), static_cast<float>(damping[0]));
  return reinterpret_cast<std::uint32_t (*)(void*, double)>(symbol)(factor_.data(), damping[0]);
}

std::uint32_t CompiledCode::solve(std::span<const double> b, std::span<double> z) const {
  return call("solve", true, {b}, z);
}
std::uint32_t CompiledCode::inverse_dynamics(std::span<const double> q, std::span<const double> v,
                                             std::span<const double> a, std::span<double> tau) const {
  return call("inverse_dynamics", false, {q, v, a}, tau);
}
std::uint32_t CompiledCode::forward_dynamics(std::span<const double> q, std::span<const double> v,
                                             std::span<const double> tau, std::span<double> a) const {
  return call("forward_dynamics", false, {q, v, tau}, a);
}
std::uint32_t CompiledCode::frames(std::span<const double> q, std::span<const double> v,
                                   std::span<double> frames) const {
  return call("frames", false, {q, v}, frames);
}

void* CompiledCode::symbol(const std::string& function) const {
  void* symbol = dlsym(library_, (options_.name + "_" + function).c_str());
  if (symbol == nullptr) throw Error(dlerror());
  return symbol;
}

void CompiledCode::activate(const std::vector<unsigned char>& active) {
  reinterpret_cast<void (*)(void*, const unsigned char*)>(symbol("activate"))(factor_.data(), active.data());
}

namespace {

/// Numbers as the code has them, for the length of a call.
template <class R>
class Given {
 public:
  explicit Given(std::span<const double> list) : held_(list.begin(), list.end()) {}
  operator const R*() const { return held_.data(); }  // NOLINT: an argument

 private:
  std::vector<R> held_;
};
template <class R>
class Left {
 public:
  explicit Left(std::span<double> list) : list_(list), held_(list.begin(), list.end()) {}
  ~Left() { std::copy(held_.begin(), held_.end(), list_.begin()); }
  Left(const Left&) = delete;
  Left& operator=(const Left&) = delete;
  operator R*() { return held_.data(); }  // NOLINT: an argument

 private:
  std::span<double> list_;
  std::vector<R> held_;
};

/// f(a number of the code's type).
template <class F>
std::uint32_t with_number(bool is_float, F&& f) {
  return is_float ? f(0.0F) : f(0.0);
}

}  // namespace

std::uint32_t CompiledCode::free_motion(std::span<const double> v, std::span<const double> tau, std::span<double> a,
                                        std::span<double> row_velocity, std::span<double> row_acceleration,
                                        std::span<double> row_drift) {
  return with_number(is_float(), [&]<class R>(R) {
    using Function = std::uint32_t (*)(void*, const R*, const R*, R*, R*, R*, R*);
    Left<R> out(a), out1(row_velocity), out2(row_acceleration), out3(row_drift);
    return reinterpret_cast<Function>(symbol("free_motion"))(factor(), Given<R>(v), Given<R>(tau), out, out1, out2,
                                                             out3);
  });
}
std::uint32_t CompiledCode::response(std::span<const double> x, std::span<double> a) {
  return call("response", true, {x}, a);
}
std::uint32_t CompiledCode::row_torques(std::span<const double> x, std::span<double> tau) {
  return call("row_torques", true, {x}, tau);
}
std::uint32_t CompiledCode::constrained_dynamics(std::span<const double> v, std::span<const double> tau,
                                                 std::span<const double> target, int steps, std::span<double> a,
                                                 std::span<double> lambda) {
  return with_number(is_float(), [&]<class R>(R) {
    using Function = std::uint32_t (*)(void*, const R*, const R*, const R*, int, R*, R*);
    Left<R> out(a), forces(lambda);
    return reinterpret_cast<Function>(symbol("constrained_dynamics"))(factor(), Given<R>(v), Given<R>(tau),
                                                                      Given<R>(target), steps, out, forces);
  });
}
std::uint32_t CompiledCode::damped_dynamics(std::span<const double> v, std::span<const double> tau,
                                            std::span<const double> target, std::span<double> a,
                                            std::span<double> lambda) {
  return with_number(is_float(), [&]<class R>(R) {
    using Function = std::uint32_t (*)(void*, const R*, const R*, const R*, R*, R*);
    Left<R> out(a), forces(lambda);
    return reinterpret_cast<Function>(symbol("damped_dynamics"))(factor(), Given<R>(v), Given<R>(tau), Given<R>(target),
                                                                 out, forces);
  });
}

std::uint32_t as_generated(const Status& status) {
  return status.ok() ? 0U
                     : static_cast<std::uint32_t>(status.code) + 256U * static_cast<std::uint32_t>(status.index + 1);
}

}  // namespace delassus::test
