"""vision-ctx: ask your cameras and your reports.

Four names make the public interface; everything else is found by module.  Importing this package
only defines names: torch, ultralytics, open_clip and lancedb are imported where they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision_ctx.errors import VisionCtxError

if TYPE_CHECKING:
    from vision_ctx.index import Index
    from vision_ctx.types import Hit

__version__ = "0.1.0"
__all__ = ["Hit", "Index", "VisionCtxError", "__version__"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attribute can be anything
    if name == "Index":
        from vision_ctx.index import Index

        return Index
    if name == "Hit":
        from vision_ctx.types import Hit

        return Hit
    raise AttributeError(f"module 'vision_ctx' has no attribute {name!r}")
