"""The catalogue as its readers use it: searched, filtered, sorted, sent on, and read without JavaScript."""

import re

import pytest

from chancecorr.catalogue.recommendations import COMMON, common_first, is_found
from chancecorr.indices.registry import FAMILIES, get_index, list_indices

pytestmark = pytest.mark.browser

PAGE = "reference/catalogue.html"
SHOWN = "#catalogue-table tbody tr:visible"
NAMES = common_first([name for family in FAMILIES for name in list_indices(family)])
"""In the order of the page before it is sorted."""


@pytest.fixture
def catalogue(visit):
    return visit(PAGE)


def shown(view):
    """Names of the indices that are shown, from top to bottom; as many as the page says."""
    names = view.locator(SHOWN).evaluate_all("rows => rows.map(row => row.id)")
    assert view.locator("#catalogue-count").inner_text() == f"{len(names)} of {len(NAMES)} indices"
    return names


def test_all_indices_are_there_at_first(catalogue):
    assert shown(catalogue) == NAMES


TYPED = {
    "jaccard": "jaccard",
    "JACCARD": "jaccard",
    "tanimoto": "jaccard",
    "Fowlkes Mallows": "fowlkes_mallows",
    "Rand index": "rand",
    "nmi": "nmi_sum",
    "ami": "mutual_information",
    "ARI": "rand",
}
"""What is looked for, and an index that is found."""


def test_text_finds_names_and_other_names(catalogue):
    search = catalogue.locator("#catalogue-search")
    for typed, some in TYPED.items():
        search.fill("")
        search.press_sequentially(typed)
        found = shown(catalogue)
        assert found == [name for name in NAMES if is_found(get_index(name), typed)]
        assert some in found
        assert len(found) < len(NAMES) / 4
        assert found[0] in COMMON


def test_each_select_shows_as_many_as_it_says(catalogue):
    selects = catalogue.locator("#catalogue-form select")
    assert selects.count() >= 5
    for select in selects.all():
        for option in select.locator("option").all()[1:]:
            number = int(re.search(r"\((\d+)\)$", option.inner_text())[1])
            select.select_option(option.get_attribute("value"))
            assert len(shown(catalogue)) == number
        select.select_option("")
    assert shown(catalogue) == NAMES


def test_the_address_brings_it_back(catalogue, visit):
    catalogue.locator("#catalogue-search").fill("rand")
    catalogue.locator("#catalogue-family").select_option(index=1)
    catalogue.locator("#catalogue-table thead button").first.click()
    catalogue.locator("#catalogue-table thead button").first.click()
    found = shown(catalogue)
    again = visit(PAGE + "#" + catalogue.url.partition("#")[2])
    assert shown(again) == found != NAMES
    assert found[0] > found[-1]
    assert again.locator("#catalogue-search").input_value() == "rand"
    assert again.locator("#catalogue-family").input_value()


def test_keys_are_enough(catalogue):
    """Search, choose, sort, reset and open the page of an index without a mouse."""
    catalogue.locator("#catalogue-search").focus()
    catalogue.keyboard.type("jaccard")
    few = shown(catalogue)
    catalogue.keyboard.press("Tab")
    assert catalogue.evaluate("document.activeElement.id") == "catalogue-family"
    catalogue.keyboard.press("ArrowDown")
    assert 0 < len(shown(catalogue)) <= len(few)
    catalogue.locator("#catalogue-reset").focus()
    catalogue.keyboard.press("Enter")
    catalogue.wait_for_function("document.activeElement.id === 'catalogue-search'")
    assert shown(catalogue) == NAMES
    first = catalogue.locator("#catalogue-table thead button").first
    first.focus()
    catalogue.keyboard.press("Enter")
    assert catalogue.locator("#catalogue-table thead th").first.get_attribute("aria-sort") == "ascending"
    up = shown(catalogue)
    assert up[0] == min(NAMES)
    assert up.index("baulieu_distance_2") < up.index("baulieu_distance_10")
    catalogue.keyboard.press("Space")
    assert catalogue.locator("#catalogue-table thead th").first.get_attribute("aria-sort") == "descending"
    assert shown(catalogue) == up[::-1]
    catalogue.locator(f"{SHOWN} a").first.focus()
    catalogue.keyboard.press("Enter")
    catalogue.wait_for_url("**/reference/indices/*.html")


def test_the_range_sorts_as_numbers(catalogue):
    catalogue.locator("#catalogue-table thead th[data-key=range] button").click()
    column = catalogue.locator("#catalogue-table thead th").evaluate_all(
        "headings => headings.findIndex(heading => heading.dataset.key === 'range')"
    )
    texts = catalogue.locator(SHOWN).evaluate_all(f"rows => rows.map(row => row.cells[{column}].textContent)")
    bounds = [
        tuple(float(part.replace("−", "-").replace("∞", "inf")) for part in text.split(" to "))
        for text in texts
    ]
    assert bounds == sorted(bounds)


@pytest.mark.parametrize("width", [390, 1440])
def test_without_javascript_it_is_a_plain_table(visit, width):
    view = visit(PAGE, width, javascript=False)
    assert view.locator(SHOWN).count() == len(NAMES)
    assert not view.locator("#catalogue-form").is_visible()
    assert view.locator("#catalogue-table thead button").count() == 0
