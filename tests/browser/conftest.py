"""Headless Chromium, or a reason why there is none; pages of the site in it."""

import os
import shutil

import pytest

from tests.browser import built_site

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OFFLINE = (
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
    "--no-first-run", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    missing = "Playwright is not installed: pip install 'chancecorr[browser]'"
    playwright = pytest.importorskip("playwright.sync_api", reason=missing)
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("there is no Chromium: install one (as chromium in Debian), or set CHROMIUM to its path")
    # Chromium keeps its sandbox except for root, for whom it has none.
    for_root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=[*OFFLINE, *for_root])
        yield started
        started.close()


@pytest.fixture(scope="session")
def site(browser):
    """Address of the site on this machine."""
    if not built_site.pages():
        pytest.skip(built_site.MISSING)
    with built_site.served() as address:
        yield address


@pytest.fixture(scope="session")
def readers(browser):
    """Windows of readers, by width, scheme and JavaScript; each keeps what it has loaded."""
    known = {}

    def reader(width, scheme, javascript):
        key, window = (width, scheme, javascript), {"width": width, "height": 900}
        if key not in known:
            options = {"color_scheme": scheme, "java_script_enabled": javascript}
            known[key] = browser.new_context(viewport=window, **options)
        return known[key]

    yield reader
    for context in known.values():
        context.close()


@pytest.fixture
def visit(site, readers):
    """Open a page of the site, its formulas set; what it complains of and asks for is in its lists."""
    opened = []

    def open_it(page, width=1440, scheme="light", javascript=True, address=site):
        view = readers(width, scheme, javascript).new_page()
        opened.append(view)
        view.said, view.asked = [], []
        view.on("console", lambda m: view.said.append(m.text) if m.type in ("error", "warning") else None)
        view.on("pageerror", lambda error: view.said.append(str(error)))
        view.on("request", lambda request: view.asked.append(request.url))
        view.goto(address + page)
        if javascript:
            view.evaluate("() => window.MathJax?.startup?.promise.then(() => true)")
        return view

    yield open_it
    for view in opened:
        view.close()
