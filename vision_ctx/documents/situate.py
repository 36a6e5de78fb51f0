"""Words that situate a chunk in its document, by rule: title, file, headings, page.

This is the deterministic context; a contextualizer that asks Claude is a plug-in of the same form.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision_ctx.documents.document import Document
from vision_ctx.types import Chunk


class HeadingContextualizer:
    """``From "Night shift log" (log.md), section Gate > Deliveries, page 3 of 12.``"""

    id = "headings/1"

    def contextualize(self, document: Document, chunks: Sequence[Chunk]) -> list[str]:
        """One context for each chunk, in order."""
        return [_context(document, chunk) for chunk in chunks]


def _context(document: Document, chunk: Chunk) -> str:
    parts = [f'From "{document.title}" ({document.source.name})']
    path = [heading for heading in chunk.headings if heading != document.title]
    if path:
        parts.append(f"section {' > '.join(path)}")
    if chunk.page is not None:
        parts.append(f"page {chunk.page} of {len(document.page_starts)}")
    return f"{', '.join(parts)}."
