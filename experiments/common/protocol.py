"""One rule for every verdict: what the words mean, and how a sentence of a paper is held against the cells.

A sentence speaks of all cases, of most of them, of an example, or of a size. There is a function for each:
`everywhere`, `mostly`, `example`, `at_most` and `at_least`. They return what the study shows with its
verdict: the rule, and the value at which the verdict would be another one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
import numpy.typing as npt
from scipy.stats import beta, binom

from experiments.common.verdict import LEVEL, LEVEL_OF_ONE, Word

COIN = 0.05
"""Most cases agree if a fair coin had so many heads, or more, with at most this probability."""

MEANINGS: dict[Word, str] = {
    "agrees": f"A number is a draw of our simulation with a two-sided p of at least {LEVEL:g}, or of"
    f" {LEVEL_OF_ONE:g} if it is about one clustering; the rounding of the print is allowed for. A sentence"
    f" holds in all cases, or in most with p at most {COIN:g} against a coin, or its size is within the"
    " stated threshold.",
    "differs": "It does not.",
    "undecided": "A sentence about most cases, of which neither so many nor so few agree that a coin would"
    " not do so; or a number of which we have too few like it to reject any.",
    "possible": "It says that something can be so, or does not say on which data: an example of ours has it.",
    "consistent": "Ours was searched for, so as to have the printed values.",
    "contradictory": "It contradicts another sentence or number of its paper, and it is not known which of"
    " them is wrong.",
    "misprint": "Arithmetic on what the paper states proves it wrong.",
    "left out": "It could be held against something, and is not; the reason is given.",
    "not reachable": "What it is about is not known, or nothing is simulated that it could be held against.",
}
"""The words of all studies."""

SECOND_AXIS = (
    "What differs is *explained* if a cause was found that predicts the printed value, and *open* otherwise."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What holding a sentence against the cells has come to.

    Attributes
    ----------
    word : Word
    evidence : str
        The figures that the word follows from, computed.
    rule : str
        Quantifier, threshold, p, and where the verdict would turn.
    cause : str
        Why it differs, if that is explained.
    by_set : mapping
        Whether it holds, by data set; empty where the sentence is about none.
    """

    word: Word
    evidence: str
    rule: str = ""
    cause: str = ""
    by_set: Mapping[str, bool] = field(default_factory=dict)

    def because(self, cause: str) -> "Held":
        """With a cause where it does not agree."""
        return self if self.word == "agrees" else replace(self, cause=cause)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Held):
    """A sentence of a paper, in our words, and what the cells say of it."""

    text: str

    @property
    def axis(self) -> str:
        """The second axis: ``explained`` or ``open`` if it differs or is contradictory, otherwise nothing."""
        if self.word not in ("differs", "contradictory"):
            return ""
        return "explained" if self.cause else "open"


Flags = Sequence[bool] | npt.NDArray[np.bool_]
Check = Callable[..., Held]


def claim(text: str, held: Held) -> Claim:
    """A sentence with its verdict."""
    return Claim(text=text, **{each.name: getattr(held, each.name) for each in fields(held)})


def claims_of(checks: Mapping[str, Check], *arguments: object) -> list[Claim]:
    """A verdict on each sentence; "not reachable" where the run lacks cells that a check looks up."""
    return [claim(text, held(check, *arguments)) for text, check in checks.items()]


def held(check: Check, *arguments: object) -> Held:
    """What a check comes to, "not reachable" where it finds no cells."""
    try:
        return check(*arguments)
    except (KeyError, IndexError):
        return Held(word="not reachable", evidence="this run lacks cells that it needs")


def fact(holds: bool, evidence: str, word: Word = "agrees") -> Held:
    """For a sentence with one right answer; `word` is that of a sentence that is right."""
    return Held(word=word if holds else "differs", evidence=evidence)


def everywhere(flags: Flags | Mapping[str, bool], evidence: str) -> Held:
    """For a sentence about all cases: one exception turns it."""
    values, by_set = _values(flags)
    count = sum(values)
    return Held(
        word="agrees" if values and count == len(values) else "differs",
        evidence=evidence,
        rule=f"all: {count} of {len(values)}",
        by_set=by_set,
    )


def mostly(flags: Flags | Mapping[str, bool], evidence: str) -> Held:
    """For a sentence about most cases, against a fair coin."""
    values, by_set = _values(flags)
    count, n = sum(values), len(values)
    p = float(binom.sf(count - 1, n, 0.5))
    enough, _ = share_found(n)
    few = n - enough
    word: Word = "agrees" if p <= COIN else "differs" if count <= few else "undecided"
    shown = f"{p:.2g}" if p >= 1e-4 else "below 0.0001"
    rule = f"most: {count:,} of {n:,}, p = {shown} against a coin".replace("= below", "below")
    turns = f"; agrees from {enough:,}, differs up to {few:,}" if enough <= n else "; too few to decide"
    return Held(word=word, evidence=evidence, rule=rule + turns, by_set=by_set)


def share_found(n: int, power: float = 0.8) -> tuple[int, float]:
    """From how many of `n` cases on `mostly` agrees, and the share of all cases for which it does so."""
    enough = int(binom.isf(COIN, n, 0.5)) + 1
    return enough, float(beta.ppf(power, enough, n - enough + 1))


def example(flags: Flags, evidence: str) -> Held:
    """For a sentence that says that something can be so."""
    count = int(np.count_nonzero(flags))
    return Held(
        word="possible" if count else "differs",
        evidence=evidence,
        rule=f"an example: {count} of {len(flags)}",
    )


def at_most(value: float, limit: float, evidence: str) -> Held:
    """For a size that is called small: a threshold, and the value from which on the verdict is another."""
    word: Word = "agrees" if value <= limit else "differs"
    turn = (
        "differs below a threshold of {:.3g}" if word == "agrees" else "agrees from a threshold of {:.3g} on"
    )
    return Held(word=word, evidence=evidence, rule=f"at most {limit:g}; {turn.format(value)}")


def at_least(value: float, limit: float, evidence: str) -> Held:
    """For a size that is called large."""
    word: Word = "agrees" if value >= limit else "differs"
    turn = "differs above" if word == "agrees" else "agrees up to"
    return Held(word=word, evidence=evidence, rule=f"at least {limit:g}; {turn} a threshold of {value:.3g}")


def _values(flags: Flags | Mapping[str, bool]) -> tuple[list[bool], Mapping[str, bool]]:
    if isinstance(flags, Mapping):
        return [bool(each) for each in flags.values()], flags
    return [bool(each) for each in flags], {}


def counted(words: Iterable[str]) -> dict[str, int]:
    """How many verdicts there are of each word that occurs, in the order of `MEANINGS`."""
    found = list(words)
    return {word: found.count(word) for word in MEANINGS if word in found}
