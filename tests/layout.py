"""Where an element of a view is stored: a second reading of `view`, for the oracle alone.

A view lays the same elements out anew, row by row. Tensors joined in a view stand one after the other along the axis
whose extent differs from the view's; so do the views of parts of one tensor, in the order they are declared.
"""

from __future__ import annotations

from collections.abc import Mapping

from roofdsl.ir.graph import Tensor
from tests.sizes_of_oracle import Environment, number

Element = tuple[int, ...]


def home(name: str, element: Element, tensors: Mapping[str, Tensor], env: Environment) -> tuple[str, Element]:
    """The tensor that holds an element of `name`, and its place there."""
    tensor = tensors[name]
    if tensor.joined:
        return home(*_in_joined(tensor, element, tensors, env), tensors, env)
    if tensor.alias is None:
        return name, element
    base = tensors[tensor.alias]
    if tensor.part:
        return home(base.id, _in_whole(tensor, base, element, tensors, env), tensors, env)
    return home(base.id, _again(element, shape(tensor, env), shape(base, env)), tensors, env)


def shape(tensor: Tensor, env: Environment) -> list[int]:
    return [int(number(axis.extent, env)) for axis in tensor.axes]


def _again(element: Element, own: list[int], other: list[int]) -> Element:
    linear = 0
    for position, size in zip(element, own, strict=True):
        linear = linear * size + position
    found: list[int] = []
    for size in reversed(other):
        linear, position = divmod(linear, size)
        found.append(position)
    return tuple(reversed(found))


def _in_joined(
    tensor: Tensor, element: Element, tensors: Mapping[str, Tensor], env: Environment
) -> tuple[str, Element]:
    axis = _differing(shape(tensor, env), [shape(tensors[part], env) for part in tensor.joined])
    start = 0
    for part in tensor.joined:
        length = shape(tensors[part], env)[axis]
        if element[axis] < start + length:
            return part, (*element[:axis], element[axis] - start, *element[axis + 1 :])
        start += length
    raise AssertionError(f"{tensor.id}{list(element)} lies beyond what is joined in it")


def _in_whole(part: Tensor, base: Tensor, element: Element, tensors: Mapping[str, Tensor], env: Environment) -> Element:
    parts = [t for t in tensors.values() if t.part and t.alias == base.id]
    before = parts[: [t.id for t in parts].index(part.id)]
    axis = _differing(shape(base, env), [shape(t, env) for t in parts])
    start = sum(shape(t, env)[axis] for t in before)
    return (*element[:axis], element[axis] + start, *element[axis + 1 :])


def _differing(whole: list[int], parts: list[list[int]]) -> int:
    assert all(len(part) == len(whole) for part in parts), "parts of another rank"
    axes = [k for k, size in enumerate(whole) if any(part[k] != size for part in parts)]
    assert len(axes) == 1, f"parts of {whole} along one axis: {parts}"
    return axes[0]
