"""A notebook as a page: its words, its code, and what that printed and drew when it was last run."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any


def notebook_page(path: Path, page: Path) -> str:
    """The text of the page; the drawings go beside it."""
    out: list[str] = []
    for k, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        source = "".join(cell["source"])
        out.append(source + "\n" if cell["cell_type"] == "markdown" else f"```python\n{source}\n```\n")
        out += [output_text(output, page.with_name(f"{page.stem}-{k}.png")) for output in cell.get("outputs", [])]
    return "\n".join(out)


def output_text(output: dict[str, Any], picture: Path) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(base64.b64decode("".join(data["image/png"])))
        return f"![What the cell above draws]({picture.name})\n"
    text = "".join(output.get("text", data.get("text/plain", [])))
    return f"```text\n{text}```\n" if text else ""
