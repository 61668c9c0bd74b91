// A small HTTP server for this machine alone: it listens on 127.0.0.1, works in the thread that calls it, and never waits for a client.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/viewer/http_request.hpp"

namespace delassus::cli {

struct HttpResponse {
  int status = 200;
  std::string type, body;
  /// Of a stream, which does not end: what comes next, or nothing for now. Called when all that came before has left, so that a client that is slow is
  /// asked less often, and nothing piles up for it.
  std::function<std::string()> more = nullptr;
};

/// A socket that is closed at the end.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket();
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  /// Port 0: any that is free. The handler sees requests that are well formed and come from this machine's pages. Throws an Error if the port
  /// is taken.
  HttpServer(int port, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  /// Takes and sends what can be taken and sent, waiting at most so long for the first of it. Less if a signal comes.
  void serve(std::chrono::milliseconds wait);

 private:
  class Connection;

  bool has_room() const;
  void make_room();
  void accept_all();

  Handler handler_;
  Socket listener_;
  int port_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace delassus::cli
