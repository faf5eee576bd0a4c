"""Links inside the built site lead somewhere: each to a file that is there, and to a place that is on it."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from tests.browser import built_site


class Page(HTMLParser):
    """What a page points to, and the places on it."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.targets, self.places = set(), {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value is not None:
                self.targets.add(value)
            elif name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)


def broken_links(folder, start="index.html"):
    """Pages that are reached from the first one, and each link that leads nowhere, with its page."""
    folder = Path(folder).resolve()
    read, to_read, asked = {}, [folder / start], {}
    while to_read:
        path = to_read.pop()
        if path in read:
            continue
        read[path] = Page(path)
        for target in read[path].targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            address, place = urldefrag(target)
            file = (path.parent / unquote(urlsplit(address).path)).resolve() if parts.path else path
            asked.setdefault((file, unquote(place)), (path, target))
            if file.suffix == ".html" and file.is_file():
                to_read.append(file)
    wrong = set()
    for (file, place), (path, target) in asked.items():
        known = file.is_file() and folder in file.parents
        if not known or (file in read and place not in read[file].places):
            wrong.add(f"{path.relative_to(folder)}: {target}")
    return {str(path.relative_to(folder)) for path in read}, sorted(wrong)


pytestmark = pytest.mark.skipif(not built_site.pages(), reason=built_site.MISSING)


@pytest.mark.slow
def test_no_link_is_broken_and_every_page_is_reached_from_the_first():
    reached, broken = broken_links(built_site.HTML)
    assert broken == []
    assert set(built_site.pages()) - {"search.html", "genindex.html"} <= reached


@pytest.mark.slow
def test_names_of_other_packages_lead_to_their_sites():
    texts = [path.read_text(encoding="utf-8") for path in built_site.HTML.rglob("*.html")]
    for kept in (Path(__file__).parents[2] / "docs" / "_inventories").glob("*.inv"):
        for line in kept.read_text(encoding="utf-8").splitlines()[3:]:
            name, _, place = line.split()
            assert any(f'{place}#{name}"' in text for text in texts), name
