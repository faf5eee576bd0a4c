"""What the entries of the catalogue claim, checked and shown; what to cite, which index to take."""

from chancecorr.catalogue.certified import Property, properties
from chancecorr.catalogue.checks import IndexCheckError, check_index
from chancecorr.catalogue.equivalences import equivalents
from chancecorr.catalogue.recommendations import Recommendation, Recommended, recommend
from chancecorr.correction.citations import Citation, cite

__all__ = [
    "Citation",
    "IndexCheckError",
    "Property",
    "Recommendation",
    "Recommended",
    "check_index",
    "cite",
    "equivalents",
    "properties",
    "recommend",
]
