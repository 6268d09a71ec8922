"""Number formats: range and spacing from the bits they declare, bits per element, bytes of whole blocks, defaults."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.evaluate.opening import open_session
from roofdsl.ir.number_format import FloatFormat, IntegerFormat
from roofdsl.passes.load import load
from roofdsl.quantities.conventions import ALL_WORK, Convention, find_convention
from roofdsl.quantities.quantity import entries_of, quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.subject import Subject
from roofdsl.source import Source

LIBRARY = load(Source("empty", ""), Sink(), folder=None)
FLOATS = [  # name, largest, smallest normal (power of two), epsilon (power of two)
    ("fp64", (2 - Fraction(1, 2**52)) * 2**1023, -1022, -52),
    ("fp32", (2 - Fraction(1, 2**23)) * 2**127, -126, -23),
    ("tf32", (2 - Fraction(1, 2**10)) * 2**127, -126, -10),
    ("bf16", (2 - Fraction(1, 2**7)) * 2**127, -126, -7),
    ("fp16", 65504, -14, -10),
    ("fp8_e4m3", 448, -6, -3),
    ("fp8_e5m2", 57344, -14, -2),
    ("fp6_e2m3", Fraction(15, 2), 0, -3),
    ("fp6_e3m2", 28, -2, -2),
    ("fp4_e2m1", 6, 0, -1),
]
BITS = [  # bits per element with what groups share
    ("mxfp8", "8.25"),
    ("mxfp6", "6.25"),
    ("mxfp4", "4.25"),
    ("nvfp4", "4.5"),
    ("int4_g128", "4.125"),
    ("int4_g128_zero", "4.15625"),
    ("q4_0", "4.5"),
    ("q4_1", "5"),
    ("q8_0", "8.5"),
    ("q4_k", "4.5"),
    ("q5_k", "5.5"),
    ("q6_k", "6.5625"),
]
BLOCKS = [("q4_0", 32, 18), ("q8_0", 32, 34), ("q4_k", 256, 144), ("q5_k", 256, 176), ("q6_k", 256, 210)]


@pytest.mark.parametrize(("name", "largest", "normal", "epsilon"), FLOATS)
def test_ranges_follow_from_the_bits(name: str, largest: Fraction, normal: int, epsilon: int) -> None:
    form = LIBRARY.dtypes[name].format
    assert isinstance(form, FloatFormat)
    assert form.largest == largest
    assert form.smallest_normal == Fraction(2) ** normal
    assert form.epsilon == Fraction(2) ** epsilon
    assert form.smallest == Fraction(2) ** (normal + epsilon)


def test_whole_numbers() -> None:
    assert LIBRARY.dtypes["int8"].format == IntegerFormat(8)
    assert (IntegerFormat(8).least, IntegerFormat(8).largest) == (-128, 127)
    assert (IntegerFormat(4, signed=False).least, IntegerFormat(4, signed=False).largest) == (0, 15)


@pytest.mark.parametrize(("name", "bits"), BITS)
def test_bits_per_element(name: str, bits: str) -> None:
    assert LIBRARY.dtypes[name].bits == Fraction(bits)


@pytest.mark.parametrize(("name", "group", "size"), BLOCKS)
def test_blocks_of_files_have_their_bytes(name: str, group: int, size: int) -> None:
    assert LIBRARY.dtypes[name].bits * group / 8 == size


def test_what_has_a_scale_stands_for_real_numbers() -> None:
    assert LIBRARY.dtypes["int8"].integer
    assert not LIBRARY.dtypes["q4_k"].integer
    assert not LIBRARY.dtypes["int4_g128"].integer


TEXT = """
dim r "rows"
dim n "columns"
dim s "new positions"
let t = s "positions"
block f(x[s, n]) -> y {{
    param w[r, n]: {dtype}
    k[s, r] = sum(x[s, n] * w[r, n])
    cache K[t, r] from k
    y[s, t] = sum(k[s, r] * K[t, r])
}}
convention stored {{
    blocks = whole
}}
{more}
"""


def session(dtype: str, more: str = "") -> Session:
    sink = Sink()
    found = open_session(load(Source("t.roof", TEXT.format(dtype=dtype, more=more)), sink, folder=None))
    sink.stop_on_errors()
    return found


def weight_bytes(asked: Session, convention: Convention, **sizes: int) -> Fraction:
    from roofdsl.evaluate.number import evaluate_size

    found = quantity(asked, "param_bytes", Subject("f"), convention=convention)
    return evaluate_size(found.size, sizes)


@pytest.mark.parametrize(
    ("dtype", "rows", "columns", "amortised", "whole"),
    [
        ("q4_k", 3, 256, 432, 432),
        ("q4_k", 3, 257, Fraction(3 * 257 * 9, 16), 3 * 2 * 144),
        ("mxfp4", 2, 33, Fraction(2 * 33 * 17, 32), 2 * 2 * 17),
        ("nvfp4", 1, 16, 9, 9 + 4),
        ("int4", 1, 3, Fraction(3, 2), 2),
        ("bf16", 3, 5, 30, 30),
        ("fp8_block", 256, 300, Fraction(256 * 300 * 4097, 4096), 256 * 300 + 5 * 4),
    ],
)
def test_partial_blocks_are_stored_whole(dtype: str, rows: int, columns: int, amortised, whole) -> None:
    asked = session(dtype)
    stored = find_convention("stored", asked.library)
    assert weight_bytes(asked, ALL_WORK, r=rows, n=columns) == amortised
    assert weight_bytes(asked, stored, r=rows, n=columns) == whole
    assert quantity(asked, "params", Subject("f"), convention=stored) == replace(
        quantity(asked, "params", Subject("f"), convention=ALL_WORK), convention=stored
    )


def test_the_traffic_of_whole_weights_is_in_blocks_too() -> None:
    asked = session("mxfp4")
    stored = find_convention("stored", asked.library)
    (entry,) = (e for e in entries_of(asked, "traffic", Subject("f"), "forward", stored) if e.what.endswith(".w"))
    assert entry.because.endswith("in whole blocks")


def test_what_only_the_cache_keeps_is_written_in_its_format() -> None:
    text = TEXT.format(dtype="bf16", more="default cache fp8_e4m3").replace("k[s, r] * K", "x[s, n] * w[r, n] * K")
    asked = open_session(load(Source("t.roof", text), Sink(), folder=None))
    entries = entries_of(asked, "traffic", Subject("f"), "infer", ALL_WORK)
    (written,) = (e for e in entries if e.what == "f.k" and e.access == "write")
    assert written.dtype == "fp8_e4m3"
    both = entries_of(session("bf16", "default cache fp8_e4m3"), "traffic", Subject("f"), "infer", ALL_WORK)
    assert {e.dtype for e in both if e.what == "f.k"} == {"bf16"}


@pytest.mark.parametrize(
    ("more", "expected"), [("", 2), ("default cache fp8_e4m3", 1), ("default cache int4_g128", Fraction(33, 64))]
)
def test_the_cache_has_a_default_of_its_own(more: str, expected: Fraction) -> None:
    from roofdsl.evaluate.number import evaluate_size

    asked = session("bf16", more)
    found = quantity(asked, "cache", Subject("f"), convention=ALL_WORK)
    assert evaluate_size(found.size, {"t": 7, "r": 128}) == 7 * 128 * expected
    assert asked.graph(Subject("f"), "train").tensors["f.k"].dtype == "bf16"


@pytest.mark.parametrize(
    ("dtype", "columns", "printed"),
    [("q4_0", 33, 36), ("q6_k", 257, 420), ("nvfp4", 33, 3 * 9 + 4), ("mxfp6", 31, 25), ("bnb4", 130, 65 + 3 * 4)],
)
def test_numbers_count_whole_blocks_and_closed_forms_say_that_they_do_not(
    dtype: str, columns: int, printed: int
) -> None:
    from roofdsl.evaluate.bind import Binding
    from roofdsl.quantities.ask import Context
    from roofdsl.report.derived import ask, derive
    from roofdsl.report.values import evaluate

    asked = session(dtype)
    asker, formula = ask(asked, "param_bytes(f)", Context(stored=True))
    sizes = {"r": 1, "n": columns, "s": 1}
    assert evaluate(asker, "param_bytes(f)", formula, Binding(sizes)).number == printed
    assert "exact where groups fill" in derive(asked, "param_bytes(f)").remark
    assert derive(session("bf16"), "param_bytes(f)").remark == ""


def test_a_convention_that_spreads_groups_is_heard() -> None:
    from roofdsl.quantities.stored import as_stored

    asked = session("mxfp4", "convention smooth {\n    blocks = amortised\n}")
    graph = asked.graph(Subject("f"), "train")
    assert as_stored(find_convention("smooth", asked.library), graph, asked.library).blocks == "amortised"
    assert as_stored(ALL_WORK, graph, asked.library).blocks == "whole"
    assert as_stored(ALL_WORK, session("bf16").graph(Subject("f"), "train"), asked.library) == ALL_WORK


def test_heads_are_joined_in_the_rows_of_a_matrix() -> None:
    text = (
        TEXT.format(dtype="q4_k", more="")
        .replace("w[r, n]: q4_k", "w[r, n, a]: q4_k")
        .replace("w[r, n])", "w[r, n, a])")
    )
    asked = open_session(load(Source("t.roof", 'dim a "heads"\n' + text), Sink(), folder=None))
    assert weight_bytes(asked, find_convention("stored", asked.library), r=3, n=4, a=64) == 3 * 144
