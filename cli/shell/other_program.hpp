// Programs beside this one that are started with the words of the line.
#pragma once

#include <string>
#include <vector>

namespace delassus::cli {

/// Becomes the program of this name in the folder of this one. Throws an Error that ends with the advice if it is not there.
[[noreturn]] void become(const std::string& name, std::vector<std::string> words, const std::string& advice);

}  // namespace delassus::cli
