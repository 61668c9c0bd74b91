// NVRTC takes every kernel, where it is; no card is needed for that. And the folder where kernels are kept.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "delassus/math/error.hpp"
#include "gpu/compiler.hpp"
#include "gpu/gpu_robots.hpp"
#include "gpu/kernel_text.hpp"

namespace delassus::gpu {
namespace {

namespace fs = std::filesystem;

KernelSource source_of(const std::string& robot, Verb verb, const std::string& real) {
  const GpuRobot r = make_gpu_robot(robot);
  return {kernel_text(make_plan(r.model, r.constraints), verb, real), "sm_90"};
}

/// Machine code for a device is an ELF file.
void expect_code(const std::string& code) {
  EXPECT_EQ(code.substr(0, 4),
            "\x7f"
            "ELF");
}

class GpuCompiler : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compiler_fault().empty()) GTEST_SKIP() << compiler_fault();
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        (fs::temp_directory_path() / ("delassus-gpu-" + std::to_string(::getpid()) + "-" + info->name())).string();
    fs::remove_all(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  std::string file() const { return fs::directory_iterator(folder_)->path().string(); }

  std::string folder_;
};
using LongGpuCompiler = GpuCompiler;

TEST_F(GpuCompiler, TakesEveryVerb) {
  for (int verb = 0; verb < kNumVerbs; ++verb) expect_code(compile(source_of("go2", Verb(verb), "float")));
  expect_code(compile(source_of("chain", Verb::kApply, "double")));
}

TEST_F(LongGpuCompiler, TakesEveryKernelOfEveryRobot) {
  for (const std::string& robot : gpu_robot_names()) {
    for (const char* real : {"float", "double"}) {
      for (int verb = 0; verb < kNumVerbs; ++verb) {
        SCOPED_TRACE(robot + " " + real + " " + std::to_string(verb));
        expect_code(compile(source_of(robot, Verb(verb), real)));
      }
    }
  }
}

TEST_F(GpuCompiler, SaysWhatIsWrong) {
  try {
    compile({"#error this one is wrong", "sm_90"});
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("this one is wrong"), std::string::npos) << e.what();
  }
}

const KernelSource kSmallKernel{"extern \"C\" __global__ void nothing() {}", "sm_90"};

TEST_F(GpuCompiler, KeepsKernels) {
  const Kernel first = kept_or_compiled(kSmallKernel, folder_ + "/a/b");
  const Kernel second = kept_or_compiled(kSmallKernel, folder_ + "/a/b");
  EXPECT_FALSE(first.was_kept);
  EXPECT_TRUE(second.was_kept);
  EXPECT_EQ(first.code, second.code);
  EXPECT_EQ(first.notice, "");
  EXPECT_FALSE(kept_or_compiled({kSmallKernel.text, "sm_80"}, folder_ + "/a/b").was_kept)
      << "another architecture is another kernel";
  EXPECT_FALSE(kept_or_compiled({kSmallKernel.text + " ", "sm_90"}, folder_ + "/a/b").was_kept);
}

TEST_F(GpuCompiler, WritesDamagedFilesAnew) {
  const std::string code = kept_or_compiled(kSmallKernel, folder_).code;
  const auto size = fs::file_size(file());
  for (const std::uintmax_t left : {size - 1, std::uintmax_t{64}, std::uintmax_t{0}}) {
    fs::resize_file(file(), left);
    const Kernel again = kept_or_compiled(kSmallKernel, folder_);
    EXPECT_FALSE(again.was_kept);
    EXPECT_EQ(again.code, code);
    EXPECT_EQ(fs::file_size(file()), size);
  }
  std::fstream(file(), std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('x');
  EXPECT_FALSE(kept_or_compiled(kSmallKernel, folder_).was_kept);
}

TEST_F(GpuCompiler, DoesWithoutAFolder) {
  std::ofstream(folder_) << "a file";
  const Kernel kernel = kept_or_compiled(kSmallKernel, folder_);
  expect_code(kernel.code);
  EXPECT_NE(kernel.notice.find("kernels are not kept"), std::string::npos) << kernel.notice;
  EXPECT_NE(kept_or_compiled(kSmallKernel, "").notice, "");
}

}  // namespace
}  // namespace delassus::gpu
