"""What the ordinary run takes of many cases or of a large size; all of it is run by `make long`."""

import pytest


def one_in(step, cases):
    """Every `step`-th case, and the others marked as long; of tests with one parameter."""
    cases = list(cases)
    return [*cases[::step], *(_long(case) for k, case in enumerate(cases) if k % step)]


def small_and_full(small, full):
    """Two sizes, the second marked as long; of tests with one parameter."""
    return [small, _long(full)]


def _long(case):
    return pytest.param(case, marks=pytest.mark.long)
