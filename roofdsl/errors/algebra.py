"""E075x: what the algebra refuses, because it is too large or means nothing."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

TOO_LARGE = Kind(
    "E0750",
    "too large to expand",
    "Formulas are brought to one sum of terms before they are compared or printed. The number of terms, the size of the "
    "exponents and the length of the numbers are predicted first, and a formula that would exceed the limits is refused: "
    "`(a + b + c + d)^200` has more than a million terms.",
)
ZERO_DENOMINATOR = Kind(
    "E0751",
    "division by zero after expansion",
    "The denominator vanishes identically once lets are expanded and bindings applied, as in `1/(t - s)` where t = s.",
)
CIRCULAR_BINDING = Kind(
    "E0752",
    "sizes bound in a circle",
    "A let or a binding may not lead back to itself: with `let t = s`, binding `s = t` says nothing about either. Bind "
    "one of them to something else, or leave the let out with `for t free`.",
)
NOT_REAL = Kind(
    "E0753",
    "a function outside its domain",
    "`log` needs an argument above zero and a root one that is not negative.",
)
