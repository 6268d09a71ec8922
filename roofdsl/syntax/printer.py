"""Syntax tree to canonical text, such that parsing the text gives the tree back."""

from __future__ import annotations

from roofdsl.syntax import ast
from roofdsl.syntax.document import Piece, render
from roofdsl.syntax.print_claims import print_claim, print_clause
from roofdsl.syntax.print_declarations import print_declaration
from roofdsl.syntax.print_expressions import Mode, print_binding, print_braces, print_expr, print_unit
from roofdsl.syntax.print_statements import print_statement

__all__ = [
    "Mode",
    "print_binding",
    "print_braces",
    "print_claim",
    "print_clause",
    "print_expr",
    "print_file",
    "print_node",
    "print_unit",
]


def print_file(file: ast.File) -> str:
    """A whole file, a blank line before every declaration in braces that takes several lines."""
    lines: list[str] = []
    for declaration in file.declarations:
        printed = render((print_declaration(declaration),))
        if lines and (len(printed) > 1 or lines[-1] == "}"):
            lines.append("")
        lines += printed
    return "".join(f"{line}\n" for line in lines)


def print_node(node: ast.Statement | ast.Declaration) -> str:
    """One statement or declaration, without a newline at its end."""
    piece: Piece
    match node:
        case ast.Assign() | ast.Params() | ast.View() | ast.Cache() | ast.Region() | ast.Repeat():
            piece = print_statement(node)
        case ast.Keeps() | ast.Adjoint() | ast.Cost():
            piece = print_statement(node)
        case _:
            piece = print_declaration(node)
    return "\n".join(render((piece,)))
