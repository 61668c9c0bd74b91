// Where colours may be used. This is the only place that decides.
#pragma once

namespace delassus::cli {

/// Whether the stream is a terminal that shows colours. NO_COLOR (any value but an empty one) and TERM=dumb say no.
bool stdout_has_colour();
bool stderr_has_colour();

}  // namespace delassus::cli
