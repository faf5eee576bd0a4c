"""HTML read strictly: every element is closed, in order, and no id is given twice."""

from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Element:
    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent = name, attributes, parent
        self.children, self.texts = [], []

    def all(self, *names):
        """Elements of these names within, in their order; all of them without a name."""
        found = []
        for child in self.children:
            if not names or child.name in names:
                found.append(child)
            found += child.all(*names)
        return found

    @property
    def text(self):
        """All text within, in its order, with single spaces."""
        return " ".join("".join(self.pieces()).split())

    def pieces(self):
        for piece in self.texts:
            yield from [piece] if isinstance(piece, str) else piece.pieces()


class Strict(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.here = Element("", {}, None)

    def handle_starttag(self, name, pairs):
        assert len({key for key, _ in pairs}) == len(pairs), (name, pairs)
        element = Element(name, dict(pairs), self.here)
        self.here.children.append(element)
        self.here.texts.append(element)
        if name not in VOID:
            self.here = element

    def handle_startendtag(self, name, pairs):
        self.handle_starttag(name, pairs)
        if name not in VOID:
            self.here = self.here.parent

    def handle_endtag(self, name):
        assert self.here.name == name, f"</{name}> closes <{self.here.name}> at {self.getpos()}"
        self.here = self.here.parent

    def handle_data(self, data):
        self.here.texts.append(data)


def read(html):
    """The elements of a page."""
    parser = Strict()
    parser.feed(html)
    parser.close()
    assert parser.here is parser.root, f"<{parser.here.name}> is not closed"
    ids = [element.attributes["id"] for element in parser.root.all() if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    return parser.root
