"""Reads HTML files: headings, paragraphs, list items and table rows of the main text.

What surrounds a text on a page (navigation, forms, scripts, styles, and headers, footers and asides
outside the text) is left out.  Where a page marks its text with ``main`` or ``article``, only that is
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from vision_ctx.documents.builder import TextBuilder
from vision_ctx.errors import SourceError

_NEVER = frozenset(
    {"script", "style", "nav", "noscript", "template", "iframe", "form", "button", "head", "svg"}
)
_OUTSIDE = frozenset({"header", "footer", "aside"})
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary"})
_BLOCKS = frozenset(
    {
        "address",
        "article",
        "blockquote",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
    }
    | {"figure", "hr", "li", "main", "ol", "p", "pre", "section", "summary", "table", "ul", "body"}
    | {"header", "footer", "aside", "caption", "html"}
)
_HEADING = re.compile(r"h([1-6])$")
CELL = " | "


def read_webpage(path: Path) -> tuple[str, TextBuilder]:
    """Title (empty if the page names none) and main text of an HTML file.

    Raises:
        SourceError: The file cannot be parsed.
    """
    import lxml.html

    try:
        data = path.read_bytes()
        page = lxml.html.document_fromstring(
            data, parser=lxml.html.HTMLParser(encoding=_utf8(data))
        )
    except Exception as error:  # lxml raises several types for files that are no markup
        raise SourceError(str(path), f"the HTML page cannot be read: {error}") from error
    title = " ".join((page.findtext(".//title") or "").split())
    text = TextBuilder()
    for root in _roots(page):
        _read(root, text)
    return title, text


def _utf8(data: bytes) -> str | None:
    """UTF-8 if the bytes are that: without a declaration, HTML of today is UTF-8, not Latin-1."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None  # what the page declares, else Windows' Western code page
    return "utf-8"


def _roots(page: Any) -> list[Any]:  # noqa: ANN401 - lxml's elements
    for name in ("main", "article"):
        found = [e for e in page.iter(name) if not any(a.tag == name for a in e.iterancestors())]
        if any("".join(element.itertext()).strip() for element in found):
            return found
    body = page.find("body")
    return [page if body is None else body]


def _read(root: Any, text: TextBuilder) -> None:  # noqa: ANN401 - an lxml element
    inline: list[str] = []

    def end_block() -> None:
        text.add(re.sub(r"[ \t\r\f\v\n]+", " ", "".join(inline)))
        inline.clear()

    def walk(element: Any, inside: bool) -> None:  # noqa: ANN401
        if not isinstance(element.tag, str) or _left_out(element, inside):
            return
        inside = inside or element.tag in ("main", "article")
        heading = _HEADING.match(element.tag)
        if heading or element.tag in ("table", "pre"):
            end_block()
            _add_whole(element, heading, text)
            return
        if element.tag in _BLOCKS:
            end_block()
        if element.tag == "li":
            inline.append("- ")
        inline.append(" " if element.tag == "br" else element.text or "")
        for child in element:
            walk(child, inside)
            inline.append(child.tail or "")
        if element.tag in _BLOCKS:
            end_block()

    walk(root, root.tag in ("main", "article"))
    end_block()


def _left_out(element: Any, inside: bool) -> bool:  # noqa: ANN401 - an lxml element
    if element.tag in _NEVER or element.get("hidden") is not None:
        return True
    outside = element.tag in _OUTSIDE or element.get("role", "") in _ROLES
    return outside and not inside


def _add_whole(element: Any, heading: re.Match[str] | None, text: TextBuilder) -> None:  # noqa: ANN401
    if heading:
        text.add_heading(int(heading.group(1)), _words(element))
    elif element.tag == "pre":
        text.add("".join(_texts(element)))
    else:
        lines = chain(map(_words, element.iter("caption")), map(_row, element.iter("tr")))
        text.add("\n".join(filter(None, lines)))


def _row(row: Any) -> str:  # noqa: ANN401 - an lxml element
    cells = [_words(cell) for cell in row if cell.tag in ("td", "th")]
    return CELL.join(cells) if any(cells) else ""


def _words(element: Any) -> str:  # noqa: ANN401 - an lxml element
    return " ".join("".join(_texts(element)).split())


def _texts(element: Any) -> Iterator[str]:  # noqa: ANN401 - an lxml element
    if not isinstance(element.tag, str) or element.tag in _NEVER:
        return
    yield element.text or ""
    for child in element:
        yield "\n" if child.tag == "br" else ""
        yield from _texts(child)
        yield child.tail or ""
