"""Indices of clusterings of any kind: one file each, listed here."""

from collections.abc import Mapping
from types import MappingProxyType

from chancecorr.clusterings.index import PairIndex
from chancecorr.clusterings.indices.baker import BAKERS_GAMMA
from chancecorr.clusterings.indices.correlation import CORRELATION
from chancecorr.clusterings.indices.fuzzy_rand import FUZZY_RAND
from chancecorr.clusterings.indices.hierarchical_information import HIERARCHICAL_NMI
from chancecorr.clusterings.indices.omega import OMEGA

PAIR_INDICES: Mapping[str, PairIndex] = MappingProxyType(
    {each.name: each for each in (FUZZY_RAND, OMEGA, CORRELATION, BAKERS_GAMMA, HIERARCHICAL_NMI)}
)
"""By name; pair-counting indices of the catalogue are found there."""

NAMED: Mapping[str, PairIndex] = MappingProxyType(
    {name: each for each in PAIR_INDICES.values() for name in (each.name, *each.aliases)}
)
"""The same by all their names."""
