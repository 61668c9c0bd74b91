#include "bench/peers/load_peers.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "bench/peers/ours.hpp"

namespace delassus::bench {
namespace {

constexpr std::array kKnown{
    KnownPeer{"Pinocchio", "pinocchio",
              "not in Debian: https://github.com/stack-of-tasks/pinocchio, then CMAKE_PREFIX_PATH"},
    KnownPeer{"MuJoCo", "mujoco", "Debian: libmujoco-dev"},
    KnownPeer{"DART", "dart", "Debian: libdart-dev"},
    KnownPeer{"KDL", "kdl", "Debian: liborocos-kdl-dev"},
};

/// Beside the program.
std::filesystem::path file_of(const KnownPeer& peer) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "peers" / (std::string(peer.module) + ".so");
}

/// Deep: its own symbols before those of the program (peer.hpp says why).
const PeerEntry* load(const std::filesystem::path& file, std::string& why) {
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  void* entry = module == nullptr ? nullptr : dlsym(module, "delassus_peer");
  if (entry == nullptr) {
    why = dlerror();
    return nullptr;
  }
  return reinterpret_cast<decltype(&delassus_peer)>(entry)();
}

}  // namespace

LoadedPeers load_peers() {
  LoadedPeers out{{our_entry()}, {}};
  for (const KnownPeer& peer : kKnown) {
    const std::filesystem::path file = file_of(peer);
    std::string why = "not installed when this was built (" + std::string(peer.source) + ")";
    const PeerEntry* entry = std::filesystem::exists(file) ? load(file, why) : nullptr;
    if (entry != nullptr) {
      out.found.push_back(*entry);
    } else {
      out.missing.push_back({std::string(peer.name), why});
    }
  }
  return out;
}

}  // namespace delassus::bench
