"""The catalogue as its readers use it: searched, filtered, and read without JavaScript."""

import pytest

from chancecorr import get_index, list_indices
from chancecorr.indices.names import COMMON, is_found, put_common_first
from chancecorr.indices.registry import FAMILIES

pytestmark = pytest.mark.slow

PAGE = "reference/catalogue.html"
SHOWN = "#catalogue-table tbody tr:visible"
NAMES = put_common_first([name for family in FAMILIES for name in list_indices(family)])


def shown(view):
    """Names of the indices that are shown, from top to bottom; as many as the page says."""
    names = view.locator(SHOWN).evaluate_all("rows => rows.map(row => row.id)")
    assert view.locator("#catalogue-count").inner_text() == f"{len(names)} of {len(NAMES)} indices"
    return names


TYPED = {
    "JACCARD": "jaccard", "tanimoto": "jaccard", "Fowlkes Mallows": "fowlkes_mallows", "Rand index": "rand",
    "nmi": "nmi_sum", "ami": "mutual_information", "ARI": "rand",
}  # fmt: skip
"""What is looked for, and an index that is found."""


def test_text_finds_names_and_other_names(visit):
    catalogue = visit(PAGE)
    assert shown(catalogue) == NAMES
    for typed, some in TYPED.items():
        catalogue.locator("#catalogue-search").fill(typed)
        names = shown(catalogue)
        assert names == [name for name in NAMES if is_found(get_index(name), typed)]
        assert some in names
        assert len(names) < len(NAMES) / 4
        assert names[0] in COMMON


def test_each_select_shows_the_rows_with_its_value(visit):
    catalogue = visit(PAGE)
    catalogue.locator("#catalogue-form summary").click()
    selects = catalogue.locator("#catalogue-form select").all()
    assert len(selects) >= 4
    for select in selects:
        numbers = []
        for option in select.locator("option").all()[1:]:
            select.select_option(option.inner_text())
            numbers.append(len(shown(catalogue)))
        assert min(numbers) > 0
        assert sum(numbers) == len(NAMES)
        select.select_option("")


def test_keys_are_enough_and_the_address_asks(visit):
    """Search, choose, reset and open the page of an index without a mouse."""
    view = visit(f"{PAGE}#q=jaccard")
    few = shown(view)
    assert "jaccard" in few
    assert len(few) < len(NAMES) / 4
    view.locator("#catalogue-search").focus()
    view.keyboard.press("Tab")
    view.keyboard.press("Enter")  # the filters open
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.id") == "catalogue-family"
    view.keyboard.press("ArrowDown")
    assert len(shown(view)) <= len(few)
    view.locator("#catalogue-reset").focus()
    view.keyboard.press("Enter")
    view.wait_for_function("document.querySelector('#catalogue-search').value === ''")
    count = "document.querySelector('#catalogue-count').innerText"
    view.wait_for_function(f"{count}.startsWith('{len(NAMES)} of')")
    view.locator(f"{SHOWN} a").first.focus()
    view.keyboard.press("Enter")
    view.wait_for_url("**/reference/indices/*.html")


@pytest.mark.parametrize("width", [390, 1440])
def test_without_javascript_it_is_a_plain_table(visit, width):
    view = visit(PAGE, width, javascript=False)
    assert view.locator(SHOWN).count() == len(NAMES)
    assert not view.locator("#catalogue-form").is_visible()
