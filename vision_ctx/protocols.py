"""What a plug-in must offer: five small protocols, no base class, no registry.

Any object with the members of a detector or an embedder can be handed to `Index`, which remembers its
``id`` and refuses another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from vision_ctx.documents.document import Document
    from vision_ctx.types import RGB, Chunk, Detection, Vectors


@runtime_checkable
class Detector(Protocol):
    """Finds objects in pictures."""

    @property
    def id(self) -> str:
        """Identity of model and weights."""
        ...

    def detect(self, images: Sequence[RGB]) -> list[list[Detection]]:
        """Detections of each picture, in the order of the pictures."""
        ...


@runtime_checkable
class Tracker(Protocol):
    """Follows the objects of one recording; a new one is made for each."""

    def update(self, detections: Sequence[Detection]) -> list[int]:
        """The number of each detection's track, for the next frame and in order."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Puts pictures and texts into one space of unit vectors."""

    @property
    def id(self) -> str:
        """Identity of model and weights."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def embed_images(self, images: Sequence[RGB]) -> Vectors:
        """Unit vectors, shape ``(n, dim)``."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape ``(n, dim)``, of texts of any length: nothing is cut off."""
        ...


@runtime_checkable
class Contextualizer(Protocol):
    """Writes the words that situate a chunk in its document."""

    @property
    def id(self) -> str:
        """Identity of method, prompt and model."""
        ...

    def contextualize(self, document: Document, chunks: Sequence[Chunk]) -> list[str]:
        """One context for each chunk, in order; one call for each document."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Scores texts against a query; a higher score is a better match."""

    @property
    def id(self) -> str:
        """Identity of model and weights."""
        ...

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score for each text, in order."""
        ...
