// One array as a .npy file has it.
#pragma once

#include <string>
#include <string_view>

#include "io/npz.hpp"

namespace delassus::io {

/// `where` names the file and the member for messages. Throws an Error.
NpzArray parse_npy(std::string_view bytes, const std::string& where);

/// The same for byte strings (|S), one or a list of them, without the zeros at their ends.
std::vector<std::string> parse_npy_texts(std::string_view bytes, const std::string& where);

/// The beginning of a file with such elements: "<f8", "<i8" or "|S5", and the shape as Python writes it, "()" or "(3,)".
std::string npy_header(std::string_view dtype, std::string_view shape);

}  // namespace delassus::io
