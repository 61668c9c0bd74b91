// Where colours may be used. This is the only place that decides.
#pragma once

namespace delassus::cli {

/// Whether stderr is a terminal that shows colours. NO_COLOR (any value but an empty one) and TERM=dumb say no. What goes to
/// stdout is for files and programs as well, and has none.
bool stderr_has_colour();

}  // namespace delassus::cli
