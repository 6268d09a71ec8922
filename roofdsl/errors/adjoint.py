"""E052x: derivatives and adjoints."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

NO_DERIVATIVE = Kind(
    "E0521",
    "scalar function without a derivative",
    "The backward pass needs the derivative of every scalar function that a trainable parameter is upstream of. A "
    "scalar declares one per argument: `scalar tanh(x): special { x: 1 - tanh(x)^2 }`. Write it there, or write "
    "`stop(...)` around what is not differentiated.",
)
BAD_DERIVATIVE = Kind(
    "E0522",
    "not a derivative",
    "The derivative of a scalar function is written with its arguments, numbers, + - * / ^ and other scalar functions.",
)
ADJOINT_MISSING = Kind(
    "E0523",
    "declared adjoint leaves an operand out",
    "An op's `adjoint { … }` replaces the derived one as a whole, so it must give the adjoint of every operand that a "
    "trainable parameter is upstream of: for an operand x, a statement whose target is dx.",
)
NO_STATEMENT = Kind(
    "E0524",
    "nothing to differentiate",
    "The adjoint of an operand follows from statements. This op computes a result without one (its work is only "
    "declared in `cost { … }`), and a trainable parameter is upstream: give it an `adjoint { … }`, declare "
    "`work backward` in its cost, or put `stop(...)` around its argument.",
)
