"""Every page of the site, once, on a phone: where the least has room."""

import pytest

from tests.browser import built_site
from tests.browser.site_faults import BEYOND, WRONG, serious

pytestmark = [pytest.mark.browser, pytest.mark.long]

PAGES = built_site.pages() or [pytest.param("", marks=pytest.mark.skip(reason=built_site.MISSING))]


@pytest.fixture(scope="module")
def tab(site, readers):
    """One for all pages: a new one takes longer than most pages do."""
    view = readers(390, "light", True).new_page()
    view.said, view.asked = [], []
    view.on("console", lambda m: view.said.append(m.text) if m.type in ("error", "warning") else None)
    view.on("pageerror", lambda error: view.said.append(str(error)))
    view.on("request", lambda request: view.asked.append(request.url))
    yield view
    view.close()


@pytest.mark.parametrize("page", PAGES)
def test_is_as_it_should_be(tab, site, page):
    pytest.importorskip("axe_playwright_python", reason="pip install 'chancecorr[browser]'")
    tab.goto("about:blank")
    tab.said.clear()
    tab.asked.clear()
    tab.goto(site + page)
    tab.evaluate("() => window.MathJax?.startup?.promise.then(() => true)")
    assert tab.said == []
    assert [url for url in tab.asked if not url.startswith((site, "data:"))] == []
    assert tab.evaluate(WRONG) == []
    assert tab.evaluate(BEYOND) == []
    # What stands around the article is the same on all pages, and looked at on those of `test_site`.
    assert serious(tab, within=".bd-article-container") == []
