"""Drawing DOT text: with `dot` where Graphviz is installed, else with the `graphviz-pure` of the `render` extra."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

from roofdsl.diagnostics import fail
from roofdsl.errors.usage import NO_RENDERER, PICTURE_FORMAT, RENDERER_FAILED
from roofdsl.source import word

FORMATS = ("dot", "svg", "png", "pdf")
_SECONDS = 120


def picture_format(path: str) -> str:
    """The format an output's name asks for; another ending than those of `FORMATS` is a diagnostic."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending in FORMATS:
        return ending
    span = word(path, "-o")
    found = f"the ending .{ending}" if ending else "no ending"
    fail(PICTURE_FORMAT, span, "the ending chooses the format", expected=".dot, .svg, .png or .pdf", found=found)


def draw(dot: str, form: str) -> bytes:
    """The picture of DOT text in `dot`, `svg`, `png` or `pdf`; without a program that can, a diagnostic."""
    if form == "dot":
        return dot.encode()
    program, whole = find_program()
    span = word(f".{form}", "-o")
    if program is None:
        fail(
            NO_RENDERER,
            span,
            "neither `dot` nor `graphviz-pure` is installed",
            helps=("pip install 'roofdsl[render]'", "or write the graph as text: -o NAME.dot"),
        )
    if form == "pdf" and not whole:
        fail(
            PICTURE_FORMAT,
            span,
            "PDF needs the program `dot` of Graphviz; only graphviz-pure was found",
            helps=("write .svg or .png", "or install Graphviz"),
        )
    return _run(program, dot, form)


def find_program() -> tuple[Path | None, bool]:
    """The program that draws, and whether it is Graphviz itself."""
    graphviz = shutil.which("dot")
    if graphviz is not None:
        return Path(graphviz), True
    beside = Path(sysconfig.get_path("scripts")) / "graphviz-pure"
    pure = shutil.which("graphviz-pure") or shutil.which(str(beside))
    return (None if pure is None else Path(pure)), False


def _run(program: Path, dot: str, form: str) -> bytes:
    span = word(f".{form}", "-o")
    try:
        done = subprocess.run(
            [program, f"-T{form}"], input=dot.encode(), capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        fail(RENDERER_FAILED, span, f"{program.name} took longer than {_SECONDS} s", helps=("ask for a smaller part",))
    except OSError as error:
        fail(RENDERER_FAILED, span, f"{program.name} did not start: {error.strerror}")
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode(errors="replace").strip()[:400]
        fail(RENDERER_FAILED, span, f"{program.name} ended with code {done.returncode}", found=said or None)
    return done.stdout
