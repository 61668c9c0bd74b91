#include "cli/viewer/http_request.hpp"

#include <algorithm>
#include <cctype>

namespace delassus::cli {
namespace {

constexpr int kBadRequest = 400, kTooLarge = 413, kHeadTooLarge = 431, kNotImplemented = 501, kOtherVersion = 505;
constexpr std::string_view kLineEnd = "\r\n", kHeadEnd = "\r\n\r\n";

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_visible(char c) { return c > ' ' && c < 0x7f; }
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// What comes before the mark, which is taken off as well; all of it if there is none.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view out = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + mark.size());
  return out;
}

/// "GET /events HTTP/1.1"
int read_request_line(std::string_view line, HttpRequest& out) {
  out.method = take_until(line, " ");
  const std::string_view target = take_until(line, " ");
  if (!is_token(out.method) || !target.starts_with('/') || !std::ranges::all_of(target, is_visible)) return kBadRequest;
  out.path = target.substr(0, target.find('?'));
  if (line == "HTTP/1.1" || line == "HTTP/1.0") return 0;
  return line.starts_with("HTTP/") ? kOtherVersion : kBadRequest;
}

/// "Host: localhost:8080". No name may come twice: which of the two counts would be a guess.
int read_field(std::string_view line, HttpRequest& out) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return kBadRequest;
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (std::ranges::any_of(value, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) && c != '\t'; }))
    return kBadRequest;
  return out.fields.emplace(lower_case(line.substr(0, colon)), value).second ? 0 : kBadRequest;
}

}  // namespace

std::string_view HttpRequest::field(const std::string& name) const {
  const auto at = fields.find(name);
  return at == fields.end() ? std::string_view() : std::string_view(at->second);
}

bool is_from_here(const HttpRequest& request) {
  const std::string host = lower_case(request.field("host"));
  const std::size_t colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
  const std::string_view name = std::string_view(host).substr(0, colon);
  if (name != "localhost" && name != "127.0.0.1" && name != "[::1]") return false;
  const std::string_view origin = request.field("origin");
  return origin.empty() || lower_case(origin) == "http://" + host;
}

void RequestReader::take(std::string_view bytes) {
  if (status_ != kUnfinished) return;
  bytes_ += bytes;
  if (head_ == 0) {
    const std::size_t end = bytes_.find(kHeadEnd);
    if (end == std::string::npos ? bytes_.size() > kMostHead : end > kMostHead) {
      status_ = kHeadTooLarge;
      return;
    }
    if (end == std::string::npos) return;
    head_ = end + kHeadEnd.size();
    status_ = read_head(std::string_view(bytes_).substr(0, end));
    if (status_ != 0) return;
  }
  if (bytes_.size() - head_ < length_) return;
  request_.body = bytes_.substr(head_, length_);
  status_ = kOk;
}

int RequestReader::read_head(std::string_view head) {
  int status = read_request_line(take_until(head, kLineEnd), request_);
  while (status == 0 && !head.empty()) status = read_field(take_until(head, kLineEnd), request_);
  if (status == 0 && request_.field("host").empty()) status = kBadRequest;
  return status == 0 ? read_length() : status;
}

int RequestReader::read_length() {
  if (!request_.field("transfer-encoding").empty()) return kNotImplemented;
  if (!request_.fields.contains("content-length")) return 0;
  const std::string_view text = request_.field("content-length");
  constexpr std::size_t kMostDigits = 9;
  if (text.empty() || !std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; }))
    return kBadRequest;
  if (text.size() > kMostDigits) return kTooLarge;
  length_ = std::stoul(std::string(text));
  return length_ > kMostBody ? kTooLarge : 0;
}

}  // namespace delassus::cli
