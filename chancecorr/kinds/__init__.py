"""The four kinds of index, by what an index needs: for each, how values, moments, a law and a tally come."""

from collections.abc import Mapping
from types import MappingProxyType

from chancecorr.indices.registry import FIELDS_OF_KIND, Index
from chancecorr.kinds.cells import CELLS
from chancecorr.kinds.kind import Kind
from chancecorr.kinds.labels import LABELS
from chancecorr.kinds.pairs import PAIRS
from chancecorr.kinds.tables import TABLES

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in (PAIRS, CELLS, TABLES, LABELS)})
"""By what an index needs."""

if KINDS.keys() != FIELDS_OF_KIND.keys():
    raise ImportError(f"`FIELDS_OF_KIND` must name the kinds {sorted(KINDS)}; got {sorted(FIELDS_OF_KIND)}.")


def kind_of(index: Index) -> Kind:
    """Kind of an index."""
    return KINDS[index.needs]
