"""Files that are written whole or not at all, as those of the library and the command are (src/io/new_file.hpp)."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Under another name in the same folder, and renamed: a full disk leaves what was there."""
    path = path.resolve()  # a link stays one
    temporary = path.with_name(f".delassus-{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
