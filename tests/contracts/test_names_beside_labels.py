"""Sides of functions other than those of labels are matched by name: matrices, biclusters, prototypes."""

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from chancecorr.clusterings import Biclusters
from chancecorr.ensembles import arimm, arimp, consensus_matrix
from chancecorr.prototypes import centroid_similarity_index

NAMES, ORDER = list("abcde"), [3, 0, 4, 2, 1]
TRUE, PRED = [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]
COLUMNS = [0, 0, 1], [0, 1, 1]
CENTRES = [[0], [9]], [[1], [7]]
MATRICES = consensus_matrix([TRUE, PRED]), consensus_matrix([PRED, PRED, TRUE])


def series(labels, order=range(5), names=NAMES):
    return pd.Series([labels[k] for k in order], index=[names[k] for k in order])


def mapping(labels, order=range(5), names=NAMES):
    return {names[k]: labels[k] for k in order}


def frame(matrix, order=range(5), names=NAMES):
    some = [names[k] for k in order]
    return pd.DataFrame(matrix[np.ix_(order, order)], index=some, columns=some)


DOORS = {
    "arimm": (lambda one, two: arimm(one(MATRICES[0]), two(MATRICES[1])), [frame]),
    "arimp": (lambda one, two: arimp(frame(MATRICES[0]), two(PRED)), [series, mapping]),
    "biclusters": (
        lambda one, two: (
            cc.adjust(
                Biclusters(one(TRUE), pd.Series(COLUMNS[0], index=list("xyz"))),
                Biclusters(two(PRED), pd.Series(COLUMNS[1], index=list("xyz"))[list("zxy")]),
            ).adjusted
        ),
        [series, mapping],
    ),
    "centroid_similarity_index": (
        lambda one, two: centroid_similarity_index(*CENTRES, one(TRUE), two(PRED)),
        [series],
    ),
}
BY_POSITION = {
    "arimm": lambda: arimm(*MATRICES),
    "arimp": lambda: arimp(MATRICES[0], PRED),
    "biclusters": lambda: (
        cc.adjust(*(Biclusters(*side) for side in zip((TRUE, PRED), COLUMNS, strict=True))).adjusted
    ),
    "centroid_similarity_index": lambda: centroid_similarity_index(*CENTRES, TRUE, PRED),
}
GRID = [(door, form) for door, (_, forms) in DOORS.items() for form in forms]


@pytest.mark.parametrize(("door", "form"), GRID, ids=lambda x: getattr(x, "__name__", x))
def test_sides_in_two_orders_are_matched_by_name(door, form):
    answer, _ = DOORS[door]
    expected = BY_POSITION[door]()
    assert answer(form, lambda values: form(values, ORDER)) == pytest.approx(expected, rel=1e-12)
    assert answer(form, form) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("door", "form"), GRID, ids=lambda x: getattr(x, "__name__", x))
def test_sides_with_other_names_are_refused(door, form):
    answer, _ = DOORS[door]
    with pytest.raises(ValueError, match=r"must name (the )?objects (of|as) `.*`.*got"):
        answer(form, lambda values: form(values, names=list("vwxyz")))


OTHER_KINDS = {
    "cover": cc.Cover([set("abc"), set("cde")]),
    "tree": cc.Tree("((a,b),(c,(d,e)));"),
    "membership": cc.Membership(np.eye(2)[TRUE]),
    "similarity": cc.Similarity(MATRICES[0]),
    "number": 5,
    "text": "abcde",
}
TABLE_DOORS = {
    "contingency_table": cc.contingency_table,
    "match_labels": cc.comparison.match_labels,
    "agreement_by_object": cc.comparison.agreement_by_object,
    "agreement_by_cluster": cc.comparison.agreement_by_cluster,
    "consensus_matrix": lambda x, y: consensus_matrix([x, y]),
}


@pytest.mark.parametrize("beside", [list, mapping], ids=["list", "mapping"])
@pytest.mark.parametrize("kind", OTHER_KINDS)
@pytest.mark.parametrize("door", TABLE_DOORS)
def test_what_is_no_labels_is_called_so_beside_labels_of_any_form(door, kind, beside):
    with pytest.raises(TypeError, match=r"must be an array, list or Series of labels; got an? "):
        TABLE_DOORS[door](OTHER_KINDS[kind], beside(PRED))
