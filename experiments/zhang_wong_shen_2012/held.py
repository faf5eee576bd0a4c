"""A claim of the paper once it is held against the cells: machinery that the claims share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from experiments.common.runs import Outcome
from experiments.common.units import Record
from experiments.common.verdict import Claim, Word
from experiments.zhang_wong_shen_2012.datasets import AVAILABLE
from experiments.zhang_wong_shen_2012.paper import DATA_SETS
from experiments.zhang_wong_shen_2012.tables import Row, units_of


class LackingError(KeyError):
    """The run lacks cells that a claim needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A claim, and how it fares on each data set where it is about data sets.

    Attributes
    ----------
    name : str
        A few words, for the map.
    where : str
        Section or figure of the paper.
    claim : Claim
    by_set : mapping
        Words by data set; empty where the claim is about none.
    """

    name: str
    where: str
    claim: Claim
    by_set: Mapping[str, Word]


@dataclass(frozen=True, slots=True)
class Held:
    """What a claim has come to: whether it holds, the figures, and whether it does on each data set."""

    holds: bool
    evidence: str
    by_set: Mapping[str, bool] = field(default_factory=dict)
    misprint: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim before it is held against anything: `check` does, or says why nothing can."""

    name: str
    where: str
    text: str
    check: Callable[[Outcome], Held] | str


def finding(asked: Asked, outcome: Outcome) -> Finding:
    """The verdict; "not reachable" where the run lacks cells or data sets that the claim needs."""
    word: Word
    if isinstance(asked.check, str):
        claim = Claim(text=asked.text, word="not reachable", evidence=asked.check)
        return Finding(name=asked.name, where=asked.where, claim=claim, by_set={})
    try:
        held = asked.check(outcome)
    except LackingError:
        claim = Claim(text=asked.text, word="not reachable", evidence="this run lacks cells that it needs")
        return Finding(name=asked.name, where=asked.where, claim=claim, by_set={})
    word = "misprint" if held.misprint and held.holds else "agrees" if held.holds else "differs"
    evidence = held.evidence
    if held.by_set and set(held.by_set) != set(AVAILABLE):
        word = "not reachable"
        evidence = f"this run has {len(held.by_set)} of {len(AVAILABLE)} data sets: {evidence}"
    by_set: dict[str, Word] = {name: "agrees" if holds else "differs" for name, holds in held.by_set.items()}
    if by_set:
        by_set |= {name: "not reachable" for name in DATA_SETS if name not in AVAILABLE}
    claim = Claim(text=asked.text, word=word, evidence=evidence)
    return Finding(name=asked.name, where=asked.where, claim=claim, by_set=by_set)


def only(outcome: Outcome, experiment: str) -> Record:
    """The record of an experiment of one unit."""
    for _, records in units_of(outcome, experiment):
        return records[0]
    raise LackingError(experiment)


def some(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows, if there are any."""
    if not rows:
        raise LackingError
    return rows
