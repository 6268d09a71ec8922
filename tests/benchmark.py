"""How long commands take, as whole processes: `python tests/benchmark.py [--runs N] [--largest N] [--only cold|statements|L]`.

A script, not a test: what it prints depends on the machine. Every figure is the median over runs of the processor
seconds (user + system) of one process, start and exit included, which waiting for other processes does not move.
Measure an installed copy (`pip install .`), whose modules are compiled.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = 'use "ops"\ndim b "batch"\ndim h "hidden size"\n'
QUESTIONS = ("flops(net, train)", "saved(net)")
BLOCK = """block part{number}(x[b,h]) -> y {{
    param W[h,h], V[h,h]
    a1 = linear(x, W)
    a2 = gelu(a1)
    a3 = linear(a2, V)
    a4 = a3 + x
    a5 = gelu(a4)
    a6 = a5 + a1
    a7 = relu(a6)
    a8 = a7 + a2
    y  = a8 + a4
}}
"""
PER_BLOCK = 10
REPEATS = (1, 96, 10**9)
BARE = [sys.executable, "-c", "import sympy"]
ROOFDSL = [sys.executable, "-m", "roofdsl"]


def chain(statements: int) -> str:
    """One block of that many statements: linear, gelu, sum, and again."""
    weights = ", ".join(f"W{number}[h,h]" for number in range(0, statements, 3))
    lines = [f"    param {weights}"]
    for number in range(statements):
        before = f"t{number - 1}" if number else "x"
        values = (f"linear({before}, W{number})", f"gelu({before})", f"{before} + t{number - 2}")
        lines.append(f"    t{number} = {values[number % 3]}")
    return HEAD + "block net(x[b,h]) -> y {\n" + "\n".join(lines) + f"\n    y = t{statements - 1} + x\n}}\n"


def blocks(statements: int) -> str:
    """The same number of statements in blocks of ten, each called once."""
    count = max(statements // PER_BLOCK, 1)
    parts = "".join(BLOCK.format(number=number) for number in range(count))
    calls = "".join(f"    z{number + 1} = part{number}({f'z{number}' if number else 'x'})\n" for number in range(count))
    return HEAD + parts + f"block net(x[b,h]) -> y {{\n{calls}    y = z{count} + x\n}}\n"


def repeated(times: int) -> str:
    """A block that repeats another."""
    return HEAD + BLOCK.format(number=0) + f"block net(x[b,h]) -> x {{\n    repeat {times} {{ x = part0(x) }}\n}}\n"


def seconds(command: list[str]) -> float:
    """Processor seconds of one process; raises `CalledProcessError` if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(runs: int, *commands: list[str]) -> list[float]:
    """The median of each command. They run in turn, after a round that is not counted, so that a machine that slows
    down slows all of them.
    """
    rounds = [[seconds(command) for command in commands] for _ in range(runs + 1)]
    return [statistics.median(times) for times in zip(*rounds[1:], strict=True)]


def cold(runs: int) -> None:
    """Starting up, and how the first formula compares with importing SymPy and nothing else."""
    commands = {
        "python -c 'import sympy'": BARE,
        "roofdsl --version": [*ROOFDSL, "--version"],
        "roofdsl derive gpt3 'saved(layer)'": [*ROOFDSL, "derive", "gpt3", "saved(layer)"],
        "roofdsl derive gpt3": [*ROOFDSL, "derive", "gpt3"],
        "roofdsl verify gpt3": [*ROOFDSL, "verify", "gpt3"],
    }
    times = medians(runs, *commands.values())
    for name, time in zip(commands, times, strict=True):
        print(f"{name:<38}{time:8.3f} s{time / times[0]:8.2f} × import sympy", flush=True)


def tabulate(runs: int, texts: dict[str, str]) -> None:
    """A line per text: check, and each question derived."""
    print(f"{'':<20}{'check':>20}" + "".join(f"{question:>20}" for question in QUESTIONS))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            path = Path(folder) / "net.roof"
            path.write_text(text, encoding="utf-8")
            questions = [[*ROOFDSL, "derive", str(path), question] for question in QUESTIONS]
            times = medians(runs, [*ROOFDSL, "check", str(path)], *questions)
            print(f"{name:<20}" + "".join(f"{time:>18.3f} s" for time in times), flush=True)


def main() -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--largest", type=int, default=10_000, help="statements of the largest file")
    parser.add_argument("--only", choices=("cold", "statements", "L"))
    arguments = parser.parse_args()
    if arguments.only in (None, "cold"):
        cold(arguments.runs)
    sizes = [size for size in (10, 100, 1_000, 10_000, 100_000) if size <= arguments.largest]
    if arguments.only in (None, "statements"):
        print("\nstatements in one block")
        tabulate(arguments.runs, {f"{size:,}": chain(size) for size in sizes})
        print("\nstatements in blocks of ten")
        tabulate(arguments.runs, {f"{size:,}": blocks(size) for size in sizes})
    if arguments.only in (None, "L"):
        print("\nrepeat L")
        tabulate(arguments.runs, {f"L = {times:,}": repeated(times) for times in REPEATS})


if __name__ == "__main__":
    main()
