"""P-values of a table in one way, whichever `adjust` would take."""

import chancecorr as cc
from chancecorr.chance.models import make_model_of_table
from chancecorr.chance.options import read_options
from chancecorr.correction.p_value import TailRequest
from chancecorr.correction.p_value_methods import split_p_value, tail_from_splitting
from chancecorr.tables.contingency import as_table


def request_of(table, index, *, alternative="greater", seconds=60.0, rng=1):
    """What a way is asked: which values are extreme, and what it may take."""
    entry, model = cc.get_index(index), make_model_of_table(as_table(table), read_options(rng=rng))
    return TailRequest(
        model=model, index=entry, observed=model.observed(entry), alternative=alternative, seconds=seconds
    )


def split_table(table, index, **effort):
    """By multilevel splitting of the values of the index, or of T if that determines it."""
    request = request_of(table, index)
    return tail_from_splitting(split_p_value(index, request.margins, request.observed, rng=1, **effort))
