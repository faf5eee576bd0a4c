"""Draws of the user: whose label each object of the candidate takes, or new labels.

Every other model matches objects at random, as if no object were like its neighbours. A user's draws keep
what chance has to keep: maps are shifted over a torus, series are shifted in time, donors are exchanged as a
whole, or labels come from a random method.
"""

import copy
import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from chancecorr.machine.arguments import ArgumentValueError, as_count, check_choice, explain_call, name_kind
from chancecorr.machine.arrays import AnyArray, Floats, Integers, refuse_masked
from chancecorr.machine.notes import Note
from chancecorr.sampling.precision import PUBLISHED_TABLES
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.labels import encode
from chancecorr.tables.names import Named, ObjectNames, is_counting, is_index, match_entries, read_entries
from chancecorr.tables.objects import number_parts

DRAWS_OF_A_FUNCTION = 999  # draws of a callable without `n_tables` and without a budget
DRAWS_THAT_TELL_THE_KIND = 10  # draws of a callable that decide its kind if no kind is given
MAX_ELEMENTS = 2**62  # elements of the largest group: the number of an element is drawn at random
NUMBERS_OF_PRODUCTS = 10_000_000  # numbers in the products of rows that are compared with the rows of a group
NANOSECONDS_OF_A_MATCH = 200.0  # time to match one to one, for each pair of places
BYTES_OF_A_MATCH = 24.0  # memory for each pair of places: a matrix and two copies
NUMBERS_AT_ONCE = 1 << 20  # distances that are computed at a time: 8 MB


class Cost(NamedTuple):
    """Forecast of one draw, which cannot be interrupted."""

    seconds: float
    bytes: float
    what: str  # what is drawn, for messages
    advice: str  # what the user can do to need less


Kind = Literal["places", "labels"]


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """Draws of the candidate's labels, passed as ``model=Draws(source)`` to `adjust` and `compare`.

    Parameters
    ----------
    source : array-like of shape (m, n), frame, or callable
        Each row is a draw: a permutation of the objects 0 to n - 1, which says whose label each object takes,
        or new labels of the n objects. Or a function ``f(rng)`` that returns one draw. It is called with a
        new `numpy.random.Generator` for each draw number, so that a seed gives the same draws on any workers.
    kind : {"places", "labels"}, optional
        Content of each draw: ``"places"`` are positions (object i takes the label of object ``draw[i]``),
        ``"labels"`` are new labels. By default positions if each row of an array, or each of the first ten
        draws of a function, is a permutation; otherwise labels. If several objects may take the label of one
        object, pass ``"places"``.
    name : str
        Name of this model of chance in results.
    complete : bool
        True if the rows are all permutations of a group, including the identity, such as all shifts of a
        series. Then p-values are exact: the share of the rows that are as extreme, which is never 0. If
        False, p-values are ``(b + 1) / (m + 1)`` of b extreme draws among m. Rows without the identity are
        refused.
    objects : sequence of length n, optional
        Names of the objects in the order of the draws, to match the draws with labels that have names. The
        default is the names of a frame's columns if these are not 0 to n - 1. Draws without names are matched
        by position, and are refused beside mappings and sets of objects, which have no order.

    Raises
    ------
    TypeError, ValueError
        If an array does not have two dimensions, has no row, or has nan; when a draw is used, if it does not
        have n labels.

    See Also
    --------
    shifts, torus, blocks, spins : Draws for series, grids, groups of objects, and places on a sphere.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> labels = [0, 0, 0, 1, 1, 1, 2, 2]
    >>> score = adjust(labels, labels, "rand", model=Draws(lambda rng: rng.permutation(8)), rng=1)
    >>> score.null.n_tables, score.null.model
    (999, 'own draws')
    """

    source: Any
    kind: Kind | None = None
    name: str = "own draws"
    complete: bool = False
    objects: Any = None  # a tuple of the objects' names, or None
    n_draws: int = field(init=False, default=0)  # 0 if there are infinitely many
    # positions of the clusterings' objects among the objects of the draws
    order: Integers | None = field(init=False, default=None)
    cost: Cost | None = field(init=False, default=None)  # cost of one draw, if it is known before

    needs_order: ClassVar[bool] = False
    """True if the draws depend on the order of the labels, also if their objects have names."""

    def __post_init__(self) -> None:
        """Check an array, and find its kind."""
        objects = self.objects
        if objects is None and hasattr(self.source, "columns") and not is_counting(self.source.columns):
            objects = self.source.columns
        object.__setattr__(self, "objects", None if objects is None else tuple(objects))
        if callable(self.source):
            if self.complete:
                raise ArgumentValueError("complete", "must be False for a callable, which draws at random.")
            return
        refuse_masked("source", self.source)
        try:
            rows = np.array(self.source)  # a copy, because the user may change the source later
        except ValueError:
            raise ArgumentValueError(
                "source", "must have draws of equal length; got several lengths."
            ) from None
        if rows.ndim != 2 or 0 in rows.shape:
            raise ArgumentValueError(
                "source", f"must be of shape (draws, objects), or callable; got shape {rows.shape}."
            )
        if rows.dtype.kind == "f" and not np.isfinite(rows).all():
            raise ArgumentValueError("source", "must be finite: every object needs a label in every draw.")
        if self.complete and not is_permutation(rows):
            raise ArgumentValueError("source", "must hold only permutations with `complete`.")
        if self.complete:
            _require_group(rows)
        rows.flags.writeable = False
        kind = self.kind or ("places" if is_permutation(rows) else "labels")
        for name, value in (("source", rows), ("n_draws", len(rows)), ("kind", kind)):
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False, repr=False)
class Group(Draws):
    """A finite group of permutations: all are draws if they are few, else random ones are drawn.

    The source returns the permutation of a number below `size`; number 0 is the identity.
    """

    size: int = 1
    n: int = 0

    def __post_init__(self) -> None:
        """Use all elements of the group if there are at most 17,000."""
        is_complete = self.size <= PUBLISHED_TABLES
        for name, value in (("kind", "places"), ("complete", is_complete)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "n_draws", self.size if is_complete else 0)


def _require_group(rows: AnyArray) -> None:
    """Raise if the permutations lack the identity or the product of two rows, and so are not a group.

    If there are many rows, each is multiplied only by a few others; this still finds each row that is missing
    or too many.
    """
    m, n = rows.shape
    remedy = "Leave `complete` out if these are only some of many: then p-values are (b + 1) / (m + 1)."
    if not (rows == np.arange(n)).all(axis=1).any():
        raise ArgumentValueError(
            "source", f"must hold the identity, 0 to {n - 1} in order, with `complete`; got none. {remedy}"
        )
    held = {hash(row.tobytes()) for row in rows}
    others = np.flatnonzero((rows != np.arange(n)).any(axis=1))
    # each row is multiplied by at most this number of rows, spread over all
    most = max(1, NUMBERS_OF_PRODUCTS // (m * n))
    for second in others[:: max(1, -(-others.size // most))]:
        lacking = next(
            (k for k, row in enumerate(rows) if hash(row[rows[second]].tobytes()) not in held), None
        )
        if lacking is not None:
            raise ArgumentValueError(
                "source",
                "must hold all permutations of a group with `complete`; got no row for the product of row"
                f" {second} and row {lacking}. {remedy}",
            )


def place_draws(draws: Draws, objects: ObjectNames) -> Draws:
    """Return the draws with their objects in the clusterings' order, if both have names."""
    if (draws.objects is None or draws.needs_order) and not objects.has_order:
        takes_names = not (isinstance(draws, Group) or draws.needs_order)
        raise ArgumentValueError(
            "model",
            f"must name the objects as `{objects.reference}` does, which has no order; got {draws.name!r}, by"
            " position. Pass labels as arrays or Series in the order of the draws"
            f"{', or names to the draws, as by Draws(source, objects=names)' if takes_names else ''}.",
            objects.reference,
        )
    order = match_entries("model", draws.objects, objects, repr(draws.name), has_order=True)
    if order is None:
        return draws
    placed = copy.copy(draws)
    object.__setattr__(placed, "order", order)
    return placed


def take_draw(draws: Draws, number: int, n: int, seed: np.uint64, *, in_order: bool = False) -> AnyArray:
    """Return draw `number` for n objects; of a whole group a random element if not `in_order`."""
    if isinstance(draws, Group) and n != draws.n:
        raise ArgumentValueError("model", f"must be for {n} objects; got a model for {draws.n}.")
    size = draws.size if isinstance(draws, Group) else draws.n_draws if draws.complete else 0
    element = number if not size or in_order else int(make_generator(seed, number).integers(size))
    if isinstance(draws, Group):
        return np.asarray(draws.source(element))
    source = draws.source
    made = source(make_generator(seed, number)) if callable(source) else source[element]
    refuse_masked("model", made)
    try:
        drawn = np.asarray(made)
    except ValueError:
        raise ArgumentValueError(
            "model", f"must draw {n} labels, one per object; got parts of several lengths in draw {number}."
        ) from None
    if drawn.shape != (n,):
        raise ArgumentValueError(
            "model", f"must draw {n} labels, one per object; got shape {drawn.shape} in draw {number}."
        )
    if drawn.dtype.kind == "f" and not np.isfinite(drawn).all():
        raise ArgumentValueError("model", f"must draw finite labels; got nan or inf in draw {number}.")
    return drawn


def find_kind(draws: Draws, n: int, seed: np.uint64) -> Kind:
    """Find the kind of all draws: "places" if a function's first draws are permutations, else "labels".

    Draws of labels may be permutations by chance, if there are n clusters of one object each.
    """
    if draws.kind is not None:
        return draws.kind
    first = (take_draw(draws, number, n, seed) for number in range(DRAWS_THAT_TELL_THE_KIND))
    return "places" if all(map(is_permutation, first)) else "labels"


def find_codes(
    draws: Draws, kind: Kind, drawn: AnyArray, candidate: Integers, labels: AnyArray | None = None
) -> Integers:
    """Return the cluster codes of a draw: the candidate's at the drawn positions, or the drawn labels'.

    Codes are numbered from 0 on without a gap, or are the labels' positions in `labels` if these are given.
    """
    if kind == "labels":
        codes = (
            number_parts("model", encode("model", drawn))[0]
            if labels is None
            else number_among(labels, drawn)
        )
        return codes if draws.order is None else codes[draws.order]
    if draws.kind is None and not is_permutation(drawn):
        raise ArgumentValueError(
            "model",
            "must draw permutations, or labels, in all draws; got permutations in the first ones and labels"
            " later. Pass `kind` to `Draws`.",
        )
    if drawn.dtype.kind not in "iu" or not (drawn.min() >= 0 and drawn.max() < candidate.size):
        raise ArgumentValueError(
            "model", f"must draw places from 0 to {candidate.size - 1}; got {drawn.min()} to {drawn.max()}."
        )
    codes = candidate[order_places(draws, drawn)]
    return number_labels(codes)[0] if labels is None else codes


def number_among(labels: AnyArray, drawn: AnyArray) -> Integers:
    """Find the position of each drawn label among the labels of both sides."""
    number = {label: k for k, label in enumerate(labels.tolist())}
    codes = [number.get(label, -1) for label in drawn.tolist()]
    if -1 in codes:
        raise ArgumentValueError(
            "model",
            "must draw labels of one of the sides for an index that compares labels by name; got"
            f" {drawn.tolist()[codes.index(-1)]!r}.",
        )
    return np.array(codes, dtype=np.int64)


def order_places(draws: Draws, drawn: AnyArray) -> AnyArray:
    """Return the positions of one draw, or of a draw in each row, in the order of the clusterings."""
    if draws.order is None:
        return drawn
    return np.asarray(np.argsort(draws.order)[drawn[..., draws.order]])


def count_draws(draws: Draws, wanted: int, is_limit: bool) -> int:
    """Return the number of draws: by default 999 of a callable, and never more than an array's rows."""
    if draws.n_draws and not draws.complete:
        if not is_limit and wanted > draws.n_draws:
            raise ArgumentValueError(
                "n_tables", f"must be at most {draws.n_draws}, the number of draws; got {wanted}."
            )
        return min(wanted, draws.n_draws)
    is_slow = callable(draws.source) and not isinstance(draws, Group)
    return min(wanted, DRAWS_OF_A_FUNCTION) if is_limit and is_slow else wanted


def describe_draws(draws: Draws) -> str:
    """Return what chance means, as a clause after "where"."""
    return f"the reference stays as it is and the candidate is drawn by {draws.name!r}"


def note_draws(draws: Draws, table: ContingencyTable, candidate: Integers) -> list[Note]:
    """List notes on the rows of an array: repeated rows, the candidate itself, other cluster sizes."""
    rows = draws.source
    if callable(rows):
        return []
    m, n = rows.shape
    if n != candidate.size:
        raise ArgumentValueError("model", f"must draw {candidate.size} labels, one per object; got {n}.")
    notes, distinct = list[Note](), len(set(map(tuple, rows.tolist())))
    if distinct < m:
        notes.append(Note("repeated draws", f"{m - distinct:,} of {m:,} draws occur more than once"))
    if draws.kind == "places":
        return notes
    coded = [find_codes(draws, "labels", row, candidate) for row in rows]
    pairs = (len(np.unique(np.column_stack([row, candidate]), axis=0)) for row in coded)
    same = sum(k == row.max() + 1 == candidate.max() + 1 for k, row in zip(pairs, coded, strict=True))
    if same:
        notes.append(Note("candidate drawn", f"the candidate itself is among the draws, {same:,} times"))
    sizes = np.sort(table.column_totals[table.column_totals > 0])
    other = sum(not np.array_equal(np.sort(np.bincount(row)), sizes) for row in coded)
    if other:
        text = f"{other:,} of {m:,} draws have other cluster sizes than the candidate"
        notes.append(Note("sizes of draws", text))
    return notes


def is_permutation(rows: AnyArray) -> bool:
    """Return True if a row, or each row of an array, is a permutation of 0 to n - 1."""
    return rows.dtype.kind in "iu" and bool((np.sort(rows, axis=-1) == np.arange(rows.shape[-1])).all())


@explain_call
def shifts(n: int) -> Group:
    """Make draws by circular shifts of a series of n objects, for labels in the order of time.

    The model is valid if the series is stationary and its ends could be joined: then a shifted candidate is
    as likely as the candidate, whatever the dependence within it.

    Parameters
    ----------
    n : int
        Number of objects, in the order of time.

    Returns
    -------
    Draws
        All n shifts up to 17,000 objects: p-values are exact multiples of 1 / n. Beyond, random shifts.

    Raises
    ------
    ValueError
        If `n` is not a whole number above 0.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> phases = [0] * 6 + [1] * 9 + [2] * 15
    >>> adjust(phases, phases[1:] + phases[:1], "rand", model=shifts(30)).p_value
    0.1
    """
    return torus((as_count("n", n),), name="shifts")


@explain_call
def torus(shape: tuple[int, ...], *, reflections: bool = False, name: str = "torus") -> Group:
    """Make draws by shifts of a grid, as if opposite edges were joined, for maps and images.

    The model is valid if the map is stationary and its edges may be joined; with reflections, if the map also
    has no preferred direction. Pass the labels of an image as ``image.ravel()``.

    Parameters
    ----------
    shape : tuple of int
        Shape of the grid, which is the shape of the label image.
    reflections : bool
        If True, axes are also reversed.
    name : str
        Name of the model in results.

    Returns
    -------
    Draws
        All shifts if there are at most 17,000: p-values are exact. Beyond, random shifts.

    Raises
    ------
    ValueError
        If a length is not a whole number above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from chancecorr import adjust
    >>> image = np.add.outer(np.arange(6) // 3, np.arange(6) // 3)
    >>> adjust(image.ravel(), image.T.ravel(), "rand", model=torus((6, 6))).p_value
    0.05555555555555555
    """
    lengths = tuple(as_count("shape", length) for length in shape)
    n, turned = math.prod(lengths), 2 ** len(lengths) if reflections else 1
    if n * turned > MAX_ELEMENTS:
        raise ArgumentValueError(
            "shape", f"must have at most 2**62 shifts; got about 1e{len(str(n * turned)) - 1}."
        )
    return Group(partial(_shift_grid, lengths), name=name, size=n * turned, n=n)


@explain_call
def blocks(groups: Any) -> Draws:
    """Make draws by exchanges of whole groups of objects, such as donors or subjects with similar objects.

    The model is valid if groups of equal size are exchangeable, and if the order of the objects means the
    same in each group. A group whose size is unique keeps its labels.

    Parameters
    ----------
    groups : array-like of shape (n,), Series, or {object: group}
        Group of each object. Groups and labels are matched by name if both have names.

    Returns
    -------
    Draws
        Random exchanges among the groups of each size.

    Raises
    ------
    ValueError
        If no two groups have equal size.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> x, y = [0, 0, 1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1, 0, 1]
    >>> adjust(x, y, "rand", model=blocks([1, 1, 2, 2, 3, 3, 4, 4]), rng=1).null.model
    'blocks'
    """
    values, own = read_entries("groups", groups)
    codes = np.unique(np.asarray(values).ravel(), return_inverse=True)[1]
    order, sizes = np.argsort(codes, kind="stable"), np.bincount(codes)
    members = np.split(order, np.cumsum(sizes)[:-1])
    if np.unique(sizes).size == sizes.size:
        raise ArgumentValueError("groups", "must have two groups of equal size to exchange; got none.")
    return Draws(partial(_exchange, members, sizes), name="blocks", objects=drop_positions(own))


@explain_call
def spins(
    coordinates: Any, *, hemispheres: Any = None, assignment: Literal["one-to-one", "nearest"] = "one-to-one"
) -> Draws:
    """Make draws by rotations of places on a sphere, for parcels of a brain's surface or stations on Earth.

    The model is valid if the map is stationary on the sphere and the places are evenly spread. If they are
    uneven, rotations separate neighbours, and p-values are somewhat too small. One to one, each place takes
    the label of a rotated place such that the sum of all distances is smallest, which keeps cluster sizes.
    With the nearest rotated place, several places may take one label: cluster sizes vary, and an index that
    depends on them distinguishes the draws from the data.

    Parameters
    ----------
    coordinates : array-like of shape (n, 3), frame, or {object: place}
        Places; their distance from the centre does not matter. They are matched with labels by name if both
        have names.
    hemispheres : array-like of shape (n,), Series, or {object: hemisphere}, optional
        Two halves, each rotated separately; the second by the mirror image in x of the first rotation.
    assignment : {"one-to-one", "nearest"}
        Whose label a place takes. One to one, a draw of n places takes time and memory that grow by n²; above
        about 3,900 places it needs a `budget` that allows this.

    Returns
    -------
    Draws
        Random rotations, uniform over all rotations.

    Raises
    ------
    ValueError
        If a place is at the centre or not finite, or there are not two hemispheres.

    References
    ----------
    .. [1] Alexander-Bloch et al. (2018), NeuroImage 178, doi:10.1016/j.neuroimage.2018.05.070.
    .. [2] Markello & Misic (2021), NeuroImage 236, doi:10.1016/j.neuroimage.2021.118052.

    Examples
    --------
    >>> import numpy as np
    >>> from chancecorr import adjust
    >>> places = np.random.default_rng(1).normal(size=(30, 3))
    >>> north, east = places[:, 2] > 0, places[:, 0] > 0
    >>> adjust(north, east, "rand", model=spins(places), n_tables=99, rng=1).n_tables
    99
    """
    check_choice("assignment", assignment, ("one-to-one", "nearest"))
    values, own = read_entries("coordinates", coordinates)
    places, objects = np.asarray(values).astype(np.float64), drop_positions(own)
    lengths = np.linalg.norm(places, axis=-1, keepdims=True)
    if places.ndim != 2 or places.shape[1] != 3 or not (np.isfinite(lengths) & (lengths > 0.0)).all():
        raise ArgumentValueError(
            "coordinates", f"must be of shape (n, 3), finite and none at the centre; got {places.shape}."
        )
    places = places / lengths
    halves = np.zeros(len(places), dtype=np.int64)
    if hemispheres is not None:
        known = ObjectNames(range(len(places)) if objects is None else objects, "coordinates")
        sides, own = read_entries("hemispheres", hemispheres)
        order = match_entries("hemispheres", own, known, name_kind(hemispheres))
        halves = np.unique(np.asarray(sides).ravel(), return_inverse=True)[1]
        halves = halves if order is None else halves[order]
        if halves.size != len(places) or halves.max() != 1:
            raise ArgumentValueError("hemispheres", "must hold one of two values for each place.")
    draws = Draws(partial(_spin, places, halves, assignment), kind="places", name="spins", objects=objects)
    if assignment == "one-to-one":
        sizes = np.bincount(halves).astype(np.float64)
        cost = Cost(
            seconds=1e-9 * NANOSECONDS_OF_A_MATCH * float((sizes**2).sum()),
            bytes=BYTES_OF_A_MATCH * float(sizes.max(initial=0.0)) ** 2,
            what=f"{len(places):,} places matched one to one",
            advice='`spins` with assignment="nearest" takes less time and memory',
        )
        object.__setattr__(draws, "cost", cost)
    return draws


def drop_positions(own: Named | None) -> Named | None:
    """Return the names of objects; None for an index from 0 to n - 1, whose entries are positions."""
    return None if own is None or (is_index(own) and is_counting(own)) else tuple(own)


def _shift_grid(lengths: tuple[int, ...], number: int) -> Integers:
    """Return the positions of a grid's cells after a shift and, before it, the reversal of some axes."""
    turn, place = divmod(number, math.prod(lengths))
    axes = tuple(axis for axis in range(len(lengths)) if turn >> axis & 1)
    grid = np.flip(np.arange(math.prod(lengths)).reshape(lengths), axes)
    return np.asarray(np.roll(grid, np.unravel_index(place, lengths), axis=range(len(lengths))).ravel())


def _exchange(members: list[Integers], sizes: Integers, rng: "np.random.Generator") -> Integers:
    """Return the positions of objects after a random exchange of groups of equal size."""
    places = np.empty(int(sizes.sum()), dtype=np.int64)
    for size in np.unique(sizes):
        alike = np.flatnonzero(sizes == size)
        for group, other in zip(alike, rng.permutation(alike), strict=True):
            places[members[group]] = members[other]
    return places


def _spin(places: Floats, halves: Integers, assignment: str, rng: "np.random.Generator") -> Integers:
    """Rotate each half and return, for each place, the position of the place whose label it takes."""
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.transform import Rotation

    mirror = np.diag([-1.0, 1.0, 1.0])
    rotation = Rotation.from_quat(rng.normal(size=4)).as_matrix()  # uniform over all rotations
    taken = np.empty(len(places), dtype=np.int64)
    for half in range(int(halves.max()) + 1):
        members = np.flatnonzero(halves == half)
        turn = mirror @ rotation @ mirror if half else rotation
        turned = (places[members] @ turn.T).T
        if assignment == "one-to-one":
            nearest = linear_sum_assignment(places[members] @ turned, maximize=True)[1]
        else:
            step = max(1, NUMBERS_AT_ONCE // max(members.size, 1))
            parts = (places[members[k : k + step]] @ turned for k in range(0, members.size, step))
            nearest = np.concatenate([part.argmax(axis=1) for part in parts])
        taken[members] = members[nearest]
    return taken
