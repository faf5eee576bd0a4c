"""The site as its readers see it: on a phone, a tablet and a desk, in light and dark, without JavaScript."""

from itertools import cycle

import pytest

from tests.browser.site_faults import BEYOND, CUT, SMALL, WRONG, serious

pytestmark = pytest.mark.slow

KINDS = {
    "home": "index.html",
    "section": "howto/index.html",
    "tutorial": "start/first_steps.html",
    "recipe": "howto/p_values.html",
    "explanation": "howto/p_values.html",
    "functions by task": "reference/api.html",
    "function": "reference/generated/chancecorr.adjust.html",
    "class": "reference/generated/chancecorr.correction.AdjustedScore.html",
    "command line": "reference/command_line.html",
    "catalogue": "reference/catalogue.html#q=rand",
    "index": "reference/indices/jaccard.html",
    "study": "studies/amorim_cardoso_2014.html",
    "errata": "errata.html",
    "long table": "reliability.html",
    "formulas": "explanation/derivations.html",
    "search": "search.html?q=jaccard",
    "all names": "genindex.html",
}
"""A page of each kind."""
PHONE, LAPTOP, TABLET = (390, "light"), (1366, "dark"), (820, "light")
"""Width of a window, the commonest of its kind, and its scheme."""
WITH_AXE = dict(zip(KINDS, cycle([PHONE, LAPTOP])))
"""Each page in one window: axe takes seconds a page, and what it finds is mostly common to all pages."""
SCROLL = ("catalogue", "long table")
"""Pages of which a table is wider than a laptop's column."""
SOME = ("home", "function", "catalogue", "study")


def long(*case):
    return pytest.param(*case, marks=pytest.mark.long)


def windows():
    """Each kind of page on a phone, every second one on a laptop; the others and tablets are long."""
    on_laptop = [(kind, LAPTOP) if WITH_AXE[kind] == LAPTOP else long(kind, LAPTOP) for kind in KINDS]
    return [*((kind, PHONE) for kind in KINDS), *on_laptop, *(long(kind, TABLET) for kind in KINDS)]


@pytest.mark.parametrize(("kind", "window"), windows())
def test_a_page_of_each_kind(visit, site, kind, window):
    """Nothing goes wrong, is wider than the window, cut off or small, and axe finds nothing serious."""
    pytest.importorskip("axe_playwright_python", reason="pip install 'chancecorr[browser]'")
    view = visit(KINDS[kind], *window)
    assert view.said == []
    assert [url for url in view.asked if not url.startswith((site, "data:"))] == []
    assert view.evaluate(WRONG) == []
    assert view.evaluate(BEYOND) == []
    assert view.evaluate("document.documentElement.dataset.theme") == window[1]
    check_blocks(view, window, scrolls=kind in SCROLL)
    if window == WITH_AXE[kind]:
        assert serious(view) == []


def check_blocks(view, window, scrolls=False):
    """Of code, output and tables nothing is cut off; a phone scrolls what is wide and shrinks no text."""
    scrolls = scrolls or window != LAPTOP
    assert view.evaluate(CUT, ["visible", "auto", "scroll"] if scrolls else ["visible"]) == []
    if window == PHONE:
        assert view.evaluate(SMALL) == []


@pytest.mark.parametrize("kind", SOME)
def test_a_page_says_what_it_has_without_javascript(visit, kind):
    view = visit(KINDS[kind], javascript=False)
    assert view.locator("h1").inner_text()
    assert len(view.locator("main").inner_text()) > 40


@pytest.mark.parametrize(
    ("typed", "page", "width"),
    [
        ("ARI or AMI", "start/what_does_my_score_mean.html", 390),
        ("jaccard", "reference/indices/jaccard.html", 1440),
        ("p-value", "howto/p_values.html", 390),
        ("confidence interval", "start/what_does_my_score_mean.html", 1440),
        ("save figure", "howto/reporting.html", 390),
        ("reproducible", "reliability.html", 1440),
        ("weights", "howto/missing_and_noise.html", 390),
        ("groups", "howto/missing_and_noise.html", 1440),
        ("strata", "howto/missing_and_noise.html", 390),
        ("latex", "howto/reporting.html", 1440),
        ("install", "start/install.html", 390),
        ("kappa", "howto/raters_and_judges.html", 1440),
        ("raters", "howto/raters_and_judges.html", 390),
    ],
)
def test_the_first_or_second_page_that_a_search_finds_is_the_right_one(visit, site, typed, page, width):
    view = visit("index.html", width)
    view.locator(".search-button-field:visible, .search-button:visible").first.click()
    view.keyboard.type(typed)
    view.keyboard.press("Enter")
    view.wait_for_selector("#search-results li a")
    view.wait_for_function("Search._pulse_status < 0 || !document.querySelector('#search-progress')")
    script = "links => links.map(a => a.href.split(/[?#]/)[0])"
    addresses = view.eval_on_selector_all("#search-results li > a", script)
    assert site + page in list(dict.fromkeys(addresses))[:2]
    view.locator(f"#search-results li > a[href*='{page}']").first.click()
    view.wait_for_url(f"**/{page}*")
    assert view.said == []
