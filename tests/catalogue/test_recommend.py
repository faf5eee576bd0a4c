"""What is recommended is what is proved or measured, and what is not is told why."""

import pytest

import chancecorr as cc
from chancecorr.catalogue import properties, property_definitions

CATALOGUE = [name for family in ("pair_counting", "information", "set_matching", "cluster_level")
             for name in cc.list_indices(family)]  # fmt: skip


@pytest.mark.parametrize("need", list(property_definitions()))
def test_what_is_found_is_proved_and_all_that_is_proved_is_found(need):
    """By the data themselves: raw indices, and one of each class of equal corrected scores."""
    raw = cc.catalogue.recommend(need, adjusted=False)
    assert {each.index for each in raw.found} == {
        name for name in CATALOGUE if properties(name)[need].status == "proved"
    }
    found = cc.catalogue.recommend(need)
    assert {each.name for each in raw.found} <= set(found.names)
    for each in found.found:
        assert properties(each.index, adjusted=each.adjusted)[need].status == "proved"
    assert len(set(found.names)) == len(found)


def test_what_is_open_counts_where_that_is_asked():
    strict = cc.catalogue.recommend("monotone", "symmetric", adjusted=True)
    loose = cc.catalogue.recommend("monotone", "symmetric", adjusted=True, open_counts=True)
    assert set(strict.names) < set(loose.names)
    assert all("refuted" not in [one.status for one in each.answers] for each in loose.found)
    statuses = [sum(one.status == "open" for one in each.answers) for each in loose.found]
    assert statuses == sorted(statuses)  # those about which least is open come first


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["monotonous"], {}, r"`need` must be one of 'maxim.*; got 'monotonous'\. Did you mean 'monotone'\?"),
        ([3], {}, r"`need` must be one of .*; got 3\."),
        (["symmetric"], {"family": "pairs"}, "`family` must be one of 'pair_counting'"),
        (["symmetric"], {"family": "user"}, "`family` must be one of .*'cluster_level'; got 'user'"),
        (["symmetric"], {"adjusted": "yes"}, "`adjusted` must be True, False or None; got 'yes'"),
    ],
)  # fmt: skip
def test_errors(arguments, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        cc.catalogue.recommend(*arguments, **options)
