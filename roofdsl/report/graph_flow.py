"""Which box a tensor comes from, and the arrows that follow.

Aliases are followed (views, caches in training); a joining view has several sources; what a repeat carries from one
iteration to the next gets a small box of its own at the beginning of the body.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from roofdsl.ir.graph import Graph, Kernel, Tensor
from roofdsl.ir.size import Size

BoxKind = Literal["kernel", "input", "param", "result", "carried"]


@dataclass(frozen=True, slots=True)
class Arrow:
    """Tensors that flow from one box to another; `back` is the way from the end of a repeat's body to its beginning."""

    tail: str
    head: str
    labels: tuple[str, ...]
    back: bool = False


@dataclass(frozen=True, slots=True)
class Flow:
    """A graph with what is needed to trace it; `producers` maps a tensor's id to the kernel that writes it."""

    graph: Graph
    show: Callable[[Size], str]
    params: bool
    producers: dict[str, str]


def trace(graph: Graph, show: Callable[[Size], str], *, params: bool) -> Flow:
    """The flow of a graph; `params` asks for arrows from parameters and buffers too."""
    producers = {name: kernel.id for kernel in graph.kernels for name in kernel.results}
    return Flow(graph, show, params, producers)


def find_arrows(flow: Flow) -> tuple[Arrow, ...]:
    """All arrows, those of one pair of boxes joined into one, in the order of the kernels."""
    single: list[Arrow] = []
    for kernel in flow.graph.kernels:
        single += _arrows_into(flow, kernel)
    for tensor in _carried_in_use(flow, single):
        single += _arrows_of_carried(flow, tensor)
    for tail in dict.fromkeys(arrow.tail for arrow in single):
        single += _arrows_into_cache(flow, flow.graph.tensors.get(tail))
    for name in flow.graph.results:
        tensor = flow.graph.tensors[name]
        single += [Arrow(source, result_box(name), (tensor_label(flow, tensor),)) for source in _sources(flow, name)]
    return _joined(single)


def result_box(tensor_id: str) -> str:
    """The id of a result's box: not the tensor's, which may be an input handed straight through."""
    return f"result {tensor_id}"


def tensor_label(flow: Flow, tensor: Tensor) -> str:
    """Name, shape and dtype, as `q [s, b, a, d] bf16`."""
    return f"{display_name(tensor)} {shape_text(flow, tensor)}"


def display_name(tensor: Tensor) -> str:
    """The name the file gives a tensor: the end of its id (an op's result is called as in the op), a second of that name
    with its counter.
    """
    return re.split(r"[~@]", tensor.id.rsplit(".", 1)[-1])[0] or tensor.name


def shape_text(flow: Flow, tensor: Tensor) -> str:
    """Shape and dtype, as `[s, b, a, d] bf16`."""
    extents = ", ".join(flow.show(axis.extent) for axis in tensor.axes)
    return f"[{extents}] {tensor.dtype}" if extents else f"scalar {tensor.dtype}"


def box_kind(tensor: Tensor) -> BoxKind:
    """What kind of box a tensor has that no kernel of the graph writes."""
    if tensor.carried is not None:
        return "carried"
    return "param" if tensor.role in {"param", "buffer"} else "input"


def _arrows_into(flow: Flow, kernel: Kernel) -> list[Arrow]:
    """A parameter's box says its shape, so its arrows need no label."""
    arrows: list[Arrow] = []
    for operand in kernel.operands:
        tensor = flow.graph.tensors[operand]
        labels = () if operand not in flow.producers and box_kind(tensor) == "param" else (tensor_label(flow, tensor),)
        sources = [source for source in _sources(flow, operand) if source != kernel.id]
        arrows += [Arrow(source, kernel.id, labels) for source in sources]
    return arrows


def _sources(flow: Flow, tensor_id: str) -> tuple[str, ...]:
    """Ids of the boxes a tensor comes from: a kernel, or the tensor itself where it has a box of its own."""
    tensor = flow.graph.tensors[tensor_id]
    if tensor.carried is not None:
        return (tensor_id,)
    if tensor_id in flow.producers:
        return (flow.producers[tensor_id],)
    if tensor.joined:
        return tuple(dict.fromkeys(source for part in tensor.joined for source in _sources(flow, part)))
    if tensor.alias is not None:
        return _sources(flow, tensor.alias)
    if box_kind(tensor) == "param" and not flow.params:
        return ()
    return (tensor_id,)


def _carried_in_use(flow: Flow, arrows: list[Arrow]) -> list[Tensor]:
    """Carried tensors that some arrow leaves, and those they come from in turn (a repeat inside a repeat)."""
    found: dict[str, Tensor] = {}
    open_ids = [arrow.tail for arrow in arrows]
    while open_ids:
        tensor = flow.graph.tensors.get(open_ids.pop(0))
        if tensor is None or tensor.carried is None or tensor.id in found:
            continue
        found[tensor.id] = tensor
        open_ids += [source for end in tensor.carried for source in _sources(flow, end)]
    return list(found.values())


def _arrows_of_carried(flow: Flow, tensor: Tensor) -> list[Arrow]:
    if tensor.carried is None:
        return []
    initial, leaving = tensor.carried
    label = tensor_label(flow, flow.graph.tensors[initial])
    enter = [Arrow(source, tensor.id, (label,)) for source in _sources(flow, initial)]
    return enter + [
        Arrow(source, tensor.id, (), back=True) for source in _sources(flow, leaving) if source != tensor.id
    ]


def _arrows_into_cache(flow: Flow, tensor: Tensor | None) -> list[Arrow]:
    """In inference, what is written into a cache."""
    if tensor is None or tensor.cached_from is None:
        return []
    label = tensor_label(flow, flow.graph.tensors[tensor.cached_from])
    return [Arrow(source, tensor.id, (label,)) for source in _sources(flow, tensor.cached_from) if source != tensor.id]


def _joined(arrows: list[Arrow]) -> tuple[Arrow, ...]:
    labels: dict[tuple[str, str, bool], dict[str, None]] = {}
    for arrow in arrows:
        labels.setdefault((arrow.tail, arrow.head, arrow.back), {}).update(dict.fromkeys(arrow.labels))
    return tuple(Arrow(tail, head, tuple(texts), back) for (tail, head, back), texts in labels.items())
