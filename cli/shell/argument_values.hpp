// The values that arguments take.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// One of these. Any other is an error with the closest of them; `what` is what they are, in the singular.
Values one_of(std::string what, std::vector<std::string> values);

/// Offered by completion and not checked: the command knows more of them, such as files.
Values such_as(std::vector<std::string> values);

Values whole_number(int least, int most);

/// Finite and greater than zero; number_of reads it.
Values positive_number();
/// From `least` to `most`, both included.
Values number_between(double least, double most);
double number_of(const std::string& given);

/// Not empty: a shell's variable that is not set would else be taken for no file at all.
Values file_name();

}  // namespace delassus::cli
