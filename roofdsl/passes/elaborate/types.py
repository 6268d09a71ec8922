"""dtypes of results (design §3): annotated, else the widest activation operand, else the default."""

from __future__ import annotations

from roofdsl.errors.names import UNKNOWN_NAME
from roofdsl.ir.expr import Access
from roofdsl.passes.elaborate.build import Body
from roofdsl.passes.names import did_you_mean, some
from roofdsl.source import Span
from roofdsl.syntax import ast

_ACTIVATIONS = frozenset(("activation", "input", "cache"))


def check_dtype(body: Body, dtype: str, span: Span) -> str:
    """The dtype itself; reports an unknown one."""
    dtypes = body.builder.library.dtypes
    if dtype not in dtypes:
        helps = did_you_mean(dtype, dtypes, "format") or (f"there are: {some(dtypes)}; `roofdsl dtypes` lists them",)
        body.report(UNKNOWN_NAME, span, f"no dtype named `{dtype}`", helps=helps)
        return default_dtype(body, "activations")
    return dtype


def default_dtype(body: Body, role: str) -> str:
    """The file's `default activations` or `default params`; the first dtype there is where nothing was said."""
    library = body.builder.library
    return library.defaults.get(role) or next(iter(library.dtypes), "")


def is_integer(body: Body, dtype: str) -> bool:
    found = body.builder.library.dtypes.get(dtype)
    return found is not None and found.integer


def result_dtype(body: Body, annotated: str | None, operands: tuple[Access, ...], span: Span) -> str:
    """The dtype of a statement's result. Integer operands (indices, masks) do not widen a floating result."""
    if annotated is not None:
        return check_dtype(body, annotated, span)
    tensors = [body.builder.tensors[operand.tensor] for operand in operands]
    floating = [t.dtype for t in tensors if t.role in _ACTIVATIONS and not t.integer]
    dtypes = body.builder.library.dtypes
    known = [dtype for dtype in floating if dtype in dtypes]
    if known:
        return max(known, key=lambda dtype: dtypes[dtype].bits)
    return default_dtype(body, "activations")


def annotation(body: Body, target: ast.Tensor) -> str | None:
    """The dtype a target is given where it is written, else in the header: `op half(x[...]) -> y: bf16`."""
    if target.dtype is not None:
        return target.dtype
    return next((r.dtype for r in body.definition.results if r.name == target.name), None)
