"""Find the null distributions of indices under a model: from moments, by enumeration, or from draws."""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, NoReturn

from chancecorr.chance.null_distribution import NullDistribution, make_exact_null
from chancecorr.chance.null_model import NullModel
from chancecorr.correction.p_value import needs_no_law
from chancecorr.correction.simulation import Nulls, make_null_of_moments, simulate
from chancecorr.machine.arguments import ArgumentValueError


def find_nulls(model: NullModel, indices: Sequence[Any], data: Sequence[NullModel] = ()) -> Nulls:
    """Return null distributions by index name; simulated ones share their draws.

    `data` are the models whose observed values will be compared with the null distributions.
    """
    nulls = {}
    for index in indices:
        null = find_null_without_draws(model, index, data)
        if null is not None:
            nulls[index.name] = null
    drawn = [index for index in indices if index.name not in nulls]
    if drawn:
        nulls |= simulate(model, drawn)
    objects = 0 if model.margins is not None else model.n
    named = ((index.name, nulls[index.name]) for index in indices)
    changes = functools.partial(dataclasses.replace, model=model.options.model.name, objects=objects)
    return {name: changes(null) for name, null in named}


def find_null_without_draws(
    model: NullModel, index: Any, data: Sequence[NullModel] = ()
) -> NullDistribution | None:
    """Return the moments if they are enough, else the enumerated distribution; None if draws are needed."""
    method = model.options.method
    if method.needs_moments or model.has_moments_alone:
        if model.moments(index) is None:
            others = "'auto', 'exact' or 'monte-carlo'" if model.keeps_margins else "'auto' or 'monte-carlo'"
            refuse_method(model, index, others, "its mean is not known without draws")
        return make_null_of_moments(model, index)
    if method.only_tables:
        return None
    keeps = bool(data) and model.keeps_margins
    if keeps and model.knows_mean(index) and all(needs_no_law(of_data, index) for of_data in data):
        return make_null_of_moments(model, index)
    law, moments = model.law(index), model.moments(index)
    if law is not None:
        return make_exact_null(index.name, model.margins, law, moments)
    if method.needs_law:
        others = "'auto' or 'monte-carlo'" if moments is None else "'auto', 'analytic' or 'monte-carlo'"
        refuse_method(model, index, others, "its null distribution is not enumerated")
    return None


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
