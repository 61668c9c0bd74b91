// Completion in the shells, and the manual page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "delassus/operators/algorithm.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::has_program;
using ::testing::HasSubstr;
using testing::lines_of;
using ::testing::Not;
using testing::run_command;
using testing::run_shell;
using testing::TemporaryFolder;

struct BashCompletion : ::testing::Test {
  /// COMPREPLY for the words after `delassus`, of which the last is completed.
  std::vector<std::string> replies(const std::string& words) {
    const std::string script =
        "source <(delassus completion bash); COMP_WORDS=(delassus " + words +
        R"(); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _delassus; printf "%s\n" "${COMPREPLY[@]}")";
    std::vector<std::string> out =
        lines_of(run_shell("cd " + folder.path("") + " && bash -c '" + script + "' 2>&1").output);
    std::erase(out, "");
    return out;
  }
  void SetUp() override {
    folder.write("my robot.urdf", "");
    folder.write("other.txt", "");
  }
  TemporaryFolder folder;
};

TEST_F(BashCompletion, OffersCommands) {
  EXPECT_THAT(replies("comp"), ElementsAre("compute", "completion"));
  EXPECT_THAT(replies("bench \"\""), ElementsAre("table1", "constrained", "contact", "simulation", "environments",
                                                 "planner", "lanes", "batch", "gpu", "swimmer", "scaling", "once"));
  EXPECT_THAT(replies("\"\""), AllOf(Contains("info"), Not(Contains("complete"))));
  EXPECT_THAT(replies("nonsense \"\""), ElementsAre());
}

TEST_F(BashCompletion, OffersOptions) {
  EXPECT_THAT(replies("compute go2 --al"), ElementsAre("--algorithm"));
  EXPECT_THAT(replies("info go2 --"), AllOf(Contains("--json"), Contains("--output"), Contains("--plot")));
  EXPECT_THAT(replies("list \"\""), Contains("--json"));
}

TEST_F(BashCompletion, OffersValues) {
  EXPECT_THAT(replies("compute go2 --algorithm l"), ElementsAre("ltl", "lcaba", "limbs"));
  EXPECT_THAT(replies("compute go2 --algorithm = l"),
              ElementsAre("ltl", "lcaba", "limbs"));  // as bash splits --algorithm=l
  EXPECT_EQ(replies("check a.json --algorithm \"\"").size(), kAllAlgorithms.size() + 2);  // and generated, and all
  EXPECT_THAT(replies("info cassie-standing-"), ElementsAre("cassie-standing-friction"));
  EXPECT_THAT(replies("scene pyramid-"), ElementsAre("pyramid-robots"));
  EXPECT_THAT(replies("opcount atlas-feet1"), ElementsAre("atlas-feet12"));
  EXPECT_THAT(replies("bench table1 cassie go2-standing-"), ElementsAre("go2-standing-friction"));
  EXPECT_THAT(replies("bench once cassie condensed red"), ElementsAre("redamp_solve", "redamp_contacts_solve"));
  EXPECT_THAT(replies("completion \"\""), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(BashCompletion, OffersTheFramesOfTheModelOnTheLine) {
  EXPECT_THAT(replies("compute go2 --contact FL_f"), ElementsAre("FL_foot"));
  EXPECT_THAT(replies("compute nothing --contact FL_f"), ElementsAre());
}

TEST_F(BashCompletion, OffersFilesAndFolders) {
  EXPECT_THAT(replies("info my"), ElementsAre("my robot.urdf"));
  EXPECT_THAT(replies("check ot"), ElementsAre("other.txt"));
  EXPECT_THAT(replies("list -o ot"), ElementsAre("other.txt"));
  EXPECT_THAT(replies("check a.json --models o"), ElementsAre());
  EXPECT_THAT(replies("opcount ot"), ElementsAre());
}

TEST(Completion, OtherShellsAskTheSame) {
  for (const std::string shell : {"zsh", "fish"}) {
    EXPECT_THAT(run_command("completion " + shell).output, HasSubstr(" complete -- ")) << shell;
    if (!has_program(shell)) continue;
    const TemporaryFolder folder;
    const std::string script = folder.path("script");
    ASSERT_EQ(run_command("completion " + shell + " -o " + script).exit_code, 0);
    EXPECT_EQ(run_shell(shell + " -n " + script + " 2>&1").output, "");
  }
}

TEST(Completion, FishOffersWordsWithWhatTheyDo) {
  if (!has_program("fish")) GTEST_SKIP() << "fish is not installed";
  const TemporaryFolder home;  // fish keeps files there
  const auto offered = [&](const std::string& line) {
    return lines_of(run_shell("HOME=" + home.path("") + " fish -c 'delassus completion fish | source; complete -C \"" +
                              line + "\"'")
                        .output);
  };
  EXPECT_THAT(offered("delassus inf"), ElementsAre(HasSubstr("info\tShows a model")));
  EXPECT_THAT(offered("delassus compute go2 --algorithm=lc"), ElementsAre("--algorithm=lcaba"));
}

class ManualPage : public ::testing::TestWithParam<const char*> {
 protected:
  static std::string page() { return run_shell(std::string(GetParam()) + " man").output; }
};

TEST_P(ManualPage, HasAllSectionsCommandsAndOptions) {
  const std::string text = page();
  std::size_t at = 0;
  for (const char* head : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXAMPLES", "EXIT STATUS",
                           "ENVIRONMENT", "FILES", "SEE ALSO"}) {
    at = text.find(std::string("\n.SH ") + head + "\n", at);
    ASSERT_NE(at, std::string::npos) << head;
  }
  const bool measures = GetParam() == std::string("delassus-bench");
  EXPECT_THAT(text, AllOf(HasSubstr(measures ? "\n.SS delassus bench table1 [SCENE...] [OPTIONS]\n"
                                             : "\n.SS delassus compute MODEL [OPTIONS]\n"),
                          HasSubstr("\n.SS delassus opcount "), HasSubstr("\\fB\\-o, \\-\\-output FILE\\fR"),
                          HasSubstr("NO_COLOR"), HasSubstr(measures ? "delassus opcount stem" : "delassus info go2"),
                          HasSubstr("delassus\\-bench(1)"), Not(HasSubstr("delassus complete "))));
  for (const char c : text) ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << "not ASCII";
}

TEST_P(ManualPage, HasNothingThatRoffWarnsOf) {
  if (!has_program("groff")) GTEST_SKIP() << "groff is not installed";
  const std::string man = std::string(GetParam()) + " man | groff -man -Tutf8 ";
  EXPECT_EQ(run_shell(man + "-ww 2>&1 >/dev/null").output, "");
  EXPECT_THAT(run_shell(man + "-P-c").output,
              HasSubstr(GetParam() == std::string("delassus") ? "J M⁻¹ Jᵀ" : "M⁻¹ Jᵀ Λ"));
}
INSTANTIATE_TEST_SUITE_P(Programs, ManualPage, ::testing::Values("delassus", "delassus-bench"));

}  // namespace
}  // namespace delassus
