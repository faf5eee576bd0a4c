"""Label images, matched by the places of their pixels; arrays of 0 and 1 that may be something else."""

from collections import Counter

import numpy as np
import pytest

import chancecorr as cc

RNG = np.random.default_rng(0)
SHAPES = (6, 7), (3, 4, 5), (2, 3, 2, 4)
KINDS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


def make_images(shape, kind="int64"):
    top = {"uint64": 2**64 - 3, "int64": -(2**63)}.get(kind, 5)
    return [(RNG.integers(0, 3, shape).astype(object) + top).astype(kind) for _ in range(2)]


def count_pixels(first, second):
    """Pixels of each pair of labels, one place after the other."""
    return Counter((first[place].item(), second[place].item()) for place in np.ndindex(first.shape))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_pixels_are_matched_by_their_places(shape, kind, tmp_path):
    first, second = make_images(shape, kind)
    mapped = np.memmap(tmp_path / "image", kind, "w+", shape=shape)
    mapped[:] = first
    counts = count_pixels(first, second)
    strided = np.repeat(second, 2, axis=0)[::2]
    in_columns = np.asfortranarray(first)
    for one, other in ((first, second), (in_columns, second), (mapped, strided), (first, strided.T.T)):
        table = cc.contingency_table(one, other)
        for (row, column), count in counts.items():
            cell = list(table.row_labels).index(row), list(table.column_labels).index(column)
            assert np.asarray(table.counts)[cell] == count
        assert table.n == first.size
    score = cc.adjust(in_columns, second)
    assert score.adjusted == cc.adjust(first.ravel(), second.ravel()).adjusted
    assert cc.score(first, second) == score.observed
    size = " x ".join(map(str, shape))
    assert (
        str(score.notes[0]) == f"`labels_true`: labels of {first.size} objects from an image of {size} pixels"
    )


def test_foreground_and_many_images():
    """A label that is ignored on one side, leaderboards, every two, and masks of one object."""
    first, second = make_images((8, 9), "uint8")
    inside = first != 5
    dropped = cc.adjust(first, second, noise=({5: "drop"}, "keep"))
    assert dropped.adjusted == cc.adjust(first[inside], second[inside]).adjusted
    third = first[:, ::-1]
    flat = {"second": second.ravel(), "third": third.ravel()}
    board = cc.compare(first, {"second": second, "third": third})
    of_flat = cc.compare(first.ravel(), flat)
    assert [each.adjusted for each in board.ranked()] == [each.adjusted for each in of_flat.ranked()]
    assert "labels of 72 objects from an image of 8 x 9 pixels" in map(str, board.notes)
    assert cc.compare(first, np.stack([second, third]))[1].adjusted == board["third"].adjusted
    pairs = cc.pairwise([first, second, third])
    assert pairs[0, 2] == pytest.approx(board["third"].adjusted)
    assert "image of 8 x 9" in str(pairs.notes[0])
    mask, other = np.zeros((5, 6), bool), np.zeros((5, 6), int)
    mask[1:3, 1:4], other[1:4, 2:5] = True, 1
    assert cc.score(mask, other) == cc.score(mask.ravel(), other.ravel())


ONE_HOT = np.eye(3, dtype=int)[[0, 1, 2, 2, 0]]
TWO_READINGS = {
    "memberships of 0 and 1": ONE_HOT,
    "memberships of booleans, clusters first": ONE_HOT.T.astype(bool),
    "a mask for each object": np.stack([np.arange(12).reshape(3, 4) % 2 == k for k in range(2)]),
    "similarities": np.eye(4, dtype=np.uint8),
    "edges": 1 - np.eye(4, dtype=int),
}


@pytest.mark.parametrize("given", TWO_READINGS.values(), ids=TWO_READINGS)
def test_what_may_be_no_image_is_refused_with_all_ways(given):
    ways = r"`adjust_table`.*`\.ravel\(\)`.*`Membership`, `Cover`, `Tree` or `Similarity`"
    for answer in (cc.adjust, cc.score, cc.contingency_table, lambda u, v: cc.compare(u, [v])):
        for sides in ((given, given), (RNG.integers(0, 3, given.shape), given)):
            with pytest.raises(ValueError, match=f"one-dimensional; got shape .* of 0 and 1, .*{ways}"):
                answer(*sides)


OTHERS = {
    "another shape": (
        np.zeros((4, 5), int),
        r"^`labels_pred` must have the shape of `labels_true` as a label image.* beside shape",
    ),
    "floats": (np.zeros((5, 4)), r"must hold whole numbers .* Pass `labels_(true|pred)\.astype\(int\)`"),
    "a vector": (
        np.zeros(20, int),
        r"as the other side; got shape \(5, 4\). Pass `labels_(true|pred)\.ravel",
    ),
    "lists": ([[0] * 4] * 5, r"must be one-dimensional; .* an image as `\.ravel"),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_images_of_two_shapes_or_types_are_refused(kind):
    other, message = OTHERS[kind]
    for sides in ((np.arange(20).reshape(5, 4) // 3, other), (other, np.arange(20).reshape(5, 4) // 3)):
        with pytest.raises(ValueError, match=message):
            cc.adjust(*sides)


@pytest.mark.parametrize("counts", [[[10, 2], [3, 9]], [[3, 1, 0], [1, 4, 2]], [[4, 1], [1, 4]]], ids=str)
def test_tables_of_counts_are_no_images(counts):
    for call in (cc.adjust, cc.score, cc.contingency_table):
        with pytest.raises(ValueError, match="counts to `adjust_table`"):
            call(np.array(counts), np.array(counts))
