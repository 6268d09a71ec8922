"""How the boxes of a picture nest: blocks and regions by path, repeats by the loops around them.

A graph gives each kernel a path and, apart from it, its loops. Where in the path a loop opens is found here: as far
out as every kernel inside that part of the path is in the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from roofdsl.ir.graph import Loop
from roofdsl.ir.size import Size

FrameKind = Literal["root", "block", "checkpoint", "repeat"]


@dataclass(frozen=True, slots=True)
class Member:
    """A box and where it stands: path and checkpoints (dotted) below the root."""

    id: str
    path: tuple[str, ...]
    loops: tuple[Loop, ...]
    checkpoints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """`boxes` stand in this frame directly; `frames` are those inside it, in the order their first box comes."""

    title: str
    kind: FrameKind
    boxes: tuple[str, ...]
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """One frame on the way to a box; `key` tells frames of one title apart."""

    key: str
    title: str
    kind: FrameKind


@dataclass(slots=True)
class _Node:
    """A frame being filled."""

    boxes: list[str] = field(default_factory=list)
    children: dict[_Step, _Node] = field(default_factory=dict)


def build_frames(title: str, members: Sequence[Member], show: Callable[[Size], str]) -> Frame:
    """The nest of frames holding all members; `show` prints the count of a repeat (`× L`)."""
    depths = _loop_depths(members)
    checkpoints = frozenset(name for member in members for name in member.checkpoints)
    root = _Node()
    for member in members:
        node = root
        for step in _steps(member, depths, checkpoints, show):
            node = node.children.setdefault(step, _Node())
        node.boxes.append(member.id)
    return _freeze(_Step("", title, "root"), root)


def _freeze(step: _Step, node: _Node) -> Frame:
    frames = tuple(_freeze(inner, child) for inner, child in node.children.items())
    return Frame(step.title, step.kind, tuple(node.boxes), frames)


def _steps(
    member: Member, depths: dict[str, int], checkpoints: frozenset[str], show: Callable[[Size], str]
) -> list[_Step]:
    steps: list[_Step] = []
    for depth in range(len(member.path) + 1):
        here = [loop for loop in member.loops if min(depths[loop.id], len(member.path)) == depth]
        steps += [_Step(f"loop {loop.id}", _loop_title(loop, show), "repeat") for loop in here]
        if depth < len(member.path):
            key = ".".join(member.path[: depth + 1])
            steps.append(_Step(key, member.path[depth], "checkpoint" if key in checkpoints else "block"))
    return steps


def _loop_title(loop: Loop, show: Callable[[Size], str]) -> str:
    return f"× {show(loop.count)}" + (" (shared weights)" if loop.shared else "")


def _loop_depths(members: Sequence[Member]) -> dict[str, int]:
    """For each loop, how many parts of the path stand outside it."""
    loops = {loop.id for member in members for loop in member.loops}
    return {loop: _loop_depth(loop, members) for loop in sorted(loops)}


def _loop_depth(loop: str, members: Sequence[Member]) -> int:
    inside = [member for member in members if any(each.id == loop for each in member.loops)]
    shared = _common_prefix(member.path for member in inside)
    for depth in range(len(shared)):
        part = shared[: depth + 1]
        if all(member in inside for member in members if member.path[: depth + 1] == part):
            return depth
    return len(shared)


def _common_prefix(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    shared: tuple[str, ...] | None = None
    for path in paths:
        if shared is None:
            shared = path
            continue
        length = next((i for i, (a, b) in enumerate(zip(shared, path, strict=False)) if a != b), None)
        shared = shared[: min(len(shared), len(path))] if length is None else shared[:length]
    return shared or ()
