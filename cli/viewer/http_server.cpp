#include "cli/viewer/http_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/viewer/http_connection.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

constexpr std::size_t kMostConnections = 64;

sockaddr_in local_address(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

void make_own_and_unblocked(int descriptor) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

Socket listen_on(int port) {
  Socket out(socket(AF_INET, SOCK_STREAM, 0));
  const auto require = [&](bool good) {
    if (good) return;
    if (errno == EADDRINUSE)
      throw Error(
          fmt::format("--port {}: another program uses this port; take another, or 0 for any that is free", port));
    if (errno == EACCES)
      throw Error(
          fmt::format("--port {}: this port may not be used; take one above 1023, or 0 for any that is free", port));
    throw Error(fmt::format("--port {}: cannot listen on 127.0.0.1: {}", port, std::strerror(errno)));
  };
  require(out.get() >= 0);
  make_own_and_unblocked(out.get());
  // Else the port stays taken for a minute after the last server on it has gone.
  const int yes = 1;
  setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = local_address(port);
  require(bind(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  require(listen(out.get(), SOMAXCONN) == 0);
  return out;
}

int port_of(const Socket& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

}  // namespace

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

HttpServer::HttpServer(int port, Handler handler)
    : handler_(std::move(handler)), listener_(listen_on(port)), port_(port_of(listener_)) {}
HttpServer::~HttpServer() = default;

bool HttpServer::has_room() const {
  return connections_.size() < kMostConnections ||
         std::ranges::any_of(connections_, [](const auto& c) { return c->is_idle(); });
}

/// Pages that lost their stream ask for it again.
void HttpServer::make_room() {
  if (connections_.size() < kMostConnections) return;
  const auto when = [](const auto& c) { return c->is_idle() ? c->since() : Connection::Clock::time_point::max(); };
  connections_.erase(std::ranges::min_element(connections_, {}, when));
}

void HttpServer::accept_all() {
  while (has_room()) {
    Socket client(accept(listener_.get(), nullptr, nullptr));
    if (client.get() < 0) return;
    make_room();
    make_own_and_unblocked(client.get());
    // What the system holds for a slow client is old when it arrives: by itself it would hold megabytes.
    const int bytes = 65536;
    setsockopt(client.get(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    connections_.push_back(std::make_unique<Connection>(std::move(client)));
  }
}

void HttpServer::serve(std::chrono::milliseconds wait) {
  // Those that come when there are too many wait in the queue of the system.
  const short take_in = has_room() ? POLLIN : 0;
  std::vector<pollfd> wanted{{listener_.get(), take_in, 0}};
  for (const auto& connection : connections_) {
    connection->refill();
    const int events = (connection->wants_to_receive() ? POLLIN : 0) | (connection->wants_to_send() ? POLLOUT : 0);
    wanted.push_back({connection->descriptor(), static_cast<short>(events), 0});
  }
  if (poll(wanted.data(), wanted.size(), static_cast<int>(wait.count())) > 0) {
    for (std::size_t k = 1; k < wanted.size(); ++k) {
      Connection& connection = *connections_[k - 1];
      if (wanted[k].revents & (POLLIN | POLLHUP | POLLERR)) connection.receive(handler_);
      if (connection.wants_to_send()) connection.send();
    }
    if (wanted[0].revents & POLLIN) accept_all();
  }
  const auto now = Connection::Clock::now();
  std::erase_if(connections_, [&](const auto& connection) { return connection->is_over(now); });
}

}  // namespace delassus::cli
