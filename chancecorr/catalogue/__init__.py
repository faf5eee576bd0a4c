"""What the entries of the catalogue claim, checked and shown; what to cite, which index to take."""

from chancecorr.catalogue.certified import Property, properties
from chancecorr.catalogue.checks import IndexCheckError, check_index
from chancecorr.catalogue.citations import Citation, cite
from chancecorr.catalogue.equivalences import equivalents
from chancecorr.catalogue.recommendations import Recommendation, Recommended, recommend

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
