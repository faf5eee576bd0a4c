"""Claims of the catalogue's entries, checked and shown; citations; recommendations."""

from chancecorr.catalogue.checks import IndexCheckError, check_index
from chancecorr.catalogue.details import Property, equivalents, properties
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
