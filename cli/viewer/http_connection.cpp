#include "cli/viewer/http_connection.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace delassus::cli {
namespace {

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

HttpResponse plain(int status) {
  return {status, "text/plain; charset=utf-8", fmt::format("{} {}\n", status, reason(status))};
}

/// Nothing is kept by browsers, framed by other pages, or taken for another type than it says.
std::string head_of(const HttpResponse& response) {
  std::string out = fmt::format(
      "HTTP/1.1 {} {}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
      "Connection: close\r\n",
      response.status, reason(response.status));
  if (!response.type.empty()) out += fmt::format("Content-Type: {}\r\n", response.type);
  if (!response.more) out += fmt::format("Content-Length: {}\r\n", response.body.size());
  return out + "\r\n";
}

bool is_for_later(int error) { return error == EAGAIN || error == EINTR; }

}  // namespace

void HttpServer::Connection::answer(const HttpResponse& response) {
  output_ = head_of(response) + response.body;
  sent_ = 0;
  more_ = response.more;
  state_ = more_ ? State::kStreaming : State::kAnswering;
}

void HttpServer::Connection::refill() {
  if (state_ != State::kStreaming || wants_to_send()) return;
  output_ = more_();
  sent_ = 0;
}

void HttpServer::Connection::receive(const Handler& handler) {
  std::array<char, 4096> bytes{};
  const ssize_t count = recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (count == 0 || (count < 0 && !is_for_later(errno))) {
    client_is_done_ = true;
    // It may still read the answer; one that was to be streamed to has gone.
    if (count < 0 || state_ != State::kAnswering) state_ = State::kOver;
    return;
  }
  if (count < 0 || state_ != State::kReading) return;
  reader_.take({bytes.data(), static_cast<std::size_t>(count)});
  if (reader_.refused() != 0) {
    answer(plain(reader_.refused()));
  } else if (reader_.complete()) {
    answer(is_from_here(reader_.request()) ? handler(reader_.request()) : plain(403));
  }
}

void HttpServer::Connection::send() {
  while (wants_to_send()) {
    const ssize_t count = ::send(socket_.get(), output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0) {
      if (!is_for_later(errno)) state_ = State::kOver;
      return;
    }
    sent_ += static_cast<std::size_t>(count);
    since_ = Clock::now();
  }
  if (state_ != State::kAnswering) return;
  shutdown(socket_.get(), SHUT_WR);
  state_ = State::kLeaving;
}

bool HttpServer::Connection::is_over(Clock::time_point now) const {
  constexpr std::chrono::seconds kPatience{10}, kFarewell{1};
  if (state_ == State::kOver) return true;
  if (state_ == State::kStreaming) return false;
  return now - since_ > (state_ == State::kLeaving ? kFarewell : kPatience);
}

}  // namespace delassus::cli
