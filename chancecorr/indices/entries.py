"""The catalogue: importing a file of entries registers them."""

# ruff: noqa: F401
import chancecorr.indices.agreement
import chancecorr.indices.cluster_level
import chancecorr.indices.contingency
import chancecorr.indices.coreference
import chancecorr.indices.information
import chancecorr.indices.pair_association
import chancecorr.indices.pair_distances
import chancecorr.indices.pair_families
import chancecorr.indices.pair_prediction
import chancecorr.indices.pair_similarities
import chancecorr.indices.pair_sizes
import chancecorr.indices.reduced_information
import chancecorr.indices.set_matching
