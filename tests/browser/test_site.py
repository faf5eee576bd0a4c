"""The site as its readers see it: on a phone, a tablet and a desk, in light and dark, without JavaScript."""

from itertools import cycle

import pytest

from tests.browser.site_faults import BEYOND, CUT, SMALL, WRONG, serious
from tests.shares import one_in

pytestmark = pytest.mark.browser

KINDS = {
    "home": "index.html",
    "section": "howto/index.html",
    "tutorial": "start/first_steps.html",
    "recipe": "howto/p_values.html",
    "explanation": "explanation/tails.html",
    "functions by task": "reference/api.html",
    "function": "reference/generated/chancecorr.adjust.html",
    "class": "reference/generated/chancecorr.correction.AdjustedScore.html",
    "command line": "reference/command_line.html",
    "catalogue": "reference/catalogue.html#q=rand",
    "index": "reference/indices/jaccard.html",
    "study": "studies/amorim_cardoso_2014.html",
    "errata": "errata.html",
    "long table": "reliability.html",
    "formulas": "hypergeometric_hat.html",
    "search": "search.html?q=jaccard",
    "all names": "genindex.html",
}
"""A page of each kind."""
WINDOWS = ((390, "light"), (1440, "dark"), pytest.param(820, "light", marks=pytest.mark.long))
"""A phone, a desk and a tablet."""
WITH_AXE = dict(zip(KINDS, cycle([(390, "light"), (1440, "dark")])))
"""Each page in one window: axe takes seconds a page, and what it finds is mostly common to all pages."""
SOME = ("home", "function", "catalogue", "study")


@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_each_kind(visit, site, kind, width, scheme):
    """Nothing goes wrong, nothing is wider than the window, and axe finds nothing that keeps a reader out."""
    pytest.importorskip("axe_playwright_python", reason="pip install 'chancecorr[browser]'")
    view = visit(KINDS[kind], width, scheme)
    assert view.said == []
    assert [url for url in view.asked if not url.startswith((site, "data:"))] == []
    assert view.evaluate(WRONG) == []
    assert view.evaluate(BEYOND) == []
    assert view.evaluate("document.documentElement.dataset.theme") == scheme
    if (width, scheme) == WITH_AXE[kind]:
        assert serious(view) == []


READ = [
    "index.html", "start/first_steps.html", "start/what_does_my_score_mean.html", "start/install.html",
    "howto/many_candidates.html", "howto/p_values.html", "howto/scikit_learn.html", "howto/command_line.html",
    "howto/reporting.html", "howto/missing_and_noise.html", "howto/own_index.html", "howto/coming_from.html",
    "explanation/which_index.html", "explanation/selection_bias.html", "explanation/properties.html",
    "reference/command_line.html", "reference/generated/chancecorr.adjust.html",
    "reference/indices/rand.html", "studies/generated/coverage/results.html",
    "studies/generated/franti_rezaei_2016/report.html", "project/other_software.html",
]  # fmt: skip
"""Pages with code, output and tables of each kind."""


@pytest.mark.parametrize("page", one_in(2, READ))
def test_no_block_is_cut_off(visit, page):
    """On the commonest laptop, where 49 of 123 blocks of eight pages were."""
    assert visit(page, 1366).evaluate(CUT, ["visible"]) == []


@pytest.mark.parametrize("page", one_in(2, READ))
def test_a_phone_scrolls_what_is_wide_and_shrinks_no_text(visit, page):
    view = visit(page, 390)
    assert view.evaluate(CUT, ["visible", "auto", "scroll"]) == []
    assert view.evaluate(SMALL) == []


@pytest.mark.parametrize("page", ["index.html", "start/first_steps.html"])
def test_a_phone_shows_the_adjusted_scores(visit, page):
    view = visit(page, 390)
    table = view.locator(".output").filter(has_text="adjusted").first
    box = table.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


@pytest.mark.parametrize("kind", SOME)
def test_a_page_says_what_it_has_without_javascript(visit, kind):
    view = visit(KINDS[kind], javascript=False)
    assert view.locator("h1").inner_text()
    assert len(view.locator("main").inner_text()) > 40


class TestSearch:
    """What is typed, and the page that one of the first results has to lead to."""

    @pytest.mark.parametrize(
        ("typed", "page"),
        [
            ("ARI or AMI", "start/what_does_my_score_mean.html"),
            ("jaccard", "reference/indices/jaccard.html"),
            ("p-value", "howto/p_values.html"),
        ],
    )
    @pytest.mark.parametrize("width", [390, 1440])
    def test_leads_to_the_page(self, visit, site, typed, page, width):
        view = visit("index.html", width)
        view.locator(".search-button-field:visible, .search-button:visible").first.click()
        view.keyboard.type(typed)
        view.keyboard.press("Enter")
        view.wait_for_selector("#search-results li a")
        view.wait_for_function("Search._pulse_status < 0 || !document.querySelector('#search-progress')")
        addresses = view.eval_on_selector_all(
            "#search-results li > a", "links => links.map(a => a.href.split(/[?#]/)[0])"
        )
        assert site + page in list(dict.fromkeys(addresses))[:5]
        view.locator(f"#search-results li > a[href*='{page}']").first.click()
        view.wait_for_url(f"**/{page}*")
        assert view.said == []

    def test_of_what_is_not_there_says_so(self, visit):
        view = visit("search.html?q=zzzzqqq")
        view.wait_for_function(
            "document.querySelector('#search-results')?.innerText.includes('did not match any documents')"
        )
