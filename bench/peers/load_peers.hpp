// The peers that the build found, and those that it did not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/peers/peer.hpp"

namespace delassus::bench {

struct KnownPeer {
  std::string_view name, module;  // of its file
  std::string_view source;        // where to get it
};

struct LoadedPeers {
  std::vector<PeerEntry> found;  // this library first
  struct Missing {
    std::string name, why;
  };
  std::vector<Missing> missing;
};

/// A module that does not load is missing, with the reason.
LoadedPeers load_peers();

}  // namespace delassus::bench
