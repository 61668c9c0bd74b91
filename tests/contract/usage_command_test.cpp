// What the command says of lines that it cannot follow, and what it never does: colours in files, words on closed pipes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "support/command.hpp"
#include "support/pendulum.hpp"

namespace delassus {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_shell;
using ::testing::StartsWith;
using testing::TemporaryFolder;

struct Mistake {
  const char* arguments;
  const char* said;
};

/// For the name of the test, which must not hold addresses.
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.arguments; }

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreToldInOneLineOnStderrWithExitCode2) {
  const std::string line = std::string("delassus ") + GetParam().arguments;
  SCOPED_TRACE(line);
  const CommandResult out = run_shell(line + " 2>/dev/null"), error = run_shell(line + " 2>&1 >/dev/null");
  EXPECT_EQ(out.exit_code, 2);
  EXPECT_EQ(out.output, "");
  EXPECT_THAT(error.output, StartsWith("delassus: "));
  EXPECT_EQ(std::ranges::count(error.output, '\n'), 1) << error.output;
  EXPECT_THAT(error.output, HasSubstr(GetParam().said));
  EXPECT_THAT(error.output, Not(HasSubstr("\x1b")));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Mistakes,
    ::testing::Values(
        Mistake{"", "give a command; the commands are "},
        Mistake{"comptue go2", "there is no command 'comptue' (did you mean 'compute'?); the commands are "},
        Mistake{"bench",
                "give a command; the commands are table1, constrained, contact, simulation, environments, planner, "
                "lanes, batch, gpu, swimmer, scaling, once"},
        Mistake{"comptue --help", "there is no command 'comptue' (did you mean 'compute'?); the commands are "},
        Mistake{"comptue go2 -h", "(did you mean 'compute'?)"},
        Mistake{"bench tabel1 --help", "there is no command 'tabel1' (did you mean 'table1'?)"},
        Mistake{"bench tabel1", "there is no command 'tabel1' (did you mean 'table1'?)"},
        Mistake{"--vresion", "has no option '--vresion' (did you mean '--version'?)"},
        Mistake{"bench --quick table1", "has no option '--quick'; it stands after `delassus bench table1`"},
        Mistake{"--", "give a command; the commands are "},
        Mistake{"--json list", "--json goes with --version only; see `delassus --help`"}));

INSTANTIATE_TEST_SUITE_P(
    Options, Mistakes,
    ::testing::Values(Mistake{"compute go2 --algoritm ltl",
                              "`delassus compute` has no option '--algoritm' (did you mean '--algorithm'?)"},
                      Mistake{"compute go2 --algoritm=ltl",
                              "(did you mean '--algorithm'?); see `delassus compute --help`"},
                      Mistake{"info --stricct", "(did you mean '--strict'?)"},
                      Mistake{"list -x", "`delassus list` has no option '-x'; see `delassus list --help`"},
                      Mistake{"compute go2 -o", "--output needs a value: --output FILE"},
                      Mistake{"compute go2 --contact", "--contact needs a value: --contact FRAME[:x,y,z]"},
                      Mistake{"info go2 --json=no", "--json takes no value"},
                      Mistake{"info go2 -o a.txt -o b.txt", "--output is given 2 times"},
                      Mistake{"info go2 --fixed --floating", "give --floating or --fixed, not both"},
                      Mistake{"compute go2-standing --npy --json", "give --npy or --json, not both"}));

INSTANTIATE_TEST_SUITE_P(
    Values, Mistakes,
    ::testing::Values(
        Mistake{"info", "`delassus info` needs MODEL: a URDF or MJCF file"},
        Mistake{"info go2 g1", "'g1' is one argument too many; usage: delassus info MODEL [OPTIONS]"},
        Mistake{"check", "`delassus check` needs FILE"}, Mistake{"scene", "give the SCENE to make, or --all FOLDER"},
        Mistake{"opcount", "give a CASE; `delassus opcount --list`"},
        Mistake{"info go3", "(did you mean 'go2'?); `delassus list` shows them"},
        Mistake{"compute go2 --contact FL_fot", "no frame named 'FL_fot' (did you mean 'FL_foot'?)"},
        Mistake{"compute go2-standing --algorithm lcabba", "(did you mean 'lcaba'?); there are dense, ltl,"},
        Mistake{"compute go2-standing --products many", "--products: 'many' is not a whole number from 0 to 1000000"},
        Mistake{"compute go2-standing --solves 1000001", "--solves: '1000001' is not a whole number from 0 to 1000000"},
        Mistake{"compute go2-standing --solves 1.5", "'1.5' is not a whole number"},
        Mistake{"scene go2-falen", "(did you mean 'go2-fallen'?)"},
        Mistake{"opcount hnd", "there is no case 'hnd' (did you mean 'hand'?)"},
        Mistake{"opcount hand --frames wrld", "(did you mean 'world'?); there are world, local, folded"},
        Mistake{"bench table1 pyramyd", "(did you mean 'pyramid'?)"},
        Mistake{"bench once cassie ltll solve", "(did you mean 'ltl'?)"},
        Mistake{"completion bsh", "(did you mean 'bash'?); there are bash, zsh, fish"}));

/// Before the work, which may take minutes.
INSTANTIATE_TEST_SUITE_P(
    Outputs, Mistakes,
    ::testing::Values(
        Mistake{"list -o /nowhere/list.txt", "--output: cannot write '/nowhere/list.txt': there is no folder"},
        Mistake{"info go2 -o /", "--output '/' is a folder; give the name of a file"},
        Mistake{"list -o ''", "--output: the name of the file is empty"},
        Mistake{"compute go2-standing --npy -o a.json", "--npy and an --output that ends in .json contradict"},
        Mistake{"compute go2-standing --json -o a.npy", "--json and an --output that ends in .npy contradict"},
        Mistake{"info go2 --plot /nowhere/go2.svg", "--plot: cannot write '/nowhere/go2.svg'"},
        Mistake{"info go2 --plot go2.gif", "--plot 'go2.gif': the name has to end in .svg"},
        Mistake{"compute go2-standing --save-scene /nowhere/a.json", "--save-scene: cannot write"},
        Mistake{"opcount hand --plot /nowhere/a.svg", "--plot: cannot write '/nowhere/a.svg'"},
        Mistake{"bench swimmer --plot a.gif", "the name has to end in .svg, .png or .pdf"},
        Mistake{"bench table1 -o /nowhere/a.json", "--output: cannot write"},
        Mistake{"bench table1 --cache-lines /nowhere/a.json", "cannot read the file"},
        Mistake{"scene --all /nowhere", "--all: cannot write"},
        Mistake{"man -o /nowhere/delassus.1", "--output: cannot write"}));

TEST(Usage, AMissingFileIsAnsweredWithTheNearestOneInItsFolder) {
  const TemporaryFolder folder;
  folder.write("robot.urdf", testing::kPendulum);
  folder.write("counts.json", "{}");
  const auto said = [&](const std::string& arguments) { return testing::run_command(arguments).output; };
  EXPECT_THAT(said("info " + folder.path("robt.urdf")), HasSubstr("did you mean '" + folder.path("robot.urdf") + "'?"));
  EXPECT_THAT(said("bench table1 --cache-lines " + folder.path("count.json")),
              HasSubstr("did you mean '" + folder.path("counts.json") + "'?"));
  EXPECT_THAT(said("check " + folder.path("cuonts.json")), HasSubstr("did you mean '" + folder.path("counts.json")));
  // Without a folder in the name, of where the command runs.
  EXPECT_THAT(run_shell("cd " + folder.path("") + " && delassus info robot.urf 2>&1").output,
              HasSubstr("did you mean 'robot.urdf'?"));
}

/// The matrix is longer than a pipe holds, so that a reader who never reads is noticed. With SIGPIPE ignored the write
/// fails; without, the signal ends the command. Neither is worth a word.
TEST(Usage, AReaderThatLeavesIsNoError) {
  for (const char* before : {"", "trap '' PIPE; "}) {
    const CommandResult r = run_shell(std::string(before) + "{ delassus compute pyramid | true; } 2>&1");
    EXPECT_EQ(r.output, "") << before;
  }
}

/// `script` gives the command a terminal.
TEST(Usage, ErrorsAreColouredOnATerminalUnlessNoColourIsWanted) {
  if (!testing::has_program("script")) GTEST_SKIP() << "there is no `script` to make a terminal";
  const auto on_terminal = [](const std::string& environment) {
    return run_shell(environment + " script -qec 'delassus info go3' /dev/null </dev/null").output;
  };
  EXPECT_THAT(on_terminal("TERM=xterm NO_COLOR="), HasSubstr("\x1b[1;31mdelassus:\x1b[0m 'go3' is neither"));
  for (const char* environment : {"TERM=xterm NO_COLOR=1", "TERM=dumb NO_COLOR="}) {
    EXPECT_THAT(on_terminal(environment), Not(HasSubstr("\x1b"))) << environment;
    EXPECT_THAT(on_terminal(environment), HasSubstr("delassus: 'go3' is neither")) << environment;
  }
}

}  // namespace
}  // namespace delassus
