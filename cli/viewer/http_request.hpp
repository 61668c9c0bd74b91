// Requests of HTTP/1.1 (RFC 9112), as far as a page on the same machine makes them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace delassus::cli {

struct HttpRequest {
  std::string method, path;                   // the path without a query
  std::map<std::string, std::string> fields;  // names in lower case
  std::string body;

  /// Empty if there is none.
  std::string_view field(const std::string& name) const;
};

/// Whether a page that the request comes from can be one of ours. The name in Host has to be that of this machine, else a page of someone else
/// could reach us by a name that it lets point here (DNS rebinding); Origin, which browsers send with what changes something, has to be that host.
bool is_from_here(const HttpRequest& request);

/// Puts a request together from what arrives.
class RequestReader {
 public:
  static constexpr std::size_t kMostHead = 16384, kMostBody = 4096;

  /// Takes more bytes. What follows a complete request is left out: each connection has one.
  void take(std::string_view bytes);

  bool complete() const { return status_ == kOk; }
  /// Status of the answer to a request that cannot be one; 0: none.
  int refused() const { return status_ == kOk ? 0 : status_; }
  const HttpRequest& request() const { return request_; }

 private:
  static constexpr int kUnfinished = 0, kOk = 200;

  int read_head(std::string_view head);
  int read_length();

  std::string bytes_;
  HttpRequest request_;
  std::size_t head_ = 0, length_ = 0;  // bytes of the head, and of the body that is to come
  int status_ = kUnfinished;
};

}  // namespace delassus::cli
