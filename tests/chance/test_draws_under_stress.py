"""Draws of the user's own that are masked, ragged, changed later, no group, or too large to be made."""

import time

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance import Draws, blocks, shifts, spins, torus
from tests.processes import limit_processor_time

N = 12
A, B = np.arange(N) % 3, np.arange(N) // 4
SHIFTS = np.array([np.roll(np.arange(N), k) for k in range(N)])
SHARES = [cc.Membership(np.random.default_rng(k).dirichlet([1.0] * 3, size=N)) for k in (1, 2)]
SIDES = [(A, B, "rand"), (A, B, "irm"), (*SHARES, "rand")]
DOORS = {
    "adjust": lambda x, y, index, **more: cc.adjust(x, y, index, rng=1, **more),
    "compare": lambda x, y, index, **more: cc.compare(x, {"y": y}, index, rng=1, interval=None, **more),
    "pairwise": lambda x, y, index, **more: cc.pairwise([x, y], index, rng=1, **more),
}
MASKED = np.ma.masked_array(SHIFTS, mask=SHIFTS == 3)
RAGGED = [[0, 1], [0]]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (SHIFTS[1:6], "must hold the identity, 0 to 11 in order, with `complete`; got none"),
        (SHIFTS[:6], "must hold all permutations of a group with `complete`; got no row for the product"),
        (np.vstack([SHIFTS, SHIFTS[1][::-1]]), "must hold all permutations of a group"),
        (MASKED, "must have a value in each entry; got 12 masked"),
        (RAGGED, "must have draws of equal length; got several lengths"),
    ],
)
def test_rows_that_are_no_complete_group_are_refused(rows, said):
    with pytest.raises(ValueError, match=f"`source` {said}"):
        Draws(rows, complete=True)


def test_one_row_less_or_more_of_many_is_found():
    n = 300
    group = np.array([np.roll(np.arange(n), k) for k in range(n)])
    with limit_processor_time(2.0):
        assert Draws(group[::-1], complete=True).n_draws == n
    for rows in (np.delete(group, 117, axis=0), np.vstack([group, group[1][::-1]])):
        with (
            limit_processor_time(2.0),
            pytest.raises(ValueError, match="must hold all permutations"),
        ):
            Draws(rows, complete=True)


@pytest.mark.parametrize(("x", "y", "index"), SIDES)
def test_p_values_of_a_group_are_shares_of_its_rows_and_never_0(x, y, index):
    whole = cc.adjust(
        x, y, index, model=Draws(SHIFTS[np.random.default_rng(1).permutation(N)], complete=True)
    )
    known = cc.adjust(x, y, index, model=shifts(N))
    assert whole.p_value == known.p_value >= 1 / N
    part = cc.adjust(x, y, index, model=Draws(SHIFTS[1:6]))
    assert part.p_value >= 1 / 6  # (b + 1) / (m + 1)


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(("x", "y", "index"), SIDES)
def test_rows_that_change_later_change_no_answer(x, y, index, complete):
    rows = SHIFTS.copy()
    model, alike = Draws(rows, complete=complete), Draws(SHIFTS, complete=complete)
    rows[:] = 0
    found, wanted = (cc.adjust(x, y, index, model=each, rng=1) for each in (model, alike))
    assert (found.p_value, found.expected) == (wanted.p_value, wanted.expected)
    with pytest.raises(ValueError, match="read-only"):
        model.source[0, 0] = 1


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (MASKED[0], "must have a value in each entry; got 1 masked"),
        ([[1], [1, 2]], "must draw 12 labels, one per object; got parts of several lengths in draw 0"),
        (7, "must draw 12 labels, one per object; got shape"),
    ],
)
def test_draws_of_a_function_that_are_no_labels_are_refused(door, drawn, said):
    with pytest.raises(ValueError, match=f"`model` {said}"):
        DOORS[door](A, B, "rand", model=Draws(lambda rng: drawn))


@pytest.mark.parametrize("shape", [(10**30,), (10**10, 10**10), (2**62, 2)])
def test_grids_of_more_shifts_than_can_be_numbered_are_refused(shape):
    with pytest.raises(ValueError, match=r"`shape` must have at most 2\*\*62 shifts; got about 1e(18|20|30)"):
        torus(shape)
    with pytest.raises(ValueError, match=r"`shape` must have at most 2\*\*62 shifts"):
        torus((1,) * 70 + (N,), reflections=True)
    with pytest.raises(ValueError, match="must be for 12 objects; got a model for 1000000000000"):
        cc.adjust(A, B, model=torus((10**6, 10**6)))


def mask(values):
    """The values, the fourth of which is masked."""
    values = np.asarray(values)
    return np.ma.masked_array(values, mask=(np.arange(values.size) == 3).reshape(values.shape))


PLACES = np.random.default_rng(3).normal(size=(N, 3))
MASKS = {
    "weights": lambda f: cc.adjust(A, B, "rand", weights=f(np.ones(N))),
    "strata": lambda f: cc.adjust(A, B, "rand", strata=f(np.arange(N) // 6)),
    "groups": lambda f: cc.adjust(A, B, "rand").interval(groups=f(np.arange(N) // 2)),
    "row_totals": lambda f: cc.Margins(f([1, 2, 3, 4]), [5, 5]),
    "counts": lambda f: cc.adjust_table(f([[5, 2], [2, 5]]), "rand"),
    "rows": lambda f: [cc.Membership(f([[0.5, 0.5]] * 2)), cc.Cover(f([[1, 0], [0, 1]]))],
    "matrix": lambda f: cc.Similarity(f(np.eye(4))),
    "linkage": lambda f: cc.Tree(f([[0, 1, 1.0, 2], [2, 3, 2.0, 3]])),
    "source": lambda f: Draws(f(SHIFTS)),
    "coordinates": lambda f: spins(f(PLACES)),
    "hemispheres": lambda f: spins(PLACES, hemispheres=f(np.arange(N) % 2)),
    "positions": lambda f: cc.clusterings.spatial_rand(f(PLACES)),
    "partitions": lambda f: cc.ensembles.consensus_matrix(f(np.array([A, B]))),
    "A": lambda f: cc.prototypes.centroid_index(f(PLACES), PLACES),
}


@pytest.mark.parametrize("argument", MASKS)
def test_what_lies_below_a_mask_is_never_used(argument):
    MASKS[argument](lambda values: np.ma.masked_array(values))  # a mask of nothing
    with pytest.raises(ValueError, match=rf"`{argument}` must have a value in each entry; got 1 masked"):
        MASKS[argument](mask)


def test_groups_of_blocks_have_no_mask():
    with pytest.raises(ValueError, match="`groups` must have a value in each entry; got 1 masked"):
        blocks(mask(np.arange(N) // 2))


def sphere(n):
    """Places on a sphere, and two clusterings of them."""
    places = np.random.default_rng(1).normal(size=(n, 3))
    return places, (places[:, 2] > 0).astype(int), (places[:, 0] > 0).astype(int)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("n", "budget"), [(2_000, 3), (5_000, None), (5_000, 3), (10_242, None), (20_000, 60)]
)
def test_spins_that_take_too_long_are_refused_before_the_first(door, n, budget, monkeypatch):
    places, x, y = sphere(n)
    monkeypatch.setattr("scipy.optimize.linear_sum_assignment", lambda *_, **__: pytest.fail("drawn"))
    given = "none" if budget is None else f"{budget} s"
    wanted = rf"`budget` must be at least \d+ \(seconds\) for 20 draws of {n:,} places matched one to one"
    with limit_processor_time(1.0), pytest.raises(ValueError, match=f"{wanted}.*got {given}.*nearest") as got:
        DOORS[door](x, y, "rand", model=spins(places), budget=budget)
    sharers = 4 if door == "pairwise" and budget else 1
    assert (" by 4 answers that share" in str(got.value)) == (sharers == 4)
    seconds = int(str(got.value).split("at least ")[1].split()[0])
    assert 20 * 5e-8 * n**2 < seconds / sharers < 20 * 1e-6 * n**2


@pytest.mark.parametrize("door", DOORS)
def test_spins_that_need_too_much_memory_are_refused(door):
    places, x, y = sphere(3_000)
    said = (
        r"`model` asks for 216 MB for 3,000 places matched one to one \(`spins` with assignment=\"nearest\""
    )
    with limit_processor_time(1.0), pytest.raises(ValueError, match=said):
        DOORS[door](x, y, "rand", model=spins(places), budget=cc.Budget(bytes=100_000_000))


def test_the_nearest_of_many_places_are_found_part_by_part():
    places, x, y = sphere(1_500)
    began = time.process_time()
    drawn = spins(places, assignment="nearest").source(np.random.default_rng(5))
    assert time.process_time() - began < 1.0
    rotation = np.random.default_rng(5).normal(size=4)
    i, j, k, w = rotation / np.linalg.norm(rotation)
    turn = np.array(  # of a unit quaternion
        [
            [1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w)],
            [2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w)],
            [2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j)],
        ]
    )
    unit = places / np.linalg.norm(places, axis=1, keepdims=True)
    distances = np.linalg.norm(unit[:, np.newaxis] - unit @ turn.T, axis=2)
    np.testing.assert_allclose(distances[np.arange(1_500), drawn], distances.min(axis=1), rtol=1e-9)
    assert cc.adjust(x, y, "rand", model=spins(places, assignment="nearest"), n_tables=3, rng=1).n_tables == 3
