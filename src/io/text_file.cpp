#include "io/text_file.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "delassus/math/error.hpp"

namespace delassus::io {
namespace {

constexpr std::size_t kBlock = 256;

/// The innermost one that lives.
thread_local FilesRead* files_read = nullptr;

int count_newlines(std::string_view text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

std::uint32_t byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// Length of the UTF-8 character at i; 0 if there is none. Overlong forms and surrogates are none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const std::uint32_t lead = byte_at(text, i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0U) != 0x80) return 0;
  }
  const std::uint32_t second = byte_at(text, i + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool out_of_range = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || out_of_range ? 0 : length;
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0U | (c >> 6U));
    put(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    put(0xE0U | (c >> 12U));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  } else {
    put(0xF0U | (c >> 18U));
    put(0x80U | ((c >> 12U) & 0x3FU));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  }
}

/// `low` is the position of the low byte in each pair. A surrogate without its other half becomes U+FFFD.
std::string from_utf16(std::string_view raw, std::size_t low) {
  const auto unit = [&](std::size_t i) { return byte_at(raw, i + low) | (byte_at(raw, i + 1 - low) << 8U); };
  std::string out;
  out.reserve(raw.size() / 2);
  for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xE000) {
      const std::uint32_t next = i + 3 < raw.size() ? unit(i + 2) : 0;
      if (c < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10U) + (next - 0xDC00);
        i += 2;
      } else {
        c = 0xFFFD;
      }
    }
    append_utf8(out, c);
  }
  return out;
}

Utf8Text repaired(std::string_view raw) {
  Utf8Text out;
  out.text.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size();) {
    const std::size_t length = utf8_length(raw, i);
    if (length == 0) {
      if (out.foreign == std::string::npos) out.foreign = out.text.size();
      append_utf8(out.text, byte_at(raw, i++));
    } else {
      out.text.append(raw, i, length);
      i += length;
    }
  }
  return out;
}

}  // namespace

FilesRead::FilesRead() : outer_(std::exchange(files_read, this)) {}

FilesRead::~FilesRead() { files_read = outer_; }

void FilesRead::note(const std::string& path) {
  if (outer_ != nullptr) outer_->note(path);
  std::error_code failure;
  std::string absolute = std::filesystem::absolute(path, failure).string();
  if (std::find(files_.begin(), files_.end(), absolute) == files_.end()) files_.push_back(std::move(absolute));
}

void require_text_size(std::uintmax_t size, const std::string& file_name) {
  if (size == 0) throw Error(file_name + ": is empty");
  if (size > kMaxFileSize) {
    throw Error(file_name + ": is " + std::to_string(size >> 20U) + " MiB large, and the limit is " +
                std::to_string(kMaxFileSize >> 20U) + " MiB; is it a robot description?");
  }
}

std::string read_text_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) throw Error(path + ": there is no such file");
  if (status.type() == fs::file_type::directory) throw Error(path + ": is a directory; name a file in it");
  if (status.type() == fs::file_type::none) throw Error(path + ": cannot be examined: " + failure.message());
  if (status.type() != fs::file_type::regular) throw Error(path + ": is not a regular file");

  // The size is checked before anything is read, and no more than that is read.
  const std::uintmax_t size = fs::file_size(path, failure);
  if (failure) throw Error(path + ": cannot be examined: " + failure.message());
  require_text_size(size, path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path + ": cannot be opened; check its permissions");
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw Error(path + ": cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (files_read != nullptr) files_read->note(path);
  return text;
}

Utf8Text to_utf8(std::string_view raw) {
  if (raw.starts_with("\xFF\xFE")) return {from_utf16(raw.substr(2), 0)};
  if (raw.starts_with("\xFE\xFF")) return {from_utf16(raw.substr(2), 1)};
  if (raw.starts_with("\xEF\xBB\xBF")) raw.remove_prefix(3);
  return repaired(raw);
}

LineTable::LineTable(std::string_view text) : text_(text) {
  int newlines = 0;
  for (std::size_t start = 0; start <= text.size(); start += kBlock) {
    newlines_before_block_.push_back(newlines);
    newlines += count_newlines(text.substr(start, kBlock));
  }
}

int LineTable::line(std::size_t offset) const {
  const std::size_t block = std::min(offset, text_.size()) / kBlock;
  const std::size_t start = block * kBlock;
  return 1 + newlines_before_block_[block] +
         count_newlines(text_.substr(start, std::min(offset, text_.size()) - start));
}

}  // namespace delassus::io
