"""Mutated specs and error files: whatever the text, only diagnostics may come out, and soon.

As a script: `python tests/fuzz.py 100000 [--seed N] [--whole]` counts how the inputs ended; `--whole` runs them through
`roofdsl check` in this process instead of the parser alone.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from roofdsl.diagnostics import RoofError, Sink  # noqa: E402
from roofdsl.report.message import render_diagnostics  # noqa: E402
from roofdsl.source import Source  # noqa: E402
from roofdsl.syntax.format import format_text  # noqa: E402
from roofdsl.syntax.parser import parse_file  # noqa: E402

SECONDS = 5.0
CHARACTERS = "(){}[]=+-*/^<>~.,:#\"\\%@|;'`?!&$ \t\n\r\0\x1b²³⁻·×→∞…é幅λσµ0123456789abchLSxyλ"
PIECES = (
    "block", "model", "op", "dim ", "let ", "claim ", "config ", "machine ", "repeat L {", "region r {", "fused ",
    "checkpoint ", " where t <= s", " for s -> oo", " within 1%", " at ", ' from "x"', "sum(", "softmax{i = t}(", "[s,b,h]",
    "...", "2i + k", "1/2sbh", "5as²b", '"\\frac{s}{6h}"', "= ", "+= ", "-> ", "}\n", "{\n", "# c\n", " [GB]", "^2", "^-1", "**",
    "1e999", "9" * 50, "x" * 80, "(" * 300, "-" * 300, "{" * 300, " tile s = Br", "param ", "cache K from k keep w", "carry H",
    "adjoint {", "cost {", "keeps u", "view a of b, c", 'use "ops"\n', "\ufeff", "\u202e", "\u2028",
)  # fmt: skip

Target = Callable[[str], str]
"""Takes a text and returns what it came to: `fine` or the first code. Must raise nothing."""


def corpus() -> list[str]:
    """The texts mutations begin with."""
    files = [*sorted((ROOT / "specs").rglob("*.roof")), *sorted((ROOT / "tests" / "errors").glob("*.roof"))]
    return [path.read_bytes().decode("utf-8", "replace") for path in files]


def mutate(text: str, texts: list[str], rng: random.Random) -> str:
    """A few random edits: characters, lines, pieces of the language, pieces of other files."""
    if rng.random() < 0.7:  # a part is quicker to run than a whole file and goes wrong as well
        lines = text.splitlines(keepends=True)
        first = rng.randrange(len(lines) or 1)
        text = "".join(lines[first : first + rng.randrange(1, 25)])
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        text = _edit(text, texts, rng)
    return text


def _edit(text: str, texts: list[str], rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    to = min(len(text), at + rng.choice((1, 1, 2, 5, 20, 200)))
    match rng.randrange(8):
        case 0:
            return text[:at] + text[to:]
        case 1:
            return text[:at] + rng.choice(CHARACTERS) + text[at:]
        case 2:
            return text[:at] + rng.choice(CHARACTERS) + text[at + 1 :]
        case 3:
            return text[:at] + rng.choice(PIECES) + text[at:]
        case 4:
            return text[:at] + text[at:to] * rng.randrange(2, 5) + text[to:]
        case 5:
            other = rng.choice(texts)
            start = rng.randrange(len(other) + 1)
            return text[:at] + other[start : start + rng.randrange(100)] + text[to:]
        case 6:
            return text[:at]
        case _:
            lines = text.splitlines(keepends=True)
            rng.shuffle(lines)
            return "".join(lines)


def parse_only(text: str) -> str:
    """Parses, formats what parses, and renders what does not."""
    sink = Sink()
    source = Source("fuzz.roof", text)
    try:
        parse_file(source, sink)
        if sink.found:
            assert render_diagnostics(sink.found)
            return sink.found[0].kind.code
        formatted = format_text(source, sink)
        assert not sink.found, "what parses can be formatted"
        assert format_text(Source("again", formatted), sink) == formatted, "formatting twice is formatting once"
    except RoofError as error:
        return error.diagnostics[0].kind.code
    return "fine"


def whole_check(text: str) -> str:
    """`roofdsl check` on the text."""
    from roofdsl.cli.app import run

    err = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzz.roof"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
            code = run(["check", str(path), "--debug"])
    said = err.getvalue()
    assert code in (0, 1, 2), said
    assert "Traceback" not in said, said
    return said.split("[", 1)[1].split("]")[0] if code else "fine"


def fuzz(count: int, seed: int, target: Target) -> collections.Counter[str]:
    """Runs a target on so many mutated inputs; raises with the input that broke it."""
    rng = random.Random(seed)
    texts = corpus()
    ends: collections.Counter[str] = collections.Counter()
    for number in range(count):
        text = mutate(rng.choice(texts), texts, rng)
        begin = time.perf_counter()
        try:
            ends[target(text)] += 1
        except Exception as error:
            raise AssertionError(f"input {number} of seed {seed}: {error!r}\n{text!r}") from error
        seconds = time.perf_counter() - begin
        assert seconds < SECONDS, f"input {number} of seed {seed} took {seconds:.1f} s\n{text!r}"
    return ends


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    begin = time.perf_counter()
    try:
        ends = fuzz(arguments.count, arguments.seed, whole_check if arguments.whole else parse_only)
    except AssertionError:
        traceback.print_exc()
        return 1
    for end, times in ends.most_common():
        print(f"{times:8} {end}")
    print(f"{arguments.count} inputs, diagnostics only, {time.perf_counter() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
