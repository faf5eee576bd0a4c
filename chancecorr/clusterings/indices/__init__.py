"""Indices of clusterings of any kind: one file each, listed here."""

from collections.abc import Mapping
from types import MappingProxyType

from chancecorr.clusterings.index import PairIndex
from chancecorr.clusterings.indices.baker import BAKERS_GAMMA
from chancecorr.clusterings.indices.brouwer_rand import BROUWER_RAND
from chancecorr.clusterings.indices.campello_rand import CAMPELLO_RAND
from chancecorr.clusterings.indices.correlation import CORRELATION
from chancecorr.clusterings.indices.element_centric import ELEMENT_CENTRIC
from chancecorr.clusterings.indices.frobenius_rand import FROBENIUS_RAND
from chancecorr.clusterings.indices.fuzzy_rand import FUZZY_RAND
from chancecorr.clusterings.indices.fuzzy_wallace import FUZZY_COMPLETENESS, FUZZY_HOMOGENEITY
from chancecorr.clusterings.indices.hierarchical_information import HIERARCHICAL_NMI
from chancecorr.clusterings.indices.omega import OMEGA
from chancecorr.clusterings.indices.overlaps import AVERAGE_F1, ONMI_LFK, ONMI_MAX

PAIR_INDICES: Mapping[str, PairIndex] = MappingProxyType(
    {
        each.name: each
        for each in (
            FUZZY_RAND,
            FROBENIUS_RAND,
            BROUWER_RAND,
            CAMPELLO_RAND,
            FUZZY_COMPLETENESS,
            FUZZY_HOMOGENEITY,
            OMEGA,
            ONMI_MAX,
            ONMI_LFK,
            AVERAGE_F1,
            CORRELATION,
            BAKERS_GAMMA,
            HIERARCHICAL_NMI,
            ELEMENT_CENTRIC,
        )
    }
)
"""By name; pair-counting indices of the catalogue are found there."""

NAMED: Mapping[str, PairIndex] = MappingProxyType(
    {name: each for each in PAIR_INDICES.values() for name in (each.name, *each.aliases)}
)
"""The same by all their names."""
