"""Adds an index, a model and a method as the recipes do, and calls all that goes over a list of them.

Run by `test_recipes` in a process of its own; prints the traceback of each call that failed, as JSON.
"""

import contextlib
import io
import json
import sys
import tempfile
import traceback
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

import numpy as np

import chancecorr as cc
from chancecorr.catalogue import check_index, describe_index
from chancecorr.chance import models, random_partitions
from chancecorr.chance import options as methods
from chancecorr.chance.fixed_margins import TableModel
from chancecorr.report import to_html
from chancecorr.sampling import sides
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.contingency import count_table
from chancecorr.tables.crosstab import cross_tabulate

TRUTH, FOUND = [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2, 0]


def extend(name, module, one):
    """Put one more into a list, for all modules that have imported it."""
    old = getattr(module, name)
    new = MappingProxyType({**old, one.name: one})
    for other in list(sys.modules.values()):
        if getattr(other, name, None) is old:
            setattr(other, name, new)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rotated(TableModel):
    """The candidate's labels are rotated by a random number of places."""

    def draw_tables(self, indices, numbers):
        rows, columns = self.number_objects()
        for number in numbers:
            places = int(make_generator(self.options.seed, number).integers(self.n))
            yield count_table(cross_tabulate(rows, np.roll(columns, places)).counts)


def add():
    """The three, before the command line and reports are imported."""
    squared = cc.indices.Index(
        name="squared_rand", needs="pairs", family="pair_counting", formula="((a + d)/(a + b + c + d))^2",
        function=lambda a, b, c, d: ((a + d) / (a + b + c + d)) ** 2, best=1.0, range=(0.0, 1.0),
        symmetric=True, source="Made up (2026)", undefined=1.0,
    )  # fmt: skip
    cc.register_index(squared)
    about = "the reference keeps its number of clusters and the candidate has any"
    make = partial(random_partitions.RandomPartitions, rows=sides.FIXED_K, columns=sides.ANY)
    extend("MODELS", models, methods.NamedModel("mixed", about, make, treats_sides_alike=False))
    extend("MODELS", models, methods.NamedModel("rotated", "the candidate is rotated", Rotated))
    extend("METHODS", methods, methods.Method(name="quick", law_seconds=0.01, law_tables=100))


def scores():
    assert cc.adjust(TRUTH, FOUND, index="squared_rand", rng=1).observed > 0.0
    assert "squared_rand" in cc.adjust(TRUTH, FOUND, index=cc.list_indices(), n_tables=50, rng=1)
    assert cc.adjust(TRUTH, FOUND, model="mixed", n_tables=99, rng=1).p_value > 0.0
    rotated = cc.adjust(TRUTH, FOUND, ["rand", "purity"], model="rotated", n_tables=500, rng=1)
    shifted = cc.adjust(TRUTH, FOUND, model=cc.chance.shifts(9))
    assert abs(rotated["rand"].expected - shifted.expected) < 6.0 * rotated["rand"].null.monte_carlo_error
    assert rotated["rand"].null.model == "rotated"
    assert cc.adjust(TRUTH, FOUND, method="quick", rng=1).p_value > 0.0


def catalogue():
    assert {each.status for each in cc.catalogue.properties("squared_rand").values()} == {"open"}
    assert isinstance(cc.catalogue.equivalents("squared_rand"), tuple | list)
    assert "Made up (2026)" in cc.catalogue.cite("squared_rand").text
    assert check_index("squared_rand") == []
    assert dict(describe_index(cc.get_index("squared_rand")))["source"] == "Made up (2026)"


def reports():
    compared = cc.compare(TRUTH, {"a": FOUND}, model="mixed", n_tables=99, rng=1)
    assert "the candidate has any" in " ".join(to_html(compared).split())


def commands():
    from chancecorr.cli.run import run

    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "labels.csv"
        data.write_text("truth,found\n" + "".join(f"{a},{b}\n" for a, b in zip(TRUTH, FOUND, strict=True)))
        labels = ["truth", "found", "--data", str(data), "--seed", "1"]
        mixed = ["--model", "mixed", "--n-tables", "99"]
        for words in (
            ["indices"],
            ["adjust", *labels, *mixed],
            ["adjust", *labels, "--method", "quick", "--index", "squared_rand"],
            ["report", *labels, *mixed, "--output", str(Path(folder) / "report.html")],
        ):
            with contextlib.redirect_stdout(io.StringIO()):
                assert run(words) == 0, words


CALLS = scores, catalogue, reports, commands

if __name__ == "__main__":
    add()
    failed = {}
    for call in CALLS:
        try:
            call()
        except Exception:
            failed[call.__name__] = traceback.format_exc()
    print("FAILED", json.dumps(failed))
