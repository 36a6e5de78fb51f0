"""Makes the models that an index names, when they are first needed."""

from __future__ import annotations

from vision_ctx.models.catalog import DEFAULT_DETECTOR, DEFAULT_EMBEDDER
from vision_ctx.protocols import Detector, Embedder


def load_detector(spec: str) -> Detector:
    """The detector of a spec (see `vision_ctx.models.catalog`); ``default`` is the default one.

    Raises:
        ModelUnavailableError: It cannot be had here.
    """
    from vision_ctx.models.yolo import UltralyticsDetector

    return UltralyticsDetector(DEFAULT_DETECTOR if spec == "default" else spec)


def load_embedder(spec: str) -> Embedder:
    """The embedder of a spec (see `vision_ctx.models.catalog`); ``default`` is the default one.

    Raises:
        ModelUnavailableError: It cannot be had here.
    """
    from vision_ctx.models.clip import OpenClipEmbedder

    return OpenClipEmbedder(DEFAULT_EMBEDDER if spec == "default" else spec)
