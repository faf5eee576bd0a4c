"""Findings in words: the rule by hand, every cluster spoken of, costs by a loop over pairs, the order."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr.comparison.disagreement import Part, disagreements

KINDS_OF_ROWS = {"split", "scattered", "found", "swallowed"}


def said(counts, **options):
    table = cc.ContingencyTable(counts, column_labels=[chr(97 + j) for j in range(np.shape(counts)[1])])
    return [str(each) for each in disagreements(table, **options)]


tables = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 9), min_size=width, max_size=width), min_size=1, max_size=5
    )
)


class TestSentences:
    def test_split(self):
        assert said([[61, 37, 2]]) == [
            "cluster 0 is split between 'a' (61 %) and 'b' (37 %)",
            "cluster 'c' is a fragment of 0, 2 % of it",
        ]

    def test_merged(self):
        assert said([[50], [30], [2]]) == [
            "cluster 'a' merges 0 and 1",
            "cluster 2 is swallowed by 'a', of which it is 2 %",
        ]

    def test_found(self):
        assert said([[7, 0], [0, 5]]) == [
            "cluster 0 is found whole as 'a'",
            "cluster 1 is found whole as 'b'",
        ]
        assert said([[93, 7], [5, 995]]) == [
            "cluster 1 is found as 'b': > 99 % of it, which are 99 % of 'b'",
            "cluster 0 is found as 'a': 93 % of it, which are 95 % of 'a'",
        ]

    def test_scattered_and_mixed(self):
        first = [5, *[1] * 55]
        assert said([first, *np.eye(56, dtype=int)[1:] * 99])[0] == (
            "cluster 0 is scattered over 56 clusters, of which 'a' has most of it, 8 %"
        )
        mixed = disagreements(np.array([first, *np.eye(56, dtype=int)[1:] * 99]).T)[0]
        assert str(mixed) == "cluster 0 mixes 56 clusters, of which 0 has most of it, 8 %"
        assert (mixed.kind, mixed.side, len(mixed.parts)) == ("mixed", "pred", 56)

    def test_many_parts_are_abbreviated_in_words_only(self):
        split = disagreements([[20, 19, 18, 17, 16]])[0]
        assert str(split) == "cluster 0 is split between 0 (22 %), 1 (21 %), 2 (20 %) and 2 more"
        assert [part.label for part in split.parts] == [0, 1, 2, 3, 4]
        assert split.parts[0] == Part(0, 20)


class TestRule:
    @pytest.mark.parametrize("least_share", [0.02, 0.1, 0.25, 0.3, 0.5])
    @settings(deadline=None, max_examples=40)
    @given(counts=tables)
    def test_kinds_from_their_definition(self, least_share, counts):
        counts = np.array(counts)
        rows, columns = counts.sum(axis=1), counts.sum(axis=0)

        def parts(line, size):
            return [k for k, x in enumerate(line) if x and x / size >= least_share]

        expected = {}
        of_rows = [parts(counts[i], rows[i]) for i in range(len(rows))]
        of_columns = [parts(counts[:, j], columns[j]) for j in range(len(columns))]
        for side, own, others, sizes in (
            ("true", of_rows, of_columns, rows), ("pred", of_columns, of_rows, columns)
        ):  # fmt: skip
            for k in np.flatnonzero(sizes).tolist():
                several, none, no_part = (
                    ("split", "scattered", "swallowed") if side == "true" else ("merged", "mixed", "fragment")
                )
                if len(own[k]) != 1:
                    expected[side, k] = several if own[k] else none
                elif k not in others[own[k][0]]:
                    expected[side, k] = no_part
                elif side == "true" and others[own[k][0]] == [k]:
                    expected[side, k] = "found"
        found = disagreements(counts, least_share=least_share)
        assert {(each.side, each.label): each.kind for each in found} == expected
        for each in found:
            line, size = (
                (counts[each.label], rows) if each.side == "true" else (counts[:, each.label], columns)
            )
            assert each.size == size[each.label]
            assert each.share == sum(part.objects for part in each.parts) / each.size
            assert all(line[part.label] == part.objects > 0 for part in each.parts)
            assert list(each.parts) == sorted(each.parts, key=lambda part: (-part.objects, part.label))

    @settings(deadline=None)
    @given(counts=tables, least_share=st.floats(0.01, 0.5))
    def test_every_cluster_is_spoken_of(self, counts, least_share):
        named = {"true": set(), "pred": set()}
        for each in disagreements(counts, least_share=least_share):
            other = "pred" if each.side == "true" else "true"
            named[each.side].add(each.label)
            named[other] |= {part.label for part in each.parts}
            assert (each.side == "true") == (each.kind in KINDS_OF_ROWS)
            assert str(each)
        assert named["true"] == set(np.flatnonzero(np.sum(counts, axis=1)).tolist())
        assert named["pred"] == set(np.flatnonzero(np.sum(counts, axis=0)).tolist())

    @pytest.mark.heavy
    @settings(deadline=None, max_examples=50)
    @given(counts=tables, least_share=st.sampled_from([0.1, 0.25, 0.35, 0.5]))
    @example(counts=[[9, 1], [2, 9]], least_share=0.25)  # found, but not whole
    @example(counts=[[9, 0], [9, 0], [2, 1]], least_share=0.35)  # swallowed
    @example(counts=[[9, 9, 2], [0, 0, 1]], least_share=0.35)  # a fragment
    def test_costs_by_a_loop_over_pairs(self, counts, least_share):
        rows, columns = np.indices(np.shape(counts))
        objects = list(
            zip(
                *(np.repeat(side.ravel(), np.ravel(counts)).tolist() for side in (rows, columns)), strict=True
            )
        )
        previous = None
        for each in disagreements(counts, least_share=least_share):
            own, other = (0, 1) if each.side == "true" else (1, 0)
            part = each.parts[0].label
            cost = 0
            for pair in combinations(objects, 2):
                inside = [one[own] == each.label for one in pair]
                together = [one[side] == two[side] for one, two in [pair] for side in (own, other)]
                if each.kind in ("swallowed", "fragment"):
                    cost += sorted(inside) == [False, True] and all(one[other] == part for one in pair)
                else:
                    cost += all(inside) and not together[1]
                if each.kind == "found":
                    cost += all(one[other] == part for one in pair) and not together[0]
            assert each.pairs == cost
            assert previous is None or previous >= cost
            previous = cost

    def test_the_threshold_itself_is_enough(self):
        assert disagreements([[27, 3]], least_share=0.1)[0].kind == "split"  # 3 / 30
        assert disagreements([[271, 30]], least_share=0.1)[0].kind == "found"
        assert disagreements([[5, 5]], least_share=0.5)[0].kind == "split"

    def test_identical_clusterings_cost_nothing(self):
        found = disagreements([3, 3, 1, 2, 2], ["c", "c", "a", "b", "b"])
        assert [each.pairs for each in found] == [0, 0, 0]
        assert {each.kind for each in found} == {"found"}

    def test_large_counts_do_not_overflow(self):
        assert disagreements([[15 * 10**8, 15 * 10**8]])[0].pairs == (15 * 10**8) ** 2


@pytest.mark.parametrize("least_share", [0.0, -0.1, 0.51, float("nan"), True, "0.1", None])
def test_thresholds_that_are_none(least_share):
    error = ValueError if isinstance(least_share, float) else TypeError
    rule = "above 0 and at most 0.5" if error is ValueError else "a number"
    with pytest.raises(
        error, match="^" + re.escape(f"`least_share` must be {rule}; got {least_share!r}.") + "$"
    ):
        disagreements([[1]], least_share=least_share)


def test_keywords_of_reading():
    assert len(disagreements([0, 0, -1], [0, 1, 1], noise="drop")) == 1
    with pytest.raises(TypeError, match="`labels_pred` must be given with `missing`; got None"):
        disagreements([[1]], missing="drop")
    with pytest.raises(TypeError, match="has no keyword 'least'"):
        disagreements([[1]], least=0.1)
