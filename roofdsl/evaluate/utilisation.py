"""Utilisation and plans: what a measured step, rate or kernel says about a machine, and what a run will take.

Model FLOPs utilisation (MFU) is the time the contractions of a step need at their peaks over the time it took; with what
is computed again counted too it is hardware utilisation (HFU). Everything is exact until it is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.evaluate.machine import Machine, bandwidth
from roofdsl.evaluate.roofline import KernelTime

DAY = 86_400
HOUR = 3_600


@dataclass(frozen=True, slots=True)
class Counted:
    """The FLOP of one step as one convention counts them, and the seconds one machine needs for them at its peaks."""

    name: str
    flop: Fraction
    at_peak: Fraction


@dataclass(frozen=True, slots=True)
class Step:
    """A step: its tokens, seconds and number of devices."""

    tokens: Fraction
    seconds: Fraction
    devices: Fraction

    @property
    def rate(self) -> Fraction:
        """Tokens per second of all devices."""
        return self.tokens / self.seconds

    def utilisation(self, counted: Counted) -> Fraction:
        """The share of what all devices could have done in that time."""
        return counted.at_peak / (self.seconds * self.devices)

    def achieved(self, counted: Counted) -> Fraction:
        """FLOP/s of one device."""
        return counted.flop / (self.seconds * self.devices)


def step_at(counted: Counted, utilisation: Fraction, tokens: Fraction, devices: Fraction) -> Step:
    """The step a run takes at an expected utilisation."""
    return Step(tokens, counted.at_peak / (utilisation * devices), devices)


@dataclass(frozen=True, slots=True)
class Plan:
    """A run over many tokens: seconds in all, device-seconds, and money if a price per device-second is known."""

    tokens: Fraction
    seconds: Fraction
    device_seconds: Fraction
    cost: Fraction | None

    @property
    def days(self) -> Fraction:
        return self.seconds / DAY

    @property
    def device_hours(self) -> Fraction:
        return self.device_seconds / HOUR

    @property
    def cost_per_million(self) -> Fraction | None:
        """Dollars for a million tokens."""
        return None if self.cost is None else self.cost * 10**6 / self.tokens


def plan_of(step: Step, tokens: Fraction, price: Fraction | None) -> Plan:
    """What a number of tokens takes at the rate of a step; the price is that of one device, in dollars per second."""
    seconds = tokens / step.rate
    device_seconds = seconds * step.devices
    return Plan(tokens, seconds, device_seconds, None if price is None else device_seconds * price)


@dataclass(frozen=True, slots=True)
class Measured:
    """A kernel's measured time against its roofs: FLOP/s and byte/s reached, the share of each roof, and the roof it is
    nearest to. `impossible` are the roofs it claims to exceed.
    """

    kernel: KernelTime
    seconds: Fraction
    shares: Mapping[str, Fraction]
    nearest: str

    @property
    def work_rate(self) -> Fraction:
        return self.kernel.total_work / self.seconds

    @property
    def traffic_rate(self) -> Fraction:
        return self.kernel.traffic / self.seconds

    @property
    def impossible(self) -> tuple[str, ...]:
        return tuple(name for name, share in self.shares.items() if share > 1)


def measure(kernel: KernelTime, seconds: Fraction) -> Measured:
    """`seconds` is the measured time of all executions of a kernel."""
    shares = {name: needed / seconds for name, needed in kernel.roofs.items()}
    return Measured(kernel, seconds, shares, max(shares, key=lambda name: shares[name], default=""))


def ceiling_by_bytes(moved: Iterable[Fraction], machine: Machine) -> Fraction:
    """Seconds that moving some bytes takes at the bandwidth of the main memory."""
    return sum(moved, start=Fraction(0)) / bandwidth(machine)
