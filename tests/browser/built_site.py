"""The built site: where it is, its pages, and a server of this machine for it."""

import functools
import http.server
import json
import threading
from contextlib import contextmanager
from pathlib import Path

HTML = Path(__file__).resolve().parents[2] / "docs" / "_build" / "html"
MISSING = "the site is not built: make docs"


def pages():
    """Addresses of all pages, as Sphinx lists them for its search; none where the site is not built."""
    index = HTML / "searchindex.js"
    if not index.is_file():
        return []
    listed = json.loads(index.read_text(encoding="utf-8").removeprefix("Search.setIndex(").removesuffix(")"))
    return sorted([*(f"{name}.html" for name in listed["docnames"]), "genindex.html", "search.html"])


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Files that a browser may keep for the time of a test run, and no line for each of them."""

    protocol_version = "HTTP/1.1"

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def served(folder=HTML):
    """Address under which the files of a folder are served to this machine alone."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()
