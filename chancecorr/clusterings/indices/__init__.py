"""Indices of clusterings of any kind: one file each, registered here."""

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
