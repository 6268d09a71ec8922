"""Files of strangers: whatever is in them, an import ends quickly in a diagnostic and never in a traceback."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roofdsl.cli import app, codes
from roofdsl.diagnostics import RoofError
from roofdsl.importing.gguf import read_gguf
from roofdsl.importing.json_text import Value, read_json
from roofdsl.importing.safetensors import read_safetensors
from roofdsl.source import NOWHERE, Source
from tests.configs import CONFIGS
from tests.weights_files import gguf, safetensors, safetensors_header

LLAMA = {
    "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 96, "vocab_size": 100, "max_position_embeddings": 32,
}  # fmt: skip


def said(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes | str | object, name: str = "config.json"):
    """Exit code and message of an import of a file with this content."""
    path = tmp_path / name
    if not isinstance(data, bytes):
        data = (data if isinstance(data, str) else json.dumps(data)).encode()
    path.write_bytes(data)
    code = app.run(["import", str(path)])
    done = capsys.readouterr()
    assert "Traceback" not in done.err
    return code, done.err


BROKEN_JSON = [
    '{"a": NaN}', '{"a": -Infinity}', '{"a": infinity}', '{"a": 1, "a": 2}', '{"a": 1,}', "[1,]", "", "{", '{"a"',
    '{"a":}', '"abc', "{'a': 1}", "[1 2]", "{} {}", '{"a": 01}', '{"a": 1.}', '{"a": +1}', '{"a": .5}', '{"a": 0x10}',
    '{"a": "\n"}', '{"a": "\\x"}', '{"a": "\\ud800"}', "// no\n{}", "null", "[]", '"x"', "{\x00}", '{"a": nul}', "{,}",
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN_JSON)
def test_what_is_not_json(text: str, tmp_path: Path, capsys) -> None:
    code, message = said(tmp_path, capsys, text)
    assert code == codes.WRONG
    assert "E0901" in message


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"hidden_size": ' + "9" * 5000 + "}",
        '{"hidden_size": 1e999999999}',
        '{"hidden_size": 1E-999999999}',
        json.dumps(LLAMA | {"hidden_size": 10**30}),
        json.dumps(LLAMA | {"num_hidden_layers": 10**16}),
        '{"a": "' + "x" * 5_000_000 + '"}',
    ],
    ids=["lists", "objects", "digits", "exponent", "small exponent", "huge size", "huge layers", "huge file"],
)
def test_what_is_beyond_a_bound(text: str, tmp_path: Path, capsys) -> None:
    code, message = said(tmp_path, capsys, text)
    assert code == codes.WRONG
    assert "E0902" in message


@pytest.mark.parametrize("value", [-1, 0.5, "64", True, [64], {"a": 1}, 1e-400 + 0.25, float("inf")])
def test_a_size_that_is_no_size(value: object, tmp_path: Path, capsys) -> None:
    code, message = said(tmp_path, capsys, LLAMA | {"intermediate_size": value})
    assert code == codes.WRONG
    assert "E0905" in message


def test_no_division_by_zero(tmp_path: Path, capsys) -> None:
    code, message = said(tmp_path, capsys, LLAMA | {"num_attention_heads": 0})
    assert code == codes.WRONG
    assert "E06" in message or "E09" in message


def test_text_of_the_file_cannot_leave_a_comment(tmp_path: Path, capsys) -> None:
    path = tmp_path / "a\nmodel x = y\n#.json"
    path.write_text(json.dumps(LLAMA), encoding="utf-8")
    assert app.run(["import", str(path)]) == codes.FINE
    out = capsys.readouterr().out
    assert "\nmodel x = y" not in out


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}\x00", b"\x80\x81", b"{\xc3\x28}"])
def test_bytes_that_are_no_text(data: bytes, tmp_path: Path, capsys) -> None:
    code, message = said(tmp_path, capsys, data)
    assert code == codes.WRONG
    assert "UTF-8" in message


def test_a_pipe_is_not_opened(tmp_path: Path, capsys) -> None:
    os.mkfifo(tmp_path / "config.json")
    assert app.run(["import", str(tmp_path)]) == codes.WRONG
    assert "not a regular file" in capsys.readouterr().err


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**38), 10**38) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def plain(value: Value) -> object:
    match value.content:
        case tuple():
            return [plain(item) for item in value.content]
        case dict():
            return {name: plain(item) for name, item in value.content.items()}
        case other:
            return other


@given(JSON, st.sampled_from([None, 1]))
def test_reads_what_the_standard_library_writes(value: object, indent: int | None) -> None:
    assert plain(read_json(Source("x", json.dumps(value, indent=indent)))) == value


@given(st.text(alphabet='{}[]:,"\\ntrueNa1.e- \n', max_size=40))
def test_reads_what_the_standard_library_reads(text: str) -> None:
    try:
        mine = plain(read_json(Source("x", text)))
    except RoofError:
        return
    assert mine == json.loads(text)


ANYTHING = st.sampled_from(
    [None, True, 0, -1, 7, 0.5, 1e300, 2**63, 10**14, "", "auto", "gelu", [], ["full_attention"], [[]], {}, {"a": 1}]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(CONFIGS)))
def test_any_value_in_any_field(data: st.DataObject, name: str, tmp_path: Path) -> None:
    """An import, or a diagnostic."""
    fields = data.draw(st.sets(st.sampled_from(sorted(CONFIGS[name])), min_size=1, max_size=3))
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIGS[name] | {field: data.draw(ANYTHING) for field in fields}), encoding="utf-8")
    assert app.run(["import", str(path)]) in (codes.FINE, codes.WRONG)


# ---------------------------------------------------------------------------------------------- GGUF

GOOD = gguf(
    {"general.architecture": "llama", "llama.block_count": 2, "tokenizer.ggml.tokens": ["a", "b"]}, {"t": (4, 3)}
)


def read(data: bytes, tmp_path: Path, reader=read_gguf):
    path = tmp_path / "file.bin"
    path.write_bytes(data)
    return reader(path, NOWHERE)


def code_of(data: bytes, tmp_path: Path) -> str | None:
    """The code of what is wrong with a file, None if nothing is; anything but a diagnostic fails the test."""
    try:
        read(data, tmp_path)
    except RoofError as error:
        return error.diagnostics[0].kind.code
    return None


def test_a_gguf_head_is_read(tmp_path: Path) -> None:
    found = read(GOOD, tmp_path)
    assert [(t.name, t.format, t.shape) for t in found.tensors] == [("t", "F16", (4, 3))]


@pytest.mark.parametrize("length", range(len(GOOD)))
def test_a_gguf_head_cut_anywhere(length: int, tmp_path: Path) -> None:
    with pytest.raises(RoofError) as caught:
        read(GOOD[:length], tmp_path)
    assert caught.value.diagnostics[0].kind.code == "E0907"


HUGE = 2**63
BAD_HEADS = {
    "version": b"GGUF" + struct.pack("<IQQ", 1, 0, 0),
    "big-endian": b"GGUF" + struct.pack(">IQQ", 3, 0, 0),
    "tensors": b"GGUF" + struct.pack("<IQQ", 3, HUGE, 0),
    "metadata": b"GGUF" + struct.pack("<IQQ", 3, 0, HUGE),
    "key length": b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, HUGE) + b"x" * 64,
    "string length": gguf({}, {})[:16]
    + struct.pack("<Q", 1)
    + struct.pack("<Q", 1)
    + b"k"
    + struct.pack("<IQ", 8, HUGE),
    "array length": gguf({}, {})[:16] + struct.pack("<QQ", 1, 1) + b"k" + struct.pack("<IIQ", 9, 4, HUGE),
    "array of arrays": gguf({}, {})[:16] + struct.pack("<QQ", 1, 1) + b"k" + struct.pack("<IIQIQ", 9, 9, 1, 9, 1),
    "type": gguf({}, {})[:16] + struct.pack("<QQ", 1, 1) + b"k" + struct.pack("<I", 77),
    "key twice": gguf({}, {})[:16]
    + struct.pack("<Q", 2)
    + 2 * (struct.pack("<Q", 1) + b"k" + struct.pack("<II", 4, 1)),
    "key below a value": gguf({"a": 1, "a.b": 2}, {}),
    "key that is no name": gguf({"a b\n": 1}, {}),
    "format": gguf({}, {"t": (1,)}, format_code=4),
    "axes": gguf({}, {"t": (1,) * 9}),
    "extent": gguf({}, {"t": (HUGE,)}),
}


@pytest.mark.parametrize("case", BAD_HEADS)
def test_gguf_heads_that_lie(case: str, tmp_path: Path) -> None:
    with pytest.raises(RoofError) as caught:
        read(BAD_HEADS[case], tmp_path)
    assert caught.value.diagnostics[0].kind.code in ("E0907", "E0902")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(at=st.integers(0, len(GOOD) - 1), other=st.binary(min_size=1, max_size=8))
def test_a_gguf_head_with_other_bytes(at: int, other: bytes, tmp_path: Path) -> None:
    data = GOOD[:at] + other + GOOD[at + len(other) :]
    assert code_of(data, tmp_path) in ("E0907", "E0902", None)


# ---------------------------------------------------------------------------------------------- safetensors


def test_a_safetensors_header_is_read(tmp_path: Path) -> None:
    shapes = {"a": (2, 3), "b": (), "c": (0, 4)}
    found = read(safetensors(safetensors_header(shapes), 14), tmp_path, read_safetensors)
    assert {t.name: t.shape for t in found} == shapes
    assert sum(t.elements for t in found) == 7


def entry(**changes: object) -> dict:
    return {"a": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]} | changes}


BAD_HEADERS = {
    "empty": b"",
    "length only": struct.pack("<Q", 10),
    "length huge": struct.pack("<Q", HUGE),
    "not JSON": safetensors(b"{'a'"),
    "not UTF-8": safetensors(b"\xff\xfe"),
    "a list": safetensors([]),
    "no shape": safetensors({"a": {"dtype": "F32", "data_offsets": [0, 0]}}),
    "an entry that is none": safetensors({"a": 1}),
    "dtype": safetensors(entry(dtype="F17"), 4),
    "dtype that is none": safetensors(entry(dtype=["F32"]), 4),
    "negative": safetensors(entry(shape=[-2]), 4),
    "huge extent": safetensors(entry(shape=[10**18]), 4),
    "axes": safetensors(entry(shape=[1] * 9), 4),
    "fraction": safetensors(entry(shape=[1.5]), 4),
    "bool": safetensors(entry(shape=[True]), 4),
    "offsets short": safetensors(entry(data_offsets=[0, 3]), 4),
    "offsets beyond": safetensors(entry(), 3),
    "offsets backwards": safetensors(entry(data_offsets=[4, 0]), 4),
    "offsets three": safetensors(entry(data_offsets=[0, 4, 8]), 8),
    "name twice": safetensors(b'{"a":{},"a":{}}'),
}


@pytest.mark.parametrize("case", BAD_HEADERS)
def test_safetensors_headers_that_lie(case: str, tmp_path: Path) -> None:
    with pytest.raises(RoofError) as caught:
        read(BAD_HEADERS[case], tmp_path, read_safetensors)
    assert caught.value.diagnostics[0].kind.code in ("E0908", "E0902", "E0901")


@pytest.mark.parametrize(
    "change",
    [{"num_attention_heads": 5}, {"num_key_value_heads": 3}, {"num_key_value_heads": 8}, {"head_dim": 0}],
    ids=["heads", "key heads", "more key heads", "no head"],
)
def test_heads_that_do_not_divide(change: dict, tmp_path: Path, capsys) -> None:
    code, message = said(tmp_path, capsys, LLAMA | change)
    assert code == codes.WRONG
    assert "E0611" in message or "E0612" in message
