"""Indices of clusterings of any kind, registered here."""

from chancecorr.clusterings.indices.element_centric import ELEMENT_CENTRIC
from chancecorr.clusterings.indices.memberships import (
    CAMPELLO_RAND,
    FROBENIUS_RAND,
    FUZZY_COMPLETENESS,
    FUZZY_HOMOGENEITY,
)
from chancecorr.clusterings.indices.overlaps import AVERAGE_F1, ONMI_LFK, ONMI_MAX
from chancecorr.clusterings.indices.pair_counts import BROUWER_RAND, FUZZY_RAND, OMEGA
from chancecorr.clusterings.indices.trees import BAKERS_GAMMA, CORRELATION, HIERARCHICAL_NMI
from chancecorr.indices.registry import register_index

for entry in (
    FUZZY_RAND,
    FROBENIUS_RAND,
    BROUWER_RAND,
    CAMPELLO_RAND,
    FUZZY_COMPLETENESS,
    FUZZY_HOMOGENEITY,
    OMEGA,
    ONMI_MAX,
    ONMI_LFK,
    CORRELATION,
    BAKERS_GAMMA,
    HIERARCHICAL_NMI,
):
    register_index(entry)

COUNTERPARTS = {"average_f1": AVERAGE_F1, "element_centric_similarity": ELEMENT_CENTRIC}
"""Indices of partitions that are defined for other kinds, too: the entries for these."""
