"""Traffic in inference: states of recurrences, and statements that do not run because nothing is new (R4)."""

from __future__ import annotations

import pytest

from roofdsl.quantities.session import Session
from tests.asking import form, session_of

CROSS = """
dim s
dim u
{un}
dim h
block cross(x[s,h], e[un,h]) -> y {{
    param Wq[h,h2], Wk[h,h2]
    q[s,h2] = sum(x[s,h] * Wq[h,h2])
    k[un,h2] = sum(e[un,h] * Wk[h,h2])
    cache K[u,h2] from k[un,h2]
    y[s,u] = sum(q[s,h2] * K[u,h2])
}}
let h2 = 2h
"""
SCAN = """
dim t
dim n
block plain(x[t,n]) -> y {
    param A[n]
    H[t,n] = A[n] * H[t - 1,n] + x[t,n]
    carry H
    y[t,n] = H[t,n] * H[t,n]
}
block fused_scan(x[t,n]) -> y {
    param A[n]
    fused core {
        H[t,n] = A[n] * H[t - 1,n] + x[t,n]
        carry H
        y[t,n] = H[t,n] * H[t,n]
    }
}
"""


def same(session: Session, left: str, right: str) -> bool:
    return form(session, left) == form(session, right)


@pytest.mark.parametrize("un", ["dim un >= 0", 'let un = u "new positions"'])
def test_weights_are_read_only_if_something_is_new(un: str) -> None:
    session = session_of(CROSS.format(un=un))
    # q: x, Wq, q; k: e, Wk, k; y: q, K, y. In training K is k.
    shared = "2 s h + 4 h² + 4 s h + 2 un h + 4 un h + 4 s h + 2 s u"
    assert same(session, "bytes(cross)", f"{shared} + 4 h² + 4 un h")
    assert same(session, "bytes(cross, infer)", f"{shared} + 4 h² min(un, 1) + 4 u h")
    assert same(session, "flops(cross, infer)", "4 s h² + 4 un h² + 4 s u h")


def test_a_state_is_read_and_left_in_inference() -> None:
    session = session_of(SCAN)
    assert same(session, "cache(plain)", "2n")
    assert same(session, "bytes(plain)", "2n + 8 t n")
    assert same(session, "bytes(plain, infer)", "2n + 8 t n + 2n")  # H is written, its last position with it
    assert same(session, "bytes(fused_scan)", "2n + 4 t n")
    assert same(session, "bytes(fused_scan, infer)", "2n + 4 t n + 4n")
