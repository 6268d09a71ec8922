"""E0610–E0639: sizes bound to numbers, machines, and times. Evaluation is exact until a number is printed."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

UNBOUND_SIZE = Kind(
    "E0610",
    "a size has no value",
    """Numbers need a value for every size they depend on. Name a config (`--config gpt3_175b`), bind the size on the
command line (`--set s=2048`), or give it a default in the file (`let t = s`). Formulas need none: `roofdsl derive`
prints them as they are.""",
)

NOT_AN_INTEGER = Kind(
    "E0611",
    "a size is not an integer",
    """An extent counts positions, so it is an integer. A let such as `let d = h/a` must come out integral where it is
used as an extent: with h = 10 and a = 3 it does not. Choose sizes that divide, or bind the let itself, in a config or
with `--set d=64`: models whose head size is not h/a do that.""",
)

SIZE_TOO_SMALL = Kind(
    "E0612",
    "a size is too small",
    """A dim is an integer of at least 1, unless it is declared otherwise: `dim un >= 0` allows that none are there.""",
)

SIZE_ABOVE = Kind(
    "E0638",
    "a size is above its bound",
    """A dim may be declared never to exceed another: `dim m <= X "experts per token"`. Formulas are simplified by that,
so values must keep to it.""",
)

CYCLE = Kind(
    "E0613",
    "sizes that depend on each other",
    """A let or a bound size is a formula of other sizes. Following them must end at numbers; here it comes back to
where it began, for example `let t = s` with `--set s=t`.""",
)

UNKNOWN_SIZE = Kind(
    "E0614",
    "there is no size of this name",
    """A config and `--set` bind dims and rebind lets, by the name they are declared with. A name that stands for
nothing would silently change nothing, so it is an error; and so is the name of an op, block or model, which is
exchanged in braces where the model is named: `model other = gpt{attention = gqa}`.""",
)

BAD_NUMBER = Kind(
    "E0615",
    "this is not a number",
    """Numbers on the command line are integers, decimals with a point (`3.35`), or with a prefix: k M G T P E are
powers of 1000 and Ki Mi Gi Ti Pi Ei powers of 1024, so `8k` is 8000 and `8Ki` is 8192. A formula of other sizes may
stand instead: `--set t=2s`. There are no thousands separators, and `2:4` is not a number.""",
)

NO_VALUE = Kind(
    "E0616",
    "an amount that has no value at these sizes",
    """With these sizes the formula divides by zero, or takes the root or the logarithm of what is negative. The sizes
are shown.""",
)

TOO_LARGE = Kind(
    "E0617",
    "a number that is too large",
    """Evaluation is exact, so numbers may grow without bound. A number of more than 20,000 digits is certainly a slip,
such as an exponent that was meant to be a factor.""",
)

UNKNOWN_CONFIG = Kind(
    "E0618",
    "there is no config of this name",
    """A config binds sizes to the values of one published model: `config gpt3_175b { s = 2048, h = 12288 }`. Configs
stand in the file or in one it uses; `--set NAME=VALUE` binds single sizes without one.""",
)

MISSING_PEAK = Kind(
    "E0620",
    "the machine has no peak for this",
    """A peak belongs to a unit of the machine (contraction, vector, special), a dtype, and dense arithmetic; none is
guessed from another. Add the peak to the machine, with its source, or compute in a dtype it has. A peak declared
without a dtype serves all dtypes. Special work (exp, sqrt …) is charged to the vector unit where a machine has no
special peak at all, with a note.""",
)

UNKNOWN_UNIT_KIND = Kind(
    "E0621",
    "there is no such unit of a machine",
    """Peaks are declared for the kinds of work that statements have: `peak contraction bf16 = …` (matrix units),
`peak vector fp32 = …`, `peak special = …` (exp, log, tanh, sqrt …).""",
)

PEAK_DTYPE = Kind(
    "E0622",
    "unknown dtype of a peak",
    """The dtype of a peak is one of those declared (`roofdsl dtypes` lists what ships). A peak without a dtype serves
all.""",
)

DECLARED_TWICE = Kind(
    "E0623",
    "a machine states this twice",
    """A machine has one peak per unit and dtype, and one memory level, link and figure per name. Two of them would
leave open which is meant.""",
)

NOT_POSITIVE = Kind(
    "E0624",
    "a figure of a machine is not positive",
    """Peaks, sizes, bandwidths and the other figures of a machine are divided by; zero and negative ones mean nothing.
Leave out what the machine does not have.""",
)

NO_MEMORY = Kind(
    "E0625",
    "a machine without a memory bandwidth",
    """Every machine needs one main memory with a bandwidth, since the roofline divides traffic by it:
`memory hbm = 80 GB at 3.35 TB/s`. Caches come beside it: `cache l2 = 50 MB at 5.5 TB/s`.""",
)

NOT_WHOLE = Kind(
    "E0626",
    "a figure of a machine is not an integer",
    """`sms` counts the units that run tiles, `array` the rows and columns of a matrix unit: both are integers.""",
)

NOT_A_FIGURE = Kind(
    "E0627",
    "a figure of a machine must be a number",
    """The figures of a machine are numbers with units, perhaps a product of numbers (`108*16*1.41 GFLOP/s`). Sizes of a
model have no meaning there.""",
)

NO_CLOCK = Kind(
    "E0628",
    "a peak per cycle without a clock",
    """A peak may be given per cycle: `peak vector fp32 = 16384 lanes at 2.52 GHz`, where a lane does one fused
multiply-add, 2 FLOP, a cycle, or `peak special = 2112 FLOP/cycle`. The clock stands behind it or in a line of its own:
`clock = 1.83 GHz`.""",
)

NO_LAUNCH = Kind(
    "E0629",
    "a machine without a launch cost",
    """Overheads are off unless asked for. With `overhead = launch` every kernel, with `overhead = graph` every step costs the
machine's `launch`, so the machine must state it: `launch = 5 us`. A few microseconds are usual; measure yours.""",
)

SPECIAL_ON_VECTOR = Kind(
    "N0630",
    "special work is charged to the vector unit",
    """The machine states no peak for special functions (exp, log, tanh, sqrt …), so they are counted at the vector
peak. Real machines are slower at them, often by 8 or 16: give the figure with `peak special = …` if it is known.""",
    severity="note",
)

SPARSE_HEADLINE = Kind(
    "N0631",
    "a peak that looks like the 2:4-sparse headline",
    """Data sheets print peaks with 2:4 structured sparsity in large letters: twice what dense arithmetic reaches. This
peak is just twice that of a known machine of the same memory bandwidth, the headline of a known machine, or no lower
than the headline stated beside it. It is taken as written.""",
    severity="note",
)

ODD_FIGURE = Kind(
    "N0641",
    "a machine that looks odd",
    """`machine-check` compares the figures of a machine with each other: a cache is smaller and faster than the memory, a
program can use hardly more than the label says, matrix products need a contraction peak, and a source has a date. A
figure whose name is nearly one of those in use (`launch`, `sms`, `clock`, `price`, `power`, `array`) may be a slip: it
is shown and never used. All of it is taken as written.""",
    severity="note",
)

NO_DIRECTION = Kind(
    "N0633",
    "a link without a direction",
    """Vendors print links both ways: NVLink 4 is 900 GB/s on the data sheet and 450 GB/s each way. A link here is taken per
direction; say which is meant: `link nvlink = 450 GB/s per direction` or `link nvlink = 900 GB/s both directions`, which
halves it.""",
    severity="note",
)

BOTH_WAYS = Kind(
    "N0634",
    "a link that looks like the total of both directions",
    """This link is just twice that of a known machine with the same name for it. A data sheet's total counts both
directions; it is taken per direction, as written.""",
    severity="note",
)

NO_SOURCE = Kind(
    "N0635",
    "a machine without a source",
    """Figures of machines differ between data sheets, white papers and press releases. A line `source "…"` says which is
meant, with its date.""",
    severity="note",
)

NOT_CHARGED = Kind(
    "N0636",
    "work without a roof",
    """The machine states no peak at all for this kind of work, so only its memory traffic takes time; the work is left
out. Give the figure if it is known: `peak vector fp32 = … TFLOP/s`.""",
    severity="note",
)

UNKNOWN_LEVEL = Kind(
    "N0637",
    "a tile at a level whose bandwidth is not known",
    """`tile s = 128 at l2` says how often the second-level cache is read. It takes part in the roofline only where the
machine states that level with a bandwidth: `cache l2 = 50 MB at 5.5 TB/s`.""",
    severity="note",
)

USELESS_EFFICIENCY = Kind(
    "N0638",
    "an efficiency that nothing has",
    """An efficiency names a kernel, an op, a unit (contraction, vector, special; compute) or a memory level (hbm, l2;
memory). No kernel that was timed has to do with this one.""",
    severity="note",
)

TEN_TO_THE = Kind(
    "N0639",
    "ten times a power of ten",
    """`10e9` is 10 times 10⁹, that is 1e10: ten times what is often meant by it. The number is taken as written.""",
    severity="note",
)

DECIMAL_K = Kind(
    "N0632",
    "k is 1000",
    """Sequence lengths are often quoted as `8k` where 8192 is meant. Here k is 1000, as everywhere in units, and Ki is
1024: write `8Ki` or `8192`.""",
    severity="note",
)
