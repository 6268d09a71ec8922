"""Machines as tables and documents: one line each, side by side, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from roofdsl.evaluate.machine import Machine, bandwidth, find_peak
from roofdsl.ir.entry import Kind
from roofdsl.report.figures import figure
from roofdsl.report.table import Table, make_table
from roofdsl.syntax import ast
from roofdsl.syntax.print_machines import print_machine_item, print_peak_name, print_rate
from roofdsl.units.dimension import BYTE, FLOP, SECOND
from roofdsl.units.display import format_amount, format_intensity, format_rate

Described = tuple[ast.Machine, Machine]
"""A machine as written and as read."""

_FOOTER = "peaks are dense; GB as printed by the vendor; the machines' files say where every figure is from"


def list_table(found: Sequence[Described], dtype: str) -> Table:
    """One line each: the peak of contractions in a dtype, memory, bandwidth and ridge."""
    columns = ("machine", "title", f">{dtype}", ">memory", ">bandwidth", ">ridge")
    rows = [(declared.name, declared.title or "", *_summary(declared, machine, dtype)) for declared, machine in found]
    return make_table("", columns, rows, footer=_FOOTER)


def _summary(declared: ast.Machine, machine: Machine, dtype: str) -> tuple[str, ...]:
    peak = find_peak(machine, "contraction", dtype)
    size = next(
        (i.size for i in declared.items if isinstance(i, ast.MemoryLevel) and i.name == machine.memory.name), None
    )
    return (
        "–" if peak is None else format_rate(peak.rate, FLOP),
        "" if size is None else print_rate(size),
        format_rate(bandwidth(machine), BYTE),
        "–" if peak is None else format_intensity(peak.rate / bandwidth(machine)),
    )


def comparison_table(found: Sequence[Described]) -> Table:
    """Every figure of some machines side by side; with the ridge of each dtype."""
    read = [_figures(declared, machine) for declared, machine in found]
    names = list(dict.fromkeys(name for figures in read for name in figures))
    order = ("peak", "ridge", "sparse", "memory", "cache", "link")
    names.sort(key=lambda name: next((n for n, start in enumerate(order) if name.startswith(start)), len(order)))
    rows = [(name, *(figures.get(name, "") for figures in read)) for name in names]
    columns = ("figure", *(f">{machine.name}" for _, machine in found))
    return make_table("", columns, rows, footer=_FOOTER)


def _figures(declared: ast.Machine, machine: Machine) -> dict[str, str]:
    """What a machine states, rates as read, and its ridges."""
    figures: dict[str, str] = {}
    for item in declared.items:
        match item:
            case ast.Peak():
                figures[print_peak_name(item)] = _peak_text(item, machine)
            case ast.MemoryLevel(role, name, size):
                level = next(level for level in machine.levels if level.name == name)
                what = role if role == "memory" else f"{role} {name}"
                if size is not None:
                    figures[what] = print_rate(size)
                if level.usable is not None:
                    figures[f"{what}, usable"] = format_amount(level.usable, BYTE)
                if level.bandwidth is not None:
                    figures[f"{what}, bandwidth"] = format_rate(level.bandwidth, BYTE)
            case ast.Link(name):
                figures[f"link {name}, per direction"] = format_rate(machine.links[name], BYTE)
            case ast.Figure(name, value):
                figures[name] = print_rate(value)
            case ast.Note():
                continue
    return figures | {f"ridge {name}": format_intensity(value) for name, value in ridges(machine).items()}


def _peak_text(item: ast.Peak, machine: Machine) -> str:
    peaks = machine.sparse if item.sparse else machine.peaks
    if item.accumulator is not None:
        return print_rate(item.value)
    return format_rate(
        next(r for (kind, dtype), r in peaks.items() if (kind, dtype) == (item.unit_kind, item.dtype)), FLOP
    )


def ridges(machine: Machine) -> dict[str, Fraction]:
    """The ridge of every dtype with a peak of contractions, FLOP/byte."""
    return {
        dtype or "every dtype": rate / bandwidth(machine)
        for (kind, dtype), rate in machine.peaks.items()
        if kind == "contraction"
    }


def machine_document(declared: ast.Machine, machine: Machine) -> dict[str, Any]:
    """A machine as the schema's `machine`: figures as written, and as read in base units."""
    sources = [item.text for item in declared.items if isinstance(item, ast.Note)]
    shown = [print_machine_item(item) for item in declared.items if not isinstance(item, ast.Note)]
    figures = [dict(zip(("figure", "value"), text.split(" = ", 1), strict=True)) for text in shown if " = " in text]
    return {
        "name": declared.name,
        "title": declared.title,
        "figures": figures,
        "peaks": [_peak_document(kind, dtype, rate) for (kind, dtype), rate in machine.peaks.items()],
        "levels": [_level_document(machine, number) for number in range(len(machine.levels))],
        "links": {name: figure(rate, BYTE / SECOND) for name, rate in machine.links.items()},
        "ridges": {dtype: figure(value, FLOP / BYTE) for dtype, value in ridges(machine).items()},
        "sources": sources,
    }


def _peak_document(kind: Kind, dtype: str | None, rate: Fraction) -> dict[str, Any]:
    return {"unit": kind, "dtype": dtype, "rate": figure(rate, FLOP / SECOND)}


def _level_document(machine: Machine, number: int) -> dict[str, Any]:
    level = machine.levels[number]
    return {
        "name": level.name,
        "role": level.role,
        "size": None if level.size is None else figure(level.size, BYTE),
        "usable": None if level.usable is None else figure(level.usable, BYTE),
        "bandwidth": None if level.bandwidth is None else figure(level.bandwidth, BYTE / SECOND),
    }
