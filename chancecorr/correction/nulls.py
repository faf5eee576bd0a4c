"""Find the null distributions of indices under a model: from moments, by enumeration, or from draws.

`choose_answer` decides for each index, and is the only place that enumerates a distribution. The indices that
are left share one plan of draws; if it allows few draws, known moments are the answer.
"""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NoReturn

from chancecorr.chance.null_distribution import NullDistribution, make_exact_null
from chancecorr.chance.null_model import NullModel
from chancecorr.correction.p_value import bound_p_value
from chancecorr.correction.simulation import (
    MIN_DRAWS_OF_A_LAW,
    Nulls,
    make_null_of_moments,
    note_fewer_draws,
    plan_draws,
    simulate,
)
from chancecorr.machine.arguments import ArgumentValueError


def find_nulls(model: NullModel, indices: Sequence[Any], data: Sequence[NullModel] = ()) -> Nulls:
    """Return null distributions by index name; simulated ones share their draws.

    `data` are the models whose observed values will be compared with the null distributions.
    """
    nulls = {}
    for index in indices:
        null = choose_answer(model, index, data)
        if null is not None:
            nulls[index.name] = null
    drawn = [index for index in indices if index.name not in nulls]
    plan = plan_draws(model, drawn) if drawn else None
    if plan is not None and plan.n_draws < min(MIN_DRAWS_OF_A_LAW, plan.wanted):  # too few for a p-value
        note = note_fewer_draws(0, plan.wanted, plan.seconds, model.draw_word)
        known = [index for index in drawn if model.knows_mean(index)]
        nulls |= {index.name: make_null_of_moments(model, index, note) for index in known}
        drawn = [index for index in drawn if index.name not in nulls]
        plan = plan_draws(model, drawn) if drawn else None
    if plan is not None:
        nulls |= simulate(model, drawn, plan)
    objects = 0 if model.margins is not None else model.n
    named = ((index.name, nulls[index.name]) for index in indices)
    changes = functools.partial(dataclasses.replace, model=model.name, objects=objects)
    return {name: changes(null) for name, null in named}


def choose_answer(model: NullModel, index: Any, data: Sequence[NullModel] = ()) -> NullDistribution | None:
    """Return the moments if they are enough, else the enumerated distribution; None if draws are needed.

    Moments are enough if the mean is known and a proven bound of each p-value of the data is below the
    resolution of the distribution: of an enumeration before it is made, of draws if the enumeration fails.
    The model keeps the bounds, and p-values use them.
    """
    options, method = model.options, model.options.method
    if method.needs_moments or model.has_moments_alone:
        if model.moments(index) is None:
            refuse_method(model, index, model.methods_with_values, "its mean is not known without draws")
        return make_null_of_moments(model, index)
    if method.only_tables:
        return None
    # a bound may take the place of a p-value from a distribution
    is_search = method.search_seconds or options.checkpoint or options.alternative == "two-sided"
    may_bound = options.n_tables_is_limit and not is_search
    may_bound = may_bound and model.knows_mean(index)
    bounded = data if may_bound else ()
    # far out, the p-value is below what an enumeration of the distribution leaves out
    left_out = ((each, each.forecast_lost_mass(index)) for each in bounded)
    if bounded and all(mass > 0.0 and is_below(each, index, mass) for each, mass in left_out):
        return make_null_of_moments(model, index)
    law = model.law(index)  # T, or all tables or permutations, are enumerated here
    if law is not None:
        return make_exact_null(index.name, model.margins, law, model.moments(index))
    if bounded and all(is_below(each, index, 1.0 / (options.n_tables + 1)) for each in bounded):
        return make_null_of_moments(model, index)
    if method.needs_law:
        is_known = model.moments(index) is not None
        others = "'auto', 'analytic' or 'monte-carlo'" if is_known else "'auto' or 'monte-carlo'"
        refuse_method(model, index, others, "its null distribution is not enumerated")
    return None


def is_below(data: NullModel, index: Any, p: float) -> bool:
    """Return True if a proven bound of the p-value of the data is below `p`."""
    alternative = data.options.alternative
    bound = bound_p_value(data, index, "less" if (alternative or index.better_side) == "less" else "greater")
    return bound is not None and bound.p_value < p


def refuse_method(model: NullModel, index: Any, others: str, reason: str) -> NoReturn:
    """Raise because the method gives no answer; `others` are methods that do."""
    raise ArgumentValueError(
        "method",
        f"must be {others} for index {index.name!r}{model.place}: {reason}; got"
        f" {model.options.method.name!r}.",
    )


def find_mean(model: NullModel, index: Any) -> float:
    """Return the expected value of an index without the rest of its null distribution."""
    mean = model.mean(index)
    return find_nulls(model, (index,))[index.name].mean if mean is None else mean
