"""A roofline as tables and a document: one row for each kernel, then the totals by what bounds them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from roofdsl.evaluate.roofline import KernelTime, Roofline
from roofdsl.report.figures import figure
from roofdsl.report.table import Table, make_table
from roofdsl.units.dimension import BYTE, FLOP, PURE, SECOND
from roofdsl.units.display import (
    format_bytes,
    format_intensity,
    format_number,
    format_seconds,
    format_work,
    significant,
)

_COLUMNS = ("kernel", ">×", ">work", ">traffic", ">intensity", ">time", ">share", "bound by")


def roofline_table(roofline: Roofline, title: str, footer: str) -> Table:
    """Work, traffic, intensity, time, share and bound of every kernel, all its executions together."""
    rows = [_row(kernel, roofline) for kernel in roofline.kernels]
    work = sum((kernel.total_work for kernel in roofline.kernels), start=Fraction(0))
    traffic = sum((kernel.traffic for kernel in roofline.kernels), start=Fraction(0))
    intensity = format_intensity(work / traffic) if traffic else ""
    total = (
        "total",
        "",
        format_work(work),
        short_bytes(traffic),
        intensity,
        format_seconds(roofline.time),
        "100 %",
        "",
    )
    left_out = left_out_text(roofline)
    return make_table(title, _COLUMNS, (*rows, total), notes=(left_out,) if left_out else (), footer=footer)


def bound_table(roofline: Roofline) -> Table:
    """Time by what bounds it."""
    rows = [
        (bound, str(_count(roofline, bound)), format_seconds(time), percent(time, roofline.time))
        for bound, time in roofline.by_bound.items()
    ]
    return make_table("Totals by bound", ("bound by", ">kernels", ">time", ">share"), rows)


def kernel_document(kernel: KernelTime) -> dict[str, Any]:
    """A kernel as the schema's `kernel`."""
    intensity = kernel.intensity
    return {
        "kernel": kernel.kernel,
        "label": kernel.label,
        "phase": kernel.phase,
        "count": figure(kernel.count, PURE),
        "work": figure(kernel.total_work, FLOP),
        "work_by_kind": {kind: figure(amount, FLOP) for kind, amount in kernel.work.items()},
        "traffic": figure(kernel.traffic, BYTE),
        "intensity": None if intensity is None else figure(intensity, FLOP / BYTE),
        "time": figure(kernel.time, SECOND),
        "parts": {part: figure(time, SECOND) for part, time in kernel.parts.items()},
        "bound": kernel.bound,
        "roof": kernel.roof,
        "roofs": {name: figure(time, SECOND) for name, time in kernel.roofs.items()},
        "levels": {name: figure(moved, BYTE) for name, moved in kernel.levels.items()},
    }


def totals_document(roofline: Roofline) -> dict[str, Any]:
    """The totals as the schema's `totals`."""
    return {
        "time": figure(roofline.time, SECOND),
        "by_bound": {bound: figure(time, SECOND) for bound, time in roofline.by_bound.items()},
        "step_overhead": figure(roofline.step_overhead, SECOND),
        "left_out": list(roofline.left_out),
    }


def short_bytes(value: Fraction) -> str:
    """Bytes with a decimal prefix only, as a table has room for."""
    return format_bytes(value).split(" (")[0]


def percent(part: Fraction, whole: Fraction) -> str:
    """A share, to three digits."""
    return f"{significant(100 * part / whole, 3)} %" if whole else ""


def _row(kernel: KernelTime, roofline: Roofline) -> tuple[str, ...]:
    intensity = kernel.intensity
    phase = "" if kernel.phase in {"forward", "infer"} else f" ({kernel.phase})"
    return (
        kernel.kernel + phase,
        format_number(kernel.count),
        format_work(kernel.total_work),
        short_bytes(kernel.traffic),
        "" if intensity is None else format_intensity(intensity),
        format_seconds(kernel.time),
        percent(kernel.time, roofline.time),
        bound_text(kernel, roofline),
    )


def bound_text(kernel: KernelTime, roofline: Roofline) -> str:
    """What bounds a kernel; an inner memory level is named."""
    inner = kernel.bound == "memory" and kernel.roof not in ("", roofline.machine.memory.name)
    return f"memory ({kernel.roof})" if inner else kernel.bound


def left_out_text(roofline: Roofline) -> str:
    """Which memory levels take no part for want of a tile; empty if all do."""
    if not roofline.left_out:
        return ""
    levels = ", ".join(roofline.left_out)
    return f"left out where no tile is declared: traffic of {levels}"


def _count(roofline: Roofline, bound: str) -> int:
    return sum(kernel.bound == bound for kernel in roofline.kernels)
