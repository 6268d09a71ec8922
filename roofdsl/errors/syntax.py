"""Catalogue of syntax errors, E01xx: what a reader of the text can find wrong before any name is looked up."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

UNEXPECTED = Kind(
    "E0101",
    "syntax error",
    "What stands at the marked place cannot follow what stands before it. The message lists what could stand there. "
    "A newline ends a statement unless a round or square bracket is open.",
)
BAD_CHARACTER = Kind(
    "E0102",
    "character that has no meaning here",
    "The language is written in ASCII and Greek letters, digits, superscript digits and a few signs. Letters of other "
    "alphabets, typographic quotes and special blanks often come in by copying from a PDF or a web page.",
)
UNFINISHED = Kind(
    "E0103",
    "text ends too early",
    "The end was reached inside something unfinished: an open bracket or brace, or a statement without its right side.",
)
OPEN_QUOTE = Kind(
    "E0104",
    "quote is not closed",
    "Text in double quotes must end on the line it begins on. There are no escapes: a backslash is a backslash.",
)
TWO_READINGS = Kind(
    "E0105",
    "fraction can be read in two ways",
    "Juxtaposition binds tighter than `/`, as papers mean it: s/6h is s/(6h). But after a bare number the same papers "
    "also mean the other reading (1/2sbh is often half of sbh), so a number over a product that begins with a number "
    "must be written with brackets.",
)
INNER_NUMERAL = Kind(
    "E0106",
    "number inside a product without a sign",
    "A number may only begin a product by juxtaposition: 34sbh, not sbh 34. Elsewhere write `*` or `·`. "
    "In the statements of ops and blocks every product is written with `*`.",
)
NUL_BYTE = Kind(
    "E0107",
    "NUL byte in the text",
    "A NUL byte never occurs in text. The file is binary, damaged, or UTF-16.",
)
TOO_LARGE = Kind(
    "E0108",
    "input is too large",
    "A file may hold a million tokens; no model needs a thousandth of them.",
)
TOO_DEEP = Kind(
    "E0109",
    "nested too deeply",
    "Brackets may be nested 200 deep, and an expression may be 250 operations deep. Longer sums can be split into parts.",
)
BAD_NUMERAL = Kind(
    "E0110",
    "number cannot be read",
    "A number has at most 40 characters and a decimal exponent of at most 400; it uses a decimal point, "
    "no decimal comma and no grouping of digits. Some places take whole numbers only.",
)
LONG_NAME = Kind("E0111", "name is too long", "A name has at most 64 characters.")
LARGE_POWER = Kind(
    "E0112",
    "power is too large",
    "A constant exponent is at most 1000, and a constant power has at most 400 digits.",
)
NOT_YET = Kind(
    "E0113",
    "not supported yet",
    "The words `layout` and `mesh`, and `@` on an index, are reserved for sharded layouts, which this version does not derive.",
)
TOO_MANY = Kind(
    "E0114",
    "too many syntax errors",
    "After 20 syntax errors the rest of the file is not read. Mend the first ones; later ones often follow from them.",
)
NOT_FORMATTABLE = Kind(
    "E0115",
    "file cannot be reformatted",
    "`fmt` prints the file anew, reads the result, and compares. If the meaning or a comment would change it writes nothing.",
)
REPEATED = Kind(
    "E0116",
    "given twice",
    "The same name stands twice in one list of bindings, slots or arguments; only one can hold.",
)
BAD_FORM = Kind(
    "E0117",
    "wrong form",
    "The words can be read one by one but do not make a declaration of this kind.",
)
UNKNOWN_COMMAND = Kind(
    "E0118",
    "command of LaTeX that is not known",
    r"""Formulas in LaTeX may hold `\frac`, `\tfrac`, `\sqrt`, `\cdot`, `\times`, `\left(`, `\big(`, `\lceil`, `\max`, Greek
letters, names in `\mathrm{}` or `\text{}`, spaces, `&` and `\\`; what only changes the look is passed over. A macro
is put in where the paper, or a file it puts in, defines it before: `\newcommand{\dmodel}{h}`, `\newcommand{\act}[2]{#1#2}`.
The one at the marked place is neither, takes its arguments in a way that is not read, or leads back to itself.""",
)
BAD_TEX = Kind(
    "E0119",
    "formula in LaTeX that cannot be read",
    r"""A command lacks its argument, or a brace or environment is not closed. What stands between the relation signs of a
displayed equation must be a formula: no words, no conditions. A sum from one number to another is read as a product
where its terms are all alike, as in a sum over layers; other sums must be written out.""",
)
NO_EQUATION = Kind(
    "E0120",
    "no equation for this marker",
    r"""`% roofdsl: saved(layer)` speaks about the next displayed equation of the .tex file (`equation`, `align`, `gather`,
`multline`, `\[ … \]`, `$$ … $$`); `% roofdsl: saved(layer) = \ref{eq:act}` about the one labelled `eq:act`, wherever it
stands. Clauses may follow as in any claim; `% roofdsl: everywhere reading n as h` gives clauses to all markers.""",
)
