"""What an import starts from: a `config.json`, a GGUF file, or a folder that holds a `config.json` and its weights."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

from roofdsl.diagnostics import fail
from roofdsl.errors.importing import BAD_SAFETENSORS, NO_ARCHITECTURE, NOT_JSON, OUT_OF_BOUNDS
from roofdsl.errors.names import CANNOT_READ, NOT_UTF8
from roofdsl.importing.bounds import BOUNDS
from roofdsl.importing.fields import Fields, kind_of, walk
from roofdsl.importing.gguf import MAGIC, read_gguf
from roofdsl.importing.json_text import Value, read_json
from roofdsl.importing.safetensors import read_safetensors
from roofdsl.importing.weights import Stored
from roofdsl.source import Source, Span


@dataclass(frozen=True, slots=True)
class Input:
    """`architecture` and the place it stands; `types` are model types to look for if no table has the architecture's
    name; `tensors` None if no weights came along; `kind` is the format of the very file that was named, where
    that holds the weights.
    """

    name: str
    fields: Fields
    architecture: str
    types: tuple[str, ...]
    place: Span
    tensors: tuple[Stored, ...] | None
    kind: str = ""


def read_input(path: Path, weights: tuple[Path, ...] = ()) -> Input:
    """Read what is named; raises `RoofError` (E0208, E0901 to E0910) if nothing can be made of it."""
    given = path
    if path.is_dir():
        weights = weights or tuple(sorted(path.glob("*.safetensors")))
        path = path / "config.json"
    _check_file(path)
    with path.open("rb") as stream:
        is_gguf = stream.read(4) == MAGIC
    if is_gguf or path.suffix == ".gguf":
        return _from_gguf(path)
    if path.suffix == ".safetensors":
        helps = ("name its folder, or `config.json --weights` with this file",)
        fail(NO_ARCHITECTURE, _argument(path), "tensors alone do not say what model they are of", helps=helps)
    stored = tuple(tensor for file in weights for tensor in read_weights(file)) if weights else None
    return _from_config(path, given, stored)


def read_weights(path: Path) -> tuple[Stored, ...]:
    """The tensors of a safetensors or GGUF file."""
    _check_file(path)
    if path.suffix == ".gguf":
        return read_gguf(path, _argument(path)).tensors
    return read_safetensors(path, _argument(path))


def _check_file(path: Path) -> None:
    """A device or a pipe is refused unread."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            fail(CANNOT_READ, _argument(path), f"{path} is not a regular file")
        with path.open("rb"):
            pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        fail(CANNOT_READ, _argument(path), f"{path}: {reason}")


def _from_gguf(path: Path) -> Input:
    found = read_gguf(path, _argument(path))
    value = walk(found.fields, ("general", "architecture"))
    if value is None or not isinstance(value.content, str):
        fail(NO_ARCHITECTURE, _argument(path), "no general.architecture")
    architecture = f"gguf:{value.content}"
    return Input(_stem(path, path), Fields(found.fields), architecture, (), value.span, found.tensors, kind="gguf")


def _from_config(path: Path, given: Path, tensors: tuple[Stored, ...] | None) -> Input:
    root = read_json(_text(path))
    if root.object is None:
        fail(NOT_JSON, root.span, "not an object", expected="the fields of a config.json", found=kind_of(root.content))
    if "weight_map" in root.object:
        fail(BAD_SAFETENSORS, root.span, "an index of weights, not a configuration", expected="config.json")
    named = _architectures(root)
    kind = root.object.get("model_type")
    types = (kind.content,) if kind is not None and isinstance(kind.content, str) else ()
    fields = Fields(root)
    if named is not None:
        return Input(_stem(path, given), fields, str(named.content), types, named.span, tensors)
    if kind is None or not types:
        fail(NO_ARCHITECTURE, fields.beginning, "neither `architectures` nor `model_type`")
    return Input(_stem(path, given), fields, "", types, kind.span, tensors)


def _architectures(root: Value) -> Value | None:
    value = (root.object or {}).get("architectures")
    if value is None or not isinstance(value.content, tuple) or not value.content:
        return None
    if len(value.content) > 1:
        fail(NO_ARCHITECTURE, value.span, "several architectures", expected="one", found=str(len(value.content)))
    return value.content[0] if isinstance(value.content[0].content, str) else None


def _text(path: Path) -> Source:
    with path.open("rb") as stream:
        data = stream.read(BOUNDS.config_bytes + 1)
    if len(data) > BOUNDS.config_bytes:
        fail(
            OUT_OF_BOUNDS, _argument(path), "too large to be a configuration", expected=f"{BOUNDS.config_bytes:,} bytes"
        )
    try:
        return Source(str(path), data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        fail(NOT_UTF8, _argument(path), f"byte {error.start} is not UTF-8", expected="UTF-8")


def _stem(path: Path, given: Path) -> str:
    """What the import is called: the file, or the folder that has the `config.json`."""
    if path.name == "config.json":
        return (given if given.is_dir() else path.parent).resolve().name or "imported"
    return path.stem


def _argument(path: Path) -> Span:
    source = Source("argument", str(path))
    return Span(source, 0, len(source.text))
