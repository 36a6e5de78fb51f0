"""Reads a document of any known format into a `Document`: the one door for all of them.

Text and Markdown files keep their characters as they are, except that line ends become ``\\n``; every
other format has a module of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision_ctx.documents.builder import TextBuilder
from vision_ctx.documents.document import Document
from vision_ctx.documents.markdown import front_matter_title, markdown_headings
from vision_ctx.documents.pdf import read_pdf
from vision_ctx.documents.webpage import read_webpage
from vision_ctx.documents.word import read_word
from vision_ctx.errors import SourceError
from vision_ctx.sources.discover import reason_of
from vision_ctx.types import Source

BROKEN = "\ufffd"
_ASCII = frozenset(map(chr, range(128)))


def read_document(source: Source) -> Document:
    """Reads a document by its extension.

    Raises:
        SourceError: It cannot be read, or there is no text in it.
    """
    path = Path(source.path)
    try:
        document = _READERS.get(path.suffix.lower(), _read_text)(source, path)
    except SourceError:
        raise
    except Exception as error:  # whatever a parser raises on damage, one file never stops a run
        reason = f"the document cannot be read: {type(error).__name__}: {error}"
        raise SourceError(source.path, reason) from error
    if not document.text.strip():
        raise SourceError(source.path, "no text found in it")
    return document


def _read_text(source: Source, path: Path) -> Document:
    return Document(source, path.stem, _decode(path))


def _read_markdown(source: Source, path: Path) -> Document:
    text = _decode(path)
    headings = markdown_headings(text)
    first = next((heading.title for heading in headings if heading.level == 1), path.stem)
    return Document(source, front_matter_title(text) or first, text, headings)


def _built(
    read: Callable[[Path], tuple[str, TextBuilder]],
) -> Callable[[Source, Path], Document]:
    """A reader of a format whose text is put together from blocks."""

    def read_built(source: Source, path: Path) -> Document:
        title, built = read(path)
        first = next((heading.title for heading in built.headings), path.stem)
        return Document(source, title or first, built.text, tuple(built.headings))

    return read_built


_READERS: dict[str, Callable[[Source, Path], Document]] = {
    ".md": _read_markdown,
    ".markdown": _read_markdown,
    ".pdf": read_pdf,
    ".docx": _built(read_word),
    ".html": _built(read_webpage),
    ".htm": _built(read_webpage),
    ".xhtml": _built(read_webpage),
}


def _decode(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(str(path), reason_of(error)) from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", errors="replace")
    else:
        if b"\0" in data[:4096]:
            raise SourceError(str(path), "the content is binary, not text")
        text = data.decode("utf-8-sig", errors="replace")
        broken = text.count(BROKEN)
        # A few broken characters among many good ones are damage (a file cut off in one); without
        # good ones it is what Windows tools write without UTF-8.
        if broken and broken >= sum(map(text.count, set(text) - _ASCII - {BROKEN})):
            text = data.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")
