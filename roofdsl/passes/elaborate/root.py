"""The root of an elaboration: a subject's own inputs, braces and results become a `Graph`."""

from __future__ import annotations

import re
from dataclasses import replace

from roofdsl.diagnostics import Sink
from roofdsl.errors import regions
from roofdsl.errors.names import UNKNOWN_NAME
from roofdsl.ir.graph import Axis, Graph, Mode, Tensor
from roofdsl.ir.library import Library
from roofdsl.ir.size import Size, Symbol
from roofdsl.passes.elaborate.block import instantiate_block, results_of, run_body
from roofdsl.passes.elaborate.build import Body, Builder, Local, Target, plain_local
from roofdsl.passes.elaborate.callee import Braced, find_target, sort_braces
from roofdsl.passes.elaborate.env import root_env
from roofdsl.passes.elaborate.header import Header, check_header, own_names
from roofdsl.passes.elaborate.instance import Bound, callee_env, make_param
from roofdsl.passes.elaborate.op import Naming, instantiate_op, run_op
from roofdsl.passes.elaborate.types import check_dtype, default_dtype, is_integer
from roofdsl.passes.elaborate.unread import note_unread
from roofdsl.passes.elaborate.vacant import vacant_sizes
from roofdsl.passes.elaborate.weights import with_formats
from roofdsl.passes.names import did_you_mean
from roofdsl.source import NOWHERE
from roofdsl.syntax import ast

ROWS = ("n", "rows", "leading", "dots")
"""What `...` is called in an op asked about on its own: one dimension of any size, by the first name it does not use."""


def elaborate(library: Library, root: str, braces: ast.Braces | None, mode: Mode, sink: Sink) -> Graph | None:
    """The graph of the definition called `root` (an op, block, model or alias) under `braces`, without kernels.

    Everything wrong is reported to `sink`; None where nothing can be built. Repeats are not unrolled, so the size of
    the graph, and the time, grow with the text and not with L.
    """
    source = braces.span.source if braces is not None and braces.span is not NOWHERE else None
    definition = _definition_or_report(library, root, braces, sink)
    if definition is None:
        return None
    builder = Builder(library, mode, sink, source or definition.span.source, _instantiate)
    return _Root(builder).run(root, braces)


def _instantiate(body: Body, node: ast.Call, target: Target, names: tuple[str, ...]) -> tuple[Local, ...] | None:
    """One call is one kernel where an op is called, an instance with a path of its own where a block is (R3)."""
    if target.definition.kind == "op":
        return instantiate_op(body, node, target, names)
    return instantiate_block(body, node, target)


def _definition_or_report(library: Library, root: str, braces: ast.Braces | None, sink: Sink) -> ast.Definition | None:
    probe = Body(Builder(library, "train", sink, NOWHERE.source, _instantiate), root_env(library), (), (), _EMPTY)
    target = find_target(probe, root, braces)
    if target is not None:
        return target.definition
    helps = did_you_mean(root, (*library.definitions, *library.aliases))
    span = braces.span if braces is not None else NOWHERE
    sink.add(UNKNOWN_NAME, span, f"no op, block or model named `{root}`", helps=helps)
    return None


_EMPTY = ast.Definition("block", "", (), (), ())


class _Root:
    """One elaboration from its root; a class only to keep the steps together."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def run(self, root: str, braces: ast.Braces | None) -> Graph | None:
        builder = self.builder
        outside = Body(builder, root_env(builder.library), (), (), _EMPTY)
        target = find_target(outside, root, braces)
        if target is None:
            return None
        definition = target.definition
        braced = sort_braces(outside, target)
        header = Header()
        own = self._own_symbols(definition)
        for name in own:
            outside.env = outside.env if name in outside.env else outside.env.bind(name, Symbol(name))
        env = callee_env(outside, definition, braced, header)
        body = Body(builder, env, (definition.name,), (definition.name,), definition, stack=(definition.name,))
        if not check_header(body, definition):
            return None
        rows = _rows(definition)
        body.dots = (rows,) if rows in own else ()
        body.placements = body.with_placements(braced.placements)  # tiles see what braces bind
        body.placed = body.place(body.qualified)
        body.regions = (definition.name,)
        inputs = self._inputs(body)
        if inputs is None:
            return None
        results = self._run(body, target, braced, header)
        self._check_placements(outside)
        if results is None:
            return None
        graph = Graph(
            definition.name,
            definition.kind,
            builder.mode,
            with_formats(builder.tensors, builder.calls, builder.library),
            tuple(builder.calls),
            (),
            inputs,
            tuple(local.tensor for local in results),
            differentiate_inputs=definition.kind != "model",  # R5: a model's inputs are data
            symbols=own,
            vacant=vacant_sizes(builder.tensors, builder.library),
        )
        if definition.kind != "op" and builder.mode == "train":
            note_unread(graph, builder.root_source, builder.sink)
        return graph

    def _own_symbols(self, definition: ast.Definition) -> tuple[str, ...]:
        """Header indices that are no dims: symbols of the subject's own. An op's are all its own (design §3)."""
        library = self.builder.library
        known = {*library.dims, *library.lets} if definition.kind != "op" else set()
        found: dict[str, None] = {}
        rows = _rows(definition)
        for tensor in (*definition.operands, *definition.results):
            for index in tensor.indices or ():
                name = rows if isinstance(index, ast.Dots) else index.text
                if name not in known:
                    found[name] = None
        return tuple(found)

    def _inputs(self, body: Body) -> tuple[str, ...] | None:
        found: list[str] = []
        for operand in body.definition.operands:
            local = self._input(body, operand)
            if local is None:
                return None
            body.names[operand.name] = local
            body.bound_at[operand.name] = operand.span
            found.append(local.tensor)
        return tuple(found)

    def _input(self, body: Body, operand: ast.Tensor) -> Local | None:
        tensor_id = body.builder.unique(body.dotted(operand.name))
        if operand.param:
            local = make_param(body, operand, tensor_id)
            named = sum(isinstance(i, ast.Name) for i in operand.indices or ())
            dots = body.dots if named != len(operand.indices or ()) else ()
            return None if local is None else replace(local, dots=dots)
        axes: list[Axis] = []
        dots = ()
        for index in operand.indices or ():
            names = body.dots if isinstance(index, ast.Dots) else (index.text,)
            dots = body.dots if isinstance(index, ast.Dots) else dots
            axes += [Axis(name, self._extent(body, name)) for name in names]
        dtype = (
            default_dtype(body, "activations")
            if operand.dtype is None
            else check_dtype(body, operand.dtype, operand.span)
        )
        made = Tensor(
            tensor_id,
            operand.name,
            body.path,
            tuple(axes),
            dtype,
            "input",
            integer=is_integer(body, dtype),
            span=operand.span,
        )
        body.builder.add_tensor(made)
        return replace(plain_local(made), dots=dots)

    def _extent(self, body: Body, name: str) -> Size:
        size = body.env.size(name)
        return Symbol(name) if size is None else size

    def _run(self, body: Body, target: Target, braced: Braced, header: Header) -> tuple[Local, ...] | None:
        definition = body.definition
        if definition.kind != "op":
            run_body(body, definition.body)
            return results_of(body)
        outer = Body(self.builder, body.env, (), (), _EMPTY, placements=body.placements)
        results = tuple(self.builder.unique(f"{definition.name}.{r.name}") for r in definition.results)
        naming = Naming(f"{definition.name}", definition.name, results)
        operands = {o.name: local for o in definition.operands if (local := body.names.get(o.name)) is not None}
        header.outer = {name: name for name in own_names(definition)}
        bound = Bound(target, braced, header, body.env, operands, (), (), ())
        outer.path = body.path
        return run_op(outer, body, definition.span, naming, bound)

    def _check_placements(self, outside: Body) -> None:
        """Every placement must have met something."""
        builder = self.builder
        for number, placement in enumerate(builder.placements):
            if number in builder.met:
                continue
            wanted = ".".join(placement.path)
            outside.report(
                regions.UNKNOWN_REGION,
                placement.span,
                f"nothing here is called `{wanted}`",
                helps=did_you_mean(wanted, _endings(builder)),
            )


def _endings(builder: Builder) -> tuple[str, ...]:
    """Every ending of the path of a region, instance or call: what a placement may name."""
    found: dict[str, None] = {}
    for call in builder.calls:
        for path in (*(region.split(".") for region in call.regions), [*call.path, call.label]):
            found.update(dict.fromkeys(".".join(path[k:]) for k in range(len(path))))
    return tuple(found)


def _rows(definition: ast.Definition) -> str:
    words = frozenset(re.findall(r"\w+", definition.span.text))
    return next((name for name in ROWS if name not in words), ROWS[0])
