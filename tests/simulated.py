"""Simulated values of indices without a null distribution around them, for tests of what lies below it."""

import functools

from chancecorr import MonteCarlo, get_index
from chancecorr.chance.engines import get_engine
from chancecorr.chance.models import make_model_of_table
from chancecorr.chance.table_draws import TableDraws, plan_reductions
from chancecorr.correction.nulls import find_nulls
from chancecorr.correction.options import read_options
from chancecorr.exact.summary import merge_equal
from chancecorr.sampling.permutation import plan_sampler
from chancecorr.sampling.seeding import make_seed
from chancecorr.sampling.task import Task
from chancecorr.sampling.workers import count_tables


def task_of(indices, margins, seed, sides=None, centre=None):
    """Task of these indices; with a centre, T is tallied beside values that need it."""
    for index in indices:
        get_engine(index).prepare(index)
    reductions = plan_reductions(indices, with_controls=centre is not None)
    sampling = {"sampler": plan_sampler(margins), "seed": make_seed(seed), "sides": sides}
    return Task(reductions=reductions, pair_sum_centre=centre or 0, **sampling)


def joint(task, n_tables, block_size=2000, **options):
    """Values beside their control variates, with counts, by index name."""
    tallies = {}
    count_tables(task, tallies, 0, n_tables, block_size=block_size, **options)
    return TableDraws(task, read_options(), tallies, block_size).read(n_tables)


def simulate(task, n_tables, **options):
    """Distinct values with their counts, by index name."""
    found = joint(task, n_tables, **options)
    return {name: merge_equal(each.values, each.counts) for name, each in found.items()}


def with_settings(function):
    """The function with fields of `MonteCarlo` as keywords, of the method that is given, or "auto"."""

    @functools.wraps(function)
    def called(*arguments, **given):
        names = ("precision", "controls", "checkpoint", "progress")
        settings = {name: given.pop(name) for name in names if name in given}
        if settings:
            only = given.get("method") == "monte-carlo"
            given["method"] = MonteCarlo(**settings, only=only)
        return function(*arguments, **given)

    return called


def model_and_null(index, table, **options):
    """The model of a table, an index, and its null distribution, for tests of what is made of them."""
    model, entry = make_model_of_table(table, read_options(**options)), get_index(index)
    return model, entry, find_nulls(model, (entry,))[entry.name]
