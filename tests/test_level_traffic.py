"""Traffic of inner memory levels against a tiled loop nest that counts its loads element by element: forward, backward
and what is computed again. The oracle knows the operands by hand and nothing of how the compiler derives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product as every

import pytest

from roofdsl.ir.entry import Entry
from roofdsl.measures.backward import backward_level_traffic, backward_traffic
from roofdsl.measures.recompute import recompute_level_traffic, recompute_traffic
from roofdsl.measures.traffic import forward_traffic, level_traffic
from tests.commands import roofdsl
from tests.models import library_of, placed_graph
from tests.oracle import number

TEXT = """
use "ops"
dim s
dim t
dim d
dim M
dim K
dim N
let r = s
block attend(q[s, d], k[t, d], v[t, d]) -> c {
    fused core tile s = 3 at l2 tile t = 2 at smem tile s = 5 at smem {
        S[s, t] = sum(q[s, d] * k[t, d])
        P = softmax(S)
        c[s, d] = sum(P[s, t] * v[t, d])
    }
}
block gemm(x[M, K]) -> y {
    param w[K, N]
    fused core tile M = 3 at l2 tile N = 2 at l2 tile K = 4 at smem {
        y[M, N] = sum(x[M, K] * w[K, N])
    }
}
block again(x[M, K]) -> y {
    param v[N, K]
    checkpoint all {
        u = gemm(x)
        y[M, K] = sum(u[M, N] * v[N, K])
    }
}
block own(x[s, d]) -> c {
    fused core tile s = 3 at l2 {
        S[s, r] = sum(x[s, d] * x[r, d])
        c[s, d] = sum(S[s, r] * x[r, d])
    }
}
"""
LIBRARY = library_of(TEXT)
TILES: Mapping[str, Mapping[str, Mapping[str, int]]] = {
    "attend": {"l2": {"s": 3}, "smem": {"t": 2, "s": 5}},
    "gemm": {"l2": {"M": 3, "N": 2}, "smem": {"K": 4}},
}
READ: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("attend", "forward"): {"attend.q": "sd", "attend.k": "td", "attend.v": "td"},
    ("attend", "backward"): {"attend.q": "sd", "attend.k": "td", "attend.v": "td", "∂attend.c": "sd"},
    ("gemm", "forward"): {"gemm.x": "MK", "gemm.w": "KN"},
    ("gemm", "backward"): {"gemm.x": "MK", "gemm.w": "KN", "∂gemm.y": "MN"},
}
WRITTEN: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("attend", "forward"): {"attend.c": "sd"},
    ("attend", "backward"): {"∂attend.q": "sd", "∂attend.k": "td", "∂attend.v": "td"},
    ("gemm", "forward"): {"gemm.y": "MN"},
    ("gemm", "backward"): {"∂gemm.x": "MK", "∂gemm.w": "KN"},
}
SIZES = ({"s": 7, "t": 5, "d": 2, "M": 7, "K": 5, "N": 4}, {"s": 3, "t": 9, "d": 1, "M": 6, "K": 8, "N": 1})
DERIVED = {"forward": level_traffic, "backward": backward_level_traffic}
CASES = [(block, phase, level) for block, phase in READ for level in TILES[block]]


def loads(indices: str, tiles: Mapping[str, int], sizes: Mapping[str, int]) -> int:
    """Elements of an operand loaded by a loop nest that walks tile by tile and keeps what it has within a tile."""
    count = 0
    for corner in every(*(range(0, sizes[name], size) for name, size in tiles.items())):
        start = dict(zip(tiles, corner, strict=True))
        ranges = {
            n: range(start[n], min(start[n] + tiles[n], sizes[n])) if n in tiles else range(sizes[n]) for n in sizes
        }
        held: set[tuple[int, ...]] = set()
        for point in every(*(ranges[n] for n in indices)):
            if point not in held:
                held.add(point)
                count += 1
    return count


def counted(entries: Iterable[Entry], level: str, access: str, sizes: Mapping[str, int]) -> dict[str, int]:
    return {
        e.what: int(number(e.elements, sizes))
        for e in entries
        if e.level == level and e.access == access and e.elements is not None
    }


@pytest.mark.parametrize("sizes", SIZES, ids=("ragged", "single"))
@pytest.mark.parametrize(("block", "phase", "level"), CASES)
def test_a_tiled_loop_nest_loads_as_much(block: str, phase: str, level: str, sizes: dict[str, int]) -> None:
    entries = DERIVED[phase](placed_graph(LIBRARY, block), LIBRARY)
    tiles = TILES[block][level]
    expected = {name: loads(indices, tiles, sizes) for name, indices in READ[block, phase].items()}
    assert counted(entries, level, "read", sizes) == expected
    stores = {name: loads(indices, {}, sizes) for name, indices in WRITTEN[block, phase].items()}
    assert counted(entries, level, "write", sizes) == stores
    assert all(e.measure == "level_traffic" and e.phase == phase for e in entries)


def test_a_checkpoint_moves_its_forward_again() -> None:
    graph = placed_graph(LIBRARY, "again")
    forward = [(e.level, e.what, e.amount) for e in level_traffic(graph, LIBRARY)]
    recomputed = recompute_level_traffic(graph, LIBRARY)
    assert [(e.level, e.what, e.amount) for e in recomputed] == forward
    assert {e.phase for e in recomputed} == {"recompute"}
    assert {e.kernel for e in recomputed} <= {e.kernel for e in recompute_traffic(graph, LIBRARY)}


def test_an_operand_read_at_another_index_is_read_by_every_tile() -> None:
    sizes = {"s": 7, "r": 7, "d": 2}
    (read,) = (e for e in level_traffic(placed_graph(LIBRARY, "own"), LIBRARY) if e.access == "read")
    assert number(read.elements, sizes) == loads("rd", {"s": 3}, sizes) == 42


def test_without_a_tile_of_a_level_nothing_is_known_of_it() -> None:
    graph = placed_graph(LIBRARY, "attend")
    for derived, main in ((level_traffic, forward_traffic), (backward_level_traffic, backward_traffic)):
        assert {e.level for e in derived(graph, LIBRARY)} == {"l2", "smem"}
        assert {e.level for e in main(graph, LIBRARY)} == {None}


def test_training_says_nothing_is_left_out_where_all_is_tiled(tmp_path) -> None:
    path = tmp_path / "gemm.roof"
    path.write_text(TEXT.replace(" tile K = 4 at smem", ""), encoding="utf-8")
    asked = ("eval", str(path), "--of", "gemm", "--machine", "h100_sxm", "--set", "M=4096", "--set", "K=64")
    ran = roofdsl(*asked, "--set", "N=4096", "--phase", "train")
    assert "left out" not in ran.out
    assert ran.out.count("memory (l2)") == 2
