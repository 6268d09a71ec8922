"""E03xx: index statements."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

FREE_INDEX = Kind(
    "E0301",
    "index neither in the target nor reduced",
    "Every index on the right of a statement must either stand in the target or be reduced by sum(...), amax(...) or "
    "amin(...). `y[s] = x[s,h]` says nothing about h; write `y[s] = sum(x[s,h])`, or add h to the target.",
)
TERM_LACKS_INDEX = Kind(
    "E0302",
    "a term inside a reduction lacks a reduced index",
    "Inside one reduction every additive term must carry every reduced index. `y[o] = sum(x[i] * w[i,o] + b[o])` would "
    "add b once per i; write `y[o] = sum(x[i] * w[i,o]) + b[o]`.",
)
NESTED_REDUCTION = Kind(
    "E0303",
    "an index is reduced twice",
    "A reduction inside another one may not reduce an index that the outer one reduces as well. Split the statement in "
    "two and name the inner result.",
)
BAD_INDEX = Kind(
    "E0304",
    "not an index expression",
    "An index is a name, or an affine expression of names such as `2i + k`, `p*g + i` or `t - 1`, or an access of an "
    "integer tensor (a gather). Products of two running indices, divisions and functions are not indices.",
)
BAD_GUARD = Kind(
    "E0305",
    "guard without a closed form",
    "A guard compares two indices of the statement, each with coefficient 1, and an offset made of sizes: `t <= s`, "
    "`s - w < t <= s`. Triangles and bands have closed forms; other domains are an error, not a guess.",
)
BAD_TARGET = Kind(
    "E0306",
    "the target cannot be assigned like this",
    "A target is a new name with its indices, each index once. Several targets stand only left of a call with as many "
    "results. A scatter (`y[src[i], h] += ...`) accumulates.",
)
NO_REDUCED_INDEX = Kind(
    "E0307",
    "nothing to reduce",
    "sum, amax and amin reduce their body over the indices that the target lacks. Here the target has them all, so "
    "there is nothing to reduce: drop the reduction, or drop an index from the target.",
)
ONE_FACTOR = Kind(
    "N0301",
    "an index is reduced that stands in one factor only",
    "In `sum(x[s,h] * w[o])` the index h stands in x only, so the sum can be taken first: (sum over h of x) * w. Work "
    "is counted as written.",
    severity="note",
)
OUTER_PRODUCT = Kind(
    "N0302",
    "a product that sums nothing",
    "A target without indices has those of all that is read: `y = x * W` with x[s,h] and W[h,f] is y[s,h,f], an outer "
    "product. The product of matrices is `y[s,f] = sum(x[s,h] * W[h,f])`.",
    severity="note",
)
