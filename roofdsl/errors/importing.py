"""E09xx: a model's files (config.json, GGUF, safetensors) cannot be turned into text of the language. Exit code 1."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

NOT_JSON = Kind(
    "E0901",
    "this is not JSON",
    """`roofdsl import` reads a `config.json` strictly as RFC 8259 has it: no comments, no trailing commas, no `NaN` or
`Infinity`, and no name twice in one object, since readers differ in which of the two they take.""",
)

OUT_OF_BOUNDS = Kind(
    "E0902",
    "beyond the bounds of an import",
    """Files are data from elsewhere, so their size, nesting, counts and numbers are bounded: a file beyond a bound gets
this message at once rather than hours of work. Real files of models stay far below every bound.""",
)

UNKNOWN_ARCHITECTURE = Kind(
    "E0903",
    "no shipped model has this architecture",
    """The architecture is read from `architectures`, else `model_type`, and looked up in the tables of `specs/import/`.
A new one is a table of a few lines of text that says which field is which dim, and a model in `specs/models/`.
Nothing is guessed from fields that look alike: two architectures may use one name for different things.""",
)

UNKNOWN_FIELD = Kind(
    "E0904",
    "a field that is not understood",
    """Every field of the configuration must be one that a table reads, or one that it names as having no influence on
work, traffic, parameters or memory. A field that is neither could change the cost, so nothing is written. If you know
that it does not matter, say so: `--ignore NAME`. It may be given several times.""",
)

UNSUPPORTED_VALUE = Kind(
    "E0905",
    "a value that the shipped model does not have",
    """The field is understood, and this value means a model of another shape than the one that ships for this
architecture: another activation, biases elsewhere, another pattern of layers. Import a configuration with the value
that is expected, or write the variant as text: `roofdsl specs` names the file to start from.""",
)

MISSING_FIELD = Kind(
    "E0906",
    "a field that is needed is missing",
    """The cost depends on this field and the file does not have it. What frameworks fill in for an absent field is used
only where a table of `specs/import/` says what it is.""",
)

BAD_GGUF = Kind(
    "E0907",
    "not a GGUF file as its format has it",
    """A GGUF file begins with the letters GGUF, a version (2 or 3), counts, and then metadata and tensor descriptions,
each with its length. Only this head is read. The message says where it breaks off or contradicts itself.""",
)

BAD_SAFETENSORS = Kind(
    "E0908",
    "not a safetensors file as its format has it",
    """A safetensors file begins with the length of its header (8 bytes, little-endian) and the header, a JSON object from
tensor names to `dtype`, `shape` and `data_offsets`. Only the header is read; the bytes of every tensor must follow from
its shape and dtype.""",
)

COUNT_DIFFERS = Kind(
    "E0909",
    "the weights do not add up to the derived parameters",
    """The tensors of the weights file were counted, and what is known to be stored though it is no parameter (rotary
tables, masks, block scales, a tied matrix twice) was set aside. The rest is not the number derived from the model, so
the configuration and the weights do not belong together, or the shipped model is not this one.""",
)

NO_ARCHITECTURE = Kind(
    "E0910",
    "the file does not say what architecture it is",
    """A `config.json` has `"architectures": ["LlamaForCausalLM"]` or `"model_type": "llama"`, a GGUF file
`general.architecture`. Without it nothing says what its fields mean.""",
)
