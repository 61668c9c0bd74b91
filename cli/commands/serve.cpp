// `delassus serve`: a running simulation in a browser on the same machine.
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/simulate_options.hpp"
#include "cli/commands/simulate_recording.hpp"
#include "cli/pages/json_text.hpp"
#include "cli/pages/viewer_page.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/interruption.hpp"
#include "cli/shell/message.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/viewer/http_server.hpp"
#include "cli/viewer/live_simulation.hpp"
#include "cli/viewer/page_options.hpp"

extern char** environ;

namespace delassus::cli {
namespace {

struct ServeOptions {
  SetupOptions setup;
  int port = 8080, fps = 60;
  std::string speed = "1";
  bool no_browser = false;

  LiveOptions live() const {
    LiveOptions out{number_of(speed), fps, {}};
    if (!setup.seconds.empty()) out.seconds = number_of(setup.seconds);
    return out;
  }
};

HttpResponse refusal(int status, const std::string& words) {
  return {status, "application/json", to_text({{"error", words}})};
}

/// What a page asks for: {"command": "pause"}.
class Controls {
 public:
  explicit Controls(LiveSimulation& live) : live_(live) {}

  HttpResponse obey(const std::string& body) {
    const nlohmann::json asked = nlohmann::json::parse(body, nullptr, false);
    if (!asked.is_object() || !asked.contains("command") || !asked["command"].is_string())
      return refusal(400, R"(send an object such as {"command": "pause"})");
    const auto command = asked["command"].get<std::string>();
    if (command == "speed") return set_speed(asked);
    constexpr std::array<std::pair<std::string_view, void (LiveSimulation::*)()>, 4> kCommands{
        {{"pause", &LiveSimulation::pause},
         {"resume", &LiveSimulation::resume},
         {"step", &LiveSimulation::step},
         {"restart", &LiveSimulation::restart}}};
    for (const auto& [name, action] : kCommands) {
      if (command != name) continue;
      (live_.*action)();
      return {204, "", ""};
    }
    return refusal(400, "the commands are pause, resume, step, restart and speed");
  }

 private:
  HttpResponse set_speed(const nlohmann::json& asked) {
    const double speed = asked.contains("value") && asked["value"].is_number() ? asked["value"].get<double>() : 0;
    if (!(speed >= LiveSimulation::kLeastSpeed && speed <= LiveSimulation::kMostSpeed))
      return refusal(400, fmt::format("speed takes a value from {} to {}", LiveSimulation::kLeastSpeed,
                                      LiveSimulation::kMostSpeed));
    live_.set_speed(speed);
    return {204, "", ""};
  }

  LiveSimulation& live_;
};

std::string live_page(const ServeOptions& o, const SimulationSetup& setup, const Simulator& simulation) {
  const std::string title = title_of(o.setup.scene.model);
  nlohmann::json head = recording_head(title, setup, simulation, o.fps);
  head["live"] = true;
  head["speed"] = number_of(o.speed);
  head["structures"] = head["frames"] = nlohmann::json::array();
  return make_viewer_page(title + " - delassus", to_text(head));
}

/// The page, its events, and its controls. There are no files behind it.
class Site {
 public:
  Site(std::string page, LiveSimulation& live) : page_(std::move(page)), live_(live), controls_(live) {}

  HttpResponse answer(const HttpRequest& request) {
    if (request.path == "/control")
      return request.method == "POST" ? controls_.obey(request.body) : refusal(405, "use POST");
    if (request.path != "/" && request.path != "/events" && request.path != "/favicon.ico")
      return refusal(404, "there are / and /events and /control");
    if (request.method != "GET") return refusal(405, "use GET");
    if (request.path == "/") return {200, "text/html; charset=utf-8", page_};
    if (request.path == "/favicon.ico") return {204, "", ""};
    const auto next = [this, reader = LiveLog::Reader{}]() mutable { return live_.log().next_event(reader); };
    return {200, "text/event-stream", "retry: 1000\n\n", next};
  }

 private:
  std::string page_;
  LiveSimulation& live_;
  Controls controls_;
};

/// Where there is a desktop to open it on.
void open_browser(const std::string& address) {
  const bool desktop = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (!desktop || isatty(STDOUT_FILENO) != 1) return;
  std::string program = "xdg-open", argument = address;
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = 0;
  // Nobody waits for it: some browsers run as long as their window.
  posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ);
}

int run(const ServeOptions& o) {
  require_viewer("serve");
  std::vector<std::string> warnings;
  const SimulationSetup setup = make_setup(o.setup, warnings);
  for (const std::string& text : warnings) say_warning(text);
  LiveSimulation live(setup, o.live());
  Site site(live_page(o, setup, live.simulator()), live);
  HttpServer server(o.port, [&site](const HttpRequest& request) { return site.answer(request); });
  const Interruption interruption;
  const std::string address = fmt::format("http://127.0.0.1:{}/", server.port());
  write_output("", fmt::format("{}\n", address));
  if (!o.setup.quiet) say_note("open that address in a browser on this machine; Ctrl-C ends");
  if (!o.no_browser) open_browser(address);
  while (!interruption.asked()) {
    live.advance();
    server.serve(live.wait());
  }
  return kExitOk;
}

}  // namespace

void add_serve(Command& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  Command* sub = app.add_subcommand("serve", "Shows a running simulation in a browser on this machine");
  options->setup.add_to(*sub, "when it ends, and stays to be looked at (default: it runs on)");
  sub->add_option("--port", options->port, "of 127.0.0.1 to listen on (default 8080); 0: any that is free")
      ->type_name("PORT")
      ->check(whole_number(0, 65535));
  sub->add_option("--speed", options->speed, "simulated seconds per second at the start (default 1)")
      ->type_name("FACTOR")
      ->check(number_between(LiveSimulation::kLeastSpeed, LiveSimulation::kMostSpeed));
  add_fps(*sub, options->fps, "frames per second (default 60)");
  sub->add_flag("--no-browser", options->no_browser, "open none; the address is printed in any case");
  set_examples(*sub,
               {{"delassus serve g1-standing", "a humanoid falls, as often as you like; minutes, until Ctrl-C"},
                {"delassus serve go2-standing --hold 200,10 --port 0", "on a free port, for minutes too"},
                {"delassus serve arch --seconds 2 --speed 0.1", "ends after 20 s, and can be replayed for minutes"}});
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace delassus::cli
