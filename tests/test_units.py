"""Units: our grammar and registry, near misses, clashes, printing (design §6)."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roofdsl.diagnostics import Sink
from roofdsl.errors import units as errors
from roofdsl.evaluate.units import (
    check_same,
    format_amount,
    format_bytes,
    format_intensity,
    format_rate,
    format_seconds,
    format_work,
    note_binary_rate,
    resolve_unit,
    significant,
)
from roofdsl.source import NOWHERE
from roofdsl.syntax.ast import UnitFactor
from roofdsl.units.dimension import BYTE, CYCLE, DOLLAR, FLOP, PURE, SECOND, base
from roofdsl.units.registry import find_unit
from roofdsl.units.table import unit_table


def resolve(*factors: tuple[str, int]):
    sink = Sink()
    unit = resolve_unit(tuple(UnitFactor(name, exponent) for name, exponent in factors), NOWHERE, sink)
    return unit, sink


@pytest.mark.parametrize(
    ("factors", "factor", "dimension"),
    [
        ([("GB", 1)], 10**9, BYTE),
        ([("GiB", 1)], 2**30, BYTE),
        ([("EiB", 1)], 2**60, BYTE),
        ([("TB", 1), ("s", -1)], 10**12, BYTE / SECOND),
        ([("TFLOP", 1), ("s", -1)], 10**12, FLOP / SECOND),
        ([("Gbit", 1), ("s", -1)], Fraction(10**9, 8), BYTE / SECOND),
        ([("bit", 1)], Fraction(1, 8), BYTE),
        ([("us", 1)], Fraction(1, 10**6), SECOND),
        ([("µs", 1)], Fraction(1, 10**6), SECOND),
        ([("ps", 1)], Fraction(1, 10**12), SECOND),
        ([("MHz", 1)], 10**6, CYCLE / SECOND),
        ([("hour", 1)], 3600, SECOND),
        ([("days", 1)], 86400, SECOND),
        ([("min", 1)], 60, SECOND),
        ([("kW", 1), ("hour", 1)], 3600000, base("joule")),
        ([("$", 1), ("hour", -1)], Fraction(1, 3600), DOLLAR / SECOND),
        ([("tokens", 1)], 1, base("token")),
        ([("params", 1)], 1, base("parameter")),
        ([("s", -2)], 1, SECOND.power(Fraction(-2))),
    ],
)
def test_units_have_exact_factors(factors, factor, dimension):
    unit, sink = resolve(*factors)
    assert not sink.found
    assert unit.factor == factor
    assert unit.dimension == dimension


def test_no_factors_is_the_number_one():
    unit, sink = resolve()
    assert (unit.factor, unit.dimension, sink.found) == (1, PURE, [])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Gb", "Gbit or GB"),
        ("Gib", "Gibit or GiB"),
        ("gb", "Gbit or GB"),
        ("kb", "kbit or kB"),
        ("KB", "kB or KiB"),
        ("mB", "MB"),
        ("GBps", "GB/s"),
        ("Gbps", "Gbit/s"),
        ("TFLOPS", "TFLOP/s"),
        ("TFLOPs", "TFLOP/s or TFLOP"),
        ("FLOPs", "FLOP/s or FLOP"),
        ("tflops", "TFLOP/s"),
        ("Tflop", "TFLOP"),
        ("GMAC", "GFLOP"),
        ("TOPS", "TFLOP/s"),
        ("MT", "Mbit/s"),
        ("h", "hour"),
        ("sec", "s"),
    ],
)
def test_near_misses_are_errors_that_say_what_may_be_meant(text, meant):
    unit, sink = resolve((text, 1))
    assert unit is None
    (diagnostic,) = sink.errors
    assert diagnostic.kind is errors.AMBIGUOUS_UNIT
    assert diagnostic.primary.text == f"{meant}?"
    assert diagnostic.helps


@pytest.mark.parametrize("text", ["GBs", "ss", "Gs B", "2**10**10", "1/0", "barn", "gilbert", "a", "", "B" * 65])
def test_what_is_no_unit_is_refused(text):
    unit, sink = resolve((text, 1))
    assert unit is None
    assert sink.errors


def test_a_misspelt_unit_is_suggested():
    _, sink = resolve(("Gbytee", 1))
    assert "Gbyte" in sink.errors[0].helps[0]


@pytest.mark.parametrize("exponent", [10, -10, 0, 99])
def test_exponents_are_bounded(exponent):
    _, sink = resolve(("GB", exponent))
    assert [d.kind for d in sink.errors] == [errors.UNIT_BOUNDS]


def test_the_number_of_factors_is_bounded():
    _, sink = resolve(*[("s", 1)] * 17)
    assert [d.kind for d in sink.errors] == [errors.UNIT_BOUNDS]


def test_all_unknown_factors_are_reported():
    _, sink = resolve(("Gb", 1), ("sec", -1))
    assert len(sink.errors) == 2


def test_a_clash_names_both_dimensions():
    sink = Sink()
    assert not check_same(FLOP, BYTE, NOWHERE, sink)
    assert (sink.errors[0].expected, sink.errors[0].found) == ("FLOP", "byte")


def test_an_amount_given_for_a_rate_is_told_so():
    sink = Sink()
    assert not check_same(BYTE / SECOND, BYTE, NOWHERE, sink)
    assert "/s" in sink.errors[0].helps[0]
    assert check_same(BYTE, BYTE, NOWHERE, sink)
    assert len(sink.found) == 1


def test_a_binary_rate_gets_a_note_and_a_decimal_one_none():
    sink = Sink()
    for text in ("GB", "GiB"):
        unit, _ = resolve((text, 1), ("s", -1))
        note_binary_rate(unit, NOWHERE, sink)
    assert [d.primary.text for d in sink.notes] == ["1 GiB/s is 1.074 GB/s"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (format_bytes(Fraction(80 * 10**9)), "80 GB (74.5 GiB)"),
        (format_bytes(Fraction(81559 * 2**20)), "85.52 GB (79.6 GiB)"),
        (format_bytes(Fraction(512)), "512 B"),
        (format_bytes(Fraction(999999)), "1 MB (977 KiB)"),
        (format_bytes(Fraction(0)), "0 B"),
        (format_rate(Fraction(335 * 10**10), BYTE), "3.35 TB/s"),
        (format_rate(Fraction(9894 * 10**11), FLOP), "989.4 TFLOP/s"),
        (format_work(Fraction(314 * 10**21)), "314,000 EFLOP"),
        (format_seconds(Fraction(413, 10**7)), "41.3 µs"),
        (format_seconds(Fraction(86400)), "86,400 s"),
        (format_seconds(Fraction(99999, 10**8)), "1 ms"),
        (format_seconds(Fraction(1, 10**15)), "0.001 ps"),
        (format_intensity(Fraction(627, 10)), "62.7 FLOP/B"),
        (format_intensity(Fraction(16384, 10)), "1,638 FLOP/B"),
        (format_amount(Fraction(5, 2), DOLLAR), "2.5 $"),
        (format_amount(Fraction(1, 3), PURE), "0.3333"),
        (format_amount(Fraction(10**20), PURE), "1e20"),
        (format_amount(Fraction(-1, 3 * 10**9), PURE), "-3.333e-10"),
    ],
)
def test_amounts_are_printed_with_a_fitting_prefix(text, expected):
    assert text == expected


@given(st.fractions(min_value=0).filter(bool), st.integers(1, 9))
def test_printing_rounds_to_the_digits_asked_for(value, digits):
    printed = Fraction(significant(value, digits).replace(",", ""))
    assert abs(printed - value) <= max(value / 10 ** (digits - 1), Fraction(0)) / 2


def test_pint_and_the_printing_table_agree_on_every_prefix():
    for prefix in unit_table().prefixes:
        for symbol in prefix.symbols:
            unit = find_unit(symbol + "B")
            assert (unit.factor, unit.binary) == (prefix.factor, prefix.binary)


def test_every_prefixed_unit_has_one_reading():
    seen: dict[str, Fraction] = {}
    table = unit_table()
    for name in table.names:
        plain = find_unit(name)
        for prefix in table.prefixes:
            for symbol in prefix.symbols:
                unit = find_unit(symbol + name)
                if name != "$":
                    assert unit.factor == prefix.factor * plain.factor, symbol + name
                    assert seen.setdefault(symbol + name, unit.factor) == unit.factor


def test_printing_amounts_does_not_import_pint():
    code = (
        "import sys; from fractions import Fraction; from roofdsl.evaluate.units import format_bytes, resolve_unit;"
        "format_bytes(Fraction(80)); sys.exit('pint' in sys.modules or 'sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
