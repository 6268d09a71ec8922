"""Which part of an elaborated root a subject's path means: calls, kernels and tensors.

Paths name instances, regions, ops, statements and tensors (`gpt.layer.attention.core`, `attention.S`); levels between
may be left out as long as one thing only is meant. Calls of one name side by side (`layernorm`, twice) are meant
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.ir.entry import Entry
from roofdsl.ir.graph import Call, Graph, Tensor
from roofdsl.passes.names import did_you_mean
from roofdsl.passes.normalise import origin
from roofdsl.quantities.subject import Subject

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """`kernels` are selected whole; of those in `shared` only what writes `written` is. `tensors` are those that
    params and the like are filtered by, aliases followed; `saved` is where a tensor is meant, and where a `scope` (an
    instance, region or op) is meant goes by the kernels that read it first. `whole`: everything.
    """

    whole: bool = False
    kernels: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    tensors: frozenset[str] = frozenset()
    scope: bool = False


EVERYTHING = Selection(whole=True)


@dataclass(frozen=True, slots=True)
class _Named:
    """Something a path can end at: its path without counters, and what it selects."""

    path: Path
    calls: tuple[Call, ...] = ()
    tensors: tuple[Tensor, ...] = ()
    written: frozenset[str] | None = field(default=None)
    scope: bool = False


def keep(entry: Entry, selection: Selection) -> bool:
    """Whether an entry belongs to the selected part. Traffic inside a fused kernel belongs to none of its parts (R4)."""
    if selection.whole:
        return True
    kernel = entry.primal or entry.kernel
    match entry.measure:
        case "work":
            return kernel in selection.kernels or (
                kernel in selection.shared and origin(entry.what) in selection.written
            )
        case "traffic" | "level_traffic":
            return kernel in selection.kernels
        case "saved" if selection.scope:  # of a block or op: what its own kernels need, as if it were asked about alone
            return kernel in selection.kernels
        case _:
            return origin(entry.what) in selection.tensors


def select(graph: Graph, subject: Subject) -> Selection:
    """The selection of a subject's path in its root's graph; E0703 if it names nothing or two things."""
    if not subject.path:
        return EVERYTHING
    wanted = (subject.root, *subject.path)
    names = tuple(_names(graph, subject.root))
    matching = [named for named in names if _leads_to(named.path, wanted)]
    if not matching:
        _report_unknown(subject, names)
    shortest = min(len(named.path) for named in matching)
    nearest = [named for named in matching if len(named.path) == shortest]
    paths = tuple(dict.fromkeys(named.path for named in nearest))
    if len(paths) > 1:
        shown = ", ".join(".".join(path) for path in paths)
        fail(errors.UNKNOWN_SUBJECT, subject.span, "this could be more than one thing", expected=f"one of {shown}")
    return _merge(graph, nearest)


def _report_unknown(subject: Subject, names: tuple[_Named, ...]) -> None:
    last = subject.path[-1]
    endings = {named.path[-1]: ".".join(named.path) for named in names}
    found = did_you_mean(last, endings)
    helps = found or (f"`roofdsl explain` of `flops({subject.root})` lists what is inside",)
    fail(errors.UNKNOWN_SUBJECT, subject.span, f"`{subject.root}` has no `{'.'.join(subject.path)}`", helps=helps)


def _leads_to(path: Path, wanted: Path) -> bool:
    """Whether `wanted` is `path` with levels between left out; the first and last must be there."""
    if path[0] != wanted[0] or path[-1] != wanted[-1]:
        return False
    rest = iter(path)
    return all(part in rest for part in wanted)


def _names(graph: Graph, root: str) -> Iterator[_Named]:
    scopes: dict[Path, list[Call]] = {}
    inside: dict[Path, list[Tensor]] = {}
    for call in graph.calls:
        for path in _scopes_of(call, root):
            scopes.setdefault(path, []).append(call)
    for tensor in graph.tensors.values():
        for path in _prefixes(_plain(tensor.path, root)):
            inside.setdefault(path, []).append(tensor)
    for path in dict.fromkeys((*scopes, *inside)):
        inner = scopes.get(path, [])
        made = (graph.tensors[name] for call in inner for name in (*call.results, *call.internal))
        yield _Named(path, tuple(inner), (*inside.get(path, ()), *made), scope=bool(inner))
    makers = _makers(graph.calls)
    params: dict[str, list[Tensor]] = {}  # of an op call: `layer.n1.g` belongs to what is called n1
    for tensor in graph.tensors.values():
        if tensor.role == "param":
            params.setdefault(tensor.id.rpartition(".")[0], []).append(tensor)
    for tensor in graph.tensors.values():
        calls = makers.get(tensor.id, ())
        written = frozenset((tensor.id,)) if any(tensor.id in c.internal for c in calls) else None
        tensors = (tensor, *params.get(tensor.id, ()))
        yield _Named(_plain(tuple(tensor.id.split(".")), root), calls, tensors, written)


def _makers(calls: Iterable[Call]) -> dict[str, tuple[Call, ...]]:
    """The calls that write each tensor."""
    found: dict[str, tuple[Call, ...]] = {}
    for call in calls:
        for tensor in (*call.results, *call.internal):
            found[tensor] = (*found.get(tensor, ()), call)
    return found


def _scopes_of(call: Call, root: str) -> Iterator[Path]:
    """Instances around a call, the regions in them, and the call itself if it is an op's."""
    path = _plain(call.path, root)
    yield from _prefixes(path)
    for region in call.regions:
        yield _plain(tuple(region.split(".")), root)
    if call.op is not None:
        yield (*path, call.op)


def _prefixes(path: Path) -> Iterator[Path]:
    for length in range(1, len(path) + 1):
        yield path[:length]


def _plain(path: Path, root: str) -> Path:
    """The path from the root, without the counters that make instances of one name unique."""
    plain = tuple(part.split("#")[0] for part in path)
    return plain if plain[:1] == (root,) else (root, *plain)


def _merge(graph: Graph, found: list[_Named]) -> Selection:
    calls = {call.id for named in found for call in named.calls}
    inner = {named.written for named in found if named.written is not None}
    kernels: set[str] = set()
    shared: set[str] = set()
    for kernel in graph.kernels:
        inside = [call.id in calls for call in kernel.calls]
        if all(inside) and not inner:
            kernels.add(kernel.id)
        elif any(inside):
            shared.add(kernel.id)
    written = {tensor for call in graph.calls if call.id in calls for tensor in (*call.results, *call.internal)}
    tensors = {graph.resolve(tensor.id).id for named in found for tensor in named.tensors}
    return Selection(
        False,
        frozenset(kernels),
        frozenset(shared),
        frozenset(written) if not inner else frozenset().union(*inner),
        frozenset(tensors),
        any(named.scope for named in found),
    )
