r"""LaTeX as people write it to the plain LaTeX the grammar reads: `sbh\bigl(34+5\tfrac{a\,s}h\bigr)` is made
`sbh(34+5\frac{a s}{h})`, every character with the place it comes from.

Takes tokens and gives a `Flat`; commands it does not know are diagnostics that name them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from roofdsl.diagnostics import Sink
from roofdsl.errors import syntax as errors
from roofdsl.source import Source, Span
from roofdsl.syntax.tex_flat import Flat
from roofdsl.syntax.tex_rewrite import rewritten
from roofdsl.syntax.tex_tokens import Tex
from roofdsl.syntax.tex_words import (
    BRACED,
    CLOTHES,
    COLOURED,
    DROPPED,
    FRACTIONS,
    GREEK,
    KNOWN,
    LOOKS,
    SEPARATORS,
    SIGNS,
    SIZED,
    SPACES,
    WORDS,
)

MOST_NESTED = 150


def flatten(tokens: Sequence[Tex], span: Span, sink: Sink) -> Flat:
    """The plain LaTeX of the tokens of a span; what cannot be read goes to the sink."""
    source = span.source
    writer = _Writer(source, sink, rewritten(tokens, source, sink))
    writer.all()
    text = "".join(piece for piece, _ in writer.pieces)
    return Flat(span, text, tuple(origin for piece, origin in writer.pieces for _ in piece))


@dataclass(slots=True)
class _Writer:
    """Reads tokens from `at` on and writes pieces with their origins."""

    source: Source
    sink: Sink
    tokens: list[Tex]
    at: int = 0
    depth: int = 0
    pieces: list[tuple[str, tuple[int, int]]] = field(default_factory=list)

    def all(self) -> None:
        while self.at < len(self.tokens):
            if self.tokens[self.at].text == "}":
                self._bad(self.tokens[self.at], "closes no brace")
                self.at += 1
            else:
                self._item()

    def _put(self, text: str, start: int, end: int) -> None:
        self.pieces.append((text, (start, end)))

    def _bad(self, token: Tex, text: str, *, found: str | None = None) -> None:
        self.sink.add(errors.BAD_TEX, Span(self.source, token.start, token.end), text, found=found)

    def _peek(self) -> Tex | None:
        """The next token that is no blank; the blanks are passed."""
        while self.at < len(self.tokens) and self.tokens[self.at].text in (" ", "~"):
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _next_is(self, text: str) -> bool:
        """Whether a sign follows, perhaps behind blanks; nothing is passed if not."""
        before = self.at
        token = self._peek()
        if token is not None and token.text == text:
            return True
        self.at = before
        return False

    def _item(self) -> None:
        """One token with what belongs to it."""
        token = self.tokens[self.at]
        self.at += 1
        match token.text:
            case " " | "~" | "&":
                self._put(" ", token.start, token.end)
            case "{":
                self._group(token)
            case "^":
                self._put("^", token.start, token.end)
                self._braced(token)
            case "_":
                self._bad(token, "a subscript belongs to a name")
                self._skip_argument()
            case "," if self._in_number(token):
                return
            case letter if letter.isascii() and letter.isalpha():
                self._name(letter, token, plain=letter)
            case _ if token.is_command:
                self._command(token)
            case other:
                self._put(other, token.start, token.end)

    def _in_number(self, token: Tex) -> bool:
        r"""Whether a comma or thin space groups digits: `51{,}200`, `51\,200`, and `51,200` outside of a maximum."""
        if token.text == "," and any(t.text in (r"\max", r"\min") for t in self.tokens):
            return False
        after = [t.text for t in self.tokens[self.at : self.at + 4]]
        digits = len(after) >= 3 and all(d.isdigit() for d in after[:3]) and not (len(after) > 3 and after[3].isdigit())
        return digits and bool(self.pieces) and self.pieces[-1][0].isdigit()

    def _group(self, opening: Tex) -> None:
        """What stands in braces, with them; empty ones are a blank."""
        if [t.text for t in self.tokens[self.at : self.at + 2]] == [",", "}"]:
            self.at += 2
            return
        first = len(self.pieces)
        self._put("{", opening.start, opening.end)
        self._inside(opening)
        if not "".join(piece for piece, _ in self.pieces[first + 1 : -1]).strip():
            self.pieces[first:] = [(" ", (opening.start, opening.end))]

    def _inside(self, opening: Tex) -> None:
        """Items up to the brace that closes `opening`, which is written too; the grammar misses it if it is missing."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            self.sink.add(errors.TOO_DEEP, Span(self.source, opening.start, opening.end), "too many braces are open")
            self.at = len(self.tokens)
        while self.at < len(self.tokens) and self.tokens[self.at].text != "}":
            self._item()
        self.depth -= 1
        if self.at < len(self.tokens):
            closing = self.tokens[self.at]
            self._put("}", closing.start, closing.end)
            self.at += 1

    def _braced(self, command: Tex) -> None:
        """An argument, put in braces if it stands without."""
        token = self._peek()
        if token is None or token.text in ("}", "^", "_", "&"):
            self._bad(command, f"`{command.text}` lacks an argument")
            return
        if token.text == "{":
            self.at += 1
            self._put("{", token.start, token.end)
            self._inside(token)
            return
        self._put("{", token.start, token.start)
        self._item()
        end = self.pieces[-1][1][1]
        self._put("}", end, end)

    def _skip_argument(self) -> None:
        """Pass over an argument."""
        token = self._peek()
        if token is None:
            return
        opened = 0
        while self.at < len(self.tokens):
            text = self.tokens[self.at].text
            opened += (text == "{") - (text == "}")
            self.at += opened >= 0
            if opened <= 0:
                return
        span = Span(self.source, token.start, token.end)
        self.sink.add(errors.UNFINISHED, span, "this brace is not closed")

    def _command(self, token: Tex) -> None:
        text = token.text
        if text in SPACES:
            if not self._in_number(token):
                self._put(" ", token.start, token.end)
        elif text in LOOKS:
            self._put(" ", token.start, token.end)
        elif SIZED.fullmatch(text):
            if self._next_is("."):
                self.at += 1
        elif text in DROPPED:
            self._skip_argument()
        elif text in CLOTHES or text in BRACED or text in COLOURED:
            self._clothed(token)
        elif text in WORDS:
            self._word(token)
        elif text in FRACTIONS or text == r"\sqrt":
            self._put(r"\frac" if text in FRACTIONS else text, token.start, token.end)
            for _ in range(2 if text in FRACTIONS else 1):
                self._braced(token)
        elif text in GREEK:
            self._name(text[1:], token, plain=f"{text} ")
        elif text in SIGNS or text in KNOWN:
            self._put(SIGNS.get(text, f"{text} "), token.start, token.end)
        else:
            self._unknown(token)

    def _unknown(self, token: Tex) -> None:
        helps = (rf"a definition such as \newcommand{{{token.text}}}{{…}} before it in the same paper is read",)
        span = Span(self.source, token.start, token.end)
        self.sink.add(errors.UNKNOWN_COMMAND, span, f"`{token.text}` is no command that formulas may hold", helps=helps)
        while self._next_is("_") or self._next_is("^"):  # its limits: one fault is enough
            self.at += 1
            self._skip_argument()

    def _clothed(self, token: Tex) -> None:
        if token.text in COLOURED:
            self._skip_argument()
        self._braced(token)
        if token.text in BRACED and (self._next_is("_") or self._next_is("^")):
            self.at += 1
            self._skip_argument()

    def _word(self, token: Tex) -> None:
        r"""A name in letters: `\mathrm{Br}`, `\text{ff}`."""
        word = self._words()
        if word is None or not word[:1].isalpha():
            self._bad(token, "this is no name", found=word or None)
            return
        self._name(word, token, plain=rf"\mathrm{{{word}}}")

    def _name(self, word: str, token: Tex, *, plain: str) -> None:
        """A name, with the subscript that may follow."""
        end = self.tokens[self.at - 1].end
        if not self._next_is("_"):
            self._put(plain, token.start, end)
            return
        self.at += 1
        below = self._words()
        if not below:
            self._bad(token, "this subscript is no part of a name")
            return
        self._put(rf"\mathrm{{{word}_{below}}}", token.start, self.tokens[self.at - 1].end)

    def _words(self) -> str | None:
        """The words of an argument joined by underscores; None if there is anything else in it."""
        self._peek()
        start = self.at
        self._skip_argument()
        if start < len(self.tokens) and self.tokens[start].text in WORDS:
            self._skip_argument()
        parts = [""]
        for token in self.tokens[start : self.at]:
            if token.text in ("{", "}") or token.text in WORDS or token.text in LOOKS:
                continue
            if token.text in SEPARATORS:
                parts.append("")
            elif token.text in GREEK:
                parts[-1] += token.text[1:]
            elif token.text.isascii() and token.text.isalnum():
                parts[-1] += token.text
            else:
                return None
        return "_".join(part for part in parts if part)
