"""E08xx: what was asked for on the command line or of the Python API cannot be done. Exit code 2."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

CANNOT_WRITE = Kind(
    "E0801",
    "the output cannot be written",
    """Output files are written to a temporary file in the same folder and then renamed, so that nobody ever reads half
of one. The folder must exist and be writable, and the path must not itself be a folder. Nothing was changed.

For example `roofdsl graph gpt3 --of layer -o pictures/layer.svg` needs the folder `pictures`.""",
)

PICTURE_FORMAT = Kind(
    "E0802",
    "pictures cannot be written in this format",
    """The ending of the output's name chooses the format: `.dot` (the graph as text; needs no other program), `.svg`
and `.png`. `.pdf` needs the program `dot` of Graphviz itself, since graphviz-pure draws no PDF.

For example `roofdsl graph gpt3 --of layer -o layer.svg`.""",
)

NO_RENDERER = Kind(
    "E0803",
    "no program to draw the graph",
    """Graphs are described as DOT text and drawn by Graphviz. Either install Graphviz, so that its program `dot` is
found, or `pip install 'roofdsl[render]'`, which brings a renderer that needs nothing else. With `-o NAME.dot` the
description itself is written, and no program is needed.""",
)

RENDERER_FAILED = Kind(
    "E0804",
    "the program that draws graphs failed",
    """`dot` (or `graphviz-pure`) was found and started, but gave no picture: it stopped with an error or took longer
than the limit. What it said is shown. Very large graphs can be cut down by asking for a part: `--of layer` rather than
`--of gpt`. With `-o NAME.dot` the description itself is written.""",
)

UNKNOWN_CODE = Kind(
    "E0805",
    "there is no error of this code",
    """`roofdsl explain-error E0302` prints the long form of an error. Codes stand in every message between brackets:
an E and four digits for an error, an N and four digits for a note. Without an argument all codes are listed.""",
)

BAD_SETTING = Kind(
    "E0806",
    "`--set` needs NAME=VALUE",
    """`--set` binds a dimension or rebinds a let after the configuration: `--set s=4096`, `--set s=t/2`. The name is
that of a declared dim or let; the value is a formula as in a config. It may be given several times; later wins.""",
)

NO_CLAIMS = Kind(
    "E0808",
    "no claims to verify",
    """`roofdsl verify` checks the `claim` lines of a file. Write one, for example

    claim saved(layer) = 34sbh + 5as²b from "Korthikanti et al. 2022, eq. 1"

or give one on the command line: `--claim "saved(layer) = 34sbh + 5as²b"`.""",
)

NOTHING_TO_PRINT = Kind(
    "E0809",
    "this command has no output in this format",
    """`--format` chooses how formulas and tables are printed: `text`, `latex`, `markdown`, `json`, and for single
formulas also `mathml` and `sympy`. Tables have no MathML or SymPy form.""",
)

NOT_A_SYMBOL = Kind(
    "E0810",
    "not a symbol of this formula",
    """`--factor sbh` pulls a product of symbols out of a formula, `--collect s` orders it by the powers of a symbol, and
`--in-terms-of s,b,d` replaces symbols by lets: with `let d = h/a`, h becomes a·d. All take declared dims and lets.""",
)

NEEDS_MACHINE = Kind(
    "E0811",
    "a machine is needed",
    """A roofline compares work with peaks and traffic with bandwidths, so it needs a machine: `--machine h100_sxm`.
`roofdsl machines` lists those that ship; a file may declare its own. `roofdsl derive` gives closed forms without one.""",
)

NEEDS_SUBJECT = Kind(
    "E0812",
    "the file declares no block and no model",
    """Without `--of` the last model of the file is shown, or its last block. This file declares neither, so say what is
meant: `--of softmax`, `--of layer`, `--of "gpt{fused attention.core}"`.""",
)

WOULD_OVERWRITE = Kind(
    "E0813",
    "there is such a file already",
    """`roofdsl import` writes a file to be edited afterwards, so it does not replace one unasked: `--force` does, or give
another name with `-o`.""",
)

BAD_RENAME = Kind(
    "E0814",
    "not a renaming",
    """`--rename h=d_model,a=n_h` says what a paper calls our symbols: ours left, the paper's right, by commas. Formulas
are printed in the paper's names, and `verify` reads the paper's formulas in them. Every name stands once, and a new name
must not be that of another symbol of the same formula.""",
)

NOT_A_FUNCTION = Kind(
    "E0815",
    "the function gives no formula",
    """`model.prove("saved(layer)", f)` calls f with SymPy symbols of the sizes its parameters are named after, and reads
the expression it returns. Sums, products, powers with constant exponents, Max, Min, ceiling, floor, Abs, log and exp of
those symbols and exact numbers are formulas; floats, symbols made elsewhere, and anything else are not.

    model.prove("saved(layer)", lambda s, b, h, a: s*b*h*(34 + 5*a*s/h))""",
)

NO_LEADING = Kind(
    "E0816",
    "no leading terms",
    """`--leading "h >> s"` keeps the terms that decide as h/s grows, `--leading s` those that decide as s does; `--big-o s,h`
prints the order of growth in these symbols. Ceilings, minima and roots of what grows, and sums below a fraction line,
may keep it from being told.""",
)

MISUSE = Kind(
    "E0817",
    "the arguments are not understood",
    """Every command lists its arguments with `roofdsl COMMAND --help`, and `roofdsl --help` lists the commands. What stands
behind an option belongs to it; a formula with blanks needs quotes: `roofdsl derive gpt3 "saved(layer)"`.""",
)
