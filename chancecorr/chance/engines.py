"""The four kinds of index, by what an index needs: for each, how values, moments, a law and a tally come."""

from collections.abc import Mapping
from types import MappingProxyType

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.cells import CELLS
from chancecorr.chance.engine import Engine
from chancecorr.chance.pairs import PAIRS
from chancecorr.chance.tables import LABELS, TABLES
from chancecorr.indices.registry import FIELDS_OF_KIND, Index

ENGINES: Mapping[str, Engine] = MappingProxyType({kind.name: kind for kind in (PAIRS, CELLS, TABLES, LABELS)})
"""By what an index needs."""

if ENGINES.keys() != FIELDS_OF_KIND.keys() - {"clusterings"}:
    raise ImportError(
        f"`FIELDS_OF_KIND` must name the kinds {sorted(ENGINES)}; got {sorted(FIELDS_OF_KIND)}."
    )


def engine_of(index: Index) -> Engine:
    """Engine of an index of partitions."""
    if index.needs not in ENGINES:
        raise ArgumentValueError(
            "index",
            f"must be one of a contingency table here; got {index.name!r}, which compares clusterings of any"
            " kind: `adjust`, `adjusted_score` and `score` take it.",
        )
    return ENGINES[index.needs]
