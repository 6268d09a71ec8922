"""Rays: sizes that grow as powers of one whole number t, from an admissible point on, all others as they are.

Along a ray every form is one of t alone, so that its limit and whether the sizes stay admissible are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, permutations

from roofdsl.algebra.asymptotic import Diverges, Finite, Limit, NoLimit, limit
from roofdsl.algebra.domain import Condition, Domain, related
from roofdsl.algebra.evaluation import Value, compiled, substitute
from roofdsl.algebra.form import Normal, number, symbol
from roofdsl.algebra.scope import Scope
from roofdsl.algebra.search import Effort, completed, points, spread
from roofdsl.algebra.signs import is_integral
from roofdsl.diagnostics import RoofError

STEP = "t("
"""The generator that grows: no name of a size holds a parenthesis."""
_SCOPE = Scope(order=(STEP,))
_SHOWN = (1, 10, 100, 1000)
_MOST_PAIRED = 8


@dataclass(frozen=True, slots=True)
class Ray:
    """At step t every size is base·t^power (power 0 where not named), from t = 1 on."""

    base: Mapping[str, int]
    powers: Mapping[str, int]

    def at(self, step: int) -> dict[str, int]:
        return {name: value * step ** self.powers.get(name, 0) for name, value in self.base.items()}


@dataclass(frozen=True, slots=True)
class Seen:
    """A ratio at sizes of a ray."""

    sizes: Mapping[str, int]
    ratio: Value


def rays(domain: Domain, symbols: frozenset[str], further: Iterable[Mapping[str, int]] = ()) -> Iterator[Ray]:
    """Admissible rays: one size growing, two alike, the directions of `further`, one faster than another."""
    names = tuple(name for name in domain.order if name in symbols) + tuple(sorted(symbols - {*domain.order}))
    paired = names[:_MOST_PAIRED]
    powers: list[Mapping[str, int]] = [{name: 1} for name in names]
    powers += [{one: 1, two: 1} for one, two in combinations(paired, 2)]
    powers += further
    powers += [{one: 2, two: 1} for one, two in permutations(paired, 2)]
    bases = tuple(_bases(domain, symbols))
    return (ray for power in powers for base in bases if (ray := _ray(domain, base, power)) is not None)


def admissible_ray(domain: Domain, symbols: frozenset[str], powers: Mapping[str, int]) -> Ray | None:
    """A ray of these powers, if one is found that stays admissible."""
    bases = _bases(domain, symbols | powers.keys())
    return next((ray for base in bases if (ray := _ray(domain, base, powers)) is not None), None)


def _ray(domain: Domain, base: Mapping[str, int], powers: Mapping[str, int]) -> Ray | None:
    """The ray from a point, if it stays admissible; what grows starts from 1 at least."""
    ray = Ray({name: max(value, 1) if powers.get(name) else value for name, value in base.items()}, powers)
    return ray if stays_inside(ray, domain) else None


def _bases(domain: Domain, symbols: frozenset[str]) -> Iterator[dict[str, int]]:
    """The smallest admissible point, the one next to it where nothing is 0, and one with large sizes."""
    for stream in (points(domain, symbols, Effort()), spread(domain, symbols)):
        for point in islice(stream, 1):
            whole = completed(domain, point, symbols, Effort())
            if whole is not None:
                yield whole
                if not all(whole.values()):
                    yield {name: value or 1 for name, value in whole.items()}


def along(form: Normal, ray: Ray) -> Normal:
    """The form as one of the step."""
    step = symbol(STEP)
    values = {n: number(value) * step ** ray.powers.get(n, 0) for n, value in ray.base.items()}
    return substitute(form, {name: value for name, value in values.items() if name in form.symbols})


def limit_along(form: Normal, ray: Ray) -> Limit:
    """Where the form goes; no limit if it is not defined on the ray."""
    try:
        return limit(along(form, ray), STEP, _SCOPE)
    except RoofError:
        return NoLimit("it is not defined there")


def goes_above_zero(form: Normal, ray: Ray) -> bool:
    """Whether the form is certainly above zero from some step on."""
    try:
        own = along(form, ray)
        return _above_zero(own)
    except RoofError:
        return False


def _above_zero(own: Normal) -> bool:
    if own.atoms and any(name in own.atoms for name in own.generators):
        found = limit(own, STEP, _SCOPE)
        return (isinstance(found, Diverges) and found.sign > 0) or (
            isinstance(found, Finite) and (found.value.constant or 0) > 0
        )
    return not own.is_zero and own.numer.LC * own.denom.LC > 0


def stays_inside(ray: Ray, domain: Domain) -> bool:
    """Whether every point of the ray from some step on is certainly admissible."""
    within = all(domain.least(n) <= value <= domain.maximum.get(n, value) for n, value in ray.base.items())
    if not within or not domain.admits(ray.base) or any(ray.powers.get(name) for name in domain.maximum):
        return False
    try:
        return all(is_integral(along(form, ray)) for form in domain.whole) and all(
            _keeps(condition, ray) for condition in domain.conditions
        )
    except RoofError:
        return False


def _keeps(condition: Condition, ray: Ray) -> bool:
    difference = along(condition.left - condition.right, ray)
    if difference.constant is not None:
        return related(difference.constant, condition.relation, Fraction(0))
    if condition.relation == "=":
        return False
    return _above_zero(difference if condition.relation in (">", ">=") else -difference)


def seen_along(ratio: Normal, ray: Ray) -> tuple[Seen, ...]:
    """The ratio at a few steps, where it has a value."""
    value = compiled(ratio)
    found: list[Seen] = []
    for step in _SHOWN:
        try:
            found.append(Seen(ray.at(step), value(ray.at(step))))
        except (RoofError, OverflowError):
            continue
    return tuple(found)
