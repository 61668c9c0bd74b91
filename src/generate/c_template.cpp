#include "generate/c_template.hpp"

#include <cctype>
#include <string>

namespace delassus::generation {

std::string fill_in(std::string_view text, const Words& words, const Dialect& dialect) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = text.find('$');
    out += text.substr(0, mark);
    if (mark == std::string_view::npos) break;
    text.remove_prefix(mark + 1);
    std::size_t end = 0;
    if (text.front() == '(') {
      end = text.find(')') + 1;
      const std::string inner(text.substr(1, end - 2));
      const auto word = words.find(inner);
      out += word != words.end() ? word->second : dialect.number(std::stod(inner));
    } else {
      while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
      out += words.at(std::string(text.substr(0, end)));
    }
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace delassus::generation
