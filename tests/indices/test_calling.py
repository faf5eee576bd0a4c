"""Errors of an index's function: each becomes one that names the index and the place."""

import pytest

import chancecorr as cc


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration(), RuntimeError("own"), KeyError("k")])
def test_any_error_names_the_index_and_the_table(error):
    """StopIteration, too, which a context manager made of a generator would let through."""

    def broken(x, y):
        raise error

    index = cc.indices.Index(name="broken", function=broken, needs="labels")
    with pytest.raises(
        cc.indices.IndexEvaluationError, match=r"Index 'broken' failed on the table .*\[2, 1\]"
    ) as caught:
        cc.score_table([[2, 1], [0, 3]], index)
    assert caught.value.__cause__ is error
