"""The twins of all indices of the catalogue: straight from the definitions, over objects, pairs and sets."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.indices import (
    twins_cluster_level,
    twins_information,
    twins_pair_counting_a,
    twins_pair_counting_b,
    twins_set_matching,
)
from tests.naive import PAIR_INDICES, pair_counts

Twin = Callable[[Sequence[int], Sequence[int]], Fraction | float]


def _of_labels(formula: Callable[[int, int, int, int], Fraction | float]) -> Twin:
    return lambda labels_true, labels_pred: formula(*pair_counts(labels_true, labels_pred))


TWINS: dict[str, Twin] = {
    **{name: _of_labels(formula) for name, formula in PAIR_INDICES.items()},
    **twins_pair_counting_a.TWINS,
    **twins_pair_counting_b.TWINS,
    **twins_information.TWINS,
    **twins_set_matching.TWINS,
    **twins_cluster_level.TWINS,
}
