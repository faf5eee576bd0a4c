"""P-values of a table by multilevel splitting, whichever way `adjust` would take."""

import math
from functools import partial

import chancecorr as cc
from chancecorr.chance.engines import get_engine
from chancecorr.chance.models import make_model_of_table
from chancecorr.correction.options import read_options
from chancecorr.correction.p_value import use_splitting
from chancecorr.sampling.splitting import split
from chancecorr.tables.contingency import as_table


def split_index(index, margins, observed, side="greater", **effort):
    """By the values of the index, also where T determines it."""
    entry = cc.get_index(index)
    return split(margins, observed, side, partial(get_engine(entry).values, entry, margins=margins), **effort)


def split_table(table, index, seconds=math.inf):
    """By T if that determines the index, else by its values."""
    entry, model = cc.get_index(index), make_model_of_table(as_table(table), read_options(rng=1))
    return use_splitting(model, entry, "greater", seconds)
