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
# A text tower's tokeniser splits prose into about 1.3 tokens a word; scripts without spaces into
# about one token a character.
_TOKENS_PER_WORD = 1.3
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_LINE_END = re.compile(r"\n")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])")
_SPACE = re.compile(r"\s+")
_SEPARATORS = (_PARAGRAPH_END, _LINE_END, _SENTENCE_END, _SPACE)
Span = tuple[int, int]


def chunk(document: Document, max_tokens: int = MAX_TOKENS) -> list[Chunk]:
    """The chunks of a document in reading order."""
    chunks = []
    for start, end in _sections(document):
        for piece in _pack(document.text, (start, end), max_tokens):
            begin, stop = _trimmed(document.text, piece)
            if begin < stop:
                chunks.append(
                    Chunk(
                        document.text[begin:stop],
                        begin,
                        stop,
                        document.page_at(begin),
                        document.headings_at(begin),
                    )
                )
    return chunks


def count_tokens(text: str) -> int:
    """About how many tokens a text has."""
    unspaced = len(_UNSPACED.findall(text))
    words = len(_UNSPACED.sub(" ", text).split())
    return round(words * _TOKENS_PER_WORD) + unspaced


def _sections(document: Document) -> Iterator[Span]:
    """Spans between headings and page breaks; a heading opens the section that it names.

    A heading with nothing of its own below it joins the next section, as a title above a first
    subheading does.
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
        yield begin, end


def _pack(text: str, span: Span, max_tokens: int) -> Iterator[Span]:
    """Joins neighbouring pieces of a span up to the size."""
    start: int | None = None
    size = stop = 0
    for begin, end in _split(text, span, max_tokens, 0):
        tokens = count_tokens(text[begin:end])
        if start is not None and size + tokens > max_tokens:
            yield start, stop
            start, size = None, 0
        start = begin if start is None else start
        size += tokens
        stop = end
    if start is not None:
        yield start, stop


def _split(text: str, span: Span, max_tokens: int, level: int) -> Iterator[Span]:
    """Cuts a span at the coarsest separator that makes its pieces fit."""
    start, end = span
    if count_tokens(text[start:end]) <= max_tokens:
        yield span
        return
    if level == len(_SEPARATORS):
        yield from _split_run(text, span, max_tokens)
        return
    begin = start
    for match in _SEPARATORS[level].finditer(text, start, end):
        if match.end() > begin:
            yield from _split(text, (begin, match.end()), max_tokens, level + 1)
            begin = match.end()
    if begin < end:
        yield from _split(text, (begin, end), max_tokens, level + 1)


def _split_run(text: str, span: Span, max_tokens: int) -> Iterator[Span]:
    """Cuts a run without any separator (a sentence in a script without spaces) by length."""
    for begin in range(span[0], span[1], max_tokens):
        yield begin, min(begin + max_tokens, span[1])


def _trimmed(text: str, span: Span) -> Span:
    piece = text[span[0] : span[1]]
    left = len(piece) - len(piece.lstrip())
    return span[0] + left, span[0] + max(len(piece.rstrip()), left)
