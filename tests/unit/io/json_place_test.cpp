// Lines of values in a JSON text, and messages that name them.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "delassus/math/error.hpp"
#include "io/json_place.hpp"
#include "io/json_reader.hpp"

namespace delassus::io {
namespace {

constexpr std::string_view kStudy = R"({
  "name": "a \"{[,:]}\" of\\",
  "empty": {},
  "none": [ ],
  "list": [1,
    [2, {"x":
      3}], "]",
    true
  ],
  "a/b": 1, "c~d":
    2,
  "tab\t\u00e9\ud83d\ude00\/": {
    "": null },
  "last": -1.5e3
})";

TEST(JsonPlace, FindsTheLine) {
  EXPECT_EQ(line_of(kStudy, ""), 1);
  EXPECT_EQ(line_of(kStudy, "/name"), 2);
  EXPECT_EQ(line_of(kStudy, "/empty"), 3);
  EXPECT_EQ(line_of(kStudy, "/none"), 4);
  EXPECT_EQ(line_of(kStudy, "/list"), 5);
  EXPECT_EQ(line_of(kStudy, "/list/0"), 5);
  EXPECT_EQ(line_of(kStudy, "/list/1"), 6);
  EXPECT_EQ(line_of(kStudy, "/list/1/1/x"), 7);
  EXPECT_EQ(line_of(kStudy, "/list/2"), 7);
  EXPECT_EQ(line_of(kStudy, "/list/3"), 8);
  EXPECT_EQ(line_of(kStudy, "/last"), 14);
}

TEST(JsonPlace, KnowsEscapesOfBothSides) {
  EXPECT_EQ(line_of(kStudy, "/a~1b"), 10);
  EXPECT_EQ(line_of(kStudy, "/c~0d"), 11);
  EXPECT_EQ(line_of(kStudy, "/tab\t\u00e9\U0001F600~1"), 12);
  EXPECT_EQ(line_of(kStudy, "/tab\t\u00e9\U0001F600~1/"), 13);
}

TEST(JsonPlace, SaysWhereNothingIs) {
  for (const char* pointer : {"/other", "/empty/x", "/none/0", "/none/1", "/list/4", "/list/x", "/list/-1", "/list/",
                              "/list/0/0", "/name/0", "last", "/last/", "/list/99999999999999999999"}) {
    EXPECT_EQ(line_of(kStudy, pointer), 0) << pointer;
  }
}

TEST(JsonPlace, TakesSingleValuesAndMarks) {
  EXPECT_EQ(line_of("\n\n 7 ", ""), 3);
  EXPECT_EQ(line_of("\xEF\xBB\xBF\n{\"a\":\n1}", "/a"), 3);
  EXPECT_EQ(line_of("", ""), 0);
  EXPECT_EQ(line_of(" \n", ""), 0);
}

/// A text that is cut has no place beyond its end, and is read no farther.
TEST(JsonPlace, StaysInside) {
  for (std::size_t size = 0; size < kStudy.size(); ++size) {
    const std::string cut(kStudy.substr(0, size));
    EXPECT_LE(line_of(cut, "/last"), 14) << size;
    EXPECT_LE(line_of(cut, "/list/1/1/x"), 7) << size;
    line_of(cut, "/tab\t\u00e9\U0001F600~1/");
  }
}

std::string json_complaint(std::string_view text, const std::function<void(const JsonCursor&)>& read) {
  const std::string file = "study.json";
  const nlohmann::json value = parse_json(text, file);
  try {
    read(JsonCursor(value, "", file, text));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonPlace, MessagesNameTheLine) {
  EXPECT_EQ(json_complaint(kStudy, [](const JsonCursor& at) { at.at("last").boolean(); }),
            "study.json:14: /last: must be true or false, and is -1500.0");
  EXPECT_EQ(json_complaint(kStudy, [](const JsonCursor& at) { at.at("list").elements()[3].number(); }),
            "study.json:8: /list/3: must be a number, and is true");
  EXPECT_EQ(json_complaint(kStudy, [](const JsonCursor& at) { at.at("list").numbers(); }),
            "study.json:6: /list/1: must be a number, and is an array");
  EXPECT_EQ(json_complaint(kStudy, [](const JsonCursor& at) { at.at("missing"); }),
            "study.json:1: /: the key 'missing' is missing; add it");
}

/// A key that nobody knows is shown where it stands, not where its object begins.
TEST(JsonPlace, UnknownKeysHaveTheirLine) {
  EXPECT_EQ(json_complaint("{\n\"frictoin\": 1}", [](const JsonCursor& at) { at.allow_keys({"friction"}); }),
            "study.json:2: /: unknown key 'frictoin' (did you mean 'friction'?); known keys: friction");
  // Its name was made fit to print, and so the line is not known.
  EXPECT_EQ(json_complaint("{\n\"a\\u0001\": 1}", [](const JsonCursor& at) { at.allow_keys({"friction"}); }),
            "study.json: /: unknown key 'a?'; known keys: friction");
}

TEST(JsonPlace, WithoutTheTextThereIsNoLine) {
  const std::string file = "study.json";
  const nlohmann::json value = parse_json("{\n\"a\": 1}", file);
  EXPECT_THROW(
      {
        try {
          JsonCursor(value, "", file).at("a").string();
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), "study.json: /a: must be a string, and is 1");
          throw;
        }
      },
      Error);
}

}  // namespace
}  // namespace delassus::io
