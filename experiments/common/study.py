"""What a study is to the command line: its cells, how a unit is evaluated, and what it writes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from experiments.common.runs import Cell, Evaluate, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A paper, reproduced.

    Attributes
    ----------
    name : str
        Its folder in `experiments`.
    title : str
        A line about it.
    evaluate : callable
        Gives the record of a unit; see `experiments.common.runs.Evaluate`. It stands in a module that imports
        what a unit is made from and nothing of what is written: kept units go by the source of all of it.
    full, quick : tuple of Cell
        Its cells in full, and in small: a quick run takes seconds and goes the same way.
    write : callable
        Writes the results of an outcome into a folder. It must do with any cells of the study.
    seed : int
        The seed of the results that stand beside the study.
    """

    name: str
    title: str
    evaluate: Evaluate
    full: tuple[Cell, ...]
    quick: tuple[Cell, ...]
    write: Callable[[Outcome, Path], None]
    seed: int
