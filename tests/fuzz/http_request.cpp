// Any bytes as what a client of `delassus serve` sends, in pieces that they choose themselves: where they are cut changes nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/viewer/http_request.hpp"

namespace {

delassus::cli::RequestReader read_in_pieces(std::string_view bytes, std::size_t length) {
  delassus::cli::RequestReader reader;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(length, bytes.size()))) reader.take(bytes.substr(0, length));
  return reader;
}

bool same(const delassus::cli::HttpRequest& a, const delassus::cli::HttpRequest& b) {
  return a.method == b.method && a.path == b.path && a.fields == b.fields && a.body == b.body &&
         is_from_here(a) == is_from_here(b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using delassus::cli::RequestReader;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const RequestReader whole = read_in_pieces(bytes, bytes.size() + 1), pieces = read_in_pieces(bytes, data[0] + 1u);
  if (whole.complete() != pieces.complete() || whole.refused() != pieces.refused()) std::abort();
  if (whole.complete() && !same(whole.request(), pieces.request())) std::abort();
  if (whole.complete() && whole.request().body.size() > RequestReader::kMostBody) std::abort();
  return 0;
}
