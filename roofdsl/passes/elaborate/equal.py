"""Whether two sizes are the same once lets are expanded.

Trees are compared first; only where they differ is a normal form asked for, which imports SymPy.
"""

from __future__ import annotations

from roofdsl.ir.size import Size
from roofdsl.passes.elaborate.build import Body


def same_size(body: Body, left: Size, right: Size) -> bool:
    if left == right:
        return True
    from roofdsl.passes.elaborate.scope import equal_in_scope

    return equal_in_scope(body.env, left, right)
