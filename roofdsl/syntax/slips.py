r"""Slips of people who come from another language, recognised on the line where the parser stopped: comments of C,
words of Python, signs of mathematics. Each gives one line of help.

A rule is a pattern over that line, with NUL (which no text holds) where the parser stopped, and the help; `\1` in it is
a group of the pattern. The first rule that matches is the one shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roofdsl.syntax.place import Place

_NAME = r"[^\W\d]\w*"
_RELATION = r"(?:[<>]=?|[≤≥]|==?(?!=))"

_LINE_RULES = (
    (r"[\w)\]]\s*/\0/\s*[\w(]", "a comment begins with `#`; the whole part of a quotient is `floor(h/a)`"),
    (r"/\0/|\0//|\0/\*|/\*|^\s*\0--|\"\0?\"\"|'''", "a comment begins with `#`, and ends with its line"),
    (r"\0;", "a statement ends with its line: leave the `;` out"),
    (r"\0\\\s*$", "inside round brackets a statement goes on over line ends by itself: no `\\\\` is needed"),
    (
        r"^\s*\0?(?:def|fn|func|function|class|module|component|subroutine)\s",
        "a part of a model is declared as `block layer(x[s,h]) -> y { … }`",
    ),
    (
        r"^\s*\0?(?:import|from|include|\#include|require|using|open)\s",
        'what is declared elsewhere comes in by `use "ops"`, `use "gpt3"` or `use "./parts.roof"`',
    ),
    (
        r"^\s*\0?(?:for|while|loop|foreach|scan)\b",
        "there are no loops: `sum(…)` runs over the indices that the target lacks; `repeat L { x = layer(x) }` stacks L",
    ),
    (r"^(?!.*\belse\b).*(?:\0if|\0,)\s+(\w+\s*(?:<=?|>=?)\s*[^{}:]*?)\s*$", r"a guard is written with `where`: `where \1`"),
    (r"\bwhere\b[^\0]*\0(?:and\b|&|or\b)", "comparisons stand in a chain, `s - w < t <= s`, or are separated by commas"),
    (r"\bwhere\b[^\0]*\0\|", "a band is a chain of comparisons: `s - w < t < s + w`"),
    (r"^\s*(?:memory\s*(?:\w+\s+)?\0(?:=|\d|at\b)|cache\s+\w+\s+\0\d)", "a memory has a name and a size: `memory hbm = 80 GB at 3.35 TB/s`"),
    (r"^\s*memory\s*=.*\0", "a memory has a name and a size: `memory hbm = 80 GB at 3.35 TB/s`"),
    (r"^\s*use\s+\0([\w./]+)", r'write `use "\1"`'),
    (r"^(?!\s*claim).*\bwhere\s+\w+\s*\0", "a guard compares two indices of the statement: `where t <= s`"),
    (
        r"^\s*cache\s+[^\0]*\0(?:=|:=|$)",
        "a cache is filled from what is made for the new positions: `cache K[t,b,a,d] from k`",
    ),
    (r"^\s*\0```|^\s*\0`", "leave the marks of Markdown out"),
    (r"^\s*(?:op|block|model|dim|let|config|machine)\s+(\w+)\0-(\w+)", r"a name has letters, digits and `_`: `\1_\2`"),
    (r"^\s*(?:op|block|model|dim|let|config|machine)\s+\0\d", "a name begins with a letter"),
    (r"\w\0['`´]", "a name has letters, digits and `_`, and no marks"),
    (r":\s*\w+\s*\0\[", "indices stand directly behind the name, the number format after them: `x[s,h]: bf16`"),
    (r"^\s*repeat\s*\0\(", "a count stands without brackets: `repeat 12 { x = layer(x) }`"),
    (r"^\s*repeat\s+[^{\0]*\0:", "the body stands in braces: `repeat 12 { x = layer(x) }`"),
    (r"^(?!\s*(?:config|claim)\b).*[\w\])]\s*\0,\s*\w+\s*(?:\[[^\]]*\])?\s*=", "each statement has a line of its own"),
    (r"^(?!\s*(?:claim|config|let|dim)\b)\s*\w+(?:\[[^\]]*\])?\s*=[^\0(]*\w\s*\0=(?!=)", "each tensor is made on a line of its own"),
    (r"\0\\\w+", "LaTeX stands in quotes, and in formulas alone: in a body write `*`, `/` and `sqrt(…)`"),
    (r"[Σ∑]\w*\s*\0", "write `sum(…)`: it runs over the indices that the target lacks"),
    (r"^\s*dtype\s+\w+\s*=\s*\d+\s*\0$", "bits are written with their word: `dtype fp12 = 12 bit e5m6`"),
    (r"^\s*dim\s+(\w+)\s*\0=\s*(\w+)", r"a size with a value of its own is `let \1 = \2`; a `config` gives those of one run"),
    (r"^\s*dim\s+\w+\s*\0,", "each dim has a line of its own"),
    (r"^\s*dim\s+\w+\s*\0:", "a dim is a whole number: nothing else is said but what it means, in quotes"),
    (r"\bfrom\s+\0([^\"#]+?)\s*(?:#|$)", r'text stands in quotes: `from "\1"`'),
    (r"\bwithin\s+\S+\s*\0per\s*cent", "write `%`"),
    (
        r"^\s*\0?(?:if|elif|else|switch)\b|\0if\b|\0\?",
        "there are no conditions: `max(x, 0)` clips, and `where t <= s` behind a statement leaves positions out",
    ),
    (r"^\s*\0?(?:assert|prove|theorem|lemma|equation)\b", "what is to be proved is stated as `claim saved(layer) = …`"),
    (r"^\s*\0?print\b", "nothing is printed from a file: ask on the command line with `roofdsl derive`"),
    (r"=\0>|\0=>", "write `->`"),
    (r":\0=|\0:=", "write `=`"),
    (r"\0[-*/]=", "only `=` and `+=` assign"),
    (r"\0!=|!\0=", "the opposite of a claim is `claim not … = …`"),
    (r"(?:->|→)\s*[^{]*:\s*\0?\s*\{?\s*$", "the body stands in braces, without a colon: `-> y { … }`"),
    (
        r"\0\.\s*(?:reshape|view|flatten|squeeze|unsqueeze|expand|contiguous)\b",
        "other indices of the same tensor are a view: `view y[s,b,h] of c`",
    ),
    (r"\[[^\]]*\0:", "there are no slices: an index is a name, or a sum such as `2i + k`; it runs over its whole dim"),
    (r"[\w\]]\s*(?:\[[^\]]*\])?\s*\0\.\s*(?:T|t|transpose|permute|mT)\b", "a transpose needs no sign: write the indices in the order meant"),
    (
        r"\0\.\s*(?:sum|mean|max|min)\b",
        "a reduction stands before what it reduces: `y[s] = sum(x[s,h])` runs over the indices that y lacks",
    ),
    (r"\0\.\s*(?:shape|size|dim)\b", "a size is used by its name: `h`"),
    (r"(\w+)\s*\0\.\s*(\w+)\s*\(", r"an op or block is called by its own name alone: `\2(…)`"),
    (r"\0\.\s*\w", "in statements a name has no dots"),
    (r"\b(?:sum|amax|amin)\[[^\]]*\]\s*\0\(|\b(?:sum|amax|amin)\s*_?\{[^}]*\}?\0", "write `sum(…)`: it runs over the indices that the target lacks"),
    (r",\s*\0([\])}])", r"leave out the comma before `\1`"),
    (r",\s*\0\s*$", "leave out the comma at the end of the line, or go on behind it"),
)  # fmt: skip
_RULES_OUTSIDE = (
    (r"^\s*\0(\w+\([^=]*\)\s*(?:=|~|<=|>=|<|>).*)$", r"a claim begins with its word: `claim \1`"),
    (r"^\s*\0(\w+\s*=\s*[^=\s].*)$", r"sizes are declared with `let \1`; tensors stand inside a block"),
)
_RULES_IN_BODIES = (
    (
        r"=[^\0]*\0[<>]=?(?!>)",
        "a comparison is no value: `max(x, 0)` clips, and `where t <= s` behind a statement leaves positions out",
    ),
)
_RULES_IN_CALLS = (
    (
        r"\b(?:sum|amax|amin|mean)\b.*,\s*\w+\s*\0=",
        "`sum(…)`, `amax(…)` and `amin(…)` run over the indices that the target lacks: nothing else is said",
    ),
    (
        r"\(.*\w\s*\0=",
        "a call has no named arguments: braces before it bind sizes and indices, as in `softmax{i = t}(S)`",
    ),
)
_CONDITION = re.compile(
    r"\b(?:if|where|with|given|assuming|provided|whenever|such that|subject to|for|and)\s+(?!all\b)([^\0]*\0.*)$"
    r"|,\s*([^\0,]*\0.*)$|\0,\s*(.*)$"
)
_CHARACTERS = {
    "–": "-", "—": "-", "‐": "-", "‑": "-", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": '"', "’": '"',
    "•": "*", "∙": "*", "∗": "*", "∘": "*", "⊙": "*", "÷": "/", "∕": "/", "⇒": "->", "⟶": "->", "↦": "->", "←": "=", "≔": "=",
    "∑": "sum(…)", "Σ": "sum(…)", "√": "sqrt(…)", "≪": "<<", "≫": ">>", "≃": "~", "≅": "~", "∼": "~", "∝": "~", "∞": "oo",
    "ℓ": "l", "ℎ": "h",
}  # fmt: skip


def slips(place: Place, words: list[str]) -> Iterator[str]:
    """Help for what the line looks like, likeliest first. `words` are the keywords that could stand here."""
    line = f"{place.before}\0{place.rest}"
    opened = place.opened.text[-1] if place.opened else ""
    if place.token.kind == "STRING" and opened == "(":
        yield from _einsum(place)
    if place.token.text == "@":
        yield "a product of matrices is an index statement, `y[s,f] = sum(x[s,h] * W[h,f])`, or a call: `matmul(x, W)`"
    if opened == "(":
        yield from _matching(_RULES_IN_CALLS, line)
    if re.match(r"\s*\0?(?:return|yield)\b", line):
        header = re.search(r"(?:->|→)\s*\(?([\w, ]+)", place.opened_by)
        result = header[1].strip() if header else "y"
        yield f"there is no `return`: give the name in the header a value, `{result} = …`"
    if "when" in words or place.before.lstrip().startswith("claim"):
        yield from _condition(line)
    if place.opened is None:
        yield from _matching(_RULES_OUTSIDE, line)
    elif "where" not in place.before:
        yield from _matching(_RULES_IN_BODIES, line)
    yield from _matching(_LINE_RULES, line)


def character_help(character: str) -> tuple[str, ...]:
    """What to write for a character that only looks like one of the language."""
    from unicodedata import category, normalize

    if category(character) == "No":
        return (f"write it as part of the name: `x{normalize('NFKC', character)}`",)
    if character in _CHARACTERS:
        return (f"write `{_CHARACTERS[character]}`",)
    if category(character) in ("Zs", "Cf"):
        return ("write a plain blank",)
    plain = normalize("NFKC", character)
    return (f"write `{plain}`",) if plain != character and plain.isascii() and plain.isprintable() else ()


def _matching(rules: tuple[tuple[str, str], ...], line: str) -> Iterator[str]:
    for pattern, text in rules:
        found = re.search(pattern, line)
        if found is not None:
            yield found.expand(text)
            return


def _condition(line: str) -> Iterator[str]:
    """A condition of a claim that is not written with `when`, and the claim as it should be."""
    if re.search(r"\bfor\s+(?:all|any|every)\b", line.replace("\0", "")):
        yield "a claim holds for all sizes unless `when` or `at` says otherwise: leave that out"
        return
    found = _CONDITION.search(line)
    if found is None:
        return
    condition = next(group for group in found.groups() if group is not None).replace("\0", "").strip()
    if re.search(rf"[\w)]\s*{_RELATION}\s*[\w(]", condition) is None:
        return
    claim = line[: found.start()].replace("\0", "").rstrip()
    condition = condition.replace("==", "=")
    if re.search(r"\w\(", condition):
        yield "each claim has a line of its own"
    elif re.search(r"\bwhen\b", claim):
        yield f"conditions are separated by commas: `{claim}, {condition}`"
    else:
        yield f"a condition is written with `when`: `{claim} when {condition}`"


def _einsum(place: Place) -> Iterator[str]:
    """`einsum("sh,hf->sf", x, W)` as an index statement."""
    letters = re.fullmatch(r'"([A-Za-z, .]+)->([A-Za-z .]*)"', place.token.text)
    if letters is None:
        yield "text in quotes is no argument"
        return
    operands = re.findall(_NAME, place.rest[len(place.token.text) :].split(")")[0])
    sides = [side.strip() for side in letters[1].split(",")]
    if len(sides) != len(operands):
        return
    target = re.match(rf"\s*({_NAME})", place.before)
    factors = " * ".join(f"{name}[{','.join(side)}]" for name, side in zip(operands, sides, strict=True))
    result = f"{target[1] if target else 'y'}[{','.join(letters[2].strip())}]"
    yield f"the letters are the indices: `{result} = sum({factors})`"
