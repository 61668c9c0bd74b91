#include "bench/operations/operation_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

constexpr int kLongestStem = 30;
constexpr std::array kBranches{1, 2, 4, 7, 10};
constexpr std::array kSquares{2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48};
constexpr std::array kWelded{1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};
constexpr std::array kHumanoids{24, 36, 48, 72, 96, 144, 192, 288, 384};

/// Cases of one scene have names of their own where a figure has more variants than the scene's name says.
struct Alias {
  std::string_view study, scene;
};
constexpr std::array kAliases{Alias{"atlas-feet6", "atlas-feet"}, Alias{"atlas-feet12", "atlas-feet-points"},
                              Alias{"hand", "shadow-tips"}};

std::vector<CasePoint> stems() {
  std::vector<CasePoint> out;
  for (const int branches : kBranches) {
    for (int stem = 1; stem <= kLongestStem; ++stem) {
      out.push_back({fmt::format("{} x {}", stem, branches), fmt::format("stem:{}x{}", stem, branches), stem});
    }
  }
  return out;
}

template <std::size_t kCount>
std::vector<CasePoint> sizes(std::string_view scene, const std::array<int, kCount>& numbers) {
  std::vector<CasePoint> out;
  for (const int k : numbers) out.push_back({std::to_string(k), fmt::format("{}:{}", scene, k), k});
  return out;
}

}  // namespace

const std::vector<OperationCase>& operation_cases() {
  static const std::vector<OperationCase> kCases{
      {"stem", "floating stem, 1 to 10 branches of 7 links at either end, tips welded (PV-OSIMr, Fig. 3)", "stem"},
      {"k2chain", "chain of k² links, every k-th welded (PV-OSIMr, Fig. 4a)", "k"},
      {"k2loops", "the same chain, every k-th link pinned to the one k before it", "k"},
      {"allwelded", "chain with every link welded (PV-OSIMr, Fig. 4b)", "links"},
      {"atlas-feet6", "Atlas, six rows on each foot (PV-OSIMr, Fig. 5a)", ""},
      {"atlas-feet12", "Atlas, four points of three rows on each foot (PV-OSIMr, Fig. 5b)", ""},
      {"atlas-feet-hands", "Atlas, feet and hands welded (PV-OSIMr, Sec. IV-E)", ""},
      {"hand", "Shadow-like hand, fingertips pinned (PV-OSIMr, Fig. 6a)", ""},
      {"atlas-hand", "Atlas with one hand, fingertips pinned (PV-OSIMr, Fig. 6b)", ""},
      {"atlas-hands", "Atlas with two hands, fingertips pinned (PV-OSIMr, Fig. 6c)", ""},
      {"atlas-hands-feet", "Atlas with two hands, fingertips pinned, feet welded (PV-OSIMr, Fig. 6d)", ""},
      {"asimo-hf", "ASIMO-like, hands and feet (EFPA, Fig. 5 and 6)", "", true},
      {"asimo-hfh", "ASIMO-like, hands, feet and head (EFPA, Fig. 6)", "", true},
      {"asimo-ftf", "ASIMO-like, forefingers, thumbs and feet (EFPA, Fig. 6)", "", true},
      {"asimo-arms", "ASIMO-like, longer arms (EFPA, Fig. 6)", "", true},
      {"asimo-legs", "ASIMO-like, longer legs (EFPA, Fig. 6)", "", true},
      {"asimo-hands", "ASIMO-like, four-fingered hands (EFPA, Fig. 6)", "", true},
      {"asimo-limbs", "ASIMO-like, two more arms and legs (EFPA, Fig. 6)", "", true},
      {"asimo-onefoot", "ASIMO-like, on one foot fixed to the world (EFPA, Fig. 6)", "", true},
      {"humanoid24", "two-armed humanoid from 24 links on, longer in the trunk (Chang and Khatib, Fig. 2)", "links"},
  };
  return kCases;
}

const OperationCase& find_operation_case(const std::string& name) {
  const auto& all = operation_cases();
  const auto found = std::ranges::find(all, name, &OperationCase::name);
  if (found != all.end()) return *found;
  ClosestName closest(name);
  for (const OperationCase& c : all) closest.consider(c.name);
  throw Error(
      fmt::format("there is no case {}{}; `delassus opcount --list` shows them", in_quotes(name), closest.hint()));
}

std::vector<CasePoint> points_of(const OperationCase& study) {
  if (study.name == "stem") return stems();
  if (study.name == "allwelded") return sizes(study.name, kWelded);
  if (study.name == "humanoid24") return sizes("humanoid", kHumanoids);
  if (!study.size.empty()) return sizes(study.name, kSquares);
  const auto alias = std::ranges::find(kAliases, study.name, &Alias::study);
  const std::string_view scene = alias == kAliases.end() ? study.name : alias->scene;
  return {{std::string(study.name), std::string(scene), 0}};
}

}  // namespace delassus::cli
