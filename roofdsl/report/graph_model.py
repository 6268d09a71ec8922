"""The picture of a graph as data: boxes, arrows and frames, before anybody draws them.

`build_picture` takes an elaborated graph and, for each kernel, the lines to write in its box and the bound that colours
it. It knows neither machines nor DOT.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from roofdsl.ir.graph import Graph, Kernel, Tensor
from roofdsl.ir.size import Size
from roofdsl.report.graph_flow import (
    Arrow,
    BoxKind,
    Flow,
    box_kind,
    display_name,
    find_arrows,
    result_box,
    shape_text,
    trace,
)
from roofdsl.report.graph_frames import Frame, Member, build_frames


@dataclass(frozen=True, slots=True)
class KernelNote:
    """What is known of a kernel: the lines of its box (work, traffic, time, …) and the roof that bounds it."""

    lines: tuple[str, ...]
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A kernel, or a tensor that stands on its own (input, parameter, result, what a repeat carries). `id` is unique;
    `title` and `lines` are text to show, never markup.
    """

    id: str
    kind: BoxKind
    title: str
    lines: tuple[str, ...] = ()
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing: `root` holds the ids of the boxes, nested as blocks, regions and repeats nest."""

    title: str
    caption: tuple[str, ...]
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    root: Frame


def build_picture(
    graph: Graph,
    notes: Mapping[str, KernelNote],
    show: Callable[[Size], str],
    *,
    count: Callable[[Size], str] | None = None,
    title: str = "",
    caption: tuple[str, ...] = (),
    params: bool = False,
) -> Picture:
    """The picture of a graph. `notes` are per kernel id; `show` prints an extent, `count` how often a repeat
    runs; `params` asks for boxes of parameters.
    """
    flow = trace(graph, show, params=params)
    arrows = find_arrows(flow)
    kernels = [_kernel_box(kernel, notes.get(kernel.id)) for kernel in graph.kernels]
    members = [_kernel_member(graph, kernel) for kernel in graph.kernels]
    tensors = _tensors_shown(flow, arrows)
    boxes = [_tensor_box(flow, tensor) for tensor in tensors]
    members += [_tensor_member(graph, tensor) for tensor in tensors]
    results = [_result_box(flow, name) for name in graph.results if any(a.head == result_box(name) for a in arrows)]
    members += [Member(box.id, (), ()) for box in results]
    root = build_frames(graph.name, members, count or show)
    return Picture(title or graph.name, caption, (*kernels, *boxes, *results), arrows, root)


def _kernel_box(kernel: Kernel, note: KernelNote | None) -> Box:
    calls = [call.label for call in kernel.calls]
    inside = (f"fused: {', '.join(calls)}",) if kernel.fused is not None and len(calls) > 1 else ()
    bound = note.bound if note else None
    return Box(kernel.id, "kernel", _title(kernel), inside + (note.lines if note else ()), bound)


def _title(kernel: Kernel) -> str:
    """As the file says it: `P = softmax`; for an inline statement its target, for a fused region its name. A second of
    one name has its counter, as everywhere.
    """
    op = kernel.calls[0].op if kernel.fused is None else None
    name, _, counter = kernel.id.rsplit(".", 1)[-1].partition("#")
    label = f"{name}#{counter}" if counter and name == kernel.label else kernel.label
    return label if op is None or op == kernel.label else f"{label} = {op}"


def _kernel_member(graph: Graph, kernel: Kernel) -> Member:
    """A kernel stands in the innermost region around its call; a fused region is the kernel, not a frame."""
    path = kernel.fused.split(".")[:-1] if kernel.fused is not None else _innermost(kernel)
    inside = f"{graph.name}."
    checkpoints = tuple(name.removeprefix(inside) for name in kernel.checkpoints if name.startswith(inside))
    return Member(kernel.id, _path(graph, tuple(path)), kernel.loops, checkpoints)


def _innermost(kernel: Kernel) -> tuple[str, ...]:
    regions = kernel.calls[0].regions
    return tuple(regions[-1].split(".")) if regions else kernel.path


def _tensor_box(flow: Flow, tensor: Tensor) -> Box:
    kind = box_kind(tensor)
    prefix = {"cache": "cache ", "buffer": "buffer "}.get(tensor.role, "")
    lines = (shape_text(flow, tensor),) if kind == "param" else ()
    return Box(tensor.id, kind, prefix + display_name(tensor), lines)


def _result_box(flow: Flow, name: str) -> Box:
    return Box(result_box(name), "result", display_name(flow.graph.tensors[name]))


def _tensor_member(graph: Graph, tensor: Tensor) -> Member:
    if box_kind(tensor) == "input":
        return Member(tensor.id, (), ())
    return Member(tensor.id, _path(graph, tensor.path), tensor.loops)


def _path(graph: Graph, path: tuple[str, ...]) -> tuple[str, ...]:
    """The path below the root, which has no frame of its own."""
    return path[1:] if path[:1] == (graph.name,) else path


def _tensors_shown(flow: Flow, arrows: tuple[Arrow, ...]) -> list[Tensor]:
    kernels = {kernel.id for kernel in flow.graph.kernels}
    ends = dict.fromkeys(end for arrow in arrows for end in (arrow.tail, arrow.head) if end not in kernels)
    return [flow.graph.tensors[end] for end in ends if end in flow.graph.tensors]
