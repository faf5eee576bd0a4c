"""What belongs to objects is matched with clusterings by name if both have names, else by position."""

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc

NAMES = list("abcdefgh")
TRUE, PRED = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 0]
VALUES = {
    "weights": [1.0, 2.0, 5.0, 1.0, 3.0, 1.0, 4.0, 2.0],
    "strata": [0, 1, 0, 1, 1, 0, 0, 1],
    "groups": [0, 1, 2, 0, 1, 2, 2, 1],
}
OTHER_ORDER = [4, 2, 7, 0, 1, 6, 3, 5]


def series(values, names=NAMES):
    return pd.Series(values, index=names)


def mapping(values, names=NAMES):
    return dict(zip(names, values, strict=True))


def sets(labels):
    return [
        {name for name, label in zip(NAMES, labels, strict=True) if label == k} for k in sorted({*labels})
    ]


def soft(labels):
    return cc.Membership(pd.DataFrame(np.eye(3)[labels], index=NAMES))


def cover(labels):
    return cc.Cover(sets(labels))


DOORS = {
    "weights of adjust": ("weights", lambda x, y, w: cc.adjust(x, y, weights=w).adjusted),
    "weights of a table": ("weights", lambda x, y, w: cc.adjust(x, y, "purity", weights=w).observed),
    "weights of adjusted_score": ("weights", lambda x, y, w: cc.adjusted_score(x, y, weights=w)),
    "strata of adjust": ("strata", lambda x, y, s: cc.adjust(x, y, strata=s).expected),
    "strata of adjusted_score": ("strata", lambda x, y, s: cc.adjusted_score(x, y, strata=s)),
    "groups of an interval": ("groups", lambda x, y, g: cc.adjust(x, y).interval(groups=g).standard_error),
    "groups of pairs": ("groups", lambda x, y, g: cc.adjust(x, y, "omega").interval(groups=g).standard_error),
    "groups of compare": (
        "groups",
        lambda x, y, g: cc.compare(x, [y], groups=g)[0]["rand"].interval.standard_error,
    ),
}
"""What a door answers, from two clusterings and what belongs to their objects."""

SIDES = {"Series": series, "mappings": mapping, "sets": sets}

IN_ANOTHER_ORDER = {
    "Series": lambda values: series(values).iloc[OTHER_ORDER],
    "mapping": lambda values: dict([*mapping(values).items()][k] for k in OTHER_ORDER),
    "frame": lambda values: pd.DataFrame({"x": values}, index=NAMES).iloc[OTHER_ORDER],
}
WITHOUT_NAMES = {
    "list": list,
    "array": np.array,
    "polars Series": lambda values: pytest.importorskip("polars").Series(values),
}


def values_of(door):
    keyword, answer = DOORS[door]
    return VALUES[keyword], answer


@pytest.mark.parametrize("given", IN_ANOTHER_ORDER)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("door", DOORS)
def test_entries_with_names_are_matched_by_them(door, side, given):
    values, answer = values_of(door)
    expected = answer(TRUE, PRED, values)
    found = answer(SIDES[side](TRUE), SIDES[side](PRED), IN_ANOTHER_ORDER[given](values))
    assert found == pytest.approx(expected, rel=1e-12)
    assert answer(TRUE, PRED, [values[k] for k in OTHER_ORDER]) != pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("given", WITHOUT_NAMES)
@pytest.mark.parametrize("door", DOORS)
def test_entries_without_names_are_matched_by_position(door, given):
    values, answer = values_of(door)
    expected = answer(TRUE, PRED, values)
    for sides in ((TRUE, PRED), (np.array(TRUE), PRED), (series(TRUE), series(PRED)), (series(TRUE), PRED)):
        assert answer(*sides, WITHOUT_NAMES[given](values)) == expected
    counted = {k: TRUE[k] for k in OTHER_ORDER}, {k: PRED[k] for k in OTHER_ORDER}
    for entries in (WITHOUT_NAMES[given](values), pd.Series(values), {k: values[k] for k in OTHER_ORDER}):
        assert answer(*counted, entries) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("given", [*WITHOUT_NAMES, "Series from 0 on"])
@pytest.mark.parametrize("side", ["mappings", "sets"])
@pytest.mark.parametrize("door", DOORS)
def test_entries_without_names_are_refused_beside_names_without_an_order(door, side, given):
    values, answer = values_of(door)
    entries = (WITHOUT_NAMES | {"Series from 0 on": pd.Series})[given](values)
    keyword = DOORS[door][0]
    message = (
        rf"^`{keyword}` must name the objects as `labels_true` does; got an? .* without names\. Pass {{ob"
    )
    with pytest.raises(TypeError, match=message) as no:
        answer(SIDES[side](TRUE), SIDES[side](PRED), entries)
    assert str(no.value).endswith(
        "Pass {object: value}, or a Series whose index holds the names, such as 'a'."
    )


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("door", DOORS)
def test_other_names_are_refused(door, side):
    values, answer = values_of(door)
    sides, keyword = (SIDES[side](TRUE), SIDES[side](PRED)), DOORS[door][0]
    for others in (mapping(values, [*NAMES[1:], "z"]), mapping(values, range(8))):
        with pytest.raises(
            ValueError, match=rf"^`{keyword}` must name the objects of `labels_true`; got . m"
        ):
            answer(*sides, others)
    with pytest.raises(
        ValueError, match=rf"^`{keyword}` must name .*; got 1 more, as 'z', and 1 .* Pass one"
    ):
        answer(*sides, series(values, [*NAMES[1:], "z"]))
    if side == "Series":
        with pytest.raises(ValueError, match=rf"^`{keyword}` must have the index of `labels_true`; got 0, n"):
            answer(*sides, pd.Series(values))


@pytest.mark.parametrize("given", IN_ANOTHER_ORDER)
@pytest.mark.parametrize("kind", [soft, cover])
def test_groups_of_other_kinds_are_matched_by_name(kind, given):
    groups = VALUES["groups"]
    score = cc.adjust(kind(TRUE), kind(PRED), "rand")
    expected = cc.adjust(cc.Membership(np.eye(3)[TRUE]), cc.Membership(np.eye(3)[PRED]), "rand")
    found = score.interval(groups=IN_ANOTHER_ORDER[given](groups))
    assert tuple(found) == pytest.approx(tuple(expected.interval(groups=groups)), rel=1e-12)


def test_groups_of_objects_of_which_some_are_left_out():
    labels = [None if k == 2 else label for k, label in enumerate(PRED)]
    kept = [k for k in range(8) if k != 2]
    score = cc.adjust(TRUE, labels, "omega", missing="drop")
    of_kept = cc.adjust([TRUE[k] for k in kept], [PRED[k] for k in kept], "omega")
    expected = of_kept.interval(groups=[VALUES["groups"][k] for k in kept])
    assert tuple(score.interval(groups=VALUES["groups"])) == tuple(expected)


def test_rows_of_one_frame_in_two_orders_give_one_score():
    """Weights in another order of the rows gave .52."""
    frame = pd.DataFrame(
        {"a": [0, 0, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1, 0], "w": [9, 1, 1, 1, 5, 9]}, index=list("abcdef")
    )
    a, b, w = frame["a"], frame["b"], frame["w"]
    expected = cc.adjusted_score(a.to_numpy(), b.to_numpy(), weights=w.to_numpy())
    assert cc.adjusted_score(a, b, weights=w[list("cabdef")]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("others", [{"b": 0, "a": 1}, {"b": 0, "a": 1, "c": 2}])
def test_labels_keep_their_type_and_order_if_a_side_lacks_objects(others):
    categories = pd.Categorical(["x", "y"], categories=["y", "x"])
    table = cc.contingency_table(pd.Series(categories, index=["a", "b"]), others, missing="drop")
    assert table.row_labels.tolist() == ["y", "x"]
    assert table.column_labels.dtype == np.int64
    assert table.counts.tolist() == [[1, 0], [0, 1]]


def test_rows_of_one_name_share_the_entry_of_a_mapping():
    first, second = pd.Series([0, 1, 1], index=["a", "a", "b"]), {"b": 5, "a": 7}
    assert cc.contingency_table(first, second) == cc.contingency_table([0, 1, 1], [7, 7, 5])


@pytest.mark.parametrize("sides", [({}, {0: 0}), ({"a": 1, "b": 2}, {})])
def test_a_side_without_objects_shares_none(sides):
    with pytest.raises(ValueError, match="`labels_true` must share an object with `labels_pred`"):
        cc.adjust(*sides, missing="drop")
    assert any("without a label" in str(note) for note in cc.adjust(*sides, missing="singletons").notes)
