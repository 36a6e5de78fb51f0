"""Reads Word documents (DOCX): paragraphs, headings, lists and tables in their order.

Tracked changes count as accepted.  The cells of a row stand on one line, a table in a cell follows its
row, a text box stands where it is anchored.  Headers and footers stand once, before and after the text;
footnotes and comments are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vision_ctx.documents.builder import TextBuilder
from vision_ctx.errors import SourceError

_HEADING_STYLE = re.compile(r"(?:heading|title)\s*(\d?)", re.IGNORECASE)
# A second copy of a drawing, for programs that cannot show the first.
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
CELL = " | "


def read_word(path: Path) -> tuple[str, TextBuilder]:
    """Title (empty if the file names none) and text of a DOCX file.

    Raises:
        SourceError: It is no DOCX file or is damaged.
    """
    import docx

    text = TextBuilder()
    try:
        document = docx.Document(str(path))
        for block in _margins(document, "header"):
            text.add(block)
        for block in _blocks(document.element.body, document._body):
            _add_block(text, block)
        for block in _margins(document, "footer"):
            text.add(block)
        return (document.core_properties.title or "").strip(), text
    except Exception as error:  # zip, XML and package errors of python-docx share no base
        raise SourceError(str(path), f"the Word document cannot be read: {error}") from error


def _blocks(element: Any, body: Any) -> Iterator[Any]:  # noqa: ANN401 - python-docx's elements
    """Paragraphs and tables in order; python-docx itself passes over those in content controls."""
    from docx.oxml.ns import qn
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    for child in element:
        if child.tag == qn("w:p"):
            yield Paragraph(child, body)
        elif child.tag == qn("w:tbl"):
            yield Table(child, body)
        elif child.tag in (qn("w:sdt"), qn("w:sdtContent"), qn("w:customXml")):
            yield from _blocks(child, body)


def _add_block(text: TextBuilder, block: Any) -> None:  # noqa: ANN401 - Paragraph or Table
    from docx.table import Table

    if isinstance(block, Table):
        text.add("\n".join(_rows(block)))
        return
    content = _paragraph(block)
    name = block.style.name if block.style is not None else ""
    heading = _HEADING_STYLE.match(name or "")
    if heading:
        text.add_heading(int(heading.group(1) or 1), content)
    else:
        text.add(f"- {content}" if content and (name or "").startswith("List") else content)


def _rows(table: Any) -> Iterator[str]:  # noqa: ANN401 - python-docx's Table
    for row in table.rows:
        cells, nested, seen = [], [], set()
        for cell in row.cells:
            if cell._tc in seen:  # a merged cell is handed out once for each column it spans
                continue
            seen.add(cell._tc)
            cells.append(" ".join(filter(None, map(_paragraph, cell.paragraphs))))
            nested.extend(cell.tables)
        yield CELL.join(cells)
        for inner in nested:
            yield from _rows(inner)


def _paragraph(paragraph: Any) -> str:  # noqa: ANN401 - python-docx's Paragraph
    """The text with insertions and links; deleted text has an element of its own and stays out."""
    return "".join(_pieces(paragraph._p)).strip()


def _pieces(element: Any) -> Iterator[str]:  # noqa: ANN401 - an XML element
    from docx.oxml.ns import qn

    signs = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
    for child in element:
        if child.tag == _FALLBACK:
            continue
        if child.tag == qn("w:t"):
            yield child.text or ""
        elif child.tag in signs and element.tag == qn("w:r"):
            yield signs[child.tag]
        elif child.tag == qn("w:p"):  # of a text box
            yield from ("\n", *_pieces(child), "\n")
        else:
            yield from _pieces(child)


def _margins(document: Any, name: str) -> list[str]:  # noqa: ANN401 - python-docx's Document
    """The distinct paragraphs of all sections' headers or footers."""
    found: dict[str, None] = {}
    for section in document.sections:
        for paragraph in getattr(section, name).paragraphs:
            content = _paragraph(paragraph)
            if content:
                found[content] = None
    return list(found)
