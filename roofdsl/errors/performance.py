"""E0640–E0659, E0820–E0829: crossovers, utilisation, plans, tiles, plots, and the options that state assumptions."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

IMPOSSIBLE = Kind(
    "E0640",
    "a measurement above a roof",
    """A kernel cannot do more FLOP a second than the unit it runs on, nor move more bytes a second than the memory. If a
measured time says so, something is not what it is taken for. The usual causes: a peak of another dtype or of another
machine; the time of one kernel for the work of several (or of a loop); work counted that was not done (a causal half, padding,
recomputation); data that was still in a cache; a clock stopped before the device was done.""",
)

UTILISATION_ABOVE_ONE = Kind(
    "E0641",
    "a utilisation above 100 %",
    """Model FLOPs utilisation is the FLOP of the model over what the machines could have done in that time. Above 100 % is
impossible: look for the sparse headline taken as the dense peak, a multiply-accumulate counted as one on one side only, the tokens of
all devices against the peak of one, a step time that leaves out accumulation, or FLOP of a longer sequence.""",
)

NO_CROSSOVER = Kind(
    "E0642",
    "the size takes no part",
    """`roofdsl crossover --in b` looks for the values of b at which another roof becomes the one that bounds. The times of
this subject do not depend on that size, so nothing can change. `roofdsl derive` shows what they depend on.""",
)

TILES_CHANGE_BACK = Kind(
    "E0659",
    "with tiles the bound changes back and forth",
    """A product in whole tiles and waves takes steps: with one row more the time of its unit may double and then stay, while its
traffic grows evenly. So the roof that bounds may change back and forth many times, and there is no size from which on it stays, nor
a closed form of one. Ask without `--tile`, or at sizes: `roofdsl eval --tile 256x128`, `roofdsl tiles`.""",
)

NO_TOKENS = Kind(
    "E0643",
    "no tokens to count",
    """Tokens a second, cost per token and plans need to know how many tokens one step has: the product of the extents that
its inputs have and no parameter has. This subject has none; say how many with `--tokens-per-step`.""",
)

NO_CONTRACTIONS = Kind(
    "E0644",
    "no contractions to use",
    """Utilisation compares the contractions (matrix products, convolutions …) of a step with the peaks of contractions.
This subject has none; measure its kernels instead: `--kernel-time 'y=51 us'`.""",
)

NO_CACHES = Kind(
    "E0645",
    "nothing to decode with",
    """Decoding writes one new position of each cache and reads all it holds: `cache K[t, …] from k`. This subject has no
cache that grows so. Ask about a model that has one, or about a whole pass: `--phase prefill`.""",
)

BAD_TILE = Kind(
    "E0820",
    "not a tile",
    """A tile is the part of a result that one unit of the machine computes at a time: `--tile 256x128` (rows × columns), or
with the step of the inner size `--tile 128x128x64`.""",
)

BAD_EFFICIENCY = Kind(
    "E0821",
    "not an efficiency",
    """The share of a roof that something reaches, in your experience: `--efficiency matmul=0.7` for a kernel or op,
`--efficiency memory=0.9` for a unit or memory level. It is above 0 and at most 1; a percentage is not meant.""",
)

NEEDS_SIZE = Kind(
    "E0822",
    "a size is needed",
    """`roofdsl crossover` varies one declared size and takes the others from configs and `--set`: name it with `--in b`.""",
)

BAD_AMOUNT = Kind(
    "E0823",
    "not an amount of this kind",
    """A measurement or a plan is stated with its unit, as in machines: `--step-time 6.2 s`, `--kernel-time 51 us`,
`--price 2.5 $/hour`. Counts are plain numbers, prefixes allowed: `--tokens 15T`, `--devices 1024`.""",
)

NEEDS_MEASUREMENT = Kind(
    "E0824",
    "nothing was measured and nothing is planned",
    """`roofdsl utilisation` needs something to work on: a measured `--step-time` or `--tokens-per-second` or
`--kernel-time`, or for a plan the number of `--tokens` with an expected `--mfu` or `--achieved` rate. What decoding can
reach needs nothing: `--phase decode`.""",
)

NO_MATPLOTLIB = Kind(
    "E0825",
    "no program to plot with",
    """Plots are drawn by matplotlib, which is not installed with roofdsl itself: `python -m pip install matplotlib`, with the Python that runs
roofdsl, or the extra `plot` from a checkout: `pip install ".[plot]"`.""",
)

PLOT_FORMAT = Kind(
    "E0826",
    "a plot has no such format",
    """The ending of the output's name chooses the format of a plot: `.svg`, `.pdf` or `.png`.""",
)

NO_MACHINE_IN_FILE = Kind(
    "E0827",
    "the file declares no machine",
    """`roofdsl machine-check` checks the machines a file declares. `roofdsl check` checks models.""",
)
