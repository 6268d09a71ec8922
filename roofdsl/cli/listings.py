"""`roofdsl specs`: what ships, as a table or JSON; `roofdsl specs NAME` the text of one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from roofdsl.cli import codes
from roofdsl.cli.console import Console
from roofdsl.cli.verb import Verb

if TYPE_CHECKING:
    from roofdsl.passes.listing import SpecFile

_KINDS_SHOWN = ("model", "block", "op", "machine", "config")
_NAMES_SHOWN = 12


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="a spec to show, a folder such as papers to list, or a word: the specs that declare or are about it",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def _run_specs(arguments: argparse.Namespace, console: Console) -> int:
    from roofdsl.passes.listing import list_specs
    from roofdsl.report.json import document

    specs = list_specs()
    shown, listed = _chosen(arguments.names, specs)
    if arguments.json:
        documents = [_document(spec, text=spec in shown) for spec in dict.fromkeys((*shown, *listed))]
        console.write(document("specs", specs=documents))
        return codes.FINE
    for spec in shown:
        if len(shown) > 1:
            console.write(f"# {spec.path}")
        console.write(_text(spec))
    for spec in shown:
        console.remark(_remark(spec))
    if listed:
        _list(listed, console)
    return codes.FINE


def _chosen(names: list[str], specs: tuple[SpecFile, ...]) -> tuple[list[SpecFile], list[SpecFile]]:
    """The specs whose text is to be shown, and those to list."""
    if not names:
        return [], list(specs)
    shown: dict[SpecFile, None] = {}
    listed: dict[SpecFile, None] = {}
    for name in names:
        plain = name.removeprefix("specs/").removesuffix(".roof").rstrip("/")
        exact = [spec for spec in specs if plain in (spec.name, spec.name.rpartition("/")[2])]
        if exact:
            shown[exact[0]] = None
        else:
            listed |= dict.fromkeys(_matching(plain, specs))
    return list(shown), list(listed)


def _matching(name: str, specs: tuple[SpecFile, ...]) -> list[SpecFile]:
    """The specs of a folder; else those that declare the name; else those that are about the word."""
    from roofdsl.diagnostics import fail
    from roofdsl.errors.names import CANNOT_READ
    from roofdsl.passes.names import did_you_mean
    from roofdsl.source import word

    inside = [spec for spec in specs if spec.name.startswith(f"{name}/")]
    declaring = [spec for spec in specs if any(name == declared for _, declared in spec.declares)]
    about = [spec for spec in specs if name.lower() in f"{spec.name} {spec.about}".lower()]
    found = inside or declaring or about
    if not found:
        known = (*(spec.name.rpartition("/")[2] for spec in specs), *(n for spec in specs for _, n in spec.declares))
        helps = did_you_mean(name, known) or ("`roofdsl specs` lists what ships",)
        fail(CANNOT_READ, word(name, "NAME"), f"nothing that ships is called `{name}`", helps=helps)
    return found


def _list(specs: list[SpecFile], console: Console) -> None:
    from roofdsl.report.table import Column, make_table

    rows = ((spec.name, _first_sentence(spec.about)) for spec in specs)
    notes = ("`roofdsl specs NAME` shows the text of one",)
    console.write_table(make_table("", ("name", Column("about", wide=True)), rows, notes=notes))


def _remark(spec: SpecFile) -> str:
    """What a spec declares, and how its figures are derived."""
    parts = [f"{kind}s: {_some(names)}" for kind in _KINDS_SHOWN if (names := spec.of_kind(kind))]
    parts += [f"claims: {spec.claims}"] if spec.claims else []
    short = spec.name.rpartition("/")[2]
    verb = "verify" if spec.claims and not spec.of_kind("model", "block", "op") else "derive"
    parts += [f"`roofdsl machines {short}` compares it"] if spec.of_kind("machine") else []
    parts += (
        [f"`roofdsl {verb} {short}` gives what is derived from it"]
        if spec.of_kind("model", "block", "op") or spec.claims
        else []
    )
    return "\n".join(parts)


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_NAMES_SHOWN]) + (", …" if len(names) > _NAMES_SHOWN else "")


def _first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    import re

    return re.split(r"\.\s+(?=[A-Z])", text, maxsplit=1)[0].rstrip(".")


def _text(spec: SpecFile) -> str:
    from roofdsl.passes.find import specs_root

    return (specs_root() / f"{spec.name}.roof").read_text(encoding="utf-8")


def _document(spec: SpecFile, *, text: bool) -> dict[str, object]:
    declares = [{"kind": kind, "name": name} for kind, name in spec.declares]
    shown = {"text": _text(spec)} if text else {}
    return {
        "name": spec.name,
        "path": spec.path,
        "about": spec.about,
        "declares": declares,
        "claims": spec.claims,
        **shown,
    }


SPECS = Verb(_configure, _run_specs, "For example: roofdsl specs gpt3")
