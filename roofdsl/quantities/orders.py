"""How a claim of order is written: `Θ(F)`, `O(F)`, `Ω(F)` as the whole right side, where the word is no declared name."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Literal

from roofdsl.diagnostics import fail
from roofdsl.errors.claims import MISPLACED_ORDER
from roofdsl.source import Span
from roofdsl.syntax import ast

OrderWord = Literal["Θ", "O", "Ω"]
ORDERS: Mapping[str, OrderWord] = {"Θ": "Θ", "Theta": "Θ", "O": "O", "Ω": "Ω", "Omega": "Ω"}
"""As written, `\\Theta` and `\\mathcal{O}` without their clothes."""


@dataclass(frozen=True, slots=True)
class Order:
    """The formula that stands in the parentheses, and which order it is of."""

    word: OrderWord
    of: ast.Expr


def order_of(side: ast.Expr, declared: Container[str]) -> Order | None:
    """The order that a right side is, or None for an ordinary formula."""
    match side:
        case ast.Quoted(_, inner):
            return order_of(inner, declared)
        case ast.Call(word, (of,), None) if word in ORDERS and word not in declared:
            return Order(ORDERS[word], of)
        case ast.Juxtaposed((ast.Name(word), of)) if word in ORDERS and word not in declared:
            return Order(ORDERS[word], of)
        case _:
            return None


def check_no_order(word: str, span: Span) -> None:
    """E0722 for the word of an order within a formula, where it means nothing."""
    if word in ORDERS:
        text = f"`{word}` is not declared, and an order of growth is no part of a formula"
        helps = ("write `claim Q = Θ(F)`; a leading term is claimed with `~ F for h >> s`",)
        fail(MISPLACED_ORDER, span, text, helps=helps)
