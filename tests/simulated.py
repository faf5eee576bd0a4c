"""Simulated values of indices without a null distribution around them, for tests of what lies below it."""

import functools

from chancecorr.chance.engines import engine_of
from chancecorr.chance.options import MonteCarlo, request
from chancecorr.correction.question import questions_about
from chancecorr.correction.sampling import joint_values, reductions_of
from chancecorr.null.models import PERMUTATION
from chancecorr.null.permutation import plan_sampler
from chancecorr.null.seeding import seed_from
from chancecorr.simulation.tally import merged
from chancecorr.simulation.task import Task
from chancecorr.simulation.workers import count_tables


def task_of(indices, margins, seed, model=PERMUTATION, centre=None):
    """Task of these indices; with a centre, T is tallied beside values that need it."""
    for index in indices:
        engine_of(index).prepare(index)
    return Task(
        sampler=plan_sampler(margins),
        seed=seed_from(seed),
        reductions=reductions_of(
            questions_about(margins, indices, request({})), with_controls=centre is not None
        ),
        model=model,
        pair_sum_centre=centre or 0,
    )


def joint(task, n_tables, **options):
    """Values beside their control variates, with counts, by index name."""
    tallies = {}
    count_tables(task, tallies, 0, n_tables, **options)
    return joint_values(task, tallies, n_tables)


def simulate(task, n_tables, **options):
    """Distinct values with their counts, by index name."""
    return {
        name: merged(found.values, found.counts) for name, found in joint(task, n_tables, **options).items()
    }


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
