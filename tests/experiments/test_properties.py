"""The search of all clusterings against slow twins, the certificates against counts, and wrong claims
caught."""

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices.registry import FAMILIES
from experiments.properties import certificates, counts, searches
from experiments.properties.classes import all_pairs, canonical, clusterings, table_of
from experiments.properties.corrected import FORMULAS
from experiments.properties.definitions import DEFINITIONS
from experiments.properties.facts import FACTS
from experiments.properties.formulas import form_of
from experiments.properties.gosgens import HERE, PRINTED, compared, judged
from experiments.properties.reasons import (
    TRANSFORMS,
    corrected_pieces,
    form_value,
    pieces_of,
    reason_for,
)
from experiments.properties.regions import QUARTERS, WHOLE
from experiments.properties.run import TARGET
from experiments.properties.values import adjusted_values, raw_values, scale_of, view
from tests.shares import small_and_full

NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
CLASSES = (1, 4, 10, 33, 91, 298, 910, 3017)
"""OEIS A007716, n = 1, 2, ...: multiset partitions of multisets of n objects, up to the objects' names."""

BELL = (1, 2, 5, 15, 52, 203, 877, 4140)
"""OEIS A000110."""


class TestClasses:
    @pytest.mark.parametrize("n", range(1, 8))
    def test_there_are_as_many_as_there_should_be(self, n):
        every = clusterings(n)
        assert len(every.tables) == CLASSES[n - 1]
        assert every.labels.shape == (BELL[n - 1], n)

    @pytest.mark.long
    def test_of_eight_objects(self):
        assert len(clusterings(8).tables) == CLASSES[7]

    def test_classes_of_all_pairs(self):
        every = clusterings(6)
        pairs = all_pairs(6)
        assert (pairs[every.references] == every.classes).all()
        assert (every.swapped[pairs] == pairs.T).all()
        rng = np.random.default_rng(3)
        for u, v in rng.integers(0, BELL[5], size=(200, 2)):
            table = table_of(every.labels[u], every.labels[v])
            assert canonical(table) == canonical(every.tables[pairs[u, v]])


class TestValues:
    @pytest.mark.parametrize("name", ["jaccard", "nmi_sqrt", "purity_f", "irm", "mutual_information", "mari"])
    def test_raw_and_corrected_are_those_of_the_package(self, name):
        every, index = clusterings(6), cc.get_index(name)
        raw = raw_values(index, 6)
        corrected = adjusted_values(index, 6, raw)
        for k in np.random.default_rng(2).integers(0, len(every.tables), 40):
            score = cc.adjust_table(every.tables[k], index=name, method="exact")
            assert raw[k] == pytest.approx(score.observed, rel=1e-12, nan_ok=True)
            assert corrected[k] == pytest.approx(score.adjusted, rel=1e-9, abs=1e-11, nan_ok=True)


class TestCertificates:
    @pytest.mark.parametrize("name", NAMES)
    def test_the_form_is_the_index(self, name):
        """What was read from the formula has the value of the function, on all small counts."""
        index = cc.get_index(name)
        pieces = pieces_of(index)
        if pieces is None:
            return
        self.compare(pieces, counts.function_of_counts(index, adjusted=False), index.larger_is_better)

    @pytest.mark.parametrize(
        "name", sorted({*FORMULAS, "clement", "sokal_sneath_4", "f_beta", "phi", "peirce_1"})
    )
    def test_the_corrected_form_is_the_corrected_index(self, name):
        index = cc.get_index(name)
        pieces = corrected_pieces(index)
        if pieces is not None:
            self.compare(pieces, counts.function_of_counts(index, adjusted=True), True)

    @staticmethod
    def compare(pieces, function, larger_is_better):
        some = counts.all_counts(5)
        values = function(*some.T) * (1 if larger_is_better else -1)
        compared = 0
        for four, value in zip(some.astype(int).tolist(), values.tolist(), strict=True):
            found = form_value(pieces, four)
            if found is not None and np.isfinite(value):
                assert found == pytest.approx(value, rel=1e-9, abs=1e-12), four
                compared += 1
        assert compared > 30

    @pytest.mark.parametrize(
        ("formula", "key"),
        [
            ("(a + d) / (b + c - a + 2 N)", "maximal_agreement"),
            ("a / (a + b)", "monotone_splitting"),
            ("a / (a + b + c)", "strongly_monotone"),
            ("a / (a + b + 2 c)", "is_symmetric"),
            ("(a d + b c) / N^2", "monotone_merging"),
            ("a / (a + b + c)", "minimal_agreement"),
            ("(a d - b c + a) / N^2", "asymptotic_constant_baseline"),
            ("a / max(P, Q)", "monotone_splitting"),
        ],
    )
    def test_what_is_wrong_is_not_certified(self, formula, key):
        regions = QUARTERS if "max" in formula else (WHOLE,)
        pieces = certificates.Pieces(tuple((form_of(formula, region), region) for region in regions))
        check = getattr(certificates, key)
        bound = {"maximal_agreement": (Fraction(1),), "minimal_agreement": (Fraction(0),)}.get(key, ())
        assert not check(pieces, *bound)


class TestReasons:
    @pytest.mark.parametrize(("name", "base"), sorted(TRANSFORMS.items()))
    def test_a_transform_has_the_order_of_its_base(self, name, base):
        for n in (4, 6):
            one, two = (
                view(raw_values(index, n), n, larger_is_better=index.larger_is_better).good
                for index in (cc.get_index(name), cc.get_index(base))
            )
            both = (one >= 0) & (two >= 0)
            steps = {(int(x), int(y)) for x, y in zip(one[both], two[both], strict=True)}
            assert len(steps) == len({x for x, _ in steps}) == len({y for _, y in steps})
            assert [y for _, y in sorted(steps)] == sorted(y for _, y in steps)

    def test_a_wrong_reason_meets_a_counterexample(self, monkeypatch):
        """Purity is not monotone in merging: were it claimed, the run would stop."""
        from experiments.properties import certify

        monkeypatch.setitem(FACTS, "maxima_split", {"monotone_merging": ("purity",)})
        with pytest.raises(AssertionError, match="purity, monotone_merging: proved by maxima_split, and yet"):
            certify.certify(cc.get_index("purity"), 4)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("objects", small_and_full(5, 6))
def test_what_is_proved_has_no_counterexample(name, objects):
    """Searched once more, on fewer objects than for the data."""
    index = cc.get_index(name)
    for n in range(3, objects + 1):
        raw = raw_values(index, n)
        corrected = adjusted_values(index, n, raw)
        for adjusted in (False, True):
            better = adjusted or index.larger_is_better
            values = corrected if adjusted else raw
            seen = view(values, n, larger_is_better=better, scale=max(1e-3, scale_of(values)))
            known = cc.catalogue.properties(name, adjusted=adjusted)
            for definition in DEFINITIONS:
                if definition.search and known[definition.key].status == "proved":
                    assert definition.search(seen) is None, (definition.key, adjusted, n)


def test_a_wrong_definition_finds_what_is_not_there():
    """With merges and splits exchanged, Rand's index would fall at each of them."""
    seen = view(-raw_values(cc.get_index("rand"), 4), 4, larger_is_better=True)
    assert searches.monotone(seen) is not None
    assert searches.weakly_monotone(seen) is not None
    seen = view(raw_values(cc.get_index("rand"), 4), 4, larger_is_better=True)
    assert searches.monotone(seen) is None
    squared = dataclasses.replace(seen, values=1 - (1 - seen.values) ** 2)
    assert searches.metric(seen) is None
    assert searches.metric(squared) is not None


def test_the_reasons_in_the_data_are_those_of_now():
    data = json.loads(TARGET.read_text(encoding="utf-8"))
    for name in ("rand", "jaccard", "nmi_sum", "purity_f", "braun_blanquet", "rv"):
        for side in ("raw", "adjusted"):
            for key, cell in data["indices"][name][side].items():
                if cell["status"] in ("proved", "open") and key != "linear_complexity":
                    reason = reason_for(cc.get_index(name), key, adjusted=side == "adjusted")
                    assert cell.get("reason", "") == reason


class TestGosgens:
    def test_each_printed_cell_has_its_verdict(self):
        cells = list(compared())
        assert len(cells) == sum(len(row.split()) for row in PRINTED.values())
        assert set(HERE) == set(PRINTED)
        for cell in cells:
            assert cell.printed in ("yes", "no")
            if cell.verdict == "agrees":
                assert cell.found == ("proved" if cell.printed == "yes" else "refuted")
            if cell.verdict == "differs":
                assert cell.found == ("refuted" if cell.printed == "yes" else "proved")
                assert cell.about

    def test_a_wrong_cell_differs(self):
        known = cc.catalogue.properties("rand")
        assert judged("yes", known["metric"], known)[0] == "agrees"
        assert judged("no", known["metric"], known)[0] == "differs"
