"""Numbers as text: no digit that means nothing, none missing that does; and as strict JSON."""

import errno
import json
import math
import os
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr.machine.printing import format_p_value, format_rounded, open_replacement

numbers = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12).filter(
    lambda number: number == 0.0 or abs(number) > 1e-300
)
errors = st.floats(min_value=1e-300, max_value=1e12)


def unit(text):
    """One in the last digit of a text."""
    return Decimal(1).scaleb(Decimal(text).as_tuple().exponent)


@given(numbers)
@example(0.99999999)
@example(1e-6)
@example(9.999996e-7)
def test_five_digits_of_a_number_without_error(number):
    text = format_rounded(number)
    exact = Decimal(number)
    assert abs(Decimal(text) - exact) <= unit(text) * Decimal("0.500001")
    assert len(text) <= 12
    if number:
        assert abs(Decimal(text) - exact) <= abs(exact) * Decimal("0.0000501")


@given(numbers, errors)
@example(0.58783, 0.000996)
@example(-1e-9, 0.1)
def test_two_digits_of_the_standard_error(number, error):
    text = format_rounded(number, error)
    exact = Decimal(number)
    assert abs(Decimal(text) - exact) <= unit(text) * Decimal("0.500001")
    known = max(Decimal(error) * Decimal("0.0501"), abs(exact) * Decimal("5.01e-6"))  # at most six digits
    assert abs(Decimal(text) - exact) <= known
    if number and unit(text) < 1:  # not more than two digits of the error are shown
        assert unit(text) >= Decimal(error) / 100 or format_rounded(number, error) == format_rounded(number)
    assert not text.startswith("-0.0") or Decimal(text) != 0


def test_p_values():
    assert [format_p_value(p) for p in (1.0, 0.05, 0.000294, 5.87e-5, 3.3e-300)] == [
        "1", "0.05", "0.00029", "5.9e-05", "3.3e-300",
    ]  # fmt: skip
    assert format_p_value(0.0) == format_p_value(0.0, True) == "<5e-324"
    assert format_p_value(math.nan, True) == "–"


@given(st.floats(min_value=1e-300, max_value=1.0))
def test_a_bound_stays_one(p_value):
    text = format_p_value(p_value, True)
    assert text.startswith("≤")
    assert p_value <= float(text[1:]) <= 1.1 * p_value * (1 + 1e-12)


MARGINS = {
    "varied": cc.Margins([3, 2, 1], [2, 2, 2]),
    "one cluster": cc.Margins([4], [2, 2]),
    "singletons": cc.Margins([1, 1, 1], [1, 1, 1]),
    "no objects": cc.Margins([], []),
    "one object": cc.Margins([1], [1]),
}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "monte-carlo"])
@pytest.mark.parametrize("margins", MARGINS.values(), ids=MARGINS)
def test_null_distributions_are_strict_json(margins, method):
    """Over all indices: of some the law holds nan or infinities, of some the moments are not known."""
    seen = set()
    for name in cc.list_indices():
        null = cc.null_distribution(margins, name, method=method, n_tables=20, rng=1)
        plain = json.loads(null.to_json(), parse_constant=pytest.fail)
        assert plain.keys() == null.to_dict().keys()
        for key, each in [("mean", null.mean), ("std", null.std), *(("values", v) for v in null.values)]:
            seen.add("nan" if math.isnan(each) else str(each) if math.isinf(each) else "number")
            if key != "values":
                assert math.isnan(each) == (plain[key] is None)
        back = [math.nan if each is None else float(each) for each in plain["values"]]
        np.testing.assert_array_equal(back, null.values)
    assert seen >= ({"number", "nan"} if margins.n > 1 else {"number"})
    if margins is MARGINS["varied"]:
        assert seen == {"number", "nan", "inf", "-inf"}


@pytest.mark.skipif(os.name != "posix", reason="modes and links of Unix")
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path):
    page = tmp_path / "page"
    page.write_text("before")
    page.chmod(0o600)
    with open_replacement(page) as file:
        file.write(b"after")
    assert (page.read_text(), page.stat().st_mode & 0o777) == ("after", 0o600)
    (tmp_path / "link").symlink_to(page)
    with open_replacement(tmp_path / "link") as file:
        file.write(b"again")
    assert page.read_text() == "again"
    assert (tmp_path / "link").is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "page"]


def test_an_error_of_the_disk_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space left") as caught, open_replacement(tmp_path / "page"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "page")
