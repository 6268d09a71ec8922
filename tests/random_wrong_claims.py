"""How often a claim that is wrong at random gets an explanation: such an explanation is spurious by construction.

`python -m tests.random_wrong_claims 2000` prints the rate for every kind of claim; CI measures a small batch.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from roofdsl.algebra.evaluation import evaluate
from roofdsl.quantities.session import Session
from roofdsl.verify.question import forms, pose
from roofdsl.verify.verdict import Verdict, verify_claim
from tests.asking import claim, spec

Terms = tuple[tuple[int, str], ...]
TRUE: Mapping[str, Terms] = {
    "saved(layer)": ((34, "s*b*h"), (5, "a*s^2*b")),
    "saved(mlp)": ((19, "s*b*h"),),
    "flops(layer)": ((24, "b*s*h^2"), (4, "b*s^2*h")),
    "flops(layer, train)": ((72, "b*s*h^2"), (12, "b*s^2*h")),
    "flops(gpt, train)": ((72, "b*L*s*h^2"), (12, "b*L*s^2*h"), (6, "b*s*h*V")),
    "params(gpt)": ((12, "L*h^2"), (13, "L*h"), (1, "V*h"), (1, "N*h"), (2, "h")),
    "param_bytes(layer)": ((24, "h^2"), (26, "h")),
    "cache(gpt)": ((4, "b*t*L*h"),),
}
NUMBERS = {
    "saved(layer)": "[B]",
    "flops(gpt, train)": "[FLOP]",
    "params(gpt)": "",
    "cache(gpt)": "[GB]",
    "state(gpt)": "[TB]",
    "flops(layer)": "[FLOP]",
}
SCALES = {"[GB]": 10**9, "[TB]": 10**12}
MONOMIALS = ("s*b*h", "s^2*b", "a*s*b", "b*h^2", "s*h", "L*h^2", "V*h", "b*s", "a*h", "N*h")


@dataclass(frozen=True, slots=True)
class Rate:
    """Refuted claims of one kind, and how many of them were explained."""

    kind: str
    claims: int
    explained: tuple[str, ...]

    @property
    def share(self) -> float:
        return len(self.explained) / self.claims if self.claims else 0.0


def explained(found: Verdict) -> bool:
    """Whether a verdict offers a reason. That another number would be right, or a ratio, restates the difference."""
    causes = any(cause.entries for cause in found.causes)
    return causes or any(remedy.sort != "constant" and not remedy.last_resort for remedy in found.remedies)


def one_coefficient(rng: random.Random, terms: Terms) -> Terms:
    """One coefficient replaced by any other."""
    which = rng.randrange(len(terms))
    return tuple((_other(rng, c) if i == which else c, m) for i, (c, m) in enumerate(terms))


def all_coefficients(rng: random.Random, terms: Terms) -> Terms:
    """Every coefficient replaced."""
    return tuple((_other(rng, c), m) for c, m in terms)


def another_term(rng: random.Random, terms: Terms) -> Terms:
    """A term too many."""
    return (*terms, (rng.randint(1, 200), rng.choice(MONOMIALS)))


def _other(rng: random.Random, coefficient: int) -> int:
    return rng.choice([c for c in range(1, 201) if c != coefficient])


KINDS = {
    "one coefficient": one_coefficient,
    "all coefficients": all_coefficients,
    "one term too many": another_term,
}


def symbolic(rng: random.Random, kind: str) -> str:
    side, terms = rng.choice(list(TRUE.items()))
    return f"{side} = {' + '.join(f'{c}*{m}' for c, m in KINDS[kind](rng, terms))}"


def numeric(rng: random.Random, session: Session, digits: int) -> str:
    """A number within a factor of ten of the right one, printed to some digits."""
    side, unit = rng.choice(list(NUMBERS.items()))
    probe = f"{side} ~ 1 {unit} at gpt3_175b"
    left, _ = forms(pose(claim(probe), session))
    value = float(Fraction(evaluate(left, {}))) / SCALES.get(unit, 1) * 10 ** rng.uniform(-1, 1)
    return f"{side} ~ {value:.{digits - 1}e} {unit} at gpt3_175b".replace("e+", "e")


def measured(count: int, seed: int = 0) -> Iterator[Rate]:
    """The rate of every kind over `count` claims each."""
    session = spec("gpt3")
    rng = random.Random(seed)
    for kind in KINDS:
        yield _rate(kind, (symbolic(rng, kind) for _ in range(count)), session)
    for digits in (3, 4, 5, 6):
        yield _rate(f"{digits} digits", (numeric(rng, session, digits) for _ in range(count)), session)


def _rate(kind: str, texts: Iterator[str], session: Session) -> Rate:
    refuted = 0
    hits: list[str] = []
    for text in texts:
        found = verify_claim(claim(text), session)
        if found.outcome == "refuted":
            refuted += 1
            hits += [text] if explained(found) else []
    return Rate(kind, refuted, tuple(hits))


def main() -> None:
    total, hits = 0, 0
    for rate in measured(int(sys.argv[1]) if len(sys.argv) > 1 else 200):
        print(f"{rate.kind:<18} {len(rate.explained):>4} of {rate.claims:>5}  {100 * rate.share:.2f}%")
        for text in rate.explained[:12]:
            print(f"    {text}")
        total, hits = total + rate.claims, hits + len(rate.explained)
    print(f"{'all':<18} {hits:>4} of {total:>5}  {100 * hits / total:.2f}%")


if __name__ == "__main__":
    main()
