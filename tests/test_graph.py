"""The op graph: what becomes a box, an arrow or a frame, the DOT text, and pictures drawn from it."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofdsl.diagnostics import RoofError
from roofdsl.ir.graph import Axis, Call, Graph, Kernel, Loop, Tensor
from roofdsl.ir.size import Size, Symbol
from roofdsl.report import render
from roofdsl.report.dot import LOOKS, render_dot
from roofdsl.report.graph_flow import Arrow
from roofdsl.report.graph_frames import Frame, Member, build_frames
from roofdsl.report.graph_model import Box, KernelNote, Picture, build_picture

LOOP = Loop("gpt.repeat1", Symbol("L"), shared=False)


def show(size: Size) -> str:
    assert isinstance(size, Symbol)
    return size.name


def tensor(name: str, role: str = "activation", **more: object) -> Tensor:
    axes = tuple(Axis(index, Symbol(index)) for index in ("s", "b", "h"))
    path = tuple(name.split(".")[:-1])
    return Tensor(name, name.rsplit(".", maxsplit=1)[-1], path, axes, "bf16", role, **more)  # type: ignore[arg-type]


def kernel(name: str, operands: tuple[str, ...], results: tuple[str, ...], **more: object) -> Kernel:
    path = tuple(name.split(".")[:-1])
    label = name.rsplit(".", maxsplit=1)[-1]
    loops = more.get("loops", ())
    call = Call(name, label, path, label, (), operands, results, loops=loops)  # type: ignore[arg-type]
    return Kernel(name, label, path, (call,), operands, results, **{"loops": (), **more})  # type: ignore[arg-type]


def stack() -> Graph:
    """embed, then L × (norm, proj with a residual), then a head: a model in small."""
    loops = (LOOP,)
    tensors = [
        tensor("gpt.tokens", "input"),
        tensor("gpt.E", "param"),
        tensor("gpt.x0"),
        tensor("gpt.x", loops=loops, carried=("gpt.x0", "gpt.layer.y")),
        tensor("gpt.layer.n", loops=loops),
        tensor("gpt.layer.v", loops=loops, alias="gpt.layer.n"),
        tensor("gpt.layer.y", loops=loops),
        tensor("gpt.out"),
    ]
    kernels = (
        kernel("gpt.embedding", ("gpt.tokens", "gpt.E"), ("gpt.x0",)),
        kernel("gpt.layer.norm", ("gpt.x",), ("gpt.layer.n",), loops=loops),
        kernel("gpt.layer.proj", ("gpt.layer.v", "gpt.x"), ("gpt.layer.y",), loops=loops),
        kernel("gpt.head", ("gpt.layer.y", "gpt.E"), ("gpt.out",)),
    )
    calls = tuple(call for k in kernels for call in k.calls)
    return Graph(
        "gpt", "model", "train", {t.id: t for t in tensors}, calls, kernels, ("gpt.tokens",), ("gpt.out",), False
    )


def named(text: str) -> Picture:
    """A picture in which everything a user can name is called `text`."""
    boxes = (Box("k1", "kernel", text, (text,), "memory"), Box("k2", "kernel", "plain", (), "compute"))
    inner = Frame(text, "block", ("k1",), ())
    return Picture(text, (text,), boxes, (Arrow("k1", "k2", (text,)),), Frame(text, "root", ("k2",), (inner,)))


def texts(svg: bytes) -> list[str]:
    root = ET.fromstring(svg)  # noqa: S314  (drawn a moment ago)
    return ["".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")]


def test_boxes_and_arrows_follow_the_tensors() -> None:
    picture = build_picture(stack(), {}, show)
    arrows = {(a.tail, a.head): a.labels for a in picture.arrows if not a.back}
    assert arrows["gpt.tokens", "gpt.embedding"] == ("tokens [s, b, h] bf16",)
    assert arrows["gpt.embedding", "gpt.x"] == ("x0 [s, b, h] bf16",)
    assert arrows["gpt.layer.norm", "gpt.layer.proj"] == ("v [s, b, h] bf16",), "an alias leads to what wrote it"
    assert ("gpt.x", "gpt.layer.norm") in arrows
    assert ("gpt.layer.proj", "gpt.head") in arrows
    assert not any("gpt.E" in pair for pair in arrows), "parameters only when asked for"


def test_what_a_repeat_carries_comes_back() -> None:
    picture = build_picture(stack(), {}, show)
    assert [(a.tail, a.head) for a in picture.arrows if a.back] == [("gpt.layer.proj", "gpt.x")]
    assert [box.kind for box in picture.boxes if box.id == "gpt.x"] == ["carried"]


def test_what_is_written_into_a_cache_leads_to_it() -> None:
    tensors = {
        t.id: t
        for t in (tensor("f.x", "input"), tensor("f.k"), tensor("f.K", "cache", cached_from="f.k"), tensor("f.y"))
    }
    kernels = (kernel("f.k", ("f.x",), ("f.k",)), kernel("f.y", ("f.K",), ("f.y",)))
    graph = Graph("f", "block", "infer", tensors, (), kernels, ("f.x",), ("f.y",), False)
    arrows = [(a.tail, a.head) for a in build_picture(graph, {}, show).arrows]
    assert ("f.K", "f.y") in arrows
    assert ("f.k", "f.K") in arrows


def test_parameters_are_drawn_when_asked_for() -> None:
    picture = build_picture(stack(), {}, show, params=True)
    heads = [a.head for a in picture.arrows if a.tail == "gpt.E"]
    assert heads == ["gpt.embedding", "gpt.head"]


def test_a_repeat_is_one_frame_around_its_block() -> None:
    root = build_picture(stack(), {}, show).root
    (repeat,) = root.frames
    assert (repeat.title, repeat.kind) == ("× L", "repeat")
    (layer,) = repeat.frames
    assert (layer.title, layer.boxes) == ("layer", ("gpt.layer.norm", "gpt.layer.proj"))
    assert repeat.boxes == ("gpt.x",)


def test_a_repeat_inside_a_block_is_framed_inside_it() -> None:
    members = [Member("a", ("block",), ()), Member("b", ("block",), (LOOP,)), Member("c", ("block", "in"), (LOOP,))]
    (block,) = build_frames("root", members, show).frames
    assert block.boxes == ("a",)
    (repeat,) = block.frames
    assert (repeat.kind, repeat.boxes) == ("repeat", ("b",))
    assert repeat.frames[0].boxes == ("c",)


def test_a_checkpoint_region_is_marked() -> None:
    members = [Member("a", ("layer", "core"), (), ("layer.core",)), Member("b", ("layer",), ())]
    (layer,) = build_frames("root", members, show).frames
    assert (layer.kind, layer.frames[0].kind) == ("block", "checkpoint")


def test_dot_text_is_the_same_each_time_and_has_generated_ids() -> None:
    notes = {"gpt.layer.proj": KernelNote(("2sbh² FLOP",), "compute")}
    first, second = (render_dot(build_picture(stack(), notes, show)) for _ in range(2))
    assert first == second
    edges = re.findall(r"^\s*(\S+) -> (\S+)", first, re.MULTILINE)
    assert edges
    assert all(re.fullmatch(r"(n|legend)\d+", end) for edge in edges for end in edge)
    assert "compute-bound" in first


def test_bounds_differ_in_border_as_well_as_colour() -> None:
    assert len({(look.style, look.width) for look in LOOKS}) == len(LOOKS)
    assert len({look.fill for look in LOOKS}) == len(LOOKS)


AWKWARD = [
    "a:b",
    "<b>",
    "<<TABLE HREF='javascript:alert(1)'><TR><TD>x</TD></TR></TABLE>>",
    'say "hi"',
    "back\\slash",
    "ends in \\",
    "\\N \\G \\l",
    "$\\frac{s}{6h}$",
    "x_{n}^2 & y",
    "&lt; &amp; &#38;",
    "]; n0 -> n1 [URL=evil]",
    "α·β² ×",
    "",
]


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_names_are_drawn_letter_for_letter(text: str) -> None:
    svg = render.draw(render_dot(named(text)), "svg")
    shown = [line.removeprefix(" ") for line in texts(svg)]
    assert shown.count(text) >= 4 or not text.strip()
    assert b"<a " not in svg
    assert b"xlink:href" not in svg


@settings(max_examples=25, deadline=None)
@given(st.text(min_size=1, max_size=30))
def test_no_name_breaks_the_drawing(text: str) -> None:
    svg = render.draw(render_dot(named(text)), "svg")
    assert "compute-bound" in texts(svg)
    assert len(re.findall(r'class="node"', svg.decode())) == 4


def test_line_ends_in_a_name_do_not_make_lines() -> None:
    assert " a b" in texts(render.draw(render_dot(named("a\nb")), "svg"))


def test_png_is_a_picture() -> None:
    assert render.draw(render_dot(build_picture(stack(), {}, show)), "png").startswith(b"\x89PNG")


def test_endings_choose_the_format() -> None:
    assert render.picture_format("a/b.SVG") == "svg"
    assert render.draw("digraph {}", "dot") == b"digraph {}"
    for name in ("layer", "layer.jpg", "layer."):
        with pytest.raises(RoofError, match="E0802"):
            render.picture_format(name)


def test_without_a_program_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render.shutil, "which", lambda _: None)
    with pytest.raises(RoofError) as caught:
        render.draw("digraph {}", "svg")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.kind.code == "E0803"
    assert any("roofdsl[render]" in line for line in diagnostic.helps)


def test_pdf_needs_graphviz_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    real = render.shutil.which
    monkeypatch.setattr(render.shutil, "which", lambda name: None if name == "dot" else real(name))
    with pytest.raises(RoofError, match="E0802"):
        render.draw("digraph {}", "pdf")


def test_a_failing_program_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "find_program", lambda: (render.Path(sys.executable), True))
    with pytest.raises(RoofError, match="E0804"):
        render.draw("digraph {}", "svg")


def test_the_renderer_found_is_one_that_runs() -> None:
    program, _ = render.find_program()
    assert program is not None
    assert subprocess.run([program, "-V"], capture_output=True, check=False).returncode == 0
