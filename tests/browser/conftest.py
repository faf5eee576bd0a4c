"""Headless Chromium, or a reason why there is none."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OFFLINE = (
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
    "--no-first-run", "--disable-gpu",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install 'chancecorr[browser]'"
    )
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(
            "there is no Chromium: install one (Debian has it as chromium), or put its path into CHROMIUM"
        )
    # Chromium keeps its sandbox except for root, for whom it has none.
    for_root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=[*OFFLINE, *for_root])
        yield started
        started.close()
