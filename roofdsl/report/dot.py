"""A picture as DOT text.

Node ids are n0, n1, …; every attribute but a label has a fixed value; user text stands in labels only, escaped against
DOT's escapes, its entities and its HTML-like labels. So no name can change the drawing or put a link into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from roofdsl.report.graph_flow import Arrow
from roofdsl.report.graph_frames import Frame
from roofdsl.report.graph_model import Box, Picture
from roofdsl.report.plain import one_line

if TYPE_CHECKING:
    from graphviz import Digraph

FONT = "Helvetica"


@dataclass(frozen=True, slots=True)
class Look:
    """How a bound is shown: fill and border (hues that stay apart for colour-blind readers), and a border style and a
    word, so that a print without colour still says it.
    """

    word: str
    fill: str
    border: str
    style: str
    width: str = "1.4"


LOOKS = (
    Look("compute", "#fbd9b5", "#a34700", "filled", "2.4"),
    Look("vector", "#fff3b0", "#7a6500", "filled,rounded"),
    Look("special", "#e9d3ea", "#7b3f7d", "filled,rounded,dotted"),
    Look("memory", "#cfe5f7", "#00527f", "filled,dashed"),
    Look("communication", "#c9ecdf", "#00614a", "filled,rounded,dashed"),
    Look("overhead", "#e6e6e6", "#444444", "filled,dotted"),
)
NEUTRAL = Look("", "#f5f5f5", "#555555", "filled")
_MOST_LABELS = 4


def render_dot(picture: Picture) -> str:
    """The picture as DOT text, the same for the same picture on every machine."""
    from graphviz import Digraph

    ids = {box.id: f"n{number}" for number, box in enumerate(picture.boxes)}
    boxes = {box.id: box for box in picture.boxes}
    dot = Digraph(
        "roofdsl",
        graph_attr={
            "rankdir": "TB",
            "nodesep": "0.3",
            "ranksep": "0.35",
            "fontname": FONT,
            "fontsize": "13",
            "labelloc": "t",
            "labeljust": "l",
            "bgcolor": "white",
            "label": escape_label((picture.title, *picture.caption), left=True),
        },
        node_attr={"fontname": FONT, "fontsize": "11", "shape": "box", "margin": "0.12,0.06", "height": "0.3"},
        edge_attr={"fontname": FONT, "fontsize": "9", "color": "#555555", "fontcolor": "#333333", "arrowsize": "0.7"},
    )
    _Clusters(ids, boxes).fill(dot, picture.root)
    for arrow in picture.arrows:
        _draw_arrow(dot, ids, arrow)
    _draw_legend(dot, picture)
    return str(dot.source)


def escape_label(lines: tuple[str, ...], *, left: bool = False) -> str:
    """Lines of text as one label that shows them letter for letter."""
    from graphviz import escape, nohtml

    end = r"\l" if left else r"\n"
    escaped = [str(escape(one_line(line).replace("&", "&amp;"))) for line in lines]
    label: str = nohtml(end.join(escaped) + (end if left else ""))
    return label  # its type says that it is not HTML: `str(label)` would lose that


def look_of(bound: str | None) -> Look:
    """How a bound is shown; neutral for none or one without a look."""
    return next((look for look in LOOKS if look.word == bound), NEUTRAL)


@dataclass(frozen=True, slots=True)
class _Clusters:
    """Draws frames inside frames; `ids` and `boxes` are by box id."""

    ids: dict[str, str]
    boxes: dict[str, Box]

    def fill(self, dot: Digraph, frame: Frame, prefix: str = "cluster_") -> None:
        for name in frame.boxes:
            _draw_box(dot, self.ids[name], self.boxes[name])
        for number, inner in enumerate(frame.frames):
            name = f"{prefix}{number}"
            with dot.subgraph(name=name) as sub:
                sub.attr(**_frame_look(inner))
                self.fill(sub, inner, f"{name}_")


def _frame_look(frame: Frame) -> dict[str, str]:
    common = {"labeljust": "l", "labelloc": "t", "fontname": FONT, "fontsize": "12", "margin": "10"}
    match frame.kind:
        case "repeat":
            look = {"style": "rounded,bold", "color": "#222222", "bgcolor": "#fafafa"}
        case "checkpoint":
            look = {"style": "dashed", "color": "#7b3f7d", "bgcolor": "white"}
        case "block" | "root":
            look = {"style": "rounded", "color": "#999999", "bgcolor": "white"}
    title = f"{frame.title} (checkpoint)" if frame.kind == "checkpoint" else frame.title
    return {**common, **look, "label": escape_label((title,))}


def _draw_box(dot: Digraph, node: str, box: Box) -> None:
    if box.kind != "kernel":
        style = {"input": "filled,rounded", "result": "filled,rounded", "param": "filled", "carried": "filled,rounded"}
        shape = {"param": "note"}.get(box.kind, "box")
        label = escape_label((box.title, *box.lines))
        dot.node(
            node, label, shape=shape, style=style[box.kind], fillcolor="white", color="#777777", fontcolor="#333333"
        )
        return
    look = look_of(box.bound)
    tag = (f"{box.bound}-bound",) if box.bound else ()
    label = escape_label((box.title, *box.lines, *tag))
    dot.node(node, label, style=look.style, fillcolor=look.fill, color=look.border, penwidth=look.width)


def _draw_arrow(dot: Digraph, ids: dict[str, str], arrow: Arrow) -> None:
    if arrow.back:
        dot.edge(
            ids[arrow.tail],
            ids[arrow.head],
            label="next iteration",
            style="dashed",
            constraint="false",
            color="#222222",
        )
        return
    labels = arrow.labels
    if len(labels) > _MOST_LABELS:
        labels = (*labels[: _MOST_LABELS - 1], f"and {len(labels) - _MOST_LABELS + 1} more")
    label = escape_label(tuple(f" {text}" for text in labels), left=True)  # the blank keeps it off the line
    dot.edge(ids[arrow.tail], ids[arrow.head], label=label)


def _draw_legend(dot: Digraph, picture: Picture) -> None:
    bounds = {box.bound for box in picture.boxes}
    shown = [look for look in LOOKS if look.word in bounds]
    if not shown:
        return
    with dot.subgraph(name="cluster_legend") as legend:
        legend.attr(label="bound by", fontname=FONT, fontsize="11", style="solid", color="#bbbbbb", margin="8")
        with legend.subgraph() as row:
            row.attr(rank="same")
            for number, look in enumerate(shown):
                _draw_sample(row, f"legend{number}", look)


def _draw_sample(dot: Digraph, node: str, look: Look) -> None:
    dot.node(
        node, look.word, style=look.style, fillcolor=look.fill, color=look.border, penwidth=look.width, fontsize="10"
    )
