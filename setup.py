"""Builds the extension module with CMake. Everything else about the package stands in pyproject.toml.

    pip install --no-build-isolation .

With the environment variable DELASSUS_BUILD_DIR naming a configured build tree of this source, the module is built
there, and what that tree has compiled already is used. Otherwise a tree of its own is configured below build/, with the
arguments in the environment variable CMAKE_ARGS, such as -DDELASSUS_ARCH=x86-64-v3 for other machines than this one.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
SCRATCH = Path("build") / "python-package"  # what setuptools leaves behind


def version() -> str:
    found = re.search(r"project\([^)]*?VERSION\s+([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    if not found:
        sys.exit("setup.py: CMakeLists.txt has no project(... VERSION ...)")
    return found.group(1)


def require_tools() -> None:
    if not shutil.which("cmake"):
        sys.exit("setup.py: cmake was not found. On Debian: apt-get install cmake")
    if not any(shutil.which(compiler) for compiler in (os.environ.get("CXX", "c++"), "g++", "clang++")):
        sys.exit("setup.py: no C++ compiler was found. On Debian: apt-get install g++")


def run(*command: str) -> None:
    try:
        subprocess.run(command, check=True)
    except subprocess.CalledProcessError as error:
        sys.exit(f"setup.py: `{' '.join(command)}` failed with exit status {error.returncode}; its messages are above")


def build_tree(of_its_own: Path) -> Path:
    """A configured tree with the target delassus_python."""
    python = ["-DDELASSUS_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    given = os.environ.get("DELASSUS_BUILD_DIR")
    if given:
        tree = Path(given).resolve()
        cache = tree / "CMakeCache.txt"
        if not cache.exists():
            sys.exit(f"setup.py: DELASSUS_BUILD_DIR={given} is no configured build tree: it has no CMakeCache.txt")
        if f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" not in cache.read_text(encoding="utf-8"):
            sys.exit(f"setup.py: DELASSUS_BUILD_DIR={given} is the build tree of another source than {ROOT}")
        run("cmake", str(tree), *python)
        return tree
    off = [f"-DDELASSUS_{what}=OFF" for what in ("BUILD_TESTS", "BUILD_CLI", "BUILD_BENCH", "INSTALL")]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", str(ROOT), "-B", str(of_its_own), *generator, "-DCMAKE_BUILD_TYPE=Release", *off, *python,
        *shlex.split(os.environ.get("CMAKE_ARGS", "")))
    return of_its_own


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        require_tools()
        tree = build_tree(Path(self.build_temp).resolve())
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 2))
        run("cmake", "--build", str(tree), "--target", "delassus_python", "--parallel", jobs)
        target = Path(self.get_ext_fullpath(extension.name))
        built = tree / "python" / "delassus" / target.name
        if not built.exists():
            sys.exit(f"setup.py: CMake built no {built.name}; it took another Python than {sys.executable}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)
        for library in built.parent.glob("lib*.so.*"):  # of DELASSUS_SELF_CONTAINED
            shutil.copy2(library, target.parent / library.name)


os.chdir(ROOT)
SCRATCH.mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    ext_modules=[Extension("delassus._delassus", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}},
)
