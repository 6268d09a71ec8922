"""Roots of bare symbols made powers: with √q present, q is written r², so that q + 1 >= 2√q is (r − 1)² >= 0.

That r is no integer matters to functions alone, so it is done only for symbols that no other function holds.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm

from roofdsl.algebra.evaluation import mentions, substitute
from roofdsl.algebra.form import Normal, symbol
from roofdsl.algebra.signs import Known

_ROOT = "root of "
"""Begins the name of a root; no symbol of the language has a blank in its name."""


def without_roots(form: Normal, known: Known) -> tuple[Normal, Known]:
    """The form with roots of symbols written as powers, and what is known in the new symbols."""
    for name in sorted(form.symbols):
        form, known = _without(form, name, known)
    return form, known


def _without(form: Normal, name: str, known: Known) -> tuple[Normal, Known]:
    atoms = (form.atoms[g] for g in form.generators if g in form.atoms)
    holding = [atom for atom in atoms if any(mentions(argument, (name,)) for argument in atom.arguments)]
    if not holding or any(atom.function != "root" or atom.arguments[0] != symbol(name) for atom in holding):
        return form, known
    index = lcm(*(atom.index for atom in holding))
    root = symbol(_ROOT + name)
    values = {atom.key: root ** (index // atom.index) for atom in holding} | {name: root**index}
    facts = replace(known, minimum={**known.minimum, _ROOT + name: min(known.least(name), 1)}, nonnegative=())
    plain = (fact for fact in known.nonnegative if not any(g in fact.atoms for g in fact.generators))
    return substitute(form, values, facts), facts.assuming(substitute(fact, {name: root**index}) for fact in plain)
