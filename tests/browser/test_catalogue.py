"""The catalogue's table in a browser: searched, filtered, sorted, by keyboard too, kept in the address."""

import importlib
import re
import sys
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.indices.registry import FAMILIES

pytestmark = pytest.mark.browser

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
ADDRESS = "http://site.test/reference/catalogue.html"


@pytest.fixture(scope="module")
def files():
    sys.path.insert(0, str(DOCS / "_ext"))
    table = importlib.import_module("catalogue_table")
    properties = importlib.import_module("catalogue_properties").Properties()
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The catalogue</title>'
        '<meta name="viewport" content="width=device-width"><style>:root {color-scheme: light dark}</style>'
        '<link rel="stylesheet" href="catalogue.css"><script src="catalogue.js" defer></script></head>'
        f"<body><main><h1>The catalogue</h1>{table.html_table(properties)}</main></body></html>"
    )
    static = {
        name: (DOCS / "_static" / name).read_text(encoding="utf-8")
        for name in ("catalogue.css", "catalogue.js")
    }
    return static | {"catalogue.html": page}


@pytest.fixture
def show(browser, files):
    """Opens the table in a window, at an address, and gives the page back."""
    opened = []

    def answer(route):
        name = route.request.url.partition("#")[0].rpartition("/")[2]
        kinds = {".css": "text/css", ".js": "text/javascript", ".html": "text/html"}
        if name in files:
            route.fulfill(body=files[name], content_type=f"{kinds[Path(name).suffix]}; charset=utf-8")
        else:
            route.fulfill(status=404)

    def make(state="", *, width=1280, **context):
        opened.append(browser.new_context(viewport={"width": width, "height": 800}, **context))
        page = opened[-1].new_page()
        page.route("**/*", answer)
        page.goto(ADDRESS + state)
        return page

    yield make
    for each in opened:
        each.close()


def names_shown(page):
    return page.eval_on_selector_all("tbody tr:not([hidden])", "rows => rows.map(row => row.id)")


def count(page):
    return page.text_content("#catalogue-count")


def test_search_finds_names_aliases_and_formulas(show):
    page = show()
    assert names_shown(page) == NAMES
    for text, found in (
        ("tanimoto", "jaccard"),
        ("split-join", "split_join_1"),
        ("2D / (P Q'", "adjusted_rand"),
        ("koppen pycm", "scott_pi"),
    ):
        page.fill("#catalogue-search", text)
        assert found in names_shown(page)
        assert count(page) == f"{len(names_shown(page))} of {len(NAMES)} indices"
        assert len(names_shown(page)) < 10
    page.fill("#catalogue-search", "no such index")
    assert count(page) == f"0 of {len(NAMES)} indices"
    page.click("#catalogue-reset")
    page.wait_for_function("document.querySelectorAll('tbody tr:not([hidden])').length > 200")
    assert names_shown(page) == NAMES


def test_filters_are_those_of_the_entries(show):
    page = show()
    page.select_option("#catalogue-family", "Information and association")
    page.select_option("#catalogue-symmetric", "no")
    wanted = [name for name in cc.list_indices("information") if not cc.get_index(name).symmetric]
    assert names_shown(page) == wanted
    page.fill("#catalogue-search", "entropy")
    assert set(names_shown(page)) == {"conditional_entropy_1", "conditional_entropy_2"}


def test_headings_sort_and_say_so(show):
    page = show()
    page.focus("th[data-key=range] button")
    page.keyboard.press("Enter")
    assert page.get_attribute("th[data-key=range]", "aria-sort") == "ascending"
    lows = [cc.get_index(name).range[0] for name in names_shown(page)]
    assert lows == sorted(lows)
    page.keyboard.press("Enter")
    assert page.get_attribute("th[data-key=range]", "aria-sort") == "descending"
    lows = [cc.get_index(name).range[0] for name in names_shown(page)]
    assert lows == sorted(lows, reverse=True)
    page.click("th[data-key=name] button")
    assert page.get_attribute("th[data-key=range]", "aria-sort") is None
    assert sorted(names_shown(page)) == sorted(NAMES)
    assert names_shown(page)[0] == "adjusted_fowlkes_mallows"


def test_the_address_keeps_what_is_shown(show):
    page = show()
    page.fill("#catalogue-search", "wallace")
    page.select_option("#catalogue-linear", "T")
    page.click("th[data-key=name] button")
    page.click("th[data-key=name] button")
    shown, address = names_shown(page), page.url
    assert re.search(r"#q=wallace&linear=T&sort=name&order=descending$", address)
    again = show(address.removeprefix(ADDRESS))
    assert names_shown(again) == shown == sorted(shown, reverse=True)
    assert again.input_value("#catalogue-search") == "wallace"
    assert len(shown) > 2
    again.evaluate("location.hash = '#q=purity'")
    again.wait_for_function("document.getElementById('catalogue-search').value === 'purity'")
    assert "purity" in names_shown(again)
    assert names_shown(show("#jaccard")) == NAMES, "the anchor of a row is no search"
    assert names_shown(show("#linear=nonsense&sort=nonsense")) == NAMES


def test_without_scripts_it_is_a_plain_table(show):
    page = show(java_script_enabled=False)
    assert page.locator("tbody tr").count() == len(NAMES)
    assert page.is_visible("#catalogue-table")
    assert not page.is_visible("#catalogue-form")
    assert page.locator("thead button").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_it_scrolls_in_its_box_and_not_the_page(show, width):
    page = show(width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = "document.querySelector('.catalogue-scroll')"
    assert page.evaluate(f"{box}.scrollWidth > {box}.clientWidth")
    page.focus(".catalogue-scroll")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"{box}.scrollLeft > 0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(show, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="pip install 'chancecorr[browser]'"
    )
    page = show("#q=rand&sort=range", color_scheme=scheme)
    found = axe.Axe().run(page).response["violations"]
    assert [each["id"] for each in found] == []
