"""E02xx: names that are unknown, taken or reserved, and files that cannot be found, read or imported."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

UNKNOWN_NAME = Kind(
    "E0201",
    "unknown name",
    """Nothing of this name is declared where it is used. A name must be declared in the file itself, in a file it uses,
or in the shipped library (`use "ops"` brings the operators into force; number formats, optimizers and conventions always
are). Names are case-sensitive: `V` and `v` are two names.

If a declared name is close to what stands there, it is suggested. `roofdsl specs` lists what ships.""",
)

DUPLICATE = Kind(
    "E0202",
    "declared twice",
    """A name means one thing. Dims, lets and measured facts share one name space, since formulas use them alike; ops,
blocks and models share another. Configs, machines, number formats, conventions and optimizers have one each.

    dim s "sequence length"
    let s = 2t                  # an error: s is already a dim

The same `dim` may stand in several files that are used together: it is the same symbol. A definition of your own may
have the name of a library's: yours wins, with a note.""",
)

RESERVED = Kind(
    "E0203",
    "this name is reserved",
    """The names of quantities (`flops`, `bytes`, `saved` …), phases (`forward`, `train` …), reductions (`sum`, `amax`, `amin`)
and functions of formulas (`min`, `sqrt`, `ceil` …) always keep their meaning, so that a formula reads the same in every
file. Choose another name; `E`, `I`, `S`, `N`, `beta`, `lambda` and the like are all free.""",
)

NOT_FOUND = Kind(
    "E0204",
    "the used file does not exist",
    """`use "./parts.roof"` is a path relative to the file it stands in; `use "ops"` or `use "gpt3"` without `./` is the
name of something that ships with roofdsl (`roofdsl specs` lists it).""",
)

CYCLE = Kind(
    "E0205",
    "files use each other in a circle",
    """A file cannot be used while it is itself being read: the order of declarations would have no beginning. The chain of
files is shown. Move what both need into a third file that uses neither.""",
)

OUTSIDE = Kind(
    "E0206",
    "the used file is outside the allowed folders",
    """A file may use files in its own folder and below, and what ships with roofdsl; nothing else, so that a model file
from somebody else cannot read your disk. `..`, absolute paths and symbolic links are resolved first: what counts is
where the file really is. Text from standard input has no folder and may use shipped files only.""",
)

TOO_MANY_FILES = Kind(
    "E0207",
    "too many files",
    """At most 200 files may be used together, at most 16 deep. A folder that is used counts each of its files.""",
)

NOT_UTF8 = Kind(
    "E0208",
    "the file is not UTF-8 text",
    """Files are UTF-8. The place of the first byte that does not fit is shown. A file in Latin-1 or Windows-1252 can be converted:

    iconv -f latin1 -t utf-8 old.roof > new.roof""",
)

TOO_LARGE = Kind(
    "E0209",
    "the file is too large",
    """A file may have at most 4 MB, which is more than 50,000 lines. Split it and `use` the parts, or have it made shorter: a layer
that occurs many times is written once, inside `repeat`.""",
)

CANNOT_READ = Kind(
    "E0210",
    "the file cannot be read",
    """The path must be a readable, regular file, `-` for standard input, or the name of a shipped spec such as `gpt3`.
Folders, devices and pipes are refused.""",
)

EMPTY = Kind(
    "E0211",
    "the file declares nothing",
    """There is not one declaration in the file: it is empty, or everything is commented out. `roofdsl specs primer`
prints small blocks to start from.""",
)

BAD_DTYPE = Kind(
    "E0212",
    "this is no number format",
    """A number format states its bits, those that groups of elements share, and what the bits mean: exponent and mantissa
(`e4m3`, a sign is added) or `integer` or `unsigned`. Which codes are no numbers follows: `ieee` (the top exponent; taken
if nothing is said), `nan` (one code), `finite` (none).

    dtype bf16 = 16 bit e8m7
    dtype mxfp4 = 4 bit + 8 bit per 32 e2m1 finite
    dtype int4_g128 = 4 bit + 16 bit per 128 + 4 bit per 128 integer""",
)

HIDES_FOR_ANOTHER = Kind(
    "E0213",
    "one used file hides what another means",
    """Of two files that you use, one defines something under a name that the other takes from the library. Names are in force
everywhere, so the other one would be read with a definition it was not written for. Keep the two apart: use them in two
files, or rename the definition.""",
)

HIDES_LIBRARY = Kind(
    "N0201",
    "a library definition of this name is not used",
    """Your file defines something that the library also has under this name. Yours is used, everywhere, also by other library text.
Rename yours if that is not what you want.""",
    severity="note",
)
