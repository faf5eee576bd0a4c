"""Random models by their names, for tests of sampling."""

import numpy as np

from chancecorr.chance import random_partitions as models
from chancecorr.indices.registry import get_index
from chancecorr.sampling import models as partitions
from chancecorr.sampling.models import MODELS


def model_pair_sums(margins, model, *rest):
    """(T, A, B) under the model of this name."""
    return partitions.draw_model_pair_sums(margins, MODELS[model], *rest)


def sample_model_tables(margins, model, *rest, **options):
    """Tables under the model of this name, as arrays."""
    tables = partitions.draw_model_counts(margins, MODELS[model], *rest, **options)
    return (table if isinstance(table, np.ndarray) else table.toarray() for table in tables)


def sample_model_margins(margins, model, *rest, **options):
    """Totals of these tables, under the model of this name."""
    return partitions.sample_model_margins(margins, MODELS[model], *rest, **options)


def expected_value(index, margins, model):
    """Exact mean under the model of this name."""
    return models.compute_mean(index, margins, MODELS[model])


def expected_rand(margins, model):
    """Exact mean of the Rand index."""
    return models.compute_linear_mean(get_index("rand"), margins, MODELS[model])


def expected_mutual_information(margins, model):
    """Exact mean of the mutual information."""
    return models.compute_sum_mean(get_index("mutual_information"), margins, MODELS[model])
