"""Whether clang takes every source by itself: GCC compiles many of them together, which hides a missing #include.

clang_syntax.py SOURCE_DIR BUILD_DIR [FILE...] reads the compile commands of BUILD_DIR, a tree that was configured with clang, and names
each source that fails with its first error. Sources that no command is for fail as well, but for those that need what is
not installed.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

FOLDERS = ["src", "cli", "python/src", "bench", "tests", "examples"]
# Built where others are installed, or by projects of their own.
ELSEWHERE = re.compile(r"[_/](bullet|dart|kdl|mujoco|pinocchio)[_.]|^tests/package/")


def commands_of(source, build):
    """The first command for each source, without what it writes."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        name = os.path.relpath(entry["file"], source)
        words = shlex.split(entry["command"])
        at = words.index("-o")
        words = [w for i, w in enumerate(words) if i not in (at, at + 1) and w != "-c" and not w.endswith("ccache")]
        commands.setdefault(name, (words + ["-fsyntax-only"], entry["directory"]))
    return commands


def first_error(command):
    """What clang says first, or nothing."""
    words, folder = command
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if run.returncode == 0:
        return None
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    return (errors or run.stderr.splitlines() or [f"clang ended with {run.returncode}"])[0]


def shown(name, error):
    """The error, which is printed at once: the others take minutes."""
    if error:
        print(f"{name}: {error}", flush=True)
    return error


def main():
    source, build = (pathlib.Path(folder).resolve() for folder in sys.argv[1:3])
    commands = commands_of(source, build)
    files = sys.argv[3:] or sorted(str(path.relative_to(source)) for folder in FOLDERS for path in (source / folder).rglob("*.cpp"))
    unknown = [name for name in files if name not in commands]
    lost = [name for name in unknown if not ELSEWHERE.search(name)]
    known = [name for name in files if name in commands]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        errors = dict(zip(known, pool.map(lambda name: shown(name, first_error(commands[name])), known)))
    for name in lost:
        print(f"{name}: no target compiles it")
    failed = sum(error is not None for error in errors.values()) + len(lost)
    print(f"{len(known)} sources, {failed} fail; not built here: {' '.join(sorted(set(unknown) - set(lost))) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
