"""The stage that turns documents into drafts of chunk records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vision_ctx.documents.chunking import chunk
from vision_ctx.documents.document import Document
from vision_ctx.documents.readers import read_document
from vision_ctx.embedding import Draft
from vision_ctx.errors import SourceError
from vision_ctx.pipeline import SourceDone
from vision_ctx.protocols import Contextualizer
from vision_ctx.sources.fingerprint import digest
from vision_ctx.types import Chunk, Record, Source


def passages(
    sources: Iterable[Source | SourceDone], contextualizer: Contextualizer
) -> Iterator[Draft | SourceDone]:
    """Chunks of every document with their context, each document closed by its end mark."""
    for source in sources:
        if isinstance(source, SourceDone):
            yield source
            continue
        try:
            document = read_document(source)
        except SourceError as error:
            yield SourceDone(source, error.reason, readable=False)
            continue
        chunks = chunk(document)
        contexts = contextualizer.contextualize(document, chunks)
        for turn, (piece, context) in enumerate(zip(chunks, contexts, strict=True)):
            record = _record(document, piece, context, turn)
            yield Draft(record, text_to_embed=record.text)
        yield SourceDone(source, "; ".join(document.notes) or None)


def _record(document: Document, chunk: Chunk, context: str, turn: int) -> Record:
    source = document.source
    return Record(
        id=digest(source.id, "chunk", str(turn), str(chunk.start), str(chunk.end)),
        kind="chunk",
        source_id=source.id,
        source=source.path,
        context=context,
        body=chunk.text,
        document=source.name,
        title=document.title,
        page=chunk.page,
        headings=chunk.headings,
        span=(chunk.start, chunk.end),
    )
