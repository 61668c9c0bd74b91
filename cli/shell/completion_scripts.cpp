#include "cli/shell/completion_scripts.hpp"

#include <array>

#include "cli/shell/find_by_name.hpp"

namespace delassus::cli {
namespace {

// The first line of `delassus complete` says what the shell offers beside the words. These follow, with a tab before
// their descriptions.

constexpr const char* kBash = R"sh(# bash completion for delassus
_delassus() {
  local current=${COMP_WORDS[COMP_CWORD]} beside='' word file
  [[ $current == = ]] && current=''
  COMPREPLY=()
  {
    read -r beside
    while IFS=$'\t' read -r word _; do COMPREPLY+=("$word"); done
  } < <("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $beside in
    files) compopt -o filenames 2>/dev/null
           while read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current") ;;
    folders) compopt -o filenames 2>/dev/null
             while read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$current") ;;
  esac
}
complete -F _delassus delassus
)sh";

constexpr const char* kZsh = R"sh(#compdef delassus
# zsh completion for delassus
_delassus() {
  local -a lines described
  local line word
  lines=("${(@f)$(${~words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    word=${line%%$'\t'*}
    described+=("${word//:/\\:}")
    [[ $line == *$'\t'?* ]] && described[-1]+=":${line#*$'\t'}"
  done
  (( $#described )) && _describe 'delassus' described
  case $lines[1] in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _delassus ]]; then
  _delassus "$@"
else
  compdef _delassus delassus
fi
)sh";

constexpr const char* kFish = R"sh(# fish completion for delassus
function __delassus_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
    end
    string join \n -- $lines[2..-1]
end
complete -c delassus -f -a '(__delassus_complete)'
)sh";

struct Script {
  std::string_view shell;
  const char* text;
};
constexpr std::array kScripts{Script{"bash", kBash}, Script{"zsh", kZsh}, Script{"fish", kFish}};

}  // namespace

std::vector<std::string> known_shells() {
  std::vector<std::string> out;
  for (const Script& script : kScripts) out.emplace_back(script.shell);
  return out;
}

const char* completion_script(const std::string& shell) {
  return find_by_name(kScripts, shell, "shell", &Script::shell).text;
}

}  // namespace delassus::cli
