// This library behind the interface of the peers.
#pragma once

#include "bench/peers/peer.hpp"

namespace delassus::bench {

PeerEntry our_entry();

}  // namespace delassus::bench
