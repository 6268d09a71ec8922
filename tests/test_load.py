"""Loading: what a `use` may reach, what is in force afterwards, and every E02xx diagnostic."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from roofdsl.diagnostics import Kind, RoofError, Sink
from roofdsl.errors import names
from roofdsl.ir.library import Library
from roofdsl.passes import gather
from roofdsl.passes.find import BASE_FILES, find_spec, spec_files, specs_root
from roofdsl.passes.listing import list_specs, load_operators
from roofdsl.passes.load import find_machine, load, load_named, machine_names
from roofdsl.passes.names import suggest
from roofdsl.source import Source


def codes(sink: Sink) -> list[str]:
    return [diagnostic.kind.code for diagnostic in sink.found]


def library_of(text: str, *, mentions: str = "") -> Library:
    sink = Sink()
    library = load(Source("main.roof", text), sink, folder=None, mentions=mentions)
    assert codes(sink) == []
    return library


def found_in(text: str, folder: Path | None = None) -> Sink:
    sink = Sink()
    load(Source("main.roof", text), sink, folder=folder)
    return sink


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.roof").write_text(text)
    return folder


def test_base_is_in_force_without_use() -> None:
    library = library_of("dim s\n")
    assert {"bf16", "fp32", "mask"} <= library.dtypes.keys()
    assert {"activations": "bf16", "params": "bf16"}.items() <= library.defaults.items()
    assert {"add", "exp", "step"} <= library.scalars.keys()
    assert "adam" in library.optimizers
    assert "paper" in library.conventions
    assert library.definitions == {}


def test_block_formats_have_exact_bits() -> None:
    library = library_of("dtype odd = 4 bit + 8 bit per 32 + 3 bit per 7\n")
    assert library.dtypes["odd"].bits == Fraction(131, 28)
    assert library.dtypes["int32"].integer
    assert not library.dtypes["fp32"].integer


def test_only_mentioned_operators_are_parsed() -> None:
    text = 'use "ops"\ndim s\nblock x(a[s]) -> y {\n    y = softmax(a)    # not gelu\n}\n'
    assert set(library_of(text).definitions) == {"x", "softmax"}


def test_operators_nobody_mentions_are_offered_as_suggestions() -> None:
    library = library_of('use "ops"\n', mentions="gelu")
    assert {"softmax", "layernorm"} <= set(library.offered)
    assert "gelu" not in library.offered


def test_mentions_count_as_text_of_the_file() -> None:
    assert set(library_of('use "ops"\n', mentions="flops(relu)").definitions) == {"relu"}


def test_mentioned_operators_keep_their_lines() -> None:
    library = library_of('use "ops"\n', mentions="rmsnorm")
    span = library.definitions["rmsnorm"].name_span
    line, column = span.source.position(span.start)
    text = (specs_root() / "ops" / "norms.roof").read_text().splitlines()
    assert text[line - 1][column - 1 :].startswith("rmsnorm")


def test_order_is_that_of_declaration_used_files_first(tmp_path: Path) -> None:
    write(tmp_path, parts="dim z\nlet y = 2z\ndim x\n")
    sink = Sink()
    library = load(Source("main.roof", 'dim c\nlet b = c\nuse "./parts.roof"\ndim a\n'), sink, folder=tmp_path)
    assert sink.found == []
    assert library.symbols == ("z", "x", "c", "a", "y", "b")


def test_one_dim_in_two_files_is_one_symbol(tmp_path: Path) -> None:
    write(tmp_path, parts="dim s\nlet t = s\n")
    assert found_in('use "./parts.roof"\ndim s "length"\nlet t = s\n', tmp_path).found == []
    assert codes(found_in('use "./parts.roof"\ndim s >= 0\n', tmp_path)) == ["E0202"]


def test_claims_are_only_those_of_the_root(tmp_path: Path) -> None:
    write(tmp_path, parts="dim s\nblock p(x[s]) -> y {\n    y[s] = x[s] + 1\n}\nclaim flops(p) = s\n")
    sink = Sink()
    library = load(Source("main.roof", 'use "./parts.roof"\nclaim params(p) = 0\n'), sink, folder=tmp_path)
    assert len(library.claims) == 1
    assert "p" in library.definitions


@pytest.mark.parametrize(
    ("text", "code", "marked"),
    [
        ("dim s\nlet s = 2\n", "E0202", "s"),
        ("dim s\ndim s\n", "E0202", "s"),
        ("dim s\nop p(x[s]) -> y {\n    y[s] = x[s]\n}\nmodel p = p\n", "E0202", "p"),
        ("config c { s = 1 }\nconfig c { s = 2 }\n", "E0202", "c"),
        ("dim flops\n", "E0203", "flops"),
        ("dim sqrt\n", "E0203", "sqrt"),
        ("block saved(x[s]) -> y {\n    y[s] = x[s]\n}\n", "E0203", "saved"),
        ("default params bf61\n", "E0201", "bf61"),
        ('use "opps"\ndim s\n', "E0204", '"opps"'),
        ('use "./parts.roof"\ndim s\n', "E0206", '"./parts.roof"'),
        ('use "../../etc/passwd"\ndim s\n', "E0206", '"../../etc/passwd"'),
        ('use "/etc/passwd"\ndim s\n', "E0206", '"/etc/passwd"'),
    ],
)
def test_faults_of_one_text(text: str, code: str, marked: str) -> None:
    sink = found_in(text)
    assert codes(sink) == [code]
    assert sink.found[0].primary.span.text == marked


def test_duplicates_show_both_places() -> None:
    (diagnostic,) = found_in("dim s\nlet s = 2\n").found
    first, second = diagnostic.secondary[0].span, diagnostic.primary.span
    assert (first.start, second.start) == (4, 10)


def test_own_definition_hides_the_librarys_with_a_note() -> None:
    text = 'use "ops"\nop softmax(x[..., i]) -> y {\n    y[..., i] = x[..., i]\n}\n'
    sink = Sink()
    library = load(Source("main.roof", text), sink, folder=None)
    assert codes(sink) == ["N0201"]
    assert library.definitions["softmax"].span.source.name == "main.roof"


def test_cycle_is_shown_as_a_chain(tmp_path: Path) -> None:
    write(tmp_path, main='use "./b.roof"\n', b='use "./c.roof"\n', c='use "./main.roof"\n')
    sink = Sink()
    load_named(str(tmp_path / "main.roof"), sink)
    assert codes(sink) == ["E0205"]
    assert sink.found[0].primary.text == "main.roof → b.roof → c.roof → main.roof"


def test_a_file_used_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, a='use "./c.roof"\n', b='use "./c.roof"\n', c="dim s\n")
    assert found_in('use "./a.roof"\nuse "./b.roof"\n', tmp_path).found == []


def test_symbolic_links_may_not_lead_outside(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    (inside / "shelf").mkdir(parents=True)
    write(tmp_path, hidden="dim s\n")
    (inside / "link.roof").symlink_to(tmp_path / "hidden.roof")
    (inside / "shelf" / "link.roof").symlink_to(tmp_path / "hidden.roof")
    assert codes(found_in('use "./link.roof"\n', inside)) == ["E0206"]
    assert codes(found_in('use "./shelf"\n', inside)) == ["E0206"]
    assert codes(found_in('use "../hidden.roof"\n', inside)) == ["E0206"]
    assert codes(found_in('use "./../inside/missing.roof"\n', inside)) == ["E0204"]


def test_links_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "circle.roof").symlink_to(shelf / "circle.roof")
    assert codes(found_in('use "./shelf"\n', tmp_path)) == ["E0210"]
    assert codes(found_in('use "./shelf/circle.roof"\n', tmp_path)) == ["E0204"]


def test_imports_are_bounded(tmp_path: Path) -> None:
    for number in range(gather.MAX_DEPTH + 2):
        (tmp_path / f"f{number}.roof").write_text(f'use "./f{number + 1}.roof"\n')
    assert codes(found_in('use "./f0.roof"\n', tmp_path)) == ["E0207"]


def test_folders_are_parsed_as_mentioned(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    write(folder, a="op one(x[...]) -> y {\n    y[...] = x[...]\n}\nop two(x[...]) -> y {\n  syntax error here\n}\n")
    write(folder, sizes="dim q\nlet r = 2q\n")
    sink = Sink()
    library = load(Source("main.roof", 'use "./mine"\nblock b(x[q]) -> y { y = one(x) }\n'), sink, folder=tmp_path)
    assert sink.found == []
    assert set(library.definitions) == {"one", "b"}
    assert library.symbols == ("q", "r")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"dim s # caf\xe9\n", "E0208"),
        ("dim s\n".encode("utf-16"), "E0208"),
        (b"", "E0211"),
        (b"# only this\n", "E0211"),
        (b" \n# this\n\n\t# and this", "E0211"),
        (b"dim s\n" * 1_000_000, "E0209"),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "x.roof"
    path.write_bytes(data)
    with pytest.raises(RoofError) as caught:
        load_named(str(path), Sink())
    assert [d.kind.code for d in caught.value.diagnostics] == [code]


def test_junk_alone_is_a_syntax_error(tmp_path: Path) -> None:
    path = tmp_path / "x.roof"
    path.write_text(")))\n\x01\n= 3\n")
    sink = Sink()
    load_named(str(path), sink)
    assert codes(sink) == ["E0101", "E0102", "E0101"]


def test_the_first_bad_byte_is_pointed_at(tmp_path: Path) -> None:
    path = tmp_path / "x.roof"
    path.write_bytes("dim é\n# ".encode() + b"\xe9\n")
    with pytest.raises(RoofError) as caught:
        load_named(str(path), Sink())
    span = caught.value.diagnostics[0].primary.span
    assert span.source.position(span.start) == (2, 3)


@pytest.mark.parametrize("text", ["\ufeffdim s\n", "dim s\r\nlet t = s\r\n"])
def test_byte_order_mark_and_carriage_returns_are_fine(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.roof"
    path.write_bytes(text.encode())
    sink = Sink()
    _, library = load_named(str(path), sink)
    assert sink.found == []
    assert "s" in library.dims


@pytest.mark.parametrize("name", ["nowhere.roof", "gtp3", "/dev/null", "/", "a\0b", "x" * 5000])
def test_what_cannot_be_read_is_a_diagnostic(name: str) -> None:
    with pytest.raises(RoofError) as caught:
        load_named(name, Sink())
    assert [d.kind.code for d in caught.value.diagnostics] == ["E0210"]


def test_missing_spec_is_suggested() -> None:
    with pytest.raises(RoofError) as caught:
        load_named("gtp3", Sink())
    assert caught.value.diagnostics[0].helps == ("did you mean `gpt3`?",)


def test_specs_are_found_by_name_only_inside_specs() -> None:
    assert find_spec("gpt3") == specs_root() / "models" / "gpt3.roof"
    assert find_spec("machines/h100_sxm") == specs_root() / "machines" / "h100_sxm.roof"
    assert find_spec("korthikanti_2022") is not None
    assert all(find_spec(name) is not None for name in BASE_FILES)
    assert [find_spec(name) for name in ("nowhere", "../specs/scalar", "/etc/passwd", "", ".", "ops")] == [None] * 6


@pytest.mark.parametrize("path", spec_files(), ids=lambda path: path.stem)
def test_every_shipped_file_loads_clean(path: Path) -> None:
    sink = Sink()
    load_named(str(path), sink)
    assert codes(sink) == []


def test_machines_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    library = library_of('machine mine "own" {\n    peak special = 1 TFLOP/s\n}\n')
    sink = Sink()
    mine, shipped = (find_machine(library, name, sink) for name in ("mine", "h100_sxm"))
    assert mine is library.machines["mine"]
    assert shipped is not None
    assert shipped.name == "h100_sxm"
    write(tmp_path, box="machine laptop { peak special = 1 TFLOP/s }\n")
    by_path = find_machine(library, str(tmp_path / "box.roof"), sink)
    assert by_path is not None
    assert by_path.name == "laptop"
    assert sink.found == []
    assert {"mine", "h100_sxm"} <= set(machine_names(library))
    assert find_machine(library, "h100_smx", sink) is None
    assert [d.helps for d in sink.found] == [("did you mean `h100_sxm`?",)]


def test_listing_names_what_ships() -> None:
    listed = {spec.name: spec for spec in list_specs()}
    assert "attention" in listed["models/gpt3"].of_kind("block")
    assert "gpt_flash" in listed["models/gpt3"].of_kind("model")
    assert "gpt3_175b" in listed["models/gpt3"].of_kind("config")
    assert listed["ops/norms"].of_kind("op")[:2] == ("layernorm", "rmsnorm")
    assert listed["ops/dropout"].of_kind("op") == ("dropout",)
    assert listed["papers/korthikanti_2022"].claims > 10
    assert all(spec.about for spec in listed.values())


def test_all_operators_load() -> None:
    sink = Sink()
    library = load_operators(sink)
    assert sink.found == []
    shipped = {name for spec in list_specs() if spec.name.startswith("ops/") for name in spec.of_kind("op")}
    assert set(library.definitions) == shipped


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("layrnorm", "layernorm"),
        ("softmx", "softmax"),
        ("Softmax", "softmax"),
        ("lyaernorm", "layernorm"),
        ("v", "V"),
        ("q", None),
        ("transformer", None),
    ],
)
def test_suggestions(name: str, meant: str | None) -> None:
    assert suggest(name, ("softmax", "layernorm", "gelu", "V", "s")) == meant


def test_every_kind_of_diagnostic_has_a_program_or_a_test_here() -> None:
    folder = Path(__file__).parent / "errors"
    shown = {path.stem.split("_")[0] for path in (*folder.glob("E02*.roof"), *folder.glob("N02*.roof"))}
    declared = {kind.code for kind in vars(names).values() if isinstance(kind, Kind)}
    assert declared - shown == {"E0207", "E0209", "E0210"}  # many files, a huge one, none at all: above
