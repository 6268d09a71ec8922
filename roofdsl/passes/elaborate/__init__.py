"""Elaboration: a definition and its callees become one graph of index statements, repeats not unrolled.

`elaborate` is the pass; the modules beside it are its parts: scopes (`env`), headers and calls (`header`, `instance`,
`callee`), ops and blocks (`op`, `block`), statements (`assign`, `express`, `index`, `guards`, `reductions`).
"""

from __future__ import annotations

from roofdsl.passes.elaborate.root import elaborate

__all__ = ["elaborate"]
