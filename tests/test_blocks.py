"""What blocks kept as text in other files need of the language: callees that wrap, sizes that do not leak, windows."""

from __future__ import annotations

from pathlib import Path

from roofdsl.diagnostics import Sink
from roofdsl.ir.library import Library
from roofdsl.ir.show import show_size
from roofdsl.passes.elaborate import elaborate
from roofdsl.passes.gather import load
from roofdsl.source import Source
from roofdsl.syntax import ast
from roofdsl.syntax.parser import parse_subject
from tests.asking import form, session_of

HEADS = """
dim s
dim h
block inner(x[s,h]) -> y { y[s,h] = x[s,h] * 2 }
block twice(x[s,h]) -> y {
    z = inner(x)
    y = inner(z)
}
block outer(x[s,h]) -> y { y = inner(x) }
"""


def test_a_callee_may_wrap_what_it_stands_in_for() -> None:
    """Inside the callee bound for `inner`, `inner` means itself again (design §3: braces)."""
    sink = Sink()
    made = elaborate(session_of(HEADS).library, "outer", _braces("outer{inner = twice}"), "train", sink)
    assert made is not None
    assert [call.id for call in made.calls] == ["outer.inner.inner.y", "outer.inner.inner#2.y"]


def _braces(text: str) -> ast.Braces | None:
    subject = parse_subject(Source("subject", text), Sink())
    assert isinstance(subject, ast.Path)
    return subject.braces


def loaded(folder: Path, main: str, sink: Sink, **files: str) -> Library:
    (folder / "mine").mkdir()
    for name, text in files.items():
        (folder / "mine" / f"{name}.roof").write_text(text, encoding="utf-8")
    return load(Source("main.roof", main), sink, folder=folder)


USER = 'use "./mine"\ndim s\ndim u "of the user"\nblock b(x[s,u]) -> y { y = shipped(x) }\n'
SHIPPED = "dim s\ndim q\nblock shipped(x[s,q]) -> y {\n    u[s,q] = x[s,q] * 2\n    y[s,q] = u[s,q] + u[s,q]\n}\n"


def test_a_tensor_of_a_block_hides_a_size_of_another_file(tmp_path: Path) -> None:
    sink = Sink()
    library = loaded(tmp_path, USER, sink, a=SHIPPED)
    made = elaborate(library, "b", None, "train", sink)
    assert sink.found == []
    assert made is not None
    assert [show_size(axis.extent) for axis in made.tensors["b.shipped.u"].axes] == ["s", "u"]


def test_a_size_of_the_same_file_may_not_be_a_tensor(tmp_path: Path) -> None:
    sink = Sink()
    library = load(
        Source("t", "dim s\ndim u\nblock b(x[s]) -> y {\n u[s] = x[s] * 2\n y = u\n}\n"), sink, folder=tmp_path
    )
    elaborate(library, "b", None, "train", sink)
    assert sink.errors[0].kind.code == "E0412"


def test_sizes_of_a_folder_come_with_the_definitions_that_mention_them(tmp_path: Path) -> None:
    sink = Sink()
    other = "dim z\nblock unused(x[z]) -> y { y[z] = x[z] * 2 }\n"
    library = loaded(tmp_path, USER, sink, a=SHIPPED, c=other)
    assert sink.found == []
    assert set(library.dims) == {"s", "u", "q"}


def test_the_users_let_stands_for_a_dim_of_a_block(tmp_path: Path) -> None:
    sink = Sink()
    library = loaded(tmp_path, USER.replace("dim u", "dim u\nlet q = 2u #"), sink, a=SHIPPED)
    assert sink.found == []
    assert "q" in library.lets
    assert "q" not in library.dims


def test_files_of_a_folder_may_use_other_files(tmp_path: Path) -> None:
    sink = Sink()
    library = loaded(
        tmp_path, USER, sink, a='use "ops"\n' + SHIPPED.replace("x[s,q] * 2\n", "x[s,q] * 2\n    z = relu(u)\n")
    )
    elaborate(library, "b", None, "train", sink)
    assert sink.found == []
    assert "unused" not in library.definitions
    assert "relu" in library.definitions


WINDOW = """
use "ops"
dim s
dim d
dim w
let t = s
block local(q[s,d], k0[s,d]) -> c {
    k[s,d] = k0[s,d] * 2
    cache K[t,d] from k keep w
    S[s,t] = sum(q[s,d] * K[t,d]) where s - w < t <= s
    P = softmax(S)
    c[s,d] = sum(P[s,t] * K[t,d])
}
"""


def test_a_window_caps_what_the_cache_holds_and_what_a_step_reads() -> None:
    """In decode, w positions are held and read, however long the text is."""
    one = session_of(WINDOW)
    assert form(one, "cache(local{t = 100 w})") == form(one, "2 [B] * min(100w, w) d")
    step = form(one, "flops(local{s = 1, t = 100w}, infer)")
    assert step == form(one, "4 [FLOP] * w d")
