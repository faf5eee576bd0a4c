"""Two sides that share no object, or nearly none, are refused whatever may be left out."""

import pandas as pd
import pytest

import chancecorr as cc

LABELS = [0, 0, 0, 1, 1, 1, 2, 2]
FEW = [f"x{k}" for k in range(60)]
UNLIKE = {
    "numbers and texts": (range(1, 9), list("12345678"), "They are texts on one side and not on the other"),
    "from 0 and from 1": (range(8), range(1, 9), "One side counts them from 0, the other from 1"),
    "nothing shared": (list("abcdefgh"), list("ijklmnop"), "The sides share no object"),
    "nearly nothing": (FEW, [*FEW[:2], *(f"y{k}" for k in range(58))], "share only 2 of 60 objects: give"),
}


def labels_of(names):
    return [LABELS[k % 8] for k in range(len(names))]


def mapping(names):
    return dict(zip(names, labels_of(names), strict=True))


def sets(names):
    return [{name for name, label in mapping(names).items() if label == k} for k in range(3)]


def overlapping(names):
    first, *others = sets(names)
    return [first | {min(others[0], key=str)}, *others]


SIDES = {
    "mapping": mapping,
    "sets": sets,
    "Series": lambda names: pd.Series(mapping(names)),
    "Cover": lambda names: cc.Cover(overlapping(names)),
    "sets that overlap": overlapping,
}
DOORS = {
    "adjust": lambda x, y, **more: cc.adjust(x, y, rng=1, **more),
    "score": cc.score,
    "compare": lambda x, y, **more: cc.compare(x, {"y": y}, rng=1, **more),
    "pairwise": lambda x, y, **more: cc.pairwise([x, y], rng=1, **more),
}


@pytest.mark.parametrize("kind", UNLIKE)
@pytest.mark.parametrize("pair", [(one, other) for one in SIDES for other in SIDES])
@pytest.mark.parametrize("door", DOORS)
def test_each_door_refuses_them(door, pair, kind):
    first, second, message = UNLIKE[kind]
    sides = SIDES[pair[0]](first), SIDES[pair[1]](second)
    with pytest.raises(ValueError, match=r"^`[^`]*` must ") as no:
        DOORS[door](*sides)
    said = str(no.value)
    assert "missing=" not in said
    if "Series" not in pair or kind != "from 0 and from 1":  # whose index from 0 on are positions
        assert message in said


@pytest.mark.parametrize("missing", ["drop", "singletons"])
@pytest.mark.parametrize("kind", UNLIKE)
@pytest.mark.parametrize(
    "pair", [(one, other) for one in ("mapping", "sets") for other in ("mapping", "sets")]
)
def test_nothing_is_left_out_to_match_them(pair, kind, missing):
    first, second, message = UNLIKE[kind]
    sides = SIDES[pair[0]](first), SIDES[pair[1]](second)
    for answer in (*DOORS.values(), cc.contingency_table):
        with pytest.raises(ValueError, match=r"^`.*` must name objects as `.*` does, such as .*; got ") as no:
            answer(*sides, missing=missing)
        assert message in str(no.value)


def test_sides_that_share_some_objects_are_matched():
    part, more = mapping("abcdef"), mapping("cdefghij")
    assert cc.contingency_table(part, more, missing="drop").n == 4
    assert cc.contingency_table(part, more, missing="singletons").n == 10
    assert cc.contingency_table(pd.Series(part), more, missing="drop").n == 4
    with pytest.raises(
        ValueError, match=r'got 4 more, as .*2 fewer, as .*\. Pass missing="drop" to leave such'
    ):
        cc.score(part, more)
    covers = cc.Cover([set("abc"), set("cde")]), cc.Cover([set("bc"), set("cdefg")])
    assert cc.adjust(*covers, "omega").n == 7
