"""Claims and their clauses to text."""

from __future__ import annotations

from typing import assert_never

from roofdsl.syntax import ast
from roofdsl.syntax.print_expressions import print_binding, print_expr, print_guards


def print_claim(claim: ast.Claim) -> str:
    """`claim not params(gpt) = 12Lh² off by -2h`."""
    head = "claim" + (" not" if claim.negated else "") + (f" {claim.name}:" if claim.name else "")
    body = f"{print_expr(claim.left)} {claim.relation} {print_expr(claim.right)}"
    return " ".join([head, body, *(print_clause(clause) for clause in claim.clauses)])


def print_clause(clause: ast.Clause) -> str:
    """`within 1%`, `for s -> oo`, …"""
    names = ", ".join(clause.names)
    match clause.kind:
        case "when":
            return f"when {print_guards(clause.comparisons, 'formula')}"
        case "at":
            return f"at {', '.join([*clause.names, *map(print_binding, clause.bindings)])}"
        case "on" | "under":
            return f"{clause.kind} {names}"
        case "free":
            return f"for {names} free"
        case "reading":
            return f"reading {clause.names[0]} as {clause.names[1]}"
        case "from":
            return f'from "{clause.text}"'
        case "within":
            return f"within {print_expr(clause.exprs[0])}"
        case "off":
            return f"off by {print_expr(clause.exprs[0])}"
        case "limit":
            binding = clause.bindings[0]
            return f"for {binding.name} -> {print_expr(binding.value)}"
        case "regime":
            return f"for {clause.names[0]} >> {clause.names[1]}"
        case _:
            assert_never(clause.kind)
