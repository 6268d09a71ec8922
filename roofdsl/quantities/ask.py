"""Quantities inside formulas: `flops(gpt, train)`, `peak(h100, bf16)`, a user's own, and `per token`.

An `Asker` reads formulas for one session; it remembers every quantity that took part, so that a verdict can show where
its terms come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NoReturn

from roofdsl.diagnostics import fail
from roofdsl.errors import claims as errors
from roofdsl.ir.graph import Mode
from roofdsl.ir.library import Library
from roofdsl.ir.size import Symbol
from roofdsl.passes.names import QUANTITIES, did_you_mean
from roofdsl.quantities.amounts import Formula, quotient
from roofdsl.quantities.conventions import Convention, default_for
from roofdsl.quantities.divisors import divisor
from roofdsl.quantities.formula import Names, resolve
from roofdsl.quantities.lets import measured_formulas, unit_of
from roofdsl.quantities.names import subject_names, subjects_of
from roofdsl.quantities.quantity import OF_SUBJECTS, PHASES, WITH_PHASE, Asked, Quantity, quantity
from roofdsl.quantities.session import Session
from roofdsl.quantities.stored import as_stored
from roofdsl.quantities.subject import Subject, resolve_subject
from roofdsl.quantities.substitute import substitute
from roofdsl.source import Span
from roofdsl.syntax import ast
from roofdsl.units.dimension import PURE, TOKEN, Dimension

UNDERIVED = frozenset(("comm",))
"""Quantities whose names are kept for later."""
OF_MACHINES = ("peak", "ridge", "bandwidth", "capacity", "price")
MOST_NESTED = 32


@dataclass(frozen=True, slots=True)
class Context:
    """What is asked besides the formula's own text. `convention` None: each quantity's default. `machine` is that of
    `on`. `phase` replaces the phase of every quantity that has one (verify tries other phases). `renamed` maps a
    paper's symbols to ours. `stored`: bytes as they are stored, for numbers.
    """

    convention: Convention | None = None
    machine: str | None = None
    phase: Asked | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    stored: bool = False


@dataclass(slots=True)
class Asker:
    """Reads formulas for a session. `found` are the quantities of subjects met so far, in order; `figures` the figures
    of machines.
    """

    session: Session
    context: Context = field(default_factory=Context)
    found: list[Quantity] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    own: dict[str, None] = field(default_factory=dict)
    nested: tuple[str, ...] = ()

    def resolve(self, expr: ast.Expr) -> Formula:
        """A formula's size and dimension; raises `RoofError` with what is wrong in it."""
        for subject, mode in subjects_in(expr, self.session.library):
            self.own.update(dict.fromkeys(self.session.graph(subject, mode).symbols))
        return resolve(expr, self.names())

    @property
    def order(self) -> tuple[str, ...]:
        """All symbols in the order formulas print in: as declared, then the subjects' own (an op's indices)."""
        return tuple(dict.fromkeys((*self.session.library.symbols, *self.own)))

    def names(self) -> Names:
        """What names mean: dims, lets, measured facts, and names of the subjects' own."""
        library = self.session.library
        symbols = {name: Formula(Symbol(name)) for name in self.order}
        if library.measured:
            symbols |= measured_formulas(library)
        renamed = self.context.renamed
        if renamed:
            theirs = {paper: symbols[ours] for paper, ours in renamed.items()}
            symbols = {n: f for n, f in symbols.items() if n not in theirs} | theirs
        known = (QUANTITIES | frozenset(library.quantities)) - UNDERIVED
        return Names(symbols, self.call, unit_of, self.per, known, partial(subjects_of, library))

    def call(self, call: ast.Call) -> Formula | None:
        """A quantity as a formula, or None if the call is not one."""
        if call.function in self.session.library.quantities:
            return self._defined(call, self.session.library.quantities[call.function])
        if call.function in OF_MACHINES:
            return self._figure(call)
        if call.function in OF_SUBJECTS:
            made = self.quantity(call)
            self.found.append(made)
            return Formula(made.size, made.dimension)
        fail(errors.WRONG_ARGUMENTS, call.span, f"`{call.function}` cannot be derived yet")

    def quantity(self, call: ast.Call) -> Quantity:
        """A quantity of a subject, from its call."""
        name, (first, *rest) = call.function, self._arguments(call)
        subject = resolve_subject(first, self.session.library)
        machine = self._machine(call, rest) if name == "time" else None
        phase = self._phase(call, rest)
        convention = self.context.convention or default_for(name, self.session.library)
        if self.context.stored:
            mode: Mode = "infer" if phase == "infer" or name == "cache" else "train"
            convention = as_stored(convention, self.session.graph(subject, mode), self.session.library)
        return quantity(self.session, name, subject, convention=convention, phase=phase, machine=machine)

    def _arguments(self, call: ast.Call) -> tuple[ast.Expr, ...]:
        if call.arguments:
            return call.arguments
        known = subject_names(self.session.library)
        fail(errors.WRONG_ARGUMENTS, call.span, f"`{call.function}` of what?", expected=f"a subject: {known}")

    def _machine(self, call: ast.Call, rest: list[ast.Expr]) -> str:
        if rest and not (isinstance(rest[0], ast.Name) and rest[0].text in PHASES):
            return _word(rest.pop(0))
        if self.context.machine is not None:
            return self.context.machine
        fail(errors.MISSING_MACHINE, call.span, "a time needs a machine", expected=f"{call.function}(x, MACHINE)")

    def _phase(self, call: ast.Call, rest: list[ast.Expr]) -> Asked | None:
        given = None
        if rest and call.function in WITH_PHASE:
            given = _phase(_word(rest[0]), rest[0].span, call)
            rest = rest[1:]
        if rest:
            _reject_argument(call, rest[0])
        if call.function not in WITH_PHASE:
            return None
        return self.context.phase or given or "forward"

    def _figure(self, call: ast.Call) -> Formula:
        words = [_word(argument) for argument in call.arguments]
        takes_dtype = call.function in ("peak", "ridge")
        if self.context.machine is not None and len(words) == int(takes_dtype):
            words.insert(0, self.context.machine)
        if len(words) != 1 + int(takes_dtype):
            expected = f"{call.function}(MACHINE, DTYPE)" if takes_dtype else f"{call.function}(MACHINE)"
            fail(errors.WRONG_ARGUMENTS, call.span, "not the arguments of this figure", expected=expected)
        if self.session.figures is None:
            fail(errors.MISSING_MACHINE, call.span, "no machines are in force here")
        dtype = words[1] if takes_dtype else None
        self.figures.append(call.span.text)
        return self.session.figures.figure(call.function, words[0], dtype, call.span)

    def _defined(self, call: ast.Call, definition: ast.QuantityDef) -> Formula:
        if definition.name in self.nested or len(self.nested) > MOST_NESTED:
            chain = " → ".join((*self.nested, definition.name))
            fail(errors.CYCLIC_DEFINITION, call.span, f"`{definition.name}` uses itself", found=chain)
        if len(call.arguments) != len(definition.arguments):
            expected = f"{definition.name}({', '.join(definition.arguments)})"
            fail(errors.WRONG_ARGUMENTS, call.span, "not its arguments", expected=expected, found=call.span.text)
        given = dict(zip(definition.arguments, call.arguments, strict=True))
        inner = Asker(self.session, self.context, self.found, self.figures, self.own, (*self.nested, definition.name))
        return inner.resolve(substitute(definition.value, given))

    def per(self, per: ast.Per, read: Callable[[ast.Expr], Formula]) -> Formula:
        """`formula per token`: divided by the count that its quantities' subject gives."""
        before = len(self.found)
        whole = read(per.value)
        inside = self.found[before:]
        if not inside:
            fail(errors.BAD_PER, per.span, f"there is no quantity to divide `per {per.word}`")
        graphs = [self.session.graph(quantity.subject, quantity.mode) for quantity in inside]
        counts = {divisor(graph, per.word, per.span) for graph in graphs}
        if len(counts) != 1:
            fail(errors.BAD_PER, per.span, f"the subjects have different counts to divide by `per {per.word}`")
        unit: Dimension | None = TOKEN if per.word == "token" else PURE
        return quotient(whole, Formula(counts.pop(), unit), per.span)


def subjects_in(expr: ast.Expr, library: Library) -> Iterator[tuple[Subject, Mode]]:
    """The subjects of all quantities in a formula with the mode they are asked in, as far as they can be read."""
    match expr:
        case ast.Call(function, (first, *rest)) if function in OF_SUBJECTS and isinstance(first, ast.Name | ast.Path):
            infer = function == "cache" or any(isinstance(r, ast.Name) and r.text == "infer" for r in rest)
            yield resolve_subject(first, library), "infer" if infer else "train"
        case ast.Call(_, parts) | ast.Juxtaposed(parts):
            for part in parts:
                yield from subjects_in(part, library)
        case ast.Binary(_, left, right):
            yield from subjects_in(left, library)
            yield from subjects_in(right, library)
        case ast.Negate(inner) | ast.Measured(inner) | ast.Per(inner) | ast.Quoted(_, inner):
            yield from subjects_in(inner, library)
        case _:
            return


def _word(expr: ast.Expr) -> str:
    if isinstance(expr, ast.Name):
        return expr.text
    fail(errors.WRONG_ARGUMENTS, expr.span, "a name is expected here", found=expr.span.text)


def _reject_argument(call: ast.Call, argument: ast.Expr) -> NoReturn:
    phase = isinstance(argument, ast.Name) and argument.text in PHASES
    subject = call.arguments[0].span.text
    if call.function in WITH_PHASE:
        text, asked = f"`{call.function}` takes a subject and a phase", f"{call.function}({subject}, train)"
    elif phase:
        text, asked = f"`{call.function}` has no phases", f"{call.function}({subject})"
    else:
        text, asked = f"`{call.function}` takes one subject", f"{call.function}({subject})"
    fail(errors.WRONG_ARGUMENTS, argument.span, text, expected=f"`{asked}`", found=f"`{call.span.text}`")


def _phase(word: str, span: Span, call: ast.Call) -> Asked:
    match word:
        case "forward" | "backward" | "recompute" | "train" | "hardware" | "infer":
            return word
        case _:
            helps = did_you_mean(word, PHASES, "phase")
            if not helps and call.function != "time":
                helps = (f"a machine stands in `time({call.arguments[0].span.text}, {word})` alone",)
            expected = ", ".join(PHASES)
            fail(errors.WRONG_ARGUMENTS, span, f"`{word}` is not a phase", expected=expected, helps=helps)
