#include "bench/commands/scene_series.hpp"

#include <fmt/format.h>

#include "cli/shell/build_info.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/progress.hpp"

namespace delassus::cli {

void add_effort(Command& app, BenchOptions& options) {
  app.add_flag("--quick", options.quick, "fewer and shorter runs: less than a minute, and more noise");
  options.output.add_to(app);
}

void report_scenes(const BenchOptions& o, const SceneSeries& series) {
  const Progress progress(Progress::Elsewhere::kLines);
  nlohmann::json json = series.about;
  json["conditions"] = as_json(build_info());
  json["scenes"] = nlohmann::json::array();
  std::string text;
  for (std::size_t k = 0; k < series.names.size(); ++k) {
    progress.show(k, series.names.size(), series.names[k]);
    SceneReport scene = series.measure(k);
    progress.clear();
    const std::string lines = fmt::format("{}\n{}", k == 0 ? series.head : "", scene.text);
    if (o.prints_on_the_way()) write_output("", lines);
    text += lines;
    json["scenes"].push_back(std::move(scene.json));
  }
  if (o.output.wants_json()) {
    o.output.write(json);
  } else if (!o.prints_on_the_way()) {
    o.output.write(text);
  }
  if (!o.plot.empty()) series.draw(json);
}

}  // namespace delassus::cli
