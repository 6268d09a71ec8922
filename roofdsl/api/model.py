"""The Python API: `load` a model, ask it for closed forms, numbers, verdicts and pictures.

A thin front of the passes: formulas come out as SymPy expressions on `model.symbols`, and every object shows itself in
a notebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from roofdsl.api import asking, planning
from roofdsl.api.answers import Crossover, Plot, Utilisation
from roofdsl.api.asking import Number
from roofdsl.api.results import Derivation, Evaluation, OpGraph, Verdict
from roofdsl.diagnostics import Sink
from roofdsl.source import Source

if TYPE_CHECKING:
    from sympy import Expr

    from roofdsl.algebra.symbols import SymbolTable
    from roofdsl.evaluate.stated import Stated
    from roofdsl.ir.library import Library
    from roofdsl.quantities.quantity import Asked
    from roofdsl.quantities.session import Session


def load(name: str) -> Model:
    """The model of a path or of a shipped spec: `load("gpt3")`, `load("models/mine.roof")`.

    Raises `RoofError` with all diagnostics if the file cannot be read or is wrong.
    """
    from roofdsl.passes.load import load_named

    sink = Sink()
    source, library = load_named(name, sink)
    return _model(source, library, sink)


def load_text(text: str, name: str = "<text>") -> Model:
    """A model from text in the language. Raises `RoofError` with all diagnostics if it is wrong."""
    from roofdsl.passes.load import load as load_source

    sink = Sink()
    source = Source(name, text)
    return _model(source, load_source(source, sink, folder=None), sink)


def _model(source: Source, library: Library, sink: Sink) -> Model:
    from roofdsl.evaluate.opening import open_session

    sink.stop_on_errors()
    return Model(source.name, open_session(library), source)


@dataclass(frozen=True, slots=True)
class Model:
    """A file with everything it declares. `model["layer"]` is a part of it; `model.symbols.s` a symbol formulas use."""

    name: str
    session: Session = field(repr=False)
    source: Source = field(repr=False)

    @property
    def symbols(self) -> SymbolTable:
        """SymPy symbols of all dims, as positive integers: `model.symbols.s`, `model.symbols["s"]`."""
        return asking.symbols(self.session, tuple(self.session.library.dims))

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of all models, blocks and ops in force."""
        library = self.session.library
        return (*library.definitions, *library.aliases)

    def __getitem__(self, subject: str) -> Part:
        """A model, block, op, region, statement or tensor: `model["gpt.layer.attention"]`, perhaps with braces. Whether
        it exists is found when something is asked of it.
        """
        if not isinstance(subject, str):
            raise TypeError(f"a part is named by a string, not by {subject!r}")
        return Part(self, subject)

    def __iter__(self) -> Iterator[str]:
        """The names of `parts`, as of a mapping."""
        return iter(self.parts)

    def derive(self, quantity: str, *, under: str | None = None, machine: str | None = None) -> Derivation:
        """The closed form of a formula over quantities: `model.derive("flops(gpt, train)")`.

        `under` names a convention (the default is each quantity's own), `machine` the machine of a time. Raises
        `RoofError` for what cannot be derived.
        """
        return asking.derivation(self.session, quantity, under, machine)

    def verify(self, claim: str) -> Verdict:
        """The verdict of one claim: `model.verify("saved(layer) = 34sbh + 5as²b")`; it is true where the claim stands.

        All forms of claims are understood, with their clauses. Raises `RoofError` if the claim cannot be judged.
        """
        return asking.verdict(self.session, asking.read_claim(claim))

    def prove(self, quantity: str, formula: Callable[..., Any]) -> Verdict:
        """The verdict of a formula given as a function of SymPy symbols: `model.prove("saved(layer)", lambda s, b, h, a:
        s*b*h*(34 + 5*a*s/h))`. Parameters are named after dims and lets; clauses of a claim may follow the quantity.

        The function returns a SymPy expression with exact numbers, in base units. Raises `RoofError` (E0815) for what is
        no formula, and what the function itself raises.
        """
        return asking.verdict(self.session, asking.function_claim(self.session, quantity, formula))

    def verify_all(self) -> tuple[Verdict, ...]:
        """The verdicts of the file's own claims, in their order. Raises `RoofError` if one cannot be judged."""
        own = (claim for claim in self.session.library.claims if claim.span.source is self.source)
        return tuple(asking.verdict(self.session, claim) for claim in own)

    def evaluate(
        self,
        *quantities: str,
        of: str | None = None,
        machine: str | None = None,
        config: str | Iterable[str] = (),
        phase: Asked = "forward",
        under: str | None = None,
        **sizes: Number,
    ) -> Evaluation:
        """Numbers of quantities, or without any the roofline of `of` (default: the file's first model) on `machine`.

        Sizes come from `config` (one name or several, later wins), then from keywords: `s=4096`, `s="4Ki"`. Numbers
        are exact, in FLOP, byte and seconds. Raises `RoofError` for a size without value or a dtype without peak.
        """
        binding = asking.binding(self.session, config, sizes)
        if quantities:
            return asking.values(self.session, quantities, binding, asking.context(self.session, under, machine))
        scene = asking.scene(self.session, self.source, of, phase, under)
        return asking.roofline(self.session, scene, asking.named_machine(self.session, machine), binding)

    def graph(
        self,
        of: str | None = None,
        *,
        machine: str | None = None,
        config: str | Iterable[str] = (),
        phase: Asked = "forward",
        under: str | None = None,
        params: bool = False,
        **sizes: Number,
    ) -> OpGraph:
        """The op graph of a subject: formulas in its boxes, numbers where sizes are given, coloured by bound on a
        machine. Raises `RoofError` as `evaluate` does.
        """
        from roofdsl.report.dot import render_dot
        from roofdsl.report.graph_scene import scene_picture

        binding = asking.binding(self.session, config, sizes)
        on = None if machine is None else asking.named_machine(self.session, machine)
        scene = asking.scene(self.session, self.source, of, phase, under)
        return OpGraph(render_dot(scene_picture(self.session, scene, binding, on, params=params)))

    def crossover(
        self,
        size: str,
        equation: str | None = None,
        *,
        of: str | None = None,
        machine: str | None = None,
        config: str | Iterable[str] = (),
        phase: Asked = "forward",
        under: str | None = None,
        **sizes: Number,
    ) -> Crossover:
        """Where the bound of every kernel of `of` changes on `machine` as `size` grows; or with an equation, as in
        `model.crossover("b", "cache(gpt) = param_bytes(gpt)")`, where two quantities are equal. Raises `RoofError`.
        """
        asked = planning.Place(self.session, self.source, of, machine, config, phase, under, sizes)
        return planning.bounds(asked, size) if equation is None else planning.equal(asked, equation, size)

    def utilisation(
        self,
        *,
        of: str | None = None,
        machine: str | None = None,
        config: str | Iterable[str] = (),
        phase: str = "train",
        under: str | None = None,
        step_time: Stated | None = None,
        tokens_per_second: Stated | None = None,
        kernel_times: Mapping[str, Stated] = MappingProxyType({}),
        mfu: Stated | None = None,
        achieved: Stated | None = None,
        devices: Stated = 1,
        split: bool = False,
        tokens_per_step: Stated | None = None,
        tokens: Stated | None = None,
        days: Stated | None = None,
        price: Stated | None = None,
        **sizes: Number,
    ) -> Utilisation:
        """What a measured step, rate or kernels say of a machine, or what a run of `tokens` takes at an expected `mfu`.

        `phase` is train, forward, decode (one new token after those the cache holds), prefill or infer. Amounts are
        text with a unit (`"6.2 s"`, `"2 $/hour"`, `"15T"`) or numbers in base units: seconds, FLOP/s, dollars per
        second. Raises `RoofError` for a rate above a roof; of a step above 100 %, `possible` is False.
        """
        from roofdsl.report.stating import Stating

        asked = planning.Place(self.session, self.source, of, machine, config, phase, under, sizes)
        stating = Stating(
            step_time, tokens_per_second, mfu, achieved, devices, tokens_per_step, tokens, days, price, split
        )
        return planning.utilisation(asked, stating, kernel_times)

    def plot(
        self,
        of: str | None = None,
        *,
        machine: str | None = None,
        config: str | Iterable[str] = (),
        also: Iterable[str] = (),
        phase: Asked = "forward",
        under: str | None = None,
        **sizes: Number,
    ) -> Plot:
        """The roofline plot of a subject; `also` overlays other machines or configs. Raises `RoofError` as `evaluate` does."""
        asked = planning.Place(self.session, self.source, of, machine, config, phase, under, sizes)
        return planning.plot(asked, also)

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(self.parts)}"

    def _repr_html_(self) -> str:
        return asking.overview(self.session, self.source)


@dataclass(frozen=True, slots=True)
class Part:
    """A model, block, op, region, statement or tensor of a model. Its quantities are attributes, each a SymPy
    expression in base units: `flops` (FLOP, forward, contractions as papers count), `bytes`, `saved`, `param_bytes`,
    `cache`, `state`, `memory` (byte), `intensity` (FLOP/byte), `params`, `active_params`.
    """

    model: Model
    subject: str

    def __getattr__(self, quantity: str) -> Expr:
        """The closed form of a quantity. Raises `RoofError` for what cannot be derived."""
        from roofdsl.quantities.quantity import OF_SUBJECTS

        if quantity.startswith("_") or quantity not in OF_SUBJECTS:
            raise AttributeError(f"{quantity!r} is no quantity; there are {', '.join(OF_SUBJECTS)}")
        return self.derive(quantity).expr

    def derive(self, quantity: str, phase: str | None = None, *, under: str | None = None) -> Derivation:
        """The closed form of a quantity with its unit and basis: `model["layer"].derive("flops", "train")`."""
        phases = "" if phase is None else f", {phase}"
        return self.model.derive(f"{quantity}({self.subject}{phases})", under=under)

    def graph(self, **options: str | bool) -> OpGraph:
        """The op graph of this part; the options are those of `Model.graph`."""
        return self.model.graph(self.subject, **options)  # type: ignore[arg-type]

    def __dir__(self) -> list[str]:
        from roofdsl.quantities.quantity import OF_SUBJECTS

        return ["derive", "graph", "model", "subject", *OF_SUBJECTS]
