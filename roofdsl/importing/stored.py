"""In which formats a GGUF file holds a model's weights: a default for each group of tensors, and the bytes of them all.

Which tensors belong together is text in `specs/import/roles.tsv`. Where tensors of one group differ, the default is
what most of their elements have; the bytes are exact always.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from roofdsl.importing.apply import Imported
from roofdsl.importing.formats import Format, read_formats
from roofdsl.importing.table import rows_of
from roofdsl.importing.weights import Stored


def stored_bytes(tensors: Iterable[Stored], kind: str) -> int:
    """Bytes of the tensors of a file of this kind (`gguf`), without its head and the gaps between them."""
    named = {known.name: known for known in read_formats(kind).values()}
    return int(sum((tensor.elements * named[tensor.format].bits / 8 for tensor in tensors), Fraction(0)))


def with_stored_formats(imported: Imported, tensors: tuple[Stored, ...], kind: str) -> Imported:
    """The import with the formats its file, of this kind, has, instead of those a configuration would name."""
    named = {known.name: known for known in read_formats(kind).values()}
    found = {role: _most(counts, named) for role, counts in _by_role(tensors).items()}
    notes = [_mixed(tensors, kind)] if len({t.format for t in tensors}) > 1 else []
    unnamed = dict.fromkeys(form.name for form in found.values() if form.dtype is None)
    notes += [
        f"Weights are stored as {name}, for which there is no dtype yet: they count as others." for name in unnamed
    ]
    order = sorted(found, key=lambda role: (role.partition(".")[0], role))
    said = tuple((role, dtype) for role in order if (dtype := found[role].dtype) is not None)
    return replace(imported, notes=(*imported.notes, *notes), dtypes=said)


def _mixed(tensors: tuple[Stored, ...], kind: str) -> str:
    counts = Counter[str]()
    for tensor in tensors:
        counts[tensor.format] += tensor.elements
    kinds = ", ".join(f"{count:,} in {name}" for name, count in counts.most_common())
    return f"Elements by format: {kinds}; {stored_bytes(tensors, kind):,} bytes."


def _by_role(tensors: tuple[Stored, ...]) -> dict[str, Counter[str]]:
    rows = rows_of("roles.tsv")
    found: dict[str, Counter[str]] = {}
    for tensor in tensors:
        role = next(role for pattern, role in rows if re.fullmatch(pattern, tensor.name))
        found.setdefault(role, Counter())[tensor.format] += tensor.elements
    return found


def _most(counts: Counter[str], named: dict[str, Format]) -> Format:
    return named[counts.most_common(1)[0][0]]
