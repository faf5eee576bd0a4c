"""The 18 scenarios of Amorim & Cardoso (2014): groups, balance, separation, and the data drawn from them.

Two, three and four Gaussian groups with two, three and four variables and 500, 800 and 1100 objects; balanced
or not; poorly, moderately or well separated. The paper prints the parameters for three groups. Those for two
and four were drawn to the overlaps of three groups, as the printed parameters give them (two of the printed
overlaps are misprints), and are kept in `mixtures.json`. Their shares of the objects, of which the paper does
not speak, were chosen: equal ones, 0.7 and 0.3, and 0.6, 0.2, 0.1 and 0.1.
"""

import functools
import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.amorim_cardoso_2014.paper import DESIGNS, SEPARATIONS, THREE_GROUPS, Design, Separation
from experiments.common.mixtures import Mixture, draw
from experiments.common.units import generator

GROUPS = (2, 3, 4)
OBJECTS = {2: 500, 3: 800, 4: 1100}

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


SCENARIOS = tuple(itertools.starmap(Scenario, itertools.product(GROUPS, DESIGNS, SEPARATIONS)))


def mixture_of(scenario: Scenario) -> Mixture:
    """The mixture that the data of a scenario are drawn from: printed, or the kept one."""
    if scenario.groups == 3:
        return THREE_GROUPS[scenario.design, scenario.separation]
    return Mixture.from_dict(_stored()[scenario.name])


@functools.lru_cache(maxsize=1)
def _stored() -> dict[str, Any]:
    """Mixtures of two and four groups."""
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return stored


def data_of(
    mixture: Mixture, n: int, scenario: str, dataset: int, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Data set of a scenario: objects of shape (n, variables), and their groups, of shape (n,)."""
    return draw(mixture, n, generator(seed, "data", scenario, dataset))
