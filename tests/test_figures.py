"""How kept and computed figures are compared."""

import pytest

from tests.figures import same_figures


@pytest.mark.parametrize(
    ("kept", "computed", "same"),
    [
        ('"mean": 11.28', '"mean": 11.29', True),
        ('"mean": 11.28', '"mean": 11.3', False),
        ('"mean": 11.28', '"mean": 11.27', True),
        ("by 9.99\nof 3", "by 10.00 of\n3", True),
        ("[11.29, 2]", "[11.3, 2]", True),
        ("2.3e-05", "2.4e-05", True),
        ("2.3e-05", "2.3e-06", False),
        ("-0.5", "0.5", False),
        ("7 of 8", "7 of 9", False),
        ("package 1.26.4", "package 1.26.5", False),
        ("a 0.5", "b 0.5", False),
    ],
)
def test_one_unit_of_the_last_digit(kept, computed, same):
    assert same_figures(kept, computed) is same
