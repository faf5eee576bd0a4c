"""What the entries of pair-counting indices have in common."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.indices.registry import F, register_index

Array = npt.NDArray[np.float64]

EXAMPLE_TABLE = ((2, 1), (0, 3))
"""The worked example: of its 15 pairs a = 4, b = 2, c = 3, d = 6."""

CHOI = "Choi, Cha & Tappert (2010), Journal of Systemics, Cybernetics and Informatics 8(1), 43-48"


def pair_index(name: str, formula: str, *, example: float, source: str, **about: Any) -> Callable[[F], F]:
    """Entry of a pair-counting index: a symmetric similarity from 0 to 1 unless it says otherwise."""
    fields: dict[str, Any] = {"needs": "pairs", "range": (0.0, 1.0), "symmetric": True} | about
    decorate: Callable[[F], F] = register_index(
        name,
        family="pair_counting",
        formula=formula,
        source=source,
        example=(EXAMPLE_TABLE, example),
        **fields,
    )
    return decorate
