r"""Macros of a .tex file: what a definition defines, and tokens with macros put in.

`\newcommand`, `\def`, `\let`, `\DeclareMathOperator`, `\DeclarePairedDelimiter` and `\NewDocumentCommand` with plain
arguments are read; a macro that takes its arguments in any other way is known but cannot be put in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from roofdsl.diagnostics import Sink
from roofdsl.errors import syntax as errors
from roofdsl.source import Source, Span
from roofdsl.syntax.tex_tokens import Tex, tex_tokens

MOST_TOKENS = 200_000
LONGEST = 4000
"""Tokens of a definition that are looked at."""
DEFINITIONS = (
    "newcommand|renewcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|DeclarePairedDelimiter"
    "|NewDocumentCommand|RenewDocumentCommand|ProvideDocumentCommand|def|gdef|edef|let"
)


@dataclass(frozen=True, slots=True)
class Macro:
    """`body` with `#1` … for its `arguments`; the first of them may be left out where it has a `default`. `delimiter`: a
    star or a size in brackets may follow the name.
    """

    body: tuple[Tex, ...]
    arguments: int = 0
    default: tuple[Tex, ...] | None = None
    delimiter: bool = False


Macros = Mapping[str, Macro | None]
"""None for a macro that is defined in a way that is not read."""


def definition(source: Source, position: int, command: str) -> tuple[str, Macro | None, int] | None:
    """The macro that a definition behind its command defines, and where the definition ends; None if it defines none."""
    reader = _Reader(source, position)
    name = reader.name()
    if name is None:
        return None
    match command:
        case "let":
            macro = reader.let()
        case "def" | "gdef" | "edef":
            macro = reader.plain()
        case "DeclareMathOperator":
            macro = reader.operator()
        case "DeclarePairedDelimiter":
            macro = reader.delimiter()
        case _ if command.endswith("DocumentCommand"):
            macro = reader.document_command()
        case _:
            macro = reader.command()
    return name, macro, reader.end


class _Reader:
    """Reads the tokens of one definition, no more of the text than it takes."""

    def __init__(self, source: Source, position: int) -> None:
        self.stream = zip(tex_tokens(source.text, position, len(source.text)), range(LONGEST), strict=False)
        self.ahead: list[Tex] = []
        self.end = position

    def take(self) -> Tex | None:
        """The next token, taken."""
        token = self.ahead.pop() if self.ahead else next((found for found, _ in self.stream), None)
        self.end = self.end if token is None else token.end
        return token

    def next(self) -> Tex | None:
        """The next token that is no blank, taken."""
        token = self.take()
        while token is not None and token.text == " ":
            token = self.take()
        return token

    def peek(self) -> str:
        """The next sign that is no blank."""
        end = self.end
        token = self.next()
        if token is None:
            return ""
        self.ahead.append(token)
        self.end = end
        return token.text

    def name(self) -> str | None:
        r"""`\x` or `{\x}`."""
        token = self.next()
        if token is not None and token.text == "{":
            token = self.next()
            self.next()
        return None if token is None or not token.is_command else token.text

    def group(self, opening: str = "{", closing: str = "}") -> tuple[Tex, ...] | None:
        """What stands between braces, which are taken too; a single token where there are none."""
        token = self.next()
        if token is None:
            return None
        if token.text != opening:
            return (token,) if token.is_command else None
        depth = 1
        held: list[Tex] = []
        while (found := self.take()) is not None:
            depth += (found.text == opening) - (found.text == closing)
            if depth == 0:
                return tuple(held)
            held.append(found)
        return None

    def let(self) -> Macro | None:
        if self.peek() == "=":
            self.next()
        token = self.next()
        return None if token is None or token.text in "{}" else Macro((token,))

    def plain(self) -> Macro | None:
        r"""`\def\x#1#2{…}`; text between the arguments is not read."""
        count = 0
        while self.peek() == "#":
            self.next()
            count += 1
            if self.peek() != str(count):
                return None
            self.next()
        body = self.group() if self.peek() == "{" else None
        return None if body is None else Macro(_numbered(body), count)

    def operator(self) -> Macro | None:
        body = self.group()
        wrapped = [Tex(text, 0, 0) for text in (r"\operatorname", "{")]
        return None if body is None else Macro((*wrapped, *body, Tex("}", 0, 0)))

    def delimiter(self) -> Macro | None:
        left, right = self.group(), self.group()
        if left is None or right is None:
            return None
        return Macro((*left, Tex(" ", 0, 0), Tex("#1", 0, 0), Tex(" ", 0, 0), *right), 1, delimiter=True)

    def document_command(self) -> Macro | None:
        kinds = self.group()
        body = self.group()
        wanted = "" if kinds is None else "".join(token.text for token in kinds).replace(" ", "")
        return None if body is None or set(wanted) - {"m"} else Macro(_numbered(body), len(wanted))

    def command(self) -> Macro | None:
        r"""`\newcommand{\x}[2][default]{…}`."""
        count = self.group("[", "]") if self.peek() == "[" else ()
        default = self.group("[", "]") if self.peek() == "[" else None
        body = self.group()
        digits = "".join(token.text for token in count or ()).strip()
        if body is None or not (digits == "" or digits.isdecimal()):
            return None
        return Macro(_numbered(body), int(digits or 0), default)


def _numbered(body: Sequence[Tex]) -> tuple[Tex, ...]:
    """`#` and the digit behind it as one token."""
    made: list[Tex] = []
    for token in body:
        if made and made[-1].text == "#" and token.text.isdecimal():
            made[-1] = Tex(f"#{token.text}", made[-1].start, token.end)
        else:
            made.append(token)
    return tuple(made)


def expanded(tokens: Sequence[Tex], source: Source, sink: Sink, macros: Macros) -> list[Tex]:
    """The tokens with macros replaced by their bodies, which stand where the macro is used, and arguments where they are
    given. Bounded: a macro that leads back to itself is an error.
    """
    found: list[Tex] = []
    todo: list[_Item] = [(token, ()) for token in reversed(tokens)]
    while todo and len(found) < MOST_TOKENS:
        token, inside = todo.pop()
        if token.text not in macros:
            found.append(token)
            continue
        place = Span(source, token.start, token.end)
        macro = macros[token.text]
        if macro is None or token.text in inside:
            why = "takes its arguments in a way that is not read" if macro is None else "leads back to itself"
            sink.add(errors.UNKNOWN_COMMAND, place, f"`{token.text}` {why}")
            found.append(token)
            continue
        arguments = _arguments(macro, todo)
        if arguments is None:
            sink.add(errors.BAD_TEX, place, f"`{token.text}` lacks an argument")
            found.append(token)
            continue
        whole = Tex(token.text, token.start, max(token.end, *(end for _, end in arguments), 0))
        todo += reversed(_put_in(macro, whole, (*inside, token.text), [argument for argument, _ in arguments]))
        if len(found) + len(todo) > MOST_TOKENS:
            sink.add(errors.TOO_LARGE, place, "macros make this too long")
            break
    return found


_Item = tuple[Tex, tuple[str, ...]]
"""A token with the macros it came from."""
_Argument = tuple[list[_Item], int]


def _put_in(macro: Macro, token: Tex, inside: tuple[str, ...], arguments: list[list[_Item]]) -> list[_Item]:
    made: list[_Item] = []
    for part in macro.body:
        if part.text[0] == "#" and part.text[1:].isdecimal() and int(part.text[1:]) <= len(arguments):
            made += arguments[int(part.text[1:]) - 1]
        else:
            made.append((Tex(part.text, token.start, token.end), inside))
    return made


def _arguments(macro: Macro, todo: list[_Item]) -> list[_Argument] | None:
    """The arguments of a macro, taken from what follows, each with where it ends; None if there are too few."""
    if macro.delimiter:
        if _follows(todo, "*"):
            todo.pop()
        if _follows(todo, "["):
            _group(todo, "[", "]")
    found: list[_Argument] = []
    if macro.default is not None:
        given = _group(todo, "[", "]") if _follows(todo, "[") else None
        found.append(([(part, ()) for part in macro.default], 0) if given is None else given)
    while len(found) < macro.arguments:
        while todo and todo[-1][0].text == " ":
            todo.pop()
        argument = _group(todo, "{", "}") if todo else None
        if argument is None:
            return None
        found.append(argument)
    return found


def _follows(todo: list[_Item], sign: str) -> bool:
    return bool(todo) and todo[-1][0].text == sign


def _group(todo: list[_Item], opening: str, closing: str) -> _Argument | None:
    """The tokens between brackets, or the one token that stands without; None if a bracket is not closed."""
    first = todo.pop()
    if first[0].text != opening:
        return None if first[0].text == "}" else ([first], first[0].end)
    depth = 1
    found: list[_Item] = []
    while todo:
        item = todo.pop()
        depth += (item[0].text == opening) - (item[0].text == closing)
        if depth == 0:
            return found, item[0].end
        found.append(item)
    return None
