"""The catalogue: every file that holds entries. Importing a file registers its entries."""

# ruff: noqa: F401
import chancecorr.indices.cluster_level
import chancecorr.indices.coreference
import chancecorr.indices.information.association
import chancecorr.indices.information.generalized
import chancecorr.indices.information.shared_information
import chancecorr.indices.pair_counting.association
import chancecorr.indices.pair_counting.distances
import chancecorr.indices.pair_counting.families
import chancecorr.indices.pair_counting.prediction
import chancecorr.indices.pair_counting.similarities
import chancecorr.indices.pair_counting.sizes
import chancecorr.indices.set_matching
