"""Which names of an index expression run and which are sizes (design §3): alone, beside their size, under `pos`."""

from __future__ import annotations

import pytest

from tests.asking import form, session_of

SWAP = "dim n\ndim i\nop swap(x[..., i]) -> y[..., i] {{\n    let j = i/2\n    {first}\n    {second}\n}}\n"
LAST = "dim i\nop last(x[s, i]) -> y[i] {\n    y[i] = x[s - 1, i]\n}\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("y[..., j] = x[..., j + size(j)]", "y[..., j + size(j)] = x[..., j + 0]"),
        ("y[..., j] = x[..., j + size(j)]", "y[..., pos(j) + i/2] = x[..., 1*j]"),
        ("y[..., 2j] = x[..., 2*pos(j) + 1]", "y[..., 2j + 1] = x[..., 2*pos(j)]"),
    ],
)
def test_halves_are_swapped_whole(first: str, second: str) -> None:
    session = session_of(SWAP.format(first=first, second=second))
    assert form(session, "bytes(swap)") == form(session, "4 n i")


def test_a_name_alone_in_an_expression_is_a_size() -> None:
    session = session_of(LAST)
    assert form(session, "bytes(last)") == form(session, "4 i")
