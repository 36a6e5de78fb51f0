"""Reads PDF files: text with pages and headings; a page without text (a scan) is noted.

Text is normalised to NFKC, since fonts hand out ligatures ("ﬁ") that nobody types.  Lines in larger
letters than the body's count as headings.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

from vision_ctx.documents.document import Document, Heading
from vision_ctx.errors import SourceError
from vision_ctx.types import Source

# A line counts as a heading from this multiple of the body's letter size.
_HEADING_SIZE = 1.12
_MAX_HEADING = 120
PAGE_BREAK = "\n\n"
# What programs write as a PDF's title when nobody gave one.
_NO_TITLES = frozenset({"untitled", "unknown", "(anonymous)", "title"})


def read_pdf(source: Source, path: Path) -> Document:
    """Reads a PDF page by page.

    Raises:
        SourceError: It is encrypted or damaged, or no page of it holds text.
    """
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        with pymupdf.open(path) as pdf:
            if pdf.needs_pass:
                raise SourceError(str(path), "the PDF is encrypted; save it without its password")
            pages = [_lines(page) for page in pdf]
            title = ((pdf.metadata or {}).get("title") or "").strip()
    except SourceError:
        raise
    except Exception as error:  # MuPDF raises types of its own for each kind of damage
        raise SourceError(str(path), f"the PDF cannot be read: {error}") from error
    return _assemble(source, path, title, pages)


def _lines(page: Any) -> list[tuple[str, float]]:  # noqa: ANN401 - pymupdf has no types
    """The lines of a page with their letter size; an empty line ends a block."""
    lines: list[tuple[str, float]] = []
    for block in page.get_text("dict", sort=True)["blocks"]:
        for line in block.get("lines", ()):
            text = unicodedata.normalize("NFKC", "".join(s["text"] for s in line["spans"])).strip()
            if text:
                lines.append((text, max(span["size"] for span in line["spans"])))
        lines.append(("", 0.0))
    return lines


def _assemble(
    source: Source, path: Path, title: str, pages: list[list[tuple[str, float]]]
) -> Document:
    sizes = Counter[float]()
    for lines in pages:
        for line, size in lines:
            sizes[round(size, 1)] += len(line)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    ranks = sorted((s for s in sizes if s >= body * _HEADING_SIZE), reverse=True)
    text = ""
    headings: list[Heading] = []
    starts: list[int] = []
    for lines in pages:
        text += PAGE_BREAK if starts else ""
        starts.append(len(text))
        for line, size in lines:
            level = ranks.index(round(size, 1)) + 1 if round(size, 1) in ranks else 0
            if line and level and len(line) <= _MAX_HEADING:
                headings.append(Heading(level, line, len(text), len(text) + len(line)))
            text += f"{line}\n"
    empty = [number for number, lines in enumerate(pages, 1) if not any(line for line, _ in lines)]
    if len(empty) == len(pages):
        reason = f"no text found in {len(pages)} of {len(pages)} pages (a scan?)"
        raise SourceError(str(path), reason)
    notes = (f"no text found in {len(empty)} of {len(pages)} pages: {_listed(empty)}",)
    if title.lower() in _NO_TITLES:
        title = ""
    name = title or (headings[0].title if headings else path.stem)
    return Document(source, name, text, tuple(headings), tuple(starts), notes if empty else ())


def _listed(pages: list[int]) -> str:
    shown = ", ".join(str(page) for page in pages[:10])
    return shown if len(pages) <= 10 else f"{shown}, …"
