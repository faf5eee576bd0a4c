"""Random models by their names, for tests of sampling."""

import numpy as np

from chancecorr import Margins, get_index
from chancecorr.chance import random_partitions as models
from chancecorr.chance.fixed_margins import PERMUTATION
from chancecorr.chance.random_partitions import MODELS_OF_PARTITIONS
from chancecorr.sampling import sides as partitions
from chancecorr.sampling.sides import FIXED, RandomSides

MODELS = {model.name: model for model in (PERMUTATION, *MODELS_OF_PARTITIONS)}
"""The models of partitions without names."""


def sides_of(model):
    """What is random about each side under the model of this name."""
    keywords = getattr(MODELS[model].make, "keywords", {"rows": FIXED, "columns": FIXED})
    return RandomSides(**keywords)


def sides_of_task(model):
    """The same for a task: None if all tables have the margins of the data."""
    return None if model == "permutation" else sides_of(model)


def model_pair_sums(margins, model, n_tables, seed, first=0):
    """(T, A, B) under the model of this name."""
    return partitions.draw_random_pair_sums(margins, sides_of(model), n_tables, seed, first)


def sample_model_tables(margins, model, n_tables, seed, first=0):
    """Tables under the model of this name, in order, as arrays."""
    out = [None] * n_tables
    for places, _, tables in partitions.draw_random_tables(margins, sides_of(model), n_tables, seed, first):
        laid_out = tables if isinstance(tables, np.ndarray) else [tables.toarray()]
        for place, table in zip(places, laid_out, strict=True):
            out[place] = table
    return out


def sample_model_margins(margins, model, n_tables, seed, first=0):
    """Margins of these tables, in order."""
    out = [None] * n_tables
    for places, sizes in partitions.draw_random_margins(margins, sides_of(model), n_tables, seed, first):
        for place, *sides in zip(places, sizes.row_totals, sizes.column_totals, strict=True):
            out[place] = Margins(*sides)
    return out


def expected_value(index, margins, model):
    """Exact mean under the model of this name."""
    return models.compute_mean(index, margins, sides_of(model))


def expected_rand(margins, model):
    """Exact mean of the Rand index."""
    return models.compute_linear_mean(get_index("rand"), margins, sides_of(model))


def expected_mutual_information(margins, model):
    """Exact mean of the mutual information."""
    return models.compute_sum_mean(get_index("mutual_information"), margins, sides_of(model))
