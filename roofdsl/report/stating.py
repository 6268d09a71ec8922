"""What somebody states about a run, as text with units or as numbers in base units → exact amounts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from roofdsl.diagnostics import fail
from roofdsl.errors.performance import BAD_AMOUNT, NEEDS_MEASUREMENT
from roofdsl.evaluate.machine import Machine
from roofdsl.evaluate.stated import Stated, place, read_amount, read_count, read_share
from roofdsl.evaluate.utilisation import DAY
from roofdsl.report.plans import Given, Timing
from roofdsl.source import Span
from roofdsl.units.dimension import DOLLAR, FLOP, SECOND


@dataclass(frozen=True, slots=True)
class Stating:
    """Options of the command line, or arguments of the Python call; None where nothing was stated."""

    step_time: Stated | None = None
    tokens_per_second: Stated | None = None
    mfu: Stated | None = None
    achieved: Stated | None = None
    devices: Stated = 1
    tokens_per_step: Stated | None = None
    tokens: Stated | None = None
    days: Stated | None = None
    price: Stated | None = None
    split: bool = False

    def rates(self) -> tuple[tuple[str, Stated], ...]:
        """What says how fast a step is: only one may."""
        every = {
            "--step-time": self.step_time,
            "--tokens-per-second": self.tokens_per_second,
            "--mfu": self.mfu,
            "--achieved": self.achieved,
        }
        return tuple((option, stated) for option, stated in every.items() if stated is not None)


def given(stating: Stating, machine: Machine, subject: str) -> Given:
    """The amounts in base units; `subject` is where a complaint points that nothing was stated. E0823 for what is no
    amount, E0824 for `days` without tokens to plan.
    """
    return Given(
        seconds=None if stating.step_time is None else read_amount(stating.step_time, "--step-time", SECOND),
        rate=_count(stating.tokens_per_second, "--tokens-per-second"),
        share=None if stating.mfu is None else read_share(stating.mfu, "--mfu"),
        achieved=None if stating.achieved is None else read_amount(stating.achieved, "--achieved", FLOP / SECOND),
        devices=_devices(stating),
        per_step=_count(stating.tokens_per_step, "--tokens-per-step"),
        planned=_count(stating.tokens, "--tokens"),
        within=_within(stating),
        price=_price(stating, machine),
        split=stating.split,
        place=_place(stating, subject),
    )


def _place(stating: Stating, subject: str) -> Span:
    """Where the rate was stated; E0823 if several were."""
    rates = stating.rates()
    if not rates:
        return place(subject, "FILE")
    option, stated = rates[0]
    if len(rates) > 1:
        other, more = rates[1]
        text = f"`{option}` says already how fast a step is"
        fail(
            BAD_AMOUNT, place(more, other), text, expected=f"`{option}` or `{other}`, not both", found=f"`{other}` too"
        )
    return place(stated, option)


def _devices(stating: Stating) -> Fraction:
    found = read_count(stating.devices, "--devices")
    if found.denominator != 1:
        fail(
            BAD_AMOUNT,
            place(stating.devices, "--devices"),
            "devices are whole",
            expected="an integer",
            found=str(stating.devices),
        )
    if found != 1 and stating.days is not None:
        text = "how many devices a run needs in so many days is what `--days` asks"
        expected = "`--devices` or `--days`, not both"
        fail(BAD_AMOUNT, place(stating.days, "--days"), text, expected=expected, found="`--days` too")
    return found


def _within(stating: Stating) -> Fraction | None:
    if stating.days is None:
        return None
    span = place(stating.days, "--days")
    if stating.tokens is None:
        helps = ("--tokens 15T --mfu 0.4 --days 30",)
        fail(NEEDS_MEASUREMENT, span, "days of what? a number of tokens is needed", helps=helps)
    if stating.step_time is not None or stating.tokens_per_second is not None:
        text = "a measured step has its devices: there is nothing to find out"
        fail(
            BAD_AMOUNT,
            span,
            text,
            expected="an expected `--mfu` or `--achieved` with `--days`",
            found="a measured step",
        )
    return read_count(stating.days, "--days") * DAY


def _price(stating: Stating, machine: Machine) -> Fraction | None:
    """Dollars per second of one device: as stated, else the machine's own."""
    if stating.price is not None:
        return read_amount(stating.price, "--price", DOLLAR / SECOND)
    own = machine.figures.get("price")
    return None if own is None else own.value


def _count(stated: Stated | None, option: str) -> Fraction | None:
    return None if stated is None else read_count(stated, option)


def timing(name: str, seconds: Stated, what: str) -> Timing:
    """A kernel's measured time, as stated."""
    return Timing(name, read_amount(seconds, what, SECOND), place(f"{name}={seconds}", what))
