"""Places in pictures: they are where the numbers say."""

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chancecorr.report.contents import Difference, IndexScores, Law, Score, Table
from chancecorr.report.drawing import (
    MOST_CANDIDATES,
    MOST_CLUSTERS,
    REACH,
    count_map,
    difference_map,
    fitted,
    forest,
    largest_clusters,
    law_picture,
)

NOTHING = np.zeros(0)


def law(values=NOTHING, weights=NOTHING, mean=0.5, std=0.1, skewness=0.0):
    return Law(
        values=np.asarray(values, float),
        weights=np.asarray(weights, float),
        mean=mean,
        std=std,
        skewness=skewness,
    )


def score(
    name="a", adjusted=0.5, low=math.nan, high=math.nan, rank=1, among_best=True, observed=0.6, **of_law
):
    found = law(**of_law)
    return Score(
        candidate=name,
        observed=observed,
        expected=found.mean,
        best=1.0,
        adjusted=adjusted,
        low=low,
        high=high,
        z_score=1.0,
        p_value="0.1",
        p_corrected="0.1",
        p_of_difference="",
        rank=rank,
        among_best=among_best,
        law=found,
    )


def of(*scores, differences=()):
    return IndexScores(index="rand", formula="", source="", scores=scores, differences=tuple(differences))


def number(text):
    return float(text.replace("−", "-"))


class TestForest:
    SCORES = (
        score("b", 0.3, 0.1, 0.45, rank=2, among_best=True),
        score("a", 0.8, 0.7, 0.9),
        score("d", math.nan, rank=None, among_best=False),
        score("c", -0.1, -0.3, 0.1, rank=3, among_best=False),
    )

    def test_best_first_and_undefined_last(self):
        drawn = forest(of(*self.SCORES))
        assert [line.name for line in drawn.lines] == ["a", "b", "c", "d"]
        assert [line.mark for line in drawn.lines] == ["best", "level", "other", "none"]
        assert drawn.lines[3].text == "no score"
        assert (drawn.lines[3].place, drawn.lines[3].low) == (None, None)

    def test_places_are_linear_in_the_scores(self):
        drawn = forest(of(*self.SCORES))
        (x0, t0), (x1, t1) = [(tick.place, number(tick.text)) for tick in (drawn.ticks[0], drawn.ticks[-1])]
        unit = (x1 - x0) / (t1 - t0)
        for line, found in zip(drawn.lines, of(*self.SCORES).ranked, strict=True):
            for place, wanted in (
                (line.place, found.adjusted),
                (line.low, found.low),
                (line.high, found.high),
            ):
                if place is not None:
                    assert t0 + (place - x0) / unit == pytest.approx(wanted, abs=2e-4)
        assert t0 + (drawn.zero - x0) / unit == pytest.approx(0.0, abs=2e-4)

    def test_all_is_inside(self):
        drawn = forest(of(score(adjusted=-40.0, low=-90.0, high=-1.0), score("b", 0.99, 0.9, 1.2)))
        for line in drawn.lines:
            assert 0.0 <= line.low <= line.place <= line.high <= 100.0

    def test_the_text_has_a_true_minus_sign_and_no_sign_on_zero(self):
        drawn = forest(of(score(adjusted=-0.0001, low=-0.5, high=0.25)))
        assert drawn.lines[0].text == "0.000 (−0.500 to 0.250)"

    def test_nothing_is_known(self):
        drawn = forest(of(score(adjusted=math.nan, rank=None)))
        assert drawn.lines[0].place is None
        assert drawn.ticks


def steps(path):
    """Corners of an outline as left end, right end and height."""
    start = float(re.match(r"M([\d.]+) 100", path)[1])
    found = []
    for height, right in re.findall(r"V([\d.]+)H([\d.]+)", path):
        found.append((start, float(right), 100.0 - float(height)))
        start = float(right)
    return np.array(found)


class TestLaw:
    def test_few_values_have_bars_as_high_as_their_weights(self):
        drawn = law_picture(score(values=[0.2, 0.5, 0.6], weights=[0.2, 0.5, 0.3]))
        bars = steps(drawn.path)
        bars = bars[bars[:, 2] > 0]
        assert bars[:, 2].tolist() == pytest.approx([40.0, 100.0, 60.0], abs=0.1)
        middles = bars[:, :2].mean(axis=1)
        assert (middles[2] - middles[1]) / (middles[2] - middles[0]) == pytest.approx(0.25, abs=0.01)
        assert not drawn.is_curve

    def test_many_values_have_bins_with_their_shares_as_areas(self):
        values = np.sort(np.random.default_rng(1).normal(0.5, 0.05, 20_000))
        drawn = law_picture(score(values=values, weights=np.full(20_000, 5e-5), mean=0.5, std=0.05))
        bins = steps(drawn.path)
        areas = (bins[:, 1] - bins[:, 0]) * bins[:, 2]
        middles = bins[:, :2].mean(axis=1)
        mean = (areas * middles).sum() / areas.sum()
        assert mean / 10 == pytest.approx(drawn.expected, abs=0.3)
        assert (areas[middles < 10 * drawn.expected].sum() / areas.sum()) == pytest.approx(0.5, abs=0.06)

    @pytest.mark.parametrize("skewness", [0.0, 0.8, -1.2])
    def test_a_curve_has_the_moments_that_it_is_drawn_from(self, skewness):
        drawn = law_picture(score(mean=0.4, std=0.02, skewness=skewness, observed=0.41))
        assert drawn.is_curve
        ticks = [(tick.place, number(tick.text)) for tick in drawn.ticks]
        unit = (ticks[-1][0] - ticks[0][0]) / (ticks[-1][1] - ticks[0][1])
        curve = steps(drawn.path)
        x = ticks[0][1] + (curve[:, :2].mean(axis=1) / 10 - ticks[0][0]) / unit
        weights = (curve[:, 1] - curve[:, 0]) * curve[:, 2]
        weights /= weights.sum()
        mean = weights @ x
        std = math.sqrt(weights @ (x - mean) ** 2)
        assert mean == pytest.approx(0.4, abs=0.02 * 0.03)
        assert std == pytest.approx(0.02, rel=0.04)
        assert weights @ ((x - mean) / std) ** 3 == pytest.approx(skewness, abs=0.12)

    def test_the_observed_value_is_marked_or_said_to_lie_beyond(self):
        values, weights = np.linspace(0.4, 0.5, 30), np.full(30, 1 / 30)
        width = 0.1
        for observed, where in (
            (0.45, None),
            (0.5 + 0.9 * REACH * width, None),
            (0.9, "right"),
            (0.0, "left"),
        ):
            drawn = law_picture(score(values=values, weights=weights, mean=0.45, observed=observed))
            assert drawn.beyond == where
            assert (drawn.observed is None) == (where is not None)
            if where is None:
                assert 0.0 <= drawn.observed <= 100.0
        assert law_picture(score(values=values, weights=weights, observed=math.nan)).beyond is None

    def test_one_value_is_a_thin_line_where_the_mean_is(self):
        drawn = law_picture(score(values=[0.3], weights=[1.0], mean=0.3, std=0.0, observed=0.3))
        ((left, right, _),) = steps(drawn.path)
        assert right - left < 100.0
        assert 10 * drawn.expected == pytest.approx((left + right) / 2, abs=0.2)

    def test_infinite_values_are_left_out(self):
        drawn = law_picture(
            score(values=[0.2, 0.3, math.inf], weights=[0.5, 0.4, 0.1], mean=math.inf, observed=0.25)
        )
        assert drawn.path
        assert drawn.expected is None

    def test_without_a_law_and_without_moments(self):
        drawn = law_picture(score(mean=math.nan, std=math.nan, observed=0.5))
        assert (drawn.path, drawn.expected, drawn.observed, drawn.ticks) == ("", None, None, ())

    def test_a_mean_alone_is_marked(self):
        drawn = law_picture(score(mean=0.5, std=math.nan, observed=0.7))
        assert not drawn.path
        assert 0.0 < drawn.expected < drawn.observed < 100.0


def table(counts):
    counts = np.asarray(counts)
    rows, columns = np.nonzero(counts)
    names = [tuple(f"{side}{k}" for k in range(size)) for side, size in zip("rc", counts.shape, strict=True)]
    return Table(
        candidate="x",
        row_names=names[0],
        column_names=names[1],
        rows=rows,
        columns=columns,
        counts=counts[rows, columns],
    )


class TestCounts:
    def test_columns_follow_the_rows_that_most_of_their_objects_are_in(self):
        drawn = count_map(table([[0, 9, 1], [1, 0, 8], [7, 0, 0]]))
        assert [name.text for name in drawn.columns] == ["c1", "c2", "c0"]
        assert [name.text for name in drawn.rows] == ["r0", "r1", "r2"]
        places = {(cell.x, cell.y): (cell.text, cell.share) for cell in drawn.cells}
        x0, y0 = min(x for x, _ in places), min(y for _, y in places)
        assert places[x0, y0] == ("9", 0.9)
        assert len(places) == 5
        assert [name.text for name in drawn.row_totals] == ["10", "9", "7"]
        assert [name.text for name in drawn.column_totals] == ["9", "9", "8"]

    def test_a_large_table_keeps_its_largest_clusters_and_its_sum(self):
        counts = np.random.default_rng(1).integers(0, 50, (200, 90))
        rows, columns, shown = largest_clusters(table(counts))
        assert (len(rows), len(columns)) == (MOST_CLUSTERS, MOST_CLUSTERS)
        assert (rows[-1], columns[-1]) == ("177 others", "67 others")
        assert shown.sum() == counts.sum()
        largest = sorted(counts.sum(axis=1))[-(MOST_CLUSTERS - 1) :]
        assert sorted(shown[:-1].sum(axis=1)) == largest
        for name, row in zip(rows[:-1], shown[:-1], strict=True):
            assert row.sum() == counts[int(name[1:])].sum()

    def test_the_columns_of_a_large_table_are_those_of_its_rows(self):
        counts = np.diag(np.arange(1, 61))[:, ::-1].copy()
        counts[0, 30] = 1000  # a large column, and its row
        rows, columns, shown = largest_clusters(table(counts))
        assert rows[:-1] == ["r0", *(f"r{k}" for k in range(38, 60))]
        assert columns[:-1] == [*(f"c{k}" for k in range(22)), "c30"]
        drawn = count_map(table(counts))
        assert [name.text for name in drawn.columns] == [
            "c30",
            *(f"c{k}" for k in range(21, -1, -1)),
            "37 others",
        ]
        assert "the 23 largest of 60 clusters of the reference and the 23 of 60 clusters" in drawn.note
        assert [name.text for name in drawn.row_totals] == [f"{total:,}" for total in shown.sum(axis=1)]

    def test_few_rows_and_many_columns(self):
        counts = np.random.default_rng(1).integers(1, 50, (2, 300))
        rows, columns, shown = largest_clusters(table(counts))
        assert (rows, columns[-1]) == (["r0", "r1"], "277 others")
        assert shown.sum(axis=1).tolist() == counts.sum(axis=1).tolist()
        assert min(shown[:, :-1].sum(axis=0)) >= sorted(counts.sum(axis=0))[-(MOST_CLUSTERS - 1)]

    def test_cells_are_wide_enough_for_large_counts(self):
        drawn = count_map(table([[3_000_000_000, 1], [5, 7]]))
        assert drawn.cell_width > 7.0 * len("3,000,000,000")

    def test_an_empty_table(self):
        assert count_map(table(np.zeros((0, 0), dtype=int))).cells == ()

    def test_long_names_of_columns_stand_upright(self):
        made = table([[1, 2]])
        assert not count_map(made).upright
        assert count_map(dataclasses.replace(made, column_names=("iris setosa", "b"))).upright


class TestDifferences:
    SCORES = tuple(score(name, 0.9 - 0.1 * k, rank=k + 1) for k, name in enumerate("abc"))

    def test_each_pair_stands_on_both_sides_with_the_sign_turned(self):
        told = Difference(first="c", second="a", difference=-0.2, low=-0.3, high=-0.1, p_value="0.001")
        not_told = Difference(first="a", second="b", difference=0.1, low=-0.1, high=0.3, p_value="0.4")
        drawn = difference_map(of(*self.SCORES, differences=[told, not_told]))
        columns = sorted({cell.x for cell in drawn.cells})
        rows = sorted({cell.y for cell in drawn.cells})
        texts = {(rows.index(cell.y), columns.index(cell.x)): cell.text for cell in drawn.cells}
        assert texts == {(0, 1): "0.10", (0, 2): "▲ 0.20", (1, 0): "0.10", (2, 0): "▽ 0.20"}
        shares = {cell.text: cell.share for cell in drawn.cells}
        assert shares == {"0.10": 0.0, "▲ 0.20": 1.0, "▽ 0.20": 1.0}

    def test_an_unknown_interval_tells_nothing_apart(self):
        unknown = Difference(first="a", second="b", difference=0.5, low=math.nan, high=math.nan, p_value="–")
        assert {cell.text for cell in difference_map(of(*self.SCORES, differences=[unknown])).cells} == {
            "0.50"
        }

    def test_many_candidates_are_cut_to_the_best(self):
        scores = [score(f"c{k}", 1.0 - 0.01 * k, rank=k + 1) for k in range(30)]
        pairs = [
            Difference(first="c0", second=f"c{k}", difference=0.01 * k, low=-1, high=1, p_value="")
            for k in range(1, 30)
        ]
        drawn = difference_map(of(*scores, differences=pairs))
        assert len(drawn.rows) == MOST_CANDIDATES
        assert drawn.note == "the 20 best of 30 candidates"

    def test_without_differences_there_is_no_map(self):
        assert difference_map(of(*self.SCORES)) is None


@given(st.text(max_size=80), st.floats(6.0, 40.0))
def test_a_name_is_left_as_it_is_or_cut_in_the_middle(text, room):
    cut = fitted(text, room)
    assert all(letter.isprintable() for letter in cut)
    if "…" in cut and "…" not in text:
        head, _, tail = cut.partition("…")
        plain = "".join(letter if letter.isprintable() else "�" for letter in text)
        assert plain.startswith(head)
        assert plain.endswith(tail)
        assert len(cut) <= len(plain)


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (-3e-9, 2e-9), (1e7, 3e7), (-1.3, 0.2), (0.99999, 1.00001)]
)
def test_numbers_on_an_axis_are_where_they_say(low, high):
    drawn = forest(of(score(adjusted=high, low=low, high=high)))
    assert 2 <= len(drawn.ticks) <= 8
    texts = [tick.text for tick in drawn.ticks]
    assert len(set(texts)) == len(texts)
    places = [tick.place for tick in drawn.ticks]
    assert np.ptp(np.diff(places)) < 0.05
    assert 0.0 <= min(places) <= max(places) <= 100.0
