"""A size tree as plain text, as it was built: for diagnostics, where no normal form is wanted."""

from __future__ import annotations

from typing import assert_never

from roofdsl.ir.size import Band, Const, Function, Power, Product, Size, Sum, Symbol


def show_size(size: Size) -> str:
    """`h/a`, `2·s·b`, `min(V, s·b)`; brackets where a reader needs them."""
    match size:
        case Const(value):
            return str(value)
        case Symbol(name):
            return name
        case Sum(terms):
            return " + ".join(show_size(term) for term in terms).replace("+ -", "- ")
        case Product(factors):
            return _product(factors)
        case Power(base, exponent):
            return f"{_atom(base)}^{exponent}" if exponent.denominator == 1 else f"{_atom(base)}^({exponent})"
        case Function(name, arguments):
            return f"{name}({', '.join(show_size(a) for a in arguments)})"
        case Band(rows, columns, _, _):
            return f"pairs({show_size(rows)}, {show_size(columns)})"
        case _:
            assert_never(size)


def _atom(size: Size) -> str:
    text = show_size(size)
    return f"({text})" if isinstance(size, Sum | Product) else text


def _product(factors: tuple[Size, ...]) -> str:
    over: list[str] = []
    under: list[str] = []
    for factor in factors:
        if isinstance(factor, Power) and factor.exponent == -1:
            under.append(_atom(factor.base))
        elif isinstance(factor, Const) and factor.value.numerator == 1 and len(factors) > 1:
            under += [str(factor.value.denominator)] if factor.value != 1 else []
        else:
            over.append(f"({show_size(factor)})" if isinstance(factor, Sum) else show_size(factor))
    text = "·".join(over) or "1"
    return text if not under else f"{text}/{'/'.join(under)}"
