"""What the algebra may cost. Everything is predicted before it is computed, so that no formula hangs the compiler."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import NoReturn

from roofdsl.diagnostics import fail
from roofdsl.errors.algebra import TOO_LARGE
from roofdsl.source import NOWHERE


@dataclass(frozen=True, slots=True)
class Limits:
    """`terms` of one expanded sum, of the numerator of a `fraction`, terms × terms of a `division`, absolute `exponent`, `bits` of one number, `atoms`, `symbols` and `denominators` of one total;
    `cases` of a proof and `points` tried in search of a witness.
    """

    terms: int = 60_000
    fraction: int = 5_000
    division: int = 400_000
    exponent: int = 4_096
    bits: int = 40_000
    atoms: int = 300
    symbols: int = 1_000
    denominators: int = 64
    cases: int = 4_096
    points: int = 2_000


LIMITS = Limits()


def too_large(what: str, found: int, most: int) -> NoReturn:
    """E0750 with both numbers."""
    shown = str(found) if found.bit_length() < 64 else f"more than 2^{found.bit_length() - 1}"
    fail(TOO_LARGE, NOWHERE, f"{what} would be too many", expected=f"at most {most}", found=shown)


def check_terms(count: int) -> None:
    if count > LIMITS.terms:
        too_large("the terms of the expanded formula", count, LIMITS.terms)


def check_fraction(count: int) -> None:
    """Whether so many terms may stand over a denominator that is a sum: division takes the square of it."""
    if count > LIMITS.fraction:
        too_large("the terms of a numerator", count, LIMITS.fraction)


def check_division(above: int, below: int) -> None:
    """Whether a sum may be brought to lowest terms with another."""
    if above * below > LIMITS.division:
        too_large("the terms of a fraction (above × below)", above * below, LIMITS.division)


def check_generators(atoms: int, symbols: int) -> None:
    """Whether one formula may hold so many different functions and symbols."""
    if atoms > LIMITS.atoms:
        too_large("different functions (min, ceil …) in one formula", atoms, LIMITS.atoms)
    if symbols > LIMITS.symbols:
        too_large("different symbols in one formula", symbols, LIMITS.symbols)


def check_power(terms: int, bits: int, exponent: int) -> None:
    """Whether a sum of `terms` terms with numbers of `bits` bits may be raised to `exponent`."""
    size = abs(exponent)
    if size > LIMITS.exponent:
        too_large("the exponent", size, LIMITS.exponent)
    if bits * size > LIMITS.bits:
        too_large("the digits of a number (in bits)", bits * size, LIMITS.bits)
    if terms > 1:
        check_terms(comb(size + terms - 1, terms - 1) if terms < LIMITS.terms else terms**size)
