"""The command `delassus` of the build that the package is from."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMAND = Path(sys.prefix).parent / "bin" / "delassus"
needs_command = pytest.mark.skipif(not COMMAND.exists(), reason="the command was not built")


def run_command(*words: Any) -> str:
    # What a sanitizer loads into Python is in the command already.
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=True, env=environment).stdout
