"""Generated code for Cortex-M: compiled by Debian's arm-none-eabi-gcc, looked at, and run by QEMU.

Tests that import this end with 77, which ctest takes as skipped, where one of the tools is missing.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "examples/firmware"
TOOLS = ("arm-none-eabi-gcc", "arm-none-eabi-nm", "qemu-system-arm")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
# An instruction takes 2^5 ns of the emulated clock, of which the board's ticks are 40 ns.
ICOUNT_SHIFT, TICK_NS = 5, 40


@dataclass(frozen=True)
class Core:
    name: str
    flags: str
    machine: str


CORES = (Core("Cortex-M4F", "cortex-m4.flags", "mps2-an386"), Core("Cortex-M7", "cortex-m7.flags", "mps2-an500"))


def require(*tools: str) -> None:
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        print("skipped: there is no " + ", ".join(missing))
        sys.exit(77)


def run(*words: str | Path, timeout: float = 120) -> str:
    """What a command prints. Throws an AssertionError with all of it where it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def compiler_version() -> str:
    return run("arm-none-eabi-gcc", "-dumpfullversion").strip()


IN_FLOAT = ("--scalar", "float", "--damping", "number")


OPERATOR_ALONE = ("--functions", "operator")


def generate(command: Path, scene: str | Path, folder: Path, options: tuple[str, ...] = IN_FLOAT) -> None:
    """robot.h, robot.c, robot_test.c and robot.json."""
    run(command, "generate", scene, "-o", folder, "--name", "robot", *options)


# A floating body with four legs that are alike, of one joint each: the least for `--form limbs`.
ON_ITS_LEGS = ("--floating", *(word for leg in range(4) for word in ("--contact", f"leg{leg}:0,0,-0.2")))


def write_table(folder: Path) -> Path:
    """The robot of ON_ITS_LEGS."""
    inertial = '<inertial><origin xyz="0.01 0 -0.1"/><mass value="{}"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f'<link name="body">{inertial.format(2)}</link>'
    for leg, at in enumerate(("0.3 0.2 0", "0.3 -0.2 0", "-0.3 0.2 0", "-0.3 -0.2 0")):
        text += (f'<link name="leg{leg}">{inertial.format(0.5)}</link><joint name="hip{leg}" type="continuous"><parent link="body"/>'
                 f'<child link="leg{leg}"/><origin xyz="{at}"/><axis xyz="0 1 0"/></joint>')
    path = folder / "table.urdf"
    path.write_text(f'<robot name="table">{text}</robot>', encoding="utf-8")
    return path


def compile_object(core: Core, folder: Path, *options: str) -> Path:
    """robot.o, and robot.ci beside it: who calls whom, and what each has on the stack."""
    target = folder / "robot.o"
    run("arm-none-eabi-gcc", f"@{BOARD / core.flags}", *WARNINGS, "-fcallgraph-info=su", *options, "-c", folder / "robot.c", "-o", target)
    return target


def link(core: Core, folder: Path, *sources: Path, options: tuple[str, ...] = ()) -> Path:
    program = folder / "robot.elf"
    run("arm-none-eabi-gcc", f"@{BOARD / core.flags}", *WARNINGS, *options, f"-I{folder}", f"-I{BOARD}", "-T", BOARD / "link.ld",
        BOARD / "board.c", BOARD / "newlib.c", *sources, "-lm", "-o", program)
    return program


def emulation(core: Core, program: Path) -> list[str]:
    """The command of a board that counts time by its instructions: results and times are the same wherever it runs."""
    return ["qemu-system-arm", "-M", core.machine, "-nographic", "-icount", f"shift={ICOUNT_SHIFT}",
            "-semihosting-config", "enable=on,target=native", "-kernel", str(program)]


@dataclass
class Measured:
    """Of one function: bytes of code, of stack as found and as the call graph bounds it, and instructions."""

    code: int = 0
    stack: int = 0
    bound: int = 0
    instructions: int = 0
    solves: int = 0
    solver_bytes: int = 0


def measure(core: Core, folder: Path, what: str) -> tuple[dict[str, Measured], int]:
    """Runs functions of the code in a folder, and then its comparison with the library, which has to succeed; and the bytes of a factor.

    `what` is one of those of measure.c: ALL, OPERATOR, CONTACT_FORCES.
    """
    found: dict[str, Measured] = {}
    options = (f"-DTICK_NS={TICK_NS}", f"-DINSTRUCTION_NS={2**ICOUNT_SHIFT}", f"-DMEASURE_{what}")
    code = compile_object(core, folder)
    program = link(core, folder, ROOT / "tests/micro/measure.c", code, options=options)
    printed = run(*emulation(core, program))
    for line in printed.splitlines():
        if match := re.fullmatch(r"(\w+) (\d+) (\d+)", line):
            found[match[1]] = Measured(instructions=int(match[2]), stack=int(match[3]))
    symbols, bounds, header = code_sizes(code), stack_bounds(folder / "robot.ci"), (folder / "robot.h").read_text(encoding="utf-8")
    for name, of in found.items():
        function = name.removeprefix("first_")
        of.bound = bounds[f"robot_{function}"] + bytes_of_arguments(header, function)
        of.code = sum(size for symbol, size in symbols.items() if owner(symbol) == function)
    if match := re.search(r"^(\d+) solves, a solver of (\d+) bytes$", printed, re.M):
        found["contact_forces"].solves, found["contact_forces"].solver_bytes = int(match[1]), int(match[2])
    match = re.search(r"a factor has (\d+) bytes", printed)
    assert match is not None, printed
    return found, int(match[1])


def bytes_of_arguments(header: str, function: str) -> int:
    """What a caller puts on the stack: all that four registers do not hold, to a multiple of eight."""
    match = re.search(rf"robot_{function}\(([^)]*)\)", header)
    assert match is not None, function
    return max(0, match[1].count(",") + 1 - 4 + 1) // 2 * 8


# Parts that have names of their own. What `solve` and others share has none here.
PARTS = {"solve_once": "solve", "prepare": "damp", "residual": "solve", "refine": "solve", "prepare_motion": "free_motion", "remainder": "constrained_dynamics"}
CONTACT_PARTS = ("contact_settings first_row row_count set_kind project project_all find_velocity most positive_part measure judge find_diagonal weigh_rows damp_rows "
                 "is_equality set_penalties list_modes hold_modes solve_small advance start take_step balance damp_by_penalties iterate check_settings search")
PARTS.update(dict.fromkeys(CONTACT_PARTS.split(), "contact_forces"))


def owner(symbol: str) -> str:
    """The function that a part belongs to: of robot_update_12 it is update."""
    name = re.sub(r"(_\d+|_rest|_ok|_limb_ok|_status|_reason_\d+|_all)$", "", symbol.removeprefix("robot_").partition(".")[0])
    return PARTS.get(name, name)


def code_sizes(target: Path) -> dict[str, int]:
    """Bytes of each function and table, of what they share too."""
    lines = run("arm-none-eabi-nm", "-S", "--defined-only", target).splitlines()
    return {words[3]: int(words[1], 16) for line in lines if len(words := line.split()) == 4 and words[2] in "tTr"}


def unresolved(target: Path) -> set[str]:
    """Functions that the code takes from libraries."""
    return {line.split()[-1] for line in run("arm-none-eabi-nm", "-u", target).splitlines()}


def stack_bounds(graph: Path) -> dict[str, int]:
    """Bytes of stack of the deepest calls, function by function; without those of libraries. Recursion would not end here."""
    text = graph.read_text(encoding="utf-8")
    nodes = re.findall(r'node: { title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \(([^)]+)\)', text)
    assert {kind for _, _, kind in nodes} <= {"static", "dynamic,bounded"}, "a function takes as much stack as its arguments say"
    own = {name: int(size) for name, size, _ in nodes}
    calls: dict[str, set[str]] = {}
    for caller, callee in re.findall(r'edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', text):
        calls.setdefault(caller, set()).add(callee)

    @functools.cache
    def depth(function: str) -> int:
        return own.get(function, 0) + max(map(depth, calls.get(function, ())), default=0)

    return {name.rpartition(":")[2]: depth(name) for name in own}
