"""The picture in ARCHITECTURE.md is the imports as they are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "roofdsl"
EVERYWHERE = {"source", "diagnostics", "errors", "paths", "files", "limits", "__init__", "__main__", "__version__"}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def drawn() -> dict[str, set[str]]:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    picture = re.search(r"```text\n(.*?)```", text, re.DOTALL)
    assert picture is not None
    lines = [line.split("→") for line in picture.group(1).strip().splitlines()]
    return {left.strip(): set(right.split()) for left, right in lines}


def imported() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        own = part_of(path)
        if own in EVERYWHERE or "_data" in path.parts:
            continue
        names = found.setdefault(own, set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("roofdsl."):
                names.add(node.module.split(".")[1])
        names -= {own, *EVERYWHERE}
    return {name: others for name, others in found.items() if others or name in {"syntax", "ir", "units"}}


def test_the_picture_is_the_imports() -> None:
    assert drawn() == imported()
