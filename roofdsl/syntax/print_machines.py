"""Items of machines as text."""

from __future__ import annotations

from typing import assert_never

from roofdsl.syntax import ast
from roofdsl.syntax.print_expressions import print_expr, print_unit


def print_machine_item(item: ast.Peak | ast.MemoryLevel | ast.Link | ast.Figure | ast.Note) -> str:
    """One line of a machine."""
    match item:
        case ast.Peak(value=value, clock=clock):
            at = f" at {print_rate(clock)}" if clock is not None else ""
            return f"{print_peak_name(item)} = {print_rate(value)}{at}"
        case ast.MemoryLevel(role, name, size, bandwidth, usable):
            text = f"{role} {name}"
            text += f" = {print_rate(size)}" if size is not None else ""
            text += f" at {_bandwidth(bandwidth)}" if bandwidth is not None else ""
            return text + (f", usable {print_rate(usable)}" if usable is not None else "")
        case ast.Link(name, rate, direction):
            return f"link {name} = {print_rate(rate)}{_DIRECTIONS[direction]}"
        case ast.Figure(name, value):
            return f"{name} = {print_rate(value)}"
        case ast.Note(name, text):
            return f'{name} "{text}"'
        case _:
            assert_never(item)


_DIRECTIONS = {"one": " per direction", "both": " both directions", None: ""}


def print_peak_name(peak: ast.Peak) -> str:
    """`sparse peak contraction fp16 into fp32`."""
    words = ("sparse peak" if peak.sparse else "peak", peak.unit_kind, peak.dtype or "")
    into = ("into", peak.accumulator) if peak.accumulator else ()
    return " ".join(word for word in (*words, *into) if word)


def _bandwidth(bandwidth: ast.Measured | ast.Bus) -> str:
    if isinstance(bandwidth, ast.Bus):
        return f"{print_rate(bandwidth.width)} × {print_rate(bandwidth.rate)}"
    return print_rate(bandwidth)


def print_rate(value: ast.Expr) -> str:
    """`3.35 TB/s`: in machines a unit stands without brackets."""
    if isinstance(value, ast.Measured):
        return f"{print_expr(value.value)} {print_unit(value.unit)}"
    return print_expr(value)
