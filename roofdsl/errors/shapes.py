"""E04xx: shapes, calls and instances."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

RANK_MISMATCH = Kind(
    "E0401",
    "number of indices differs from the tensor's",
    "A tensor is read with as many indices as it was declared with. The diagnostic shows both and where the tensor was "
    "declared. `x` without brackets means its declared indices.",
)
EXTENT_MISMATCH = Kind(
    "E0402",
    "extents differ",
    "An index has one extent in a statement: every dimension it runs over must have the same size, once lets are "
    "expanded. The diagnostic shows both sizes and where each came from.",
)
ARGUMENT_COUNT = Kind(
    "E0403",
    "wrong number of arguments",
    "A call gives one argument for each operand of the header. Only `param` operands at the end may be left out: the "
    "instance then has its own.",
)
RESULT_COUNT = Kind(
    "E0404",
    "wrong number of results",
    "A call of an op or block with n results is bound to n names: `wt, src = topk(x)`. Inside an expression only calls "
    "with one result may stand.",
)
RECURSIVE = Kind(
    "E0405",
    "a definition calls itself",
    "Blocks and models may not call themselves, directly or through others. Use `repeat n { ... }` for repetition.",
)
TOO_MANY_CALLS = Kind(
    "E0406",
    "the model is too large to elaborate",
    "The number of calls, counted without unrolling repeats, exceeds the limit, or calls are nested too deeply. Use "
    "`repeat` instead of writing layers one by one, and check for definitions that multiply each other.",
)
UNUSED_BRACES = Kind(
    "E0407",
    "braces bind nothing",
    "Each item in braces must name a dim, a let, a callee, an index of the op, or a region or instance that exists. The "
    "diagnostic lists the nearest name.",
)
HEADER_MISMATCH = Kind(
    "E0408",
    "the bound definition has another header",
    "A callee bound in braces (`layer{attention = gqa}`) must take and give as many tensors as the one it replaces.",
)
UNBOUND_EXTENT = Kind(
    "E0409",
    "an extent is not bound",
    "Every index needs an extent: from an argument, from a dim or let of that name, or from braces (`linear{o = f}(x)`).",
)
NO_RESULT = Kind(
    "E0410",
    "a result is never assigned",
    "Every name after `->` in a header must be assigned in the body (or, in an op with only a `cost`, have its indices "
    "in the header).",
)
CARRIED_SHAPE = Kind(
    "E0411",
    "the carried tensor changes its shape",
    "`repeat L { x = f(x) }` carries x from one iteration into the next, so what the body assigns to x must have the "
    "shape x has on entry.",
)
REBOUND = Kind(
    "E0412",
    "a name is bound twice",
    "Inside a body a name is bound once, but for the name a repeat carries through; and it may not be a visible dim.",
)
NOT_HERE = Kind(
    "E0413",
    "not allowed here",
    "Ops hold index statements, keeps, adjoint and cost; blocks and models hold statements, params, buffers, views, "
    "caches, regions and repeats.",
)
DIVISION_OF_SIZE = Kind(
    "E0414",
    "not a size",
    "Sizes are made of numbers, dims and lets with + - * / ^ and min, max, ceil, floor. Tensors, units and quantities "
    "are not sizes.",
)
ARGUMENT_ORDER = Kind(
    "E0415",
    "arguments in the wrong order",
    "Arguments stand in the order of the header's operands: `op embedding(param E[v,i], ids[...]: int32)` takes the table "
    "first and the positions after it. `roofdsl ops NAME` shows the header of a shipped op.",
)
UNREAD = Kind(
    "N0416",
    "a result that nothing reads",
    "What a statement makes should be read by another one, or be a result of the header. Its work is counted all the "
    "same. Often a name was mistyped further down.",
    severity="note",
)
