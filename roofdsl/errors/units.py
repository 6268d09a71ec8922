"""E0601–E0609: units on numbers. Units are text in `specs/units.txt`; shape symbols are never read as units."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

UNKNOWN_UNIT = Kind(
    "E0601",
    "unknown unit",
    """A unit is an optional prefix (k M G T P E, Ki Mi Gi Ti Pi Ei, m u n p) and a unit of `specs/units.txt`: byte (B),
bit, FLOP, token, parameter, second (s), minute, hour, day, hertz (Hz), joule (J), watt (W), dollar ($). Case matters.
Units are multiplied by a blank or `·` and divided by `/`, with small integer exponents: `TB/s`, `GB/s^2`.

Letters of the model such as h, a or s are symbols, never units, and units never stand where symbols do.""",
)

AMBIGUOUS_UNIT = Kind(
    "E0602",
    "this spelling of a unit is not accepted",
    """Some spellings are used for two things that differ by a factor, or are read as something else by other tools.
They are refused rather than guessed:

    Gb      bits or bytes? write Gbit or GB (they differ by 8)
    KB      1000 or 1024? write kB (1000 byte) or KiB (1024 byte)
    TFLOPS  a count or a rate? write TFLOP for work and TFLOP/s for a rate
    MAC     one multiply-accumulate is 2 FLOP
    MT/s    a transfer moves one bit on each line of a bus: `128 bit × 5.6 Gbit/s`""",
)

UNIT_CLASH = Kind(
    "E0603",
    "units do not agree",
    """Both sides of a sum or a comparison, and every figure of a machine, must have the dimension asked for. FLOP and
byte are different dimensions, and so are an amount (GB) and a rate (GB/s): nothing is converted silently.

    memory hbm = 80 GB at 3.35 TB      # a bandwidth is byte/second
    claim flops(x) = 3 [GB]            # FLOP on the left, byte on the right""",
)

UNIT_BOUNDS = Kind(
    "E0604",
    "this unit is out of bounds",
    """A unit's name has at most 64 characters, a unit at most 16 factors, and an exponent is an integer between -9 and
9 other than 0. Nothing in the field needs more, and unbounded ones can be made to take forever.""",
)

MISSING_UNIT = Kind(
    "E0605",
    "a unit is missing",
    """A bare number is a pure number. Bytes, FLOP, seconds and their ratios need a unit, because a factor of 8, 1000
or 1024 is otherwise guessed: `80 GB`, `3.35 TB/s`, `989.4 TFLOP/s`, and in formulas `80 [GB]`.""",
)

BINARY_RATE = Kind(
    "N0606",
    "a rate with a binary prefix",
    """Data sheets state bandwidths with decimal prefixes: 3.35 TB/s is 3.35e12 byte/s. A TiB/s is 10 % more, a GiB/s
7 %, a MiB/s 5 %. The number is taken as written; this note is here because the binary prefix is rarely meant.""",
    severity="note",
)

BITS_OF_MEMORY = Kind(
    "N0607",
    "a memory in bits",
    """Links are sold in bits, memories in bytes. The number is taken as written (8 bit are 1 byte); this note is here
because `Gbit` is rarely meant for the size or the bandwidth of a memory.""",
    severity="note",
)
