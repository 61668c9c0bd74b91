// What a specification says, and what is wrong with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "sweep/effect.hpp"
#include "sweep/quantity.hpp"
#include "sweep/sweep.hpp"

namespace delassus {
namespace {

using ::testing::HasSubstr;

/// A box on a slope: the smallest scene with contacts.
std::string specification(const std::string& parameters, const std::string& more = "") {
  return "{\"format\": \"delassus-sweep-1\",\n \"scene\": \"incline:35\",\n \"seconds\": 0.1,\n" + more +
         " \"parameters\": {\n  " + parameters + "\n }\n}\n";
}

ParameterSweep read(const std::string& text) { return ParameterSweep::parse(text, "study.json", "."); }

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(SweepSpecification, GridsCombineAndTheLastGoesFastest) {
  const ParameterSweep sweep =
      read(specification(R"("friction": {"grid": [0.1, 0.2]}, "height": {"grid": [0, 1, 2]})"));
  ASSERT_EQ(sweep.size(), 6);
  EXPECT_EQ(sweep.parameters(), (std::vector<std::string>{"friction", "height"}));
  EXPECT_EQ(sweep.values(0), (std::vector<double>{0.1, 0}));
  EXPECT_EQ(sweep.values(1), (std::vector<double>{0.1, 1}));
  EXPECT_EQ(sweep.values(3), (std::vector<double>{0.2, 0}));
  EXPECT_EQ(sweep.values(5), (std::vector<double>{0.2, 2}));
  const ParameterSweep twice = read(specification(R"("friction": {"grid": [0.1, 0.2]})", " \"cases\": 4,\n"));
  EXPECT_EQ(twice.values(1), (std::vector<double>{0.1}));
  EXPECT_EQ(twice.values(2), (std::vector<double>{0.2}));
}

TEST(SweepSpecification, AFurtherParameterChangesNoOther) {
  const std::string cases = " \"cases\": 10,\n";
  const ParameterSweep one = read(specification(R"("friction": {"uniform": [0, 1]})", cases));
  const ParameterSweep two =
      read(specification(R"("friction": {"uniform": [0, 1]}, "height": {"uniform": [0, 1]})", cases));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(one.values(i)[0], two.values(i)[0]);
    EXPECT_NE(two.values(i)[0], two.values(i)[1]);
    EXPECT_EQ(one.seed(i), two.seed(i));
  }
}

TEST(SweepSpecification, TheHashIsOfWhatItSaysAndOfTheScene) {
  const std::string text = specification(R"("friction": {"grid": [0.1, 0.2]})");
  std::string spaced = text;
  spaced.insert(spaced.find('{') + 1, "\n\n   ");
  EXPECT_EQ(read(text).hash(), read(spaced).hash());
  EXPECT_EQ(read(text).hash(), read(read(text).text()).hash());
  std::string other = text;
  other.replace(other.find("incline:35"), 10, "incline:36");
  EXPECT_NE(read(text).hash(), read(other).hash());
}

TEST(SweepSpecification, ColumnsAreInTheOrderOfThePage) {
  const ParameterSweep sweep = read(specification(
      R"("friction": {"grid": [0.1, 0.2]})",
      R"( "keep": {"final": ["height", "position"], "max": ["speed"], "events": {"low": {"quantity": "height", "below": 1}},
                   "trajectory": {"of": ["height", "position"], "rate": 100}},)"
      "\n"));
  std::vector<std::string> names;
  for (const SweepColumn& c : sweep.columns()) names.push_back(c.name);
  EXPECT_EQ(names, (std::vector<std::string>{"case", "status", "time", "steps", "inexact_steps", "residual",
                                             "parameters/friction", "final/height", "final/position", "max/speed",
                                             "events/low", "trajectory/height", "trajectory/position"}));
  EXPECT_EQ(sweep.columns()[12].shape, (std::vector<std::int64_t>{11, 3}));
  EXPECT_EQ(sweep.columns()[7].unit, "m");
}

TEST(SweepSpecification, MistakesAreNamedWithLineAndPlace) {
  EXPECT_THAT(complaint("{\"format\": \"delassus-sweep-1\",\n oops}"), HasSubstr("study.json:2: is not valid JSON"));
  EXPECT_THAT(
      complaint(specification(R"("frction": 1)", " \"cases\": 3,\n")),
      HasSubstr("study.json:6: /parameters/frction: there is no parameter 'frction' (did you mean 'friction'?)"));
  EXPECT_THAT(complaint(specification(R"("friction": {"uniform": [1, 1]})", " \"cases\": 3,\n")),
              HasSubstr("study.json:6: /parameters/friction/uniform: is empty"));
  EXPECT_THAT(complaint(specification(R"("friction": {"list": [0.5, -1]})")),
              HasSubstr("/parameters/friction: has to be zero or more"));
  EXPECT_THAT(complaint(specification(R"("friction": {"uniform": [0, 1]})")), HasSubstr("the key 'cases' is missing"));
  EXPECT_THAT(complaint(specification(R"("friction": {"grid": [1, 2, 3]})", " \"cases\": 4,\n")),
              HasSubstr("study.json:4: /cases: 4 cases are no multiple of the 3 points of the grid"));
  EXPECT_THAT(complaint(specification(R"("friction": {"list": [1, 2]}, "height": {"list": [1, 2, 3]})")),
              HasSubstr("has 3 numbers where another list has 2"));
  EXPECT_THAT(complaint(specification(R"("mass_scale:bx": 2)", " \"cases\": 2,\n")),
              HasSubstr("has no body named 'bx'"));
  EXPECT_THAT(complaint(specification(R"("push.x": 2)", " \"cases\": 2,\n")), HasSubstr("there is no push"));
  EXPECT_THAT(complaint(specification(R"("kp": 2)", " \"cases\": 2,\n")), HasSubstr("there are no motors"));
  EXPECT_THAT(complaint(specification(R"("height": 2)", " \"cases\": 2, \"keep\": {\"max\": [\"position\"]},\n")),
              HasSubstr("/keep/max/0: has several numbers"));
  EXPECT_THAT(complaint(specification(R"("height": 2)", " \"cases\": 2, \"seeed\": 1,\n")),
              HasSubstr("unknown key 'seeed' (did you mean 'seed'?)"));
  EXPECT_THAT(complaint(R"({"format": "delassus-sweep-2"})"), HasSubstr("/format: has to be \"delassus-sweep-1\""));
  EXPECT_THAT(complaint(R"({"format": "delassus-sweep-1", "scene": "go3-standing", "seconds": 1})"),
              HasSubstr("/scene: 'go3-standing' is neither a file nor"));
  EXPECT_THAT(complaint(R"({"format": "delassus-sweep-1", "scene": "go2-standing", "columns": {"x": "m"}})"),
              HasSubstr("/scene: does not go with 'columns'"));
}

/// A file of HDF5 takes no dots, a terminal no control characters; what is refused here has not been computed for nothing.
TEST(SweepSpecification, NamesOfColumnsAreThoseOfFiles) {
  for (const std::string& name : std::vector<std::string>{"", ".", "..", "a/b", R"(a\u0001b)", R"(a\u0000b)"}) {
    const std::string key = "{\"" + name + "\": ";
    EXPECT_THAT(complaint(R"({"format": "delassus-sweep-1", "cases": 2, "columns": )" + key + R"("m"}})"),
                HasSubstr("/columns: the name "))
        << name;
    EXPECT_THAT(
        complaint(R"({"format": "delassus-sweep-1", "cases": 2, "columns": {"x": "m"}, "parameters": )" + key + "1}}"),
        HasSubstr("/parameters: the name "))
        << name;
    EXPECT_THAT(complaint(specification(R"("height": 2)", R"( "cases": 2, "keep": {"events": )" + key +
                                                              R"({"quantity": "height", "below": 1}}},)"
                                                              "\n")),
                HasSubstr("/keep/events: the name "))
        << name;
  }
}

TEST(SweepSpecification, ParametersThatWouldDoNothingAreNamed) {
  const auto arm = [](const std::string& parameter) {
    return R"({"format": "delassus-sweep-1", "scene": "panda", "seconds": 0.01, "cases": 2, "parameters": {")" +
           parameter + R"(": 0.1}})";
  };
  EXPECT_THAT(complaint(arm("height")), HasSubstr("nothing floats, so that 'height' moves nothing"));
  EXPECT_THAT(complaint(arm("yaw")), HasSubstr("nothing floats, so that 'yaw' moves nothing"));
  EXPECT_THAT(complaint(arm("latency")), HasSubstr("there are no motors"));
}

TEST(SweepSpecification, PushesThatNeverActAreNamed) {
  const auto pushed = [](const std::string& push, const std::string& parameter = "push.x") {
    return R"({"format": "delassus-sweep-1", "scene": "go2-standing", "seconds": 0.1, "cases": 2, "push": {"body": "base")" +
           push + R"(}, "parameters": {")" + parameter + R"(": {"uniform": [0.01, 0.05]}}})";
  };
  EXPECT_EQ(read(pushed(R"(, "seconds": 0.02)")).size(), 2);
  EXPECT_THAT(complaint(pushed("")), HasSubstr("/push: lasts less than half a step, and so never acts"));
  EXPECT_THAT(complaint(pushed(R"(, "seconds": 1e-4)")), HasSubstr("lasts less than half a step"));
  EXPECT_THAT(complaint(pushed(R"(, "start": 0.1, "seconds": 0.02)")), HasSubstr("begins when cases have ended"));
  EXPECT_THAT(complaint(pushed(R"(, "seconds": 0.02)", "friction")), HasSubstr("has no force"));
  EXPECT_EQ(read(pushed(R"(, "force": [1, 0, 0])", "push.seconds")).size(), 2);
  EXPECT_EQ(read(pushed(R"(, "force": [1, 0, 0], "seconds": 0.01)", "push.start")).size(), 2);
}

/// Steps are counted, and a batch is told of them by an int.
TEST(SweepSpecification, CasesHaveABillionStepsAtMost) {
  const auto lasting = [](const std::string& seconds, const std::string& more = "") {
    return R"({"format": "delassus-sweep-1", "scene": "incline:35", "cases": 2, "seconds": )" + seconds + more + "}";
  };
  EXPECT_THAT(complaint(lasting("1e300")), HasSubstr("/seconds: makes more than a billion steps of each case"));
  EXPECT_THAT(complaint(lasting("0.01", R"(, "parameters": {"dt": {"log_uniform": [1e-300, 0.001]}})")),
              HasSubstr("/parameters/dt: makes more than a billion steps"));
  EXPECT_THAT(complaint(lasting("0.01", R"(, "parameters": {"dt": {"list": [0.001, 0.02]}})")),
              HasSubstr("/parameters/dt: is longer than 'seconds'"));
  EXPECT_EQ(read(lasting("1e5")).size(), 2);
}

TEST(SweepSpecification, CasesThatAreNotThereAreNamed) {
  const ParameterSweep sweep = read(specification(R"("friction": {"grid": [0.1, 0.2]})"));
  EXPECT_THROW((void)sweep.values(2), Error);
  EXPECT_THROW((void)sweep.seed(-1), Error);
  EXPECT_THROW((void)sweep.run({1, 3}), Error);
}

/// What editors and other programs know of names is what the library knows.
TEST(SweepSpecification, TheSchemaHasEveryName) {
  std::ifstream file(DELASSUS_SOURCE_DIR "/docs/sweep.schema.json");
  const auto definitions = nlohmann::json::parse(file).at("$defs");
  const auto fits = [](const std::string& name, const std::string& pattern) {
    return std::regex_search(name, std::regex(pattern, std::regex::ECMAScript));
  };
  const auto& patterns = definitions.at("parameters").at("patternProperties");
  for (const EffectName& known : effect_names()) {
    const auto is_in = [&](const std::string& name) {
      return std::ranges::any_of(patterns.items(), [&](const auto& item) { return fits(name, item.key()); });
    };
    const std::string name(known.name);
    EXPECT_EQ(is_in(name), known.all) << name;
    EXPECT_EQ(is_in(name + ":x"), known.of != EffectName::Of::kNothing) << name;
  }
  const std::string one = definitions.at("scalar_quantity").at("pattern"),
                    several = definitions.at("quantity").at("anyOf").at(1).at("pattern");
  for (const QuantityName& known : quantity_names()) {
    const bool behind = known.of != QuantityName::Of::kNothing;
    const std::string name = std::string(known.name) + (behind ? ":x" : "");
    EXPECT_TRUE(fits(name, one) || fits(name, several)) << name;
  }
  EXPECT_FALSE(fits("weather", one) || fits("weather", several));
}

}  // namespace
}  // namespace delassus
