"""The shape of the source: imports point one way, files are short, every module says what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "roofdsl"
FILES = sorted(PACKAGE.rglob("*.py"))
NAMES = [str(path.relative_to(PACKAGE)) for path in FILES]
MOST_LINES = 300

EVERYWHERE = {"source", "diagnostics", "errors", "paths", "files", "limits"}
"""May be imported by all."""

LAYERS = (
    "syntax",
    "units",
    "ir",
    "algebra",
    "passes",
    "measures",
    "quantities",
    "evaluate",
    "verify",
    "report",
    "importing",
    "api",
    "cli",
)
"""From the bottom up; each may import itself and what is below it."""


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_layers(path: Path) -> dict[str, int]:
    """First parts below `roofdsl` of everything a module imports, also inside functions, and the line."""
    found: dict[str, int] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("roofdsl"):
            parts = node.module.split(".")[1:2] or [alias.name for alias in node.names]
            found.update(dict.fromkeys(parts, node.lineno))
        elif isinstance(node, ast.Import):
            named = [alias.name.split(".") for alias in node.names]
            found.update({parts[1]: node.lineno for parts in named if parts[0] == "roofdsl" and len(parts) > 1})
    return found


@pytest.mark.parametrize("path", [p for p in FILES if layer_of(p) in LAYERS], ids=str)
def test_imports_point_one_way(path: Path) -> None:
    own = LAYERS.index(layer_of(path))
    allowed = EVERYWHERE | set(LAYERS[: own + 1]) | {"__version__"}
    upward = {name: line for name, line in imported_layers(path).items() if name not in allowed}
    assert not upward, f"{path}: imports from above (name: line)"


@pytest.mark.parametrize("path", [p for p in FILES if layer_of(p) in EVERYWHERE], ids=str)
def test_what_all_may_import_imports_nothing_else(path: Path) -> None:
    assert set(imported_layers(path)) <= EVERYWHERE


def test_every_folder_has_a_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name not in {"__pycache__", "_data"}}
    assert folders <= {*LAYERS, *EVERYWHERE}


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", [p for p in FILES if p.stat().st_size], ids=str)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_symbols_are_made_in_one_place() -> None:
    makers = [
        str(path.relative_to(PACKAGE))
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("sympy")
        and {alias.name for alias in node.names} & {"Symbol", "Dummy", "symbols"}
    ]
    assert set(makers) <= {"algebra/symbols.py"}


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_no_call_that_runs_text_or_guesses(path: Path) -> None:
    """User text never reaches an evaluator, and verdicts never rest on heuristics."""
    banned = {"sympify", "parse_expr", "simplify", "eval", "exec", "nsimplify", "equals"}
    calls = (n.func for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call))
    names = {f.id if isinstance(f, ast.Name) else f.attr if isinstance(f, ast.Attribute) else "" for f in calls}
    assert not names & banned
