// One client of the HTTP server, and its one request.
#pragma once

#include <cstdint>

#include "cli/viewer/http_server.hpp"

namespace delassus::cli {

class HttpServer::Connection {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Connection(Socket socket) : socket_(std::move(socket)) {}

  int descriptor() const { return socket_.get(); }
  bool wants_to_send() const { return sent_ < output_.size(); }
  bool wants_to_receive() const { return !client_is_done_; }
  /// Asks a stream for more.
  void refill();
  /// What the system says that can be done now, without waiting.
  void receive(const Handler& handler);
  void send();
  /// Whether it only waits, for its client or for news, and when something happened last. The one that waits longest is closed if others come and
  /// there is no room.
  bool is_idle() const { return state_ == State::kReading || state_ == State::kStreaming; }
  Clock::time_point since() const { return since_; }
  /// Whether there is nothing left to do, or the client takes too long over what is not a stream.
  bool is_over(Clock::time_point now) const;

 private:
  enum class State : std::uint8_t {
    kReading,
    kAnswering,
    kStreaming,
    kLeaving,  // all is sent; what still comes is read and thrown away, since closing before would tear the answer down
    kOver,
  };

  void answer(const HttpResponse& response);

  Socket socket_;
  State state_ = State::kReading;
  RequestReader reader_;
  std::string output_;
  std::size_t sent_ = 0;
  std::function<std::string()> more_;
  bool client_is_done_ = false;             // it will send nothing more
  Clock::time_point since_ = Clock::now();  // when something happened last
};

}  // namespace delassus::cli
