"""HTML read back strictly: every element is closed where it should be."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from audit.report.svg import Drawing

_VOID = frozenset({"meta", "br", "link", "img"})


@dataclass
class Found:
    """An element with its attributes, its text and its children.

    Attributes:
        name: of the element.
        attributes: by name.
        children: elements in their order.
        text: its own text, that of its children left out.
    """

    name: str
    attributes: dict[str, str]
    children: list[Found] = field(default_factory=list)
    text: str = ""

    def all(self, name: str = "", look: str = "") -> list[Found]:
        """All elements below of a name, and of a class where one is given."""
        own = [
            child
            for child in self.children
            if name in ("", child.name) and (not look or look in child.looks)
        ]
        return own + [found for child in self.children for found in child.all(name, look)]

    def marks(self, look: str) -> list[Found]:
        """Rectangles of a class that are data: all but those of a legend."""
        return [box for box in self.all("rect", look) if "key" not in box.looks]

    @property
    def looks(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def whole_text(self) -> str:
        """All text in it, as it stands in a row of elements."""
        return " ".join([self.text, *(child.whole_text for child in self.children)])

    def number(self, name: str) -> float:
        return float(self.attributes[name])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Found("document", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Found(tag, {key: value or "" for key, value in attrs})
        self.open[-1].children.append(made)
        if tag not in _VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"{tag} closes {self.open[-1].name}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].text += data


def parsed(text: str) -> Found:
    """The document; an element that is not closed, or closed elsewhere, is refused."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, f"{reader.open[-1].name} stays open"
    return reader.open[0]


def drawn(drawing: Drawing) -> Found:
    """The picture's element."""
    (picture,) = parsed(drawing.inline).children
    return picture
