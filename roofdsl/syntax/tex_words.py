r"""What LaTeX commands mean in a formula: which are names, spaces, products, or only looks. Data, no logic."""

from __future__ import annotations

import re

from roofdsl.syntax.claims import ClaimRelation

SPACES = frozenset(
    (r"\,", r"\;", r"\:", r"\!", r"\>", r"\ ", r"\/", "\\\n", r"\quad", r"\qquad", r"\thinspace", r"\enspace", r"\\")
)
LOOKS = frozenset(
    (
        *(
            r"\displaystyle",
            r"\textstyle",
            r"\scriptstyle",
            r"\limits",
            r"\nolimits",
            r"\nonumber",
            r"\notag",
            r"\relax",
            r"\xspace",
            r"\boldmath",
            r"\IEEEnonumber",
            r"\IEEEyesnumber",
            r"\IEEEyessubnumber",
        ),
        *(r"\mathstrut", r"\strut", r"\allowbreak", r"\nobreak", r"\hfill", r"\rm", r"\bf", r"\it", r"\small", r"\cr"),
    )
)
"""Passed over."""
SIZED = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)")
"""Makes the bracket behind it large."""
DROPPED = frozenset(
    (
        *(r"\label", r"\tag", r"\hspace", r"\hspace*", r"\vspace", r"\phantom", r"\hphantom", r"\vphantom", r"\color"),
        *(r"\cite", r"\citep", r"\citet", r"\footnote", r"\footnotemark", r"\ref", r"\eqref"),
        *(r"\intertext", r"\shortintertext", r"\phantomsection", r"\cref", r"\Cref", r"\autoref", r"\vspace*"),
    )
)
"""Passed over with their argument."""
CLOTHES = frozenset(
    (
        *(
            r"\mathbf",
            r"\boldsymbol",
            r"\bm",
            r"\boxed",
            r"\ensuremath",
            r"\mathord",
            r"\mathop",
            r"\mathrel",
            r"\smash",
        ),
        *(r"\mathcal", r"\underline", r"\mathbin", r"\mathinner"),
    )
)
"""Their argument is set in another way and means the same."""
BRACED = frozenset((r"\underbrace", r"\overbrace"))
"""As `CLOTHES`; the note below or above them is passed over."""
COLOURED = frozenset((r"\textcolor", r"\mathcolor", r"\colorbox"))
"""As `CLOTHES`, behind the name of a colour."""
WORDS = frozenset(
    (
        *(r"\mathrm", r"\text", r"\mathit", r"\operatorname", r"\operatorname*", r"\textit", r"\textrm", r"\textsf"),
        *(r"\texttt", r"\textbf", r"\textsc", r"\textnormal", r"\mathsf", r"\mathtt", r"\mbox", r"\hbox"),
    )
)
"""Their argument is one name."""
FRACTIONS = frozenset((r"\frac", r"\dfrac", r"\tfrac", r"\cfrac", r"\nicefrac", r"\sfrac"))
SIGNS = {
    **dict.fromkeys((r"\times", r"\cdot", r"\ast"), r" \cdot "),
    r"\div": "/", r"\slash": "/", r"\{": "(", r"\}": ")", r"\lbrace": "(", r"\rbrace": ")", r"\lbrack": "[", r"\rbrack": "]",
    r"\lparen": "(", r"\rparen": ")",
}  # fmt: skip
"""Written otherwise in the language's own LaTeX."""
GREEK = frozenset(
    (
        *(r"\alpha", r"\beta", r"\gamma", r"\delta", r"\varepsilon", r"\epsilon", r"\zeta", r"\eta", r"\vartheta"),
        *(r"\theta", r"\iota", r"\kappa", r"\lambda", r"\mu", r"\nu", r"\xi", r"\varrho", r"\rho", r"\sigma"),
        *(r"\tau", r"\upsilon", r"\varphi", r"\phi", r"\chi", r"\psi", r"\omega", r"\Gamma", r"\Delta", r"\Theta"),
        *(r"\Lambda", r"\Xi", r"\Pi", r"\pi", r"\Sigma", r"\Upsilon", r"\Phi", r"\Psi", r"\Omega"),
    )
)
KNOWN = frozenset((r"\lceil", r"\rceil", r"\lfloor", r"\rfloor", r"\max", r"\min", r"\log", r"\exp", r"\ln"))
"""The language's own LaTeX has them."""
SEPARATORS = frozenset((" ", ",", "-", ".", "~", r"\_", r"\,", r"\ ", r"\-", r"\;", "/", "_"))
"""What may stand between the words of a subscript: `n_{\\text{kv heads}}` is n_kv_heads."""
RELATIONS: dict[str, ClaimRelation] = {
    **dict.fromkeys(("=", r"\equiv", r"\coloneqq", r"\triangleq", r"\doteq", r"\coloneq"), "="),
    **dict.fromkeys((r"\approx", r"\simeq", r"\sim", r"\cong", r"\approxeq"), "~"),
    **dict.fromkeys((r"\le", r"\leq", r"\leqslant"), "<="),
    **dict.fromkeys((r"\ge", r"\geq", r"\geqslant"), ">="),
    **dict.fromkeys(("<", r"\lt"), "<"),
    **dict.fromkeys((">", r"\gt"), ">"),
    **dict.fromkeys((r"\to", r"\rightarrow", r"\longrightarrow"), "->"),
}
"""Relation signs, as claims write them."""
