"""The 18 scenarios of Amorim & Cardoso (2014): groups, balance, separation, and the data drawn from them.

Two, three and four Gaussian groups with two, three and four variables and 500, 800 and 1100 objects; balanced
or not; poorly, moderately or well separated. The paper prints the parameters for three groups. Those for two
and four are drawn here, by `experiments.common.random_mixtures`, to the overlaps of three groups, as the
printed parameters give them: two of the printed overlaps are misprints. The shares of objects of two and four
groups, of which the paper does not speak, are chosen: see `SHARES`.
"""

import functools
import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.amorim_cardoso_2014.paper import (
    DESIGNS,
    SEPARATIONS,
    THREE_GROUPS,
    WEIGHTS,
    Design,
    Separation,
)
from experiments.common.mixtures import Mixture, average_overlap, draw, maximum_overlap
from experiments.common.random_mixtures import random_mixture
from experiments.common.units import generator

GROUPS = (2, 3, 4)
OBJECTS = {2: 500, 3: 800, 4: 1100}

SHARES = {
    (2, "balanced"): (0.5, 0.5),
    (2, "unbalanced"): (0.7, 0.3),
    (3, "balanced"): WEIGHTS["balanced"],
    (3, "unbalanced"): WEIGHTS["unbalanced"],
    (4, "balanced"): (0.25, 0.25, 0.25, 0.25),
    (4, "unbalanced"): (0.6, 0.2, 0.1, 0.1),
}
"""Shares of the objects in each group; the paper gives those of three groups."""

MIXTURE_SEED = 2014
"""Seed of the mixtures of two and four groups, whatever the seed of the data: the scenarios stay the same."""

STORED = Path(__file__).with_name("mixtures.json")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One of the 18 scenarios."""

    groups: int
    design: Design
    separation: Separation

    @property
    def name(self) -> str:
        """Words for files and the command line, such as ``"3-balanced-poor"``."""
        return f"{self.groups}-{self.design}-{self.separation}"

    @property
    def n(self) -> int:
        """Number of objects."""
        return OBJECTS[self.groups]

    @property
    def key(self) -> tuple[int, int, int]:
        """Numbers that tell the scenario apart, for the seeds of mixtures."""
        return self.groups, DESIGNS.index(self.design), SEPARATIONS.index(self.separation)


SCENARIOS = tuple(itertools.starmap(Scenario, itertools.product(GROUPS, DESIGNS, SEPARATIONS)))


def mixture_of(scenario: Scenario) -> Mixture:
    """The mixture that the data of a scenario are drawn from: printed, or the stored one of `drawn`."""
    if scenario.groups == 3:
        return THREE_GROUPS[scenario.design, scenario.separation]
    return Mixture.from_dict(_stored()[scenario.name])


@functools.lru_cache(maxsize=1)
def _stored() -> dict[str, Any]:
    """Mixtures of two and four groups; they take seconds to find."""
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return stored


def drawn(scenario: Scenario) -> Mixture:
    """The mixture of two or four groups, drawn to the overlaps of three; ``mixtures.json`` holds them all."""
    printed = THREE_GROUPS[scenario.design, scenario.separation]
    return random_mixture(
        SHARES[scenario.groups, scenario.design],
        scenario.groups,
        average=average_overlap(printed),
        maximum=maximum_overlap(printed) if scenario.groups > 2 else None,
        covariances="diagonal",
        rng=np.random.default_rng([MIXTURE_SEED, *scenario.key]),
        method="reshape" if scenario.groups > 2 else "redraw",
    )


def data_of(
    mixture: Mixture, n: int, scenario: str, dataset: int, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Data set of a scenario: objects of shape (n, variables), and their groups, of shape (n,)."""
    return draw(mixture, n, generator(seed, "data", scenario, dataset))
