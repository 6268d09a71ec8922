"""Names of a machine's rates in a printed time: π for a peak, β for a bandwidth, τ for a launch, with what each stands for.

Where a formula needs several of a kind they are told apart by dtype, unit, level, and share: `π_fp8_e4m3`, `β_l2`. A name
that a model has for something else gets the machine's name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.roofs import Roof
from roofdsl.units.dimension import BYTE, FLOP
from roofdsl.units.display import format_rate, format_seconds, significant

PEAK, BANDWIDTH, LAUNCH = "π", "β", "τ"


@dataclass(frozen=True, slots=True)
class Rates:
    """The name of each roof's rate, and of a launch."""

    machine: Machine
    names: Mapping[Roof, str]
    launch: str

    def legend(self, used: Iterable[Roof], launch: Fraction | None = None) -> str:
        """`π = 989.4 TFLOP/s (bf16), β = 3.35 TB/s (hbm)`."""
        wanted = frozenset(used)
        parts = [f"{name} = {_value(roof)} ({_what(roof)})" for roof, name in self.names.items() if roof in wanted]
        if launch:
            parts.append(f"{self.launch} = {format_seconds(launch)} (a launch)")
        return ", ".join(parts)


def rates_of(roofs: Iterable[Roof], machine: Machine, taken: Collection[str]) -> Rates:
    """Names for all roofs of a time; `taken` are names that mean something else."""
    listed = sorted(dict.fromkeys(roofs), key=lambda roof: (roof.bound == "memory", roof.bound != "compute"))
    names: dict[Roof, str] = {}
    for roof in listed:
        alike = [other for other in listed if (other.bound, other.name) == (roof.bound, roof.name)]
        name = "_".join((BANDWIDTH if roof.bound == "memory" else PEAK, *_marks(roof, alike, machine)))
        while name in taken or name in names.values():
            name += f"_{machine.name}"
        names[roof] = name
    return Rates(machine, names, f"{LAUNCH}_{machine.name}" if LAUNCH in taken else LAUNCH)


def _marks(roof: Roof, alike: list[Roof], machine: Machine) -> tuple[str, ...]:
    """What tells a rate from the others of its letter."""
    unit: tuple[str, ...] = (roof.name,)
    if roof.bound == "compute" or roof.name == machine.memory.name:
        unit = ()
    dtypes = {other.dtype for other in alike}
    dtype = (roof.dtype,) if roof.dtype is not None and len(dtypes) > 1 else ()
    shares = {other.share for other in alike}
    share = (f"{100 * roof.share.numerator // roof.share.denominator}",) if len(shares) > 1 else ()
    return (*unit, *dtype, *share)


def _value(roof: Roof) -> str:
    return format_rate(roof.rate, BYTE if roof.bound == "memory" else FLOP)


def _what(roof: Roof) -> str:
    what = roof.name if roof.bound == "memory" or roof.dtype is None else f"{roof.name} {roof.dtype}"
    return what if roof.share == 1 else f"{what}, {significant(100 * roof.share, 3)} % of it reached"
