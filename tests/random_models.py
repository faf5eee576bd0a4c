"""Random models by their names, and moments of T under them at any order, for tests of sampling."""

import math
from fractions import Fraction

import numpy as np

from chancecorr.chance import random_partitions as models
from chancecorr.indices.registry import get_index
from chancecorr.sampling import models as partitions
from chancecorr.sampling.kernels.streams import mix
from chancecorr.sampling.models import ANY, FIXED_K, compute_bell_numbers, compute_stirling_numbers, get_model
from chancecorr.tables.pair_sum import count_arrangements, count_pair_sequences, sum_factorials


def model_pair_sums(margins, model, *rest):
    """(T, A, B) under the model of this name."""
    return partitions.draw_model_pair_sums(margins, get_model(model), *rest)


def sample_model_tables(margins, model, *rest, **options):
    """Tables under the model of this name, as arrays."""
    tables = partitions.draw_model_counts(margins, get_model(model), *rest, **options)
    return (table if isinstance(table, np.ndarray) else table.toarray() for table in tables)


def sample_model_margins(margins, model, *rest, **options):
    """Totals of these tables, under the model of this name."""
    return partitions.sample_model_margins(margins, get_model(model), *rest, **options)


def expected_value(index, margins, model):
    """Exact mean under the model of this name."""
    return models.compute_mean(index, margins, get_model(model))


def expected_rand(margins, model):
    """Exact mean of the Rand index."""
    return models.compute_linear_mean(get_index("rand"), margins, get_model(model))


def expected_mutual_information(margins, model):
    """Exact mean of the mutual information."""
    return models.compute_sum_mean(get_index("mutual_information"), margins, get_model(model))


def sample_sizes(n, side, k=None, *, n_partitions=1, seed, first=0):
    """Cluster sizes of random partitions of n objects, by the row stream of tables of this seed."""
    totals = np.full(k or 0, 1)
    drawn = {"fixed-k": FIXED_K, "all-partitions": ANY}[side]
    key = np.uint64(mix(np.uint64(seed) ^ partitions.SALTS_OF_SIZES[0]))
    sizes, ends = drawn.draw_sizes(totals, n, key, first, n_partitions)
    return [sizes[ends[t] : ends[t + 1]] for t in range(n_partitions)]


def model_raw_moments(margins, model, order=4):
    """``E U**m``, m = 1, ..., order, of ``U = T - n`` under a model, exact.

    ``E U^m = sum over lambda of c_m(lambda) (n)_v rho_row(lambda) rho_column(lambda)``: the expansion of
    `chancecorr.tables.pair_sum`, with rho the chance that v given objects lie so that each of c
    components is inside one cluster: ``R(lambda) / (n)_v`` for given sizes, ``S(n - v + c, k) / S(n, k)``
    for a uniform partition into k clusters, ``B(n - v + c) / B(n)`` for a uniform one and the product over
    the components of ``sum (size / n)**v`` for objects that are each in a cluster by its share.
    """
    n = margins.n
    sequences = count_pair_sequences(order)
    every_size = [sizes for sizes in sequences[-1] if sum(sizes) <= n]
    model = get_model(model)
    row, column = (
        chances(side.name, totals, n, order, every_size)
        for side, totals in ((model.rows, margins.row_totals), (model.columns, margins.column_totals))
    )
    return [
        sum(
            (
                count * math.perm(n, sum(sizes)) * row[sizes] * column[sizes]
                for sizes, count in c.items()
                if sizes in row
            ),
            start=Fraction(0),
        )
        for c in sequences
    ]


def chances(side, totals, n, order, every_size):
    """``rho(lambda)`` for each lambda of at most n objects."""
    if side == "fixed":
        R = count_arrangements(order, sum_factorials(totals, order + 1))
        return {sizes: Fraction(R[sizes], math.perm(n, sum(sizes))) for sizes in every_size}
    if side == "multinomial":
        powers = {
            v: Fraction(sum(int(size) ** v for size in totals), max(n, 1) ** v)
            for v in range(2, 2 * order + 1)
        }
        return {sizes: math.prod((powers[v] for v in sizes), start=Fraction(1)) for sizes in every_size}
    k = int(np.count_nonzero(totals))
    numbers = compute_stirling_numbers(n, k) if side == "fixed-k" else compute_bell_numbers(n)
    return {sizes: Fraction(numbers[n - sum(sizes) + len(sizes)], numbers[n]) for sizes in every_size}
