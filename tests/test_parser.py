"""Forms of the language one by one, what is equal to what, positions, and bounds against hostile input."""

from __future__ import annotations

import gc
import time
from fractions import Fraction

import pytest

from roofdsl.diagnostics import Sink
from roofdsl.limits import Limits
from roofdsl.source import Source
from roofdsl.syntax import ast
from roofdsl.syntax.parser import (
    parse_bindings,
    parse_braces,
    parse_claim,
    parse_file,
    parse_formula,
    parse_quantity,
    parse_statement,
    parse_subject,
    parse_unit,
)
from roofdsl.syntax.printer import print_expr

S, B, H = (ast.Name(name) for name in "sbh")


def number(value: int) -> ast.Number:
    return ast.Number(Fraction(value), str(value))


def read(parse, text: str):
    sink = Sink()
    made = parse(Source("text", text), sink)
    assert not sink.found, [(d.kind.code, d.primary.text) for d in sink.found]
    return made


def codes(parse, text: str, limits: Limits | None = None) -> list[str]:
    sink = Sink()
    parse(Source("text", text), sink, *([limits] if limits else []))
    return [diagnostic.kind.code for diagnostic in sink.found]


# --------------------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("s/6h", "s/(6h)"),
        ("s / 6h", "s/(6h)"),
        ("34sbh", "34 sbh"),
        ("as^2b", "as²b"),
        ("as**2 b", "as²b"),
        ("a·b×c⋅d", "a*b*c*d"),
        ("s − b", "s - b"),
        ("2at(s)", "2 at(s)"),
        ("2 s (a+b)", "2s (a + b)"),
        ("2^2^3", "2^(2^3)"),
        ("-s²", "-(s²)"),
        ("x²³", "x^23"),
        ("x⁻¹", "x^-1"),
        ("a - b - c", "(a - b) - c"),
        ("a/b/c", "(a/b)/c"),
        ("flops( layer ,train )", "flops(layer, train)"),
        (r'"\frac{s}{6h}"', r'"\frac{s}{6h}"'),
    ],
)
def test_two_spellings_of_one_formula(text: str, same: str) -> None:
    assert read(parse_formula, text) == read(parse_formula, same)


@pytest.mark.parametrize(
    ("text", "other"),
    [("(as)²b", "as²b"), ("s/6h", "s/6*h"), ("s (a+b)", "s(a+b)"), ("-s²", "(-s)²"), ("a/bc", "a/b*c"), ("2E", "2e")],
)
def test_two_formulas_that_differ(text: str, other: str) -> None:
    assert read(parse_formula, text) != read(parse_formula, other)


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"\frac{s}{6h}", "s/6h"),
        (r"34 s b h + 5 a s^2 b", "34 s b h + 5 a s² b"),
        (r"34sbh", "34sbh"),
        (r"as^{2}b", "as²b"),
        (r"d_{model} \cdot d_h", "d_model * d_h"),
        (r"d_{\mathrm{ff}} \times 2", "d_ff * 2"),
        (r"\lambda \mathrm{Br}", "lambda Br"),
        (r"72 b L s h^2 \left(1 + \frac{s}{6h} + \frac{V}{12 L h}\right)", "72b L s h² (1 + s/6h + V/12L h)"),
        (r"\frac{1}{2} s", "(1/2) s"),
        (r"\sqrt{d} \, h", "sqrt(d) h"),
        (r"\lceil s/B \rceil + \lfloor s/B \rfloor", "ceil(s/B) + floor(s/B)"),
        (r"\max(a, b)^2", "max(a, b)²"),
        (r"{2s} [a + b]", "(2s) (a + b)"),
    ],
)
def test_latex(latex: str, plain: str) -> None:
    quoted = read(parse_formula, f'"{latex}"')
    assert isinstance(quoted, ast.Quoted)
    assert quoted.text == latex
    assert quoted.value == read(parse_formula, plain)


def test_positions_inside_latex_are_those_of_the_file() -> None:
    text = r'let d = "\frac{h}{a b}"'
    (let,) = read(parse_file, text).declarations
    assert let.value.value.right.span.text == "a b"


@pytest.mark.parametrize("text", ["1/2sbh", "13/12h", "a*1/2h", "3·1/2s²", r'"1/2 s b"', "1 + 13/12h", "a/3/2h"])
def test_two_readings(text: str) -> None:
    assert codes(parse_formula, text) == ["E0105"]


@pytest.mark.parametrize(
    "text", ["1/2", "1/(2h)", "(1/2)h", "s/6h", "2s/9h", "1/h", "3/4*h", "1/2/h", "(13)/12h", '"1/{2h}"']
)
def test_one_reading(text: str) -> None:
    assert codes(parse_formula, text) == []


@pytest.mark.parametrize("name", ["E", "I", "S", "N", "O", "Q", "beta", "lambda", "λ", "at", "for", "σ_2"])
def test_ordinary_names(name: str) -> None:
    assert read(parse_formula, name) == ast.Name(name)
    assert read(parse_formula, f"2{name} + 1").left == ast.Juxtaposed((number(2), ast.Name(name)))


def test_calls_and_products() -> None:
    assert isinstance(read(parse_formula, "sbh(1 + x)"), ast.Call)
    assert isinstance(read(parse_formula, "sbh (1 + x)"), ast.Juxtaposed)
    assert isinstance(read(parse_formula, "2(1 + x)"), ast.Juxtaposed)
    assert isinstance(read(parse_formula, "h²(1 + x)"), ast.Juxtaposed)
    assert isinstance(read(parse_formula, "h^n(1 + x)"), ast.Juxtaposed)


def test_numbers_are_exact() -> None:
    assert read(parse_formula, "3.35").value == Fraction(67, 20)
    assert read(parse_formula, "1e-3").value == Fraction(1, 1000)
    assert read(parse_formula, "2E") == ast.Juxtaposed((number(2), ast.Name("E")))
    assert read(parse_formula, "2E-3").operator == "-"


# --------------------------------------------------------------------------- statements and fragments


def test_statement_words_are_ordinary_names_elsewhere() -> None:
    for word in ("view", "cost", "cache", "param", "region", "dim", "let", "keep", "tile", "free"):
        assert read(parse_statement, f"{word} = x").targets[0].name == word
        assert read(parse_statement, f"{word}[s,b] += x").targets[0].name == word


def test_newlines_inside_brackets_are_blanks() -> None:
    one = read(parse_file, "block f(x[s,b]) -> y {\n y = sum(x[s,b] * w[b])\n}\n")
    other = read(parse_file, "block f(x[s,\n b]) -> y {\n y = sum(x[s,b] # why\n\n * w[b])\n}")
    assert one == other


def test_line_ends_do_not_matter() -> None:
    text = 'dim s "x"\n\n# note\nblock f(x[s]) -> y {\n y = x\n}\n'
    files = [read(parse_file, text.replace("\n", end)) for end in ("\n", "\r\n", "\r")]
    assert files[0] == files[1] == files[2]
    assert read(parse_file, text.strip("\n")) == files[0]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "\n\n  # a\n\n"])
def test_empty_files(text: str) -> None:
    assert read(parse_file, text).declarations == ()


def test_target_indices() -> None:
    plain = read(parse_statement, "y[s, ...] = x")
    assert plain.targets[0].indices == plain.target_access == (S, ast.Dots())
    affine = read(parse_statement, "y[s, 2i + 1] = x")
    assert affine.targets[0].indices is None
    assert affine.target_access is not None
    whole = read(parse_statement, "y: fp32 = x")
    assert whole.target_access is None
    assert whole.targets[0].dtype == "fp32"
    scalar = read(parse_statement, "y[] = sum(x[s])")
    assert scalar.target_access == ()


def test_guards_are_chains() -> None:
    guards = read(parse_statement, "y = x where s - w < t <= s, i = j").guards
    assert [(print_expr(g.left), g.relation, print_expr(g.right)) for g in guards] == [
        ("s - w", "<", "t"),
        ("t", "<=", "s"),
        ("i", "=", "j"),
    ]


def test_clauses() -> None:
    claim = read(
        parse_claim,
        "claim not big: saved(x) per token ~ F within 1% when a = b at C1, C2, s = 3 on m under paper "
        'for f, g free reading t as tp for s -> ∞ for h >> s off by -2h from "P"',
    )
    assert claim.negated
    assert claim.name == "big"
    assert isinstance(claim.left, ast.Per)
    kinds = [clause.kind for clause in claim.clauses]
    assert kinds == ["within", "when", "at", "on", "under", "free", "reading", "limit", "regime", "off", "from"]
    assert claim.clauses[0].exprs[0].value == Fraction(1, 100)
    assert claim.clauses[2].names == ("C1", "C2")
    assert claim.clauses[7].bindings[0].value == ast.Name("oo")


def test_the_word_claim_may_be_left_out_of_an_argument() -> None:
    assert read(parse_claim, "saved(layer) = 34sbh") == read(parse_claim, "claim saved(layer) = 34sbh")


def test_fragments() -> None:
    assert read(parse_subject, "layer") == ast.Name("layer")
    assert read(parse_subject, "gpt.layer.S") == ast.Path(("gpt", "layer", "S"))
    assert read(parse_subject, "gpt{fused attention.core tile s = Br, s = 1}").braces == read(
        parse_braces, "{fused attention.core tile s = Br, s = 1}"
    )
    assert [b.name for b in read(parse_bindings, "s=1,t=4h")] == ["s", "t"]
    assert read(parse_bindings, "") == ()
    assert [(f.name, f.exponent) for f in read(parse_unit, "TFLOP/s^2")] == [("TFLOP", 1), ("s", -2)]
    assert read(parse_quantity, "80 GB").unit[0].name == "GB"


def test_every_node_knows_its_place() -> None:
    text = "block f(x[s]) -> y {\n  y[s]: fp32 = x[s] / sqrt(d) where t <= s\n}\n"
    definition = read(parse_file, text).declarations[0]
    assert definition.name_span.text == "f"
    assign = definition.body[0]
    assert assign.span.text == "y[s]: fp32 = x[s] / sqrt(d) where t <= s"
    assert assign.value.right.span.text == "sqrt(d)"
    assert assign.guards[0].span.text == "t <= s"


# --------------------------------------------------------------------------- errors and bounds


def test_what_is_sound_is_kept() -> None:
    sink = Sink()
    file = parse_file(Source("text", "dim s\ndim =\nblock f(x) -> y {\n y = + * x\n z = x\n}\ndim b\n"), sink)
    assert [type(d).__name__ for d in file.declarations] == ["Dim", "Definition", "Dim"]
    assert len(file.declarations[1].body) == 1
    assert len(sink.errors) == 2


@pytest.mark.parametrize("text", ["}\n1", "}", "}\n}\ndim s\n}", "block f(x) -> y { y = x }}\ndim s", "{}\n}"])
def test_braces_too_many(text: str) -> None:
    sink = Sink()
    file = parse_file(Source("text", text), sink)
    assert {d.kind.code for d in sink.found} == {"E0101"}
    assert len(sink.found) <= text.count("}") + text.count("1")
    assert ("dim" in text) == (ast.Dim("s") in file.declarations)


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    codes(parse_file, "dim = 1")
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("let u = " + "(" * 10_000_000, "E0109"),
        ("let u = " + "-" * 100_000 + "s", "E0109"),
        ("let u = " + "{" * 100_000, "E0101"),
        ('let u = "' + "{" * 100_000 + '"', "E0109"),
        ("let u = " + "+".join(["s"] * 100_000), "E0109"),
        ("let u = s" + "^s" * 100_000, "E0109"),
        ("let u = " + "9" * 1_000_000, "E0110"),
        ("let u = 1e99999999", "E0110"),
        ("let u = 2^2^2^2^99", "E0112"),
        ("let u = (10^300)^(10^300)", "E0112"),
        ("let u = s⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹", "E0112"),
        ("dim " + "x" * 1_000_000, "E0111"),
        ("block f(x) -> y {\n" * 100_000, "E0101"),
        ("repeat " * 100_000, "E0101"),
        ('"' * 1_000_001, "E0101"),
        ("#" * 3_000_000 + "\n@", "E0113"),
        ("machine m {\n a = 1 s^999999999999\n}", "E0112"),
    ],
    ids=range(17),
)
def test_hostile_input_ends_quickly(text: str, code: str) -> None:
    begin = time.perf_counter()
    found = codes(parse_file, text)
    assert found[0] == code
    assert time.perf_counter() - begin < 5


def test_number_of_tokens() -> None:
    assert codes(parse_file, "dim s\n" * 10, Limits(tokens=20)) == ["E0108"]
    assert codes(parse_file, "dim s\n" * 10, Limits(tokens=40)) == []


def test_time_grows_linearly() -> None:
    def seconds(count: int) -> float:
        text = "block f(x[s]) -> y {\n" + "  y[s,b] = sum(x[s,h] * w[h,b]) + c[b]\n" * count + "}\n"
        begin = time.process_time()
        read(parse_file, text)
        return time.process_time() - begin

    seconds(100)
    assert seconds(4000) < 4 * 3 * max(seconds(1000), 0.02)


@pytest.mark.parametrize(
    ("start", "item", "end"),
    [("", "dim s{}\n", ""), ("let a = 1", " s", ""), ("config c {", " s{} = 1,", " t = 1 }"), ("claim s =", " s", "")],
)
def test_long_lists_take_linear_time(start: str, item: str, end: str) -> None:
    def seconds(count: int) -> float:
        long = start + "".join(item.format(number) for number in range(count)) + end + "\n"
        begin = time.process_time()
        read(parse_file, long)
        return time.process_time() - begin

    seconds(100)
    assert seconds(24000) < 8 * 3 * max(seconds(3000), 0.02)
