"""Every page of the site, once: on a desk, then made as narrow as a phone."""

import pytest

from tests.browser import built_site
from tests.browser.site_faults import BEYOND, WRONG, serious

pytestmark = pytest.mark.browser

PAGES = built_site.pages() or [pytest.param("", marks=pytest.mark.skip(reason=built_site.MISSING))]


@pytest.mark.parametrize("page", PAGES)
def test_is_as_it_should_be(visit, site, page):
    pytest.importorskip("axe_playwright_python", reason="pip install 'chancecorr[browser]'")
    view = visit(page)
    assert view.said == []
    assert [url for url in view.asked if not url.startswith((site, "data:"))] == []
    assert view.evaluate(WRONG) == []
    assert serious(view) == []
    view.set_viewport_size({"width": 390, "height": 900})
    assert view.evaluate(BEYOND) == []
