"""Gives drafts of records their vectors, in batches, each distinct text once.

A vector that is not finite or has no length is refused with the name of its source: it would poison
every search.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from vision_ctx.errors import VisionCtxError
from vision_ctx.pipeline import Faults, SourceDone, Stopwatch, in_batches
from vision_ctx.protocols import Embedder
from vision_ctx.types import RGB, Record, Vectors

BATCH = 16
"""Records to a batch. Above 8 to 16 a CPU gains nothing, and a batch holds its crops in memory."""
MAX_BATCH_BYTES = 64 * 2**20
SHORTEST = 1e-6
"""A vector below this length is zero up to rounding and points nowhere."""
CACHED_TEXTS = 4096
"""Texts whose vectors are kept: 8 MB at 512 dimensions. Equal scenes repeat within minutes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A record without vectors; ``text_to_embed`` may leave out words that only BM25 needs."""

    record: Record
    text_to_embed: str
    image: RGB | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class EmbeddingStage:
    """The stage that turns drafts into records."""

    embedder: Embedder
    watch: Stopwatch = field(default_factory=Stopwatch)
    _raised: str = ""
    """What the embedder raised on an item of the present batch, if it did."""
    _texts: OrderedDict[str, npt.NDArray[np.float32]] = field(default_factory=OrderedDict)

    def run(self, items: Iterable[Draft | SourceDone]) -> Iterator[Record | SourceDone]:
        """Passes everything on in order, drafts as finished records.

        A draft whose vector is no direction is left out, and the end mark of its source says so.
        """
        faults = Faults()
        for group in in_batches(items, BATCH, _weight, MAX_BATCH_BYTES):
            drafts = [item for item in group if isinstance(item, Draft)]
            self._raised = ""
            with self.watch.time("embed images"):
                self._embed_images([draft for draft in drafts if draft.image is not None])
            with self.watch.time("embed texts"):
                self._embed_texts(drafts)
            for item in group:
                if isinstance(item, SourceDone):
                    yield faults.close(item)
                elif (fault := self._fault(item)) is not None:
                    faults.bad(item.record.source_id, fault)
                else:
                    faults.good(item.record.source_id)
                    yield item.record

    def _embed_images(self, drafts: Sequence[Draft]) -> None:
        if not drafts:
            return
        images: list[Any] = [draft.image for draft in drafts]
        for draft, vector in zip(
            drafts, self._vectors(self.embedder.embed_images, images), strict=True
        ):
            draft.record.image_vector = vector

    def _embed_texts(self, drafts: Sequence[Draft]) -> None:
        texts = dict.fromkeys(draft.text_to_embed for draft in drafts)
        new = [text for text in texts if text not in self._texts]
        if new:
            vectors = self._vectors(self.embedder.embed_texts, new)
            self._texts.update(zip(new, vectors, strict=True))
        for draft in drafts:
            draft.record.text_vector = self._texts[draft.text_to_embed]
        for text in texts:
            self._texts.move_to_end(text)
        while len(self._texts) > CACHED_TEXTS:
            self._texts.popitem(last=False)

    def _vectors(self, embed: Callable[[list[Any]], Vectors], items: list[Any]) -> Vectors:
        """Unit vectors of all items; if the embedder fails, of those on which it does not."""
        try:
            return self._unit(embed(items), len(items))
        except VisionCtxError:
            raise
        except Exception:  # one item may be to blame: find out which, keep the others
            return np.concatenate([self._vector(embed, item) for item in items])

    def _vector(self, embed: Callable[[list[Any]], Vectors], item: Any) -> Vectors:  # noqa: ANN401
        try:
            return self._unit(embed([item]), 1)
        except VisionCtxError:
            raise
        except Exception as error:
            self._raised = f" ({type(error).__name__}: {error})"
            return np.full((1, self.embedder.dim), np.nan, dtype=np.float32)

    def _unit(self, vectors: Vectors, count: int) -> Vectors:
        """The vectors at length 1; one that has no direction becomes NaN."""
        if vectors.shape != (count, self.embedder.dim):
            raise VisionCtxError(
                f"the embedder {self.embedder.id} gave vectors of shape {vectors.shape}, "
                f"expected {(count, self.embedder.dim)}"
            )
        wide = np.where(np.isfinite(vectors), vectors, np.nan).astype(np.float64)
        lengths = np.linalg.norm(wide, axis=1, keepdims=True)
        lengths[~(lengths > SHORTEST)] = np.nan
        return np.asarray(wide / lengths, dtype=np.float32)

    def _fault(self, draft: Draft) -> str | None:
        record = draft.record
        for what, vector in (("picture", record.image_vector), ("text", record.text_vector)):
            if vector is not None and not np.isfinite(vector).all():
                lack = f"gave no finite {what} vector{self._raised}"
                return f"incomplete: the embedder {self.embedder.id} {lack}"
        return None


def _weight(item: Draft | SourceDone) -> int:
    if isinstance(item, SourceDone):
        return 0
    return len(item.text_to_embed) + (0 if item.image is None else item.image.nbytes) + 1
