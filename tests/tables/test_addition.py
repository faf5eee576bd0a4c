"""Labels that come in chunks, against one table of all."""

import collections
import gc
import weakref

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from chancecorr import ContingencyTable, contingency_table
from chancecorr.tables import crosstab, streaming
from tests.tables.twins import assert_same, names

SORTABLE = {
    "integers": st.integers(-4, 4),
    "large integers": st.integers(-(2**70), 2**70),
    "integers beyond int64": st.sampled_from([-1, 2**63, 2**64 - 1]),
    "texts": st.text("ab\0é", max_size=3),
    "bytes": st.binary(max_size=2),
    "booleans": st.booleans(),
    "floats": st.sampled_from([-1.5, -0.0, 0.0, 1e300, 3.25]),
    "integers, booleans and floats": st.sampled_from([0, 1, 2, True, False, 1.0, 0.5, 2**53 + 1]),
    "tuples": st.tuples(st.integers(0, 2), st.text("ab", max_size=1)),
}
UNSORTABLE = st.sampled_from([0, 1, "0", "a", (-1, 2), b"a", 1.5, frozenset([3])])


def chunks_of(labels):
    chunk = st.integers(0, 8).flatmap(
        lambda n: st.tuples(
            st.lists(labels, min_size=n, max_size=n), st.lists(labels, min_size=n, max_size=n)
        )
    )
    return st.lists(chunk, max_size=5)


def put_together(chunks):
    return [label for a, _ in chunks for label in a], [label for _, b in chunks for label in b]


@pytest.mark.parametrize("kind", SORTABLE)
class TestAgainstOneTableOfAll:
    @settings(max_examples=20, deadline=None)
    @given(data=st.data())
    def test_labels_of_any_kind(self, kind, data):
        chunks = data.draw(chunks_of(SORTABLE[kind]))
        assert_same(ContingencyTable.from_chunks(iter(chunks)), contingency_table(*put_together(chunks)))

    @pytest.mark.heavy
    @settings(max_examples=12, deadline=None)
    @given(data=st.data())
    def test_sparse_tables(self, kind, data):
        chunks = data.draw(chunks_of(SORTABLE[kind]).filter(lambda chunks: len(chunks) > 1))
        with pytest.MonkeyPatch.context() as patch:
            for module, name, limit in ((streaming, "DENSE_CELLS", 3), (crosstab, "DENSE_CELLS", 3),
                                        (crosstab, "DIRECT_CELLS", 0)):  # fmt: skip
                patch.setattr(module, name, limit)
            found = ContingencyTable.from_chunks(chunks)
        assert_same(found, contingency_table(*put_together(chunks)))
        assert scipy.sparse.issparse(found.counts) == (np.prod(found.shape) > max(3, 4 * found.n))


class TestChunks:
    @pytest.mark.heavy
    @settings(max_examples=100, deadline=None)
    @given(chunks_of(UNSORTABLE))
    def test_labels_that_cannot_be_sorted_are_counted_the_same(self, chunks):
        found = ContingencyTable.from_chunks(chunks)
        rows, columns = names(found)
        counted = {(rows[i], columns[j]): count for i, j, count in zip(*found.nonzero_cells, strict=True)}
        assert counted == collections.Counter(zip(*put_together(chunks), strict=True))

    def test_large_sums_are_sparse(self):
        labels = np.arange(3000)
        halves = [(labels[:1500], labels[:1500]), (labels[1500:], labels[1500:])]
        found = ContingencyTable.from_chunks(halves)
        assert scipy.sparse.issparse(found.counts)
        assert_same(found, contingency_table(labels, labels))

    def test_arrays_of_different_types(self):
        for types in [(np.int8, np.uint64), (np.float32, np.int64), ("U1", "U3"), (object, np.int16)]:
            first, second = (np.array([1, 2, 3]).astype(kind) for kind in types)
            chunks = [(first, first), (second[1:], second[:2])]
            listed = [(x.tolist(), y.tolist()) for x, y in chunks]
            assert_same(ContingencyTable.from_chunks(chunks), contingency_table(*put_together(listed)))

    @pytest.mark.heavy
    @settings(max_examples=60, deadline=None)
    @given(
        chunks_of(st.sampled_from([-1, 0, 1, None, 7])),
        st.sampled_from([None, "keep", "drop", "singletons"]),
        st.sampled_from([-1, 0, "a"]),
    )
    def test_noise_and_missing_labels(self, chunks, noise, noise_label):
        options = {"noise": (noise, {noise_label: noise}), "missing": "drop"}
        found = ContingencyTable.from_chunks(chunks, **options)
        assert_same(found, contingency_table(*put_together(chunks), **options))

    def test_noise_objects_are_called_by_their_positions_among_all(self):
        chunks = [([-1, 0], [5, -1]), ([2, -1], [-1, 5])]
        found = ContingencyTable.from_chunks(chunks, noise="singletons")
        assert names(found) == ([0, 2, (-1, 0), (-1, 3)], [5, (-1, 1), (-1, 2)])

    def test_without_any_the_empty_table(self):
        assert_same(ContingencyTable.from_chunks([]), contingency_table([], []))
        assert_same(ContingencyTable.from_chunks([([], [])] * 3), contingency_table([], []))

    @pytest.mark.heavy
    def test_one_chunk_at_a_time_is_in_memory(self):
        alive = []

        def chunks():
            for k in range(6):
                gc.collect()
                assert not any(each() is not None for each in alive)
                labels = np.arange(4) % (k + 1)
                alive.append(weakref.ref(labels))
                yield labels, [0, 0, 1, 1]
                del labels

        assert ContingencyTable.from_chunks(chunks()).n == 24

    def test_an_error_names_the_chunk_and_the_position(self):
        match = (
            r"`labels_pred` of chunk 1, from object 2 on, must not hold missing labels; got None at"
            r' position 1. Pass missing="drop"'
        )
        with pytest.raises(ValueError, match=match):
            ContingencyTable.from_chunks([([0, 1], [0, 1]), ([0, 1], [0, None])])
        with pytest.raises(
            ValueError, match=r"`labels_pred` of chunk 0, .* must have the same length as `labels_true`"
        ):
            ContingencyTable.from_chunks([([0, 1], [0])])
        with pytest.raises(
            TypeError, match=r"`labels_true` of chunk 1, from object 1 on, must hold hashable labels"
        ):
            ContingencyTable.from_chunks([([0], [0]), ([[]], [0])])

    def test_what_is_no_pair_of_labels(self):
        with pytest.raises(TypeError, match="`chunks` must be an iterable of pairs of labels; got an int"):
            ContingencyTable.from_chunks(3)
        with pytest.raises(TypeError, match="`chunks` must hold pairs of labels; got an int as chunk 1"):
            ContingencyTable.from_chunks([([0], [0]), 4])

    def test_indexes_of_pandas(self):
        chunk = pd.Series([0, 1]), pd.Series([0, 1], index=[1, 0])
        with pytest.raises(
            ValueError, match=r"of chunk 0, .* must have the index of .* by `.to_numpy\(\)`, match"
        ):
            ContingencyTable.from_chunks([chunk])
        assert ContingencyTable.from_chunks([chunk], align="position").n == 2
