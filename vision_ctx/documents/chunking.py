"""Cuts a document into chunks: at headings first, then at paragraphs, sentences, words.

A chunk never crosses a heading or a page, its span is exact (``document.text[start:end] ==
chunk.text``), and every character that is not white space lies in a chunk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from vision_ctx.documents.document import Document
from vision_ctx.types import Chunk

MAX_TOKENS = 400
"""Size of a chunk in tokens, near what retrieval studies use (Anthropic's contextual retrieval:
chunks of "usually no more than a few hundred tokens")."""
# Sizes in hundredths of a token: whole numbers, so that sizes of pieces add up.  A text tower's
# tokeniser splits prose into about 1.3 tokens a word, long words (codes, base64) into more, scripts
# without spaces into about one token a character.
_WORD, _LETTER, _UNSPACED_LETTER = 130, 13, 100
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff]"
)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_LINE_END = re.compile(r"\n")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])")
_SPACE = re.compile(r"\s+")
_SEPARATORS = (_PARAGRAPH_END, _LINE_END, _SENTENCE_END, _SPACE)
Span = tuple[int, int]


def chunk(document: Document, max_tokens: int = MAX_TOKENS) -> list[Chunk]:
    """The chunks of a document in reading order."""
    text = document.text
    chunks = []
    for start, end, heading in _sections(document):
        for piece in _pack(text, (start, end), 100 * max_tokens):
            begin, stop = _trimmed(text, piece)
            if begin < stop:
                headings = document.headings_at(max(begin, heading))
                page = document.page_at(begin)
                chunks.append(Chunk(text[begin:stop], begin, stop, page, headings))
    return chunks


def _size(text: str) -> int:
    """About how many tokens a text has, in hundredths of a token."""
    unspaced = len(_UNSPACED.findall(text))
    words = _UNSPACED.sub(" ", text).split() if unspaced else text.split()
    return unspaced * _UNSPACED_LETTER + sum(max(_WORD, _LETTER * len(word)) for word in words)


def _sections(document: Document) -> Iterator[tuple[int, int, int]]:
    """Spans between headings and page breaks, each with the offset of the heading it stands under.

    A heading opens the section that it names.  One with nothing of its own below it joins the next
    section, as a title above a first subheading does.
    """
    cuts = sorted({0, *(h.start for h in document.headings), *document.page_starts})
    cuts.append(len(document.text))
    bodies = {h.start: h.end for h in document.headings}
    open_from: int | None = None
    for start, end in pairwise(cuts):
        begin = start if open_from is None else open_from
        only_heading = not document.text[bodies.get(start, start) : end].strip()
        if only_heading and end not in document.page_starts and end < len(document.text):
            open_from = begin
            continue
        open_from = None
        yield begin, end, start


def _pack(text: str, span: Span, limit: int) -> Iterator[Span]:
    """Joins neighbouring pieces of a span up to the size ``limit``."""
    start: int | None = None
    held = stop = 0
    for begin, end in _split(text, span, limit, 0):
        size = _size(text[begin:end])
        if start is not None and held + size > limit:
            yield start, stop
            start, held = None, 0
        start = begin if start is None else start
        held += size
        stop = end
    if start is not None:
        yield start, stop


def _split(text: str, span: Span, limit: int, level: int) -> Iterator[Span]:
    """Cuts a span at the coarsest separator that makes its pieces fit."""
    start, end = span
    if _size(text[start:end]) <= limit:
        yield span
        return
    if level == len(_SEPARATORS):
        yield from _halve(text, span, limit)
        return
    begin = start
    for match in _SEPARATORS[level].finditer(text, start, end):
        if match.end() > begin:
            yield from _split(text, (begin, match.end()), limit, level + 1)
            begin = match.end()
    if begin < end:
        yield from _split(text, (begin, end), limit, level + 1)


def _halve(text: str, span: Span, limit: int) -> Iterator[Span]:
    """Cuts a run without any separator (a sentence in a script without spaces) by length."""
    start, end = span
    if end - start <= 1 or _size(text[start:end]) <= limit:
        yield span
        return
    middle = (start + end) // 2
    yield from _halve(text, (start, middle), limit)
    yield from _halve(text, (middle, end), limit)


def _trimmed(text: str, span: Span) -> Span:
    piece = text[span[0] : span[1]]
    left = len(piece) - len(piece.lstrip())
    return span[0] + left, span[0] + max(len(piece.rstrip()), left)
