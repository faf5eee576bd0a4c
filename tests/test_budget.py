"""What a budget is, and what is refused for want of room."""

import pytest

import chancecorr as cc


class TestBytes:
    def test_tables_that_no_machine_holds_are_refused_at_once(self):
        margins = cc.Margins([1000] * 10_000, [1000] * 10_000)
        with pytest.raises(ValueError, match=r"^`n_tables` asks for 14 TB for tables of 10,000 by 10,000;"):
            cc.sample_tables(margins, 17_000)


@pytest.mark.parametrize(("given", "error"), [(0, ValueError), (1.5, TypeError), (True, TypeError)])
def test_bytes_that_are_none_are_refused(given, error):
    with pytest.raises(error, match=r"^`budget` must have a"):
        cc.Budget(bytes=given)
