"""How a symbol's name is written in mathematics: Greek letters, subscripts, upright words. No name passes unescaped."""

from __future__ import annotations

from dataclasses import dataclass

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NameParts:
    """`letter` is one letter or a Greek word, or None where the stem is an upright `word`; `subscript` may be empty."""

    letter: str | None
    word: str
    subscript: str


def name_parts(name: str) -> NameParts:
    """`d_model` is d with the subscript model, `n1` n with 1; `dff` is an upright word; `lambda` and `λ` are the letter."""
    stem, _, subscript = name.partition("_")
    if not stem:
        return NameParts(None, name, "")
    digits = len(stem.rstrip("0123456789"))
    if not subscript and 0 < digits < len(stem):
        stem, subscript = stem[:digits], stem[digits:]
    letter = stem if len(stem) == 1 or stem in GREEK else None
    return NameParts(letter, stem, subscript)
