"""Writes small GGUF and safetensors heads for tests: the formats as their descriptions have them, no library needed."""

from __future__ import annotations

import json
import struct
from math import prod

GGUF_TYPES = {bool: 7, int: 4, float: 6, str: 8}


def gguf_string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def gguf_value(value) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + gguf_string(value)
        case list():
            kind = GGUF_TYPES[type(value[0])]
            items = b"".join(gguf_value(item)[4:] for item in value)
            return struct.pack("<IIQ", 9, kind, len(value)) + items
    raise TypeError(value)


def gguf(
    metadata: dict, tensors: dict[str, tuple[int, ...]], format_code: int | dict[str, int] = 1, version: int = 3
) -> bytes:
    """A head; shapes have the innermost extent first, as the format has them."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    head += b"".join(gguf_string(key) + gguf_value(value) for key, value in metadata.items())
    for name, shape in tensors.items():
        code = format_code if isinstance(format_code, int) else format_code[name]
        head += gguf_string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, code, 0)
    return head


def safetensors_header(tensors: dict[str, tuple[int, ...]], dtype: str = "BF16", width: int = 2) -> dict:
    """Tensors one after the other."""
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in tensors.items():
        size = prod(shape) * width
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [offset, offset + size]}
        offset += size
    return header


def safetensors(header: object, data: int = 0) -> bytes:
    """A file of a header and so many bytes of zeros."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(data)
