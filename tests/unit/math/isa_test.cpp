#include "delassus/math/isa.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using enum IsaLevel;

constexpr IsaLevel kAll[] = {kV2, kV3, kV4}, kBaseOnly[] = {kBase};

std::string message_of(std::string_view wanted, std::span<const IsaLevel> compiled, IsaLevel processor) {
  try {
    choose_isa(wanted, compiled, processor);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Isa, TakesTheBestThatThereIs) {
  EXPECT_EQ(choose_isa("", kAll, kV2), kV2);
  EXPECT_EQ(choose_isa("", kAll, kV3), kV3);
  EXPECT_EQ(choose_isa("", kAll, kV4), kV4);
  EXPECT_EQ(choose_isa("", std::span(kAll).first(2), kV4), kV3);
  EXPECT_EQ(choose_isa("", kBaseOnly, kV4), kBase);
  EXPECT_EQ(choose_isa("", kBaseOnly, kBase), kBase);
}

TEST(Isa, TakesWhatIsWanted) {
  EXPECT_EQ(choose_isa("v2", kAll, kV4), kV2);
  EXPECT_EQ(choose_isa("x86-64-v3", kAll, kV4), kV3);
  EXPECT_EQ(choose_isa("base", kBaseOnly, kV4), kBase);
}

TEST(Isa, MessagesNameVariableValueAndWhatIsPossible) {
  const auto says = [](const char* value, const char* why, const char* possible) {
    return AllOf(HasSubstr("DELASSUS_ISA is '" + std::string(value) + "'"), HasSubstr(why), HasSubstr(possible));
  };
  for (const char* wrong : {"avx2", "V3", "3", "x86-64", "v5", " v3"}) {
    EXPECT_THAT(message_of(wrong, kAll, kV4), says(wrong, "which is no level", "it may be v2, v3 or v4 here"));
  }
  EXPECT_THAT(message_of("v4", kAll, kV3), says("v4", "this processor has no more than x86-64-v3", "v2 or v3 here"));
  EXPECT_THAT(message_of("v4", std::span(kAll).first(2), kV4), says("v4", "was built without", "v2 or v3 here"));
  EXPECT_THAT(message_of("v3", kBaseOnly, kV4), says("v3", "was built without", "may be base here"));
  EXPECT_THAT(message_of("base", kAll, kV2), says("base", "was built without", "may be v2 here"));
}

TEST(Isa, AProcessorBelowAllLevelsIsToldHowToBuild) {
  EXPECT_THAT(message_of("", kAll, kBase), AllOf(HasSubstr("v2, v3 or v4"), HasSubstr("-DDELASSUS_ISA_LEVELS=")));
}

TEST(Isa, TheLevelInUseIsCompiledAndOfThisProcessor) {
  const auto compiled = compiled_isa_levels();
  EXPECT_TRUE(std::is_sorted(compiled.begin(), compiled.end()));
  EXPECT_NE(std::find(compiled.begin(), compiled.end(), active_isa()), compiled.end());
  EXPECT_LE(active_isa(), processor_isa());
}

}  // namespace
}  // namespace delassus
