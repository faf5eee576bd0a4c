"""A report as its readers see it: on a phone and on a desk, in light and dark, printed, and by ear."""

import re
from itertools import product

import pytest

from chancecorr.report import rank, to_html
from chancecorr.report import render_comparison as html_of
from tests.browser.site_faults import serious
from tests.plotting.test_legibility import contrast, luminance
from tests.report.examples import contents, datasets, hostile, undefined
from tests.shares import one_in

pytestmark = pytest.mark.slow

PAGES = {
    "usual": contents,
    "long names": lambda: contents(
        4,
        ("rand",),
        names=("W" * 80, "a b " * 30, "クラスタリング" * 9, "x"),
        rows=("M" * 60, "y" * 60, "z z " * 20),
    ),
    "large tables": lambda: contents(2, ("rand",), n=20_000, clusters=200, method="analytic"),
    "hostile names": lambda: hostile("<script>alert(1)</script>"),
    "without scores": undefined,
}
OF_DATASETS = "many data sets"
WIDTHS = (360, 1280, pytest.param(768, marks=pytest.mark.long))
WINDOWS = [(360, "light"), (360, "dark"), (1280, "dark"), (1280, "light")]
WITH_AXE = ("usual", "hostile names", "without scores")
A4_LESS_MARGINS = 688
"""Pixels, 96 an inch: 210 mm less twice 14."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Each report in a file."""
    folder = tmp_path_factory.mktemp("reports")
    found = {name: folder / f"{name.replace(' ', '_')}.html" for name in PAGES}
    for name, path in found.items():
        path.write_text(html_of(PAGES[name]()), encoding="utf-8")
    found[OF_DATASETS] = folder / "of_datasets.html"
    to_html(datasets(), found[OF_DATASETS], command="chancecorr report truth --by site")
    return found


@pytest.fixture
def show(browser, files):
    """Open a report; what the page asks for or complains of is in its lists."""
    opened = []

    def open_it(name="usual", width=1280, scheme="light", height=900):
        view = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        opened.append(view)
        view.said, view.asked = [], []
        view.on("console", lambda message: view.said.append(message.text))
        view.on("pageerror", lambda error: view.said.append(str(error)))
        view.on("request", lambda request: view.asked.append(request.url))
        view.goto(files[name].as_uri())
        return view

    yield open_it
    for view in opened:
        view.close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [*PAGES, OF_DATASETS])
def test_layout_and_that_nothing_is_asked_for_or_goes_wrong(show, files, name, width):
    view = show(name, width)
    assert view.said == []
    assert [url for url in view.asked if not url.startswith("data:")] == [files[name].as_uri()]
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert view.evaluate(BEYOND, width) == []
    assert view.evaluate(SMALL) == []
    assert view.evaluate(OVER) == []


def test_the_answer_is_in_the_first_screen_of_a_phone(show):
    view = show(width=360, height=740)
    made = contents()
    for selector, text in (
        ("h1", "agrees best"),
        (".answer", f"{rank(made.indices[0].scores)[0].adjusted:.3f}"),
    ):
        assert text in view.inner_text(selector)
    bottom = view.evaluate("document.querySelector('.verdict').getBoundingClientRect().bottom")
    assert bottom <= 740


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["usual", "without scores"])
def test_contrast_of_letters_and_lines_in_pictures(show, name, scheme):
    """WCAG 2.2: 4.5 to 1 for letters, and 3 to 1 for marks and lines."""
    view = show(name, scheme=scheme)
    page_colour = colour(view.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert (luminance(page_colour) < 0.05) == (scheme == "dark")
    fills = view.evaluate("[...document.querySelectorAll('svg text')].map(e => getComputedStyle(e).fill)")
    assert fills
    for fill in set(fills):
        assert contrast(colour(fill), page_colour) >= 4.5, fill
    lines = view.evaluate(
        """() => [...document.querySelectorAll('svg path')].map(e => [e.getAttribute('style') || '',
          getComputedStyle(e).stroke])"""
    )
    drawn = {(style, stroke) for style, stroke in lines if "--accent" in style or "--ink" in style}
    assert drawn
    for style, stroke in drawn:
        assert stroke == "none" or contrast(colour(stroke), page_colour) >= 3.0, style


@pytest.mark.parametrize("case", one_in(5, product(WITH_AXE, WINDOWS)), ids=str)
def test_axe_finds_nothing_serious(show, case):
    name, window = case
    pytest.importorskip("axe_playwright_python", reason="pip install 'chancecorr[browser]'")
    assert serious(show(name, *window)) == []


class TestPrint:
    @pytest.mark.parametrize("name", [*PAGES, OF_DATASETS])
    def test_fits_the_paper(self, show, name):
        view = show(name, A4_LESS_MARGINS)
        view.emulate_media(media="print")
        beyond = view.evaluate(
            """width => [...document.querySelectorAll('table, svg, p, pre, h1, h2, h3')].filter(e =>
              !e.parentElement.closest('svg') && e.getBoundingClientRect().right > width + 1
            ).map(e => [e.tagName, e.getBoundingClientRect().right, e.textContent.slice(0, 40)])""",
            A4_LESS_MARGINS,
        )
        assert beyond == []

    def test_is_dark_on_white_even_for_those_who_read_in_the_dark(self, show):
        view = show(scheme="dark")
        view.emulate_media(media="print", color_scheme="dark")
        behind, letters = view.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        assert luminance(colour(behind)) > 0.95
        assert contrast(colour(letters), colour(behind)) > 10


def test_boxes_that_scroll_do_so_by_key(show):
    view = show(width=360)
    box = view.locator(".scroll", has=view.locator("#scores-1"))
    box.focus()
    view.keyboard.press("ArrowRight")
    view.wait_for_function("document.activeElement.scrollLeft > 0")
    assert view.evaluate("window.scrollX") == 0


TEXTS = """[...(function* () {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (text && !element.closest('title, desc, style')) yield {element, text};
  }
})()]"""
"""Elements that hold letters, in JavaScript."""

BEYOND = """width => [...document.querySelectorAll('body *')].filter(e => {
  if (e.closest('.scroll, pre') || e.closest('svg svg')) return false;
  const box = e.getBoundingClientRect();
  return box.width > 0 && (box.right > width + 0.5 || box.left < -0.5);
}).map(e => e.tagName + ' ' + e.className)"""
"""Elements of which a part is outside a window of that width."""

SMALL = """() => TEXTS.map(({element, text}) => {
  const m = element.getScreenCTM ? element.getScreenCTM() : null;
  const scale = m ? Math.hypot(m.a, m.b) : 1;
  return [parseFloat(getComputedStyle(element).fontSize) * scale, text];
}).filter(([size]) => size < 11.99)""".replace("TEXTS", TEXTS)
"""Texts below 12 pixels, with their size."""

OVER = """() => {
  const found = [];
  for (const picture of document.querySelectorAll('main svg')) {
    const parts = [...picture.querySelectorAll('text')].map(e => {
      const b = e.getBoundingClientRect();
      return {what: e.textContent, b};
    });
    for (let i = 0; i < parts.length; i++) for (let j = 0; j < i; j++) {
      const [p, q] = [parts[i], parts[j]];
      const w = Math.min(p.b.right, q.b.right) - Math.max(p.b.left, q.b.left);
      const h = Math.min(p.b.bottom, q.b.bottom) - Math.max(p.b.top, q.b.top);
      if (w > 1 && h > 3.5) found.push([picture.getAttribute('aria-labelledby'), p.what, q.what, w, h]);
    }
  }
  return found;
}"""
"""Texts of a picture that are over another."""


def colour(text):
    """Red, green and blue from 0 to 1 of a computed colour."""
    return [float(part) / 255 for part in re.findall(r"[\d.]+", text)[:3]]
