"""The four kinds of index, by what an index needs: for each, how values, moments, a law and a tally come."""

from collections.abc import Mapping
from types import MappingProxyType

from chancecorr.chance.cells import CELLS
from chancecorr.chance.engine import Engine
from chancecorr.chance.pairs import PAIRS
from chancecorr.chance.tables import LABELS, TABLES
from chancecorr.indices.registry import FIELDS_OF_KIND, Index

ENGINES: Mapping[str, Engine] = MappingProxyType({kind.name: kind for kind in (PAIRS, CELLS, TABLES, LABELS)})
"""By what an index needs."""

if ENGINES.keys() != FIELDS_OF_KIND.keys():
    raise ImportError(
        f"`FIELDS_OF_KIND` must name the kinds {sorted(ENGINES)}; got {sorted(FIELDS_OF_KIND)}."
    )


def engine_of(index: Index) -> Engine:
    """Engine of an index."""
    return ENGINES[index.needs]
