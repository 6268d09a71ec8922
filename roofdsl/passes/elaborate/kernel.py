"""An inline statement as a call of its own: one statement outside of any op is one kernel (R3)."""

from __future__ import annotations

from roofdsl.ir.expr import gathered, reads
from roofdsl.ir.graph import Call, Statement
from roofdsl.passes.elaborate.build import Body
from roofdsl.source import Span


def inline_call(body: Body, made: Statement, tensor_id: str, label: str, span: Span) -> None:
    """Add the call of a statement that was read in `body`, where the placements in force put it."""
    placed = (*body.placed, *body.place((*body.qualified, label)))
    body.builder.add_call(
        Call(
            tensor_id,
            label,
            body.path,
            None,
            (made,),
            operands_of(made),
            (made.target.tensor,),
            placed=placed,
            regions=body.regions,
            loops=body.loops,
            span=span,
        )
    )


def operands_of(made: Statement) -> tuple[str, ...]:
    """Tensors a statement reads, in order, those of gathers in its target included."""
    accesses = (*reads(made.value), *gathered(made.target))
    return tuple(dict.fromkeys(a.tensor for a in accesses if a.tensor != made.target.tensor))
