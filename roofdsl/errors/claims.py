"""Catalogue of diagnostics about formulas, quantities and claims (E07xx). No logic."""

from __future__ import annotations

from roofdsl.diagnostics import Kind

UNKNOWN_NAME = Kind(
    "E0701",
    "unknown name in a formula",
    "A formula may use declared dims, lets and measured facts. A name that is not declared is split into declared "
    "symbols, as papers write products (`sbh` is s·b·h). This name is neither declared nor a product of declared "
    "symbols.",
)
AMBIGUOUS_SPLIT = Kind(
    "E0702",
    "a product that can be read in two ways",
    "An undeclared name is read as a product of declared symbols. Here two different products spell the same letters. "
    "Put blanks or `*` between the symbols that are meant.",
)
UNKNOWN_SUBJECT = Kind(
    "E0703",
    "unknown subject of a quantity",
    "A quantity is asked of a model, block, op, region, statement or tensor: `saved(layer)`, `flops(gpt.layer.mlp)`, "
    "`bytes(attention.S)`, perhaps with braces: `saved(gpt{checkpoint layer})`. No such thing is declared.",
)
UNITS_DIFFER = Kind(
    "E0704",
    "units that do not agree",
    "Only amounts of one dimension can be added or compared. A formula of bare symbols takes the unit of the quantity "
    "it is compared with; every quantity and every number in brackets has its own.",
)
NUMBER_WITHOUT_UNIT = Kind(
    "E0705",
    "a number without a unit",
    "A bare number says nothing where bytes, FLOP or seconds are meant. Write the unit in brackets: `80 [GB]`, "
    "`3.14e23 [FLOP]`, `8.7 [us]`. Formulas of symbols, such as `34sbh`, need none.",
)
WRONG_ARGUMENTS = Kind(
    "E0706",
    "wrong arguments of a quantity or function",
    "Quantities take a subject and, where it makes sense, a phase: forward (the default), backward, recompute, train, "
    "hardware or infer. `time` takes a subject and a machine; `peak` and `ridge` a machine and a dtype.",
)
NOTHING_DERIVED = Kind(
    "E0707",
    "a claim about nothing derived",
    "A claim compares a formula with something derived from a model. Its left side must contain a quantity: "
    "`claim flops(layer) = …`.",
)
EMPTY_DOMAIN = Kind(
    "E0708",
    "no sizes satisfy the conditions",
    "A claim is judged over all sizes that are admissible: each dim an integer at least 1 (or as declared), the lets, "
    "the `when` clause. Here no such sizes exist, so the claim would say nothing.",
)
UNKNOWN_CLAUSE_NAME = Kind(
    "E0709",
    "unknown name in a clause",
    "`at` names configs or bindings, `on` a machine, `under` a convention, `free` a let, `reading` a symbol of ours.",
)
BAD_CONVENTION = Kind(
    "E0710",
    "not a setting of a convention",
    "A convention sets `work = contractions|all`, `causal = full|half|exact`, `embedding = lookup|matmul`, "
    "`overhead = none|launch|graph`, `overlap = full|none` (units and memory at once, or in turn), `blocks = "
    "amortised|whole` (partial groups of number formats), the work of an op: `layernorm = 8 per element`, or the share of "
    "its roofs that a kernel, op, unit or memory level reaches: `matmul = 0.7 per peak`.",
)
NOT_A_FORMULA = Kind(
    "E0711",
    "not part of a formula",
    "Formulas are made of numbers, symbols, products, quotients, powers, functions and quantities. Tensors, paths and "
    "braces stand only inside a quantity: `saved(attention.S)`.",
)
BAD_WITHIN = Kind(
    "E0712",
    "`~` without a measure of nearness",
    "`~ F within 1%` compares numbers: give sizes with `at CONFIG` (or bindings) so that both sides have a value, or "
    "use `~ F for h >> s` for a limit.",
)
BAD_CLAUSE = Kind(
    "E0713",
    "a clause that does not fit this claim",
    "`->` needs `for s -> oo`; `off by` needs `claim not … =`; `within` and `for h >> s` go with `~`; each of them "
    "stands at most once. An order, `= Θ(F)`, takes `for s -> oo` or `for h >> s`, in sizes that can grow, or neither.",
)
BAD_PER = Kind(
    "E0714",
    "`per` without something to divide by",
    "`per token` divides by the tokens the model reads, `per layer` by the count of its repeat. The subject must have "
    "exactly one such count, and the divided side must contain a quantity.",
)
BAD_EXPONENT = Kind(
    "E0715",
    "an exponent that is not a small number",
    "Powers in formulas have constant exponents between -64 and 64 (or a fraction such as 1/2), and constants stay "
    "below a few thousand digits.",
)
QUANTITY_IN_LET = Kind(
    "E0716",
    "a quantity where only sizes may stand",
    "Lets, bindings and conditions are formulas of sizes. Name a derived amount with `quantity name(x) = …` instead.",
)
MISSING_MACHINE = Kind(
    "E0717",
    "no machine",
    "`time(x, machine)`, `peak(machine, dtype)`, `ridge(machine, dtype)`, `bandwidth(machine)`, `capacity(machine)` and `price(machine)` "
    "need a declared machine; `roofdsl machines` lists those that ship.",
)
NO_SUCH_FIGURE = Kind(
    "E0718",
    "a figure the machine does not state",
    "The machine is declared, but not this figure of it: a peak belongs to a dtype, and prices are optional.",
)
DIVISION_BY_ZERO = Kind(
    "E0719",
    "division by zero",
    "A formula divides by something that is zero.",
)
CYCLIC_DEFINITION = Kind(
    "E0720",
    "a quantity defined by itself",
    "The definition of a quantity uses that quantity again, directly or through others.",
)
MISPLACED_ORDER = Kind(
    "E0722",
    "an order where a formula stands",
    "`Θ(F)`, `O(F)` and `Ω(F)` (also `Theta`, `Omega`, `\\mathcal{O}`) stand as the whole right side of a claim with "
    "`=`: `claim flops(layer) = Θ(bsh²) for h -> oo`. Beside `for s -> oo` or `for h >> s` the ratio of the sides has a "
    "limit, all other sizes fixed: finite and positive for Θ, finite for O, positive or infinite for Ω. Without them some "
    "c1, c2 > 0 have c1·F <= Q <= c2·F for all sizes the claim speaks about; O asks for the upper one alone, Ω for the "
    "lower. An order is no amount: it is not added to anything, not compared with `~` or `<=`, and has no orders within.",
)
UNBOUND = Kind(
    "E0721",
    "sizes without values",
    "Comparing with a printed number needs a value for every size. Give them with `at CONFIG` or `at s = 2048, …`.",
)
