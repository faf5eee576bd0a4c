"""A claim of the paper once it is held against the cells: machinery that the claims share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from experiments.common import protocol
from experiments.common.protocol import Claim, Held
from experiments.common.runs import Outcome
from experiments.common.units import Record
from experiments.common.verdict import Word
from experiments.zhang_wong_shen_2012.datasets import AVAILABLE
from experiments.zhang_wong_shen_2012.paper import DATA_SETS
from experiments.zhang_wong_shen_2012.tables import Row, units_of


class LackingError(KeyError):
    """The run lacks cells that a claim needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A claim, and how it fares on each data set where it is about data sets."""

    name: str
    where: str
    claim: Claim
    by_set: Mapping[str, Word]


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim before it is held against anything: `check` does, or says why nothing can."""

    name: str
    where: str
    text: str
    check: Callable[[Outcome], Held] | str


def finding(asked: Asked, outcome: Outcome) -> Finding:
    """The verdict; "not reachable" where the run lacks cells or data sets that the claim needs."""
    if isinstance(asked.check, str):
        held = Held(word="not reachable", evidence=asked.check)
    else:
        held = protocol.held(asked.check, outcome)
    if held.by_set and set(held.by_set) != set(AVAILABLE):
        about = f"this run has {len(held.by_set)} of {len(AVAILABLE)} data sets: {held.evidence}"
        held = replace(held, word="not reachable", evidence=about)
    by_set: dict[str, Word] = {name: "agrees" if holds else "differs" for name, holds in held.by_set.items()}
    if by_set:
        by_set |= {name: "left out" for name in DATA_SETS if name not in AVAILABLE}
    return Finding(name=asked.name, where=asked.where, claim=protocol.claim(asked.text, held), by_set=by_set)


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
