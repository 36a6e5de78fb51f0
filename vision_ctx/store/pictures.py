"""Keeps crops and context frames as JPEG files, named by ids, spread over 256 folders.

A file is written beside its place and then moved there: a picture is whole or absent.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from vision_ctx.footage.crops import Sighting
from vision_ctx.pipeline import Stopwatch
from vision_ctx.types import RGB

CROP_QUALITY = 92
"""Keeps a crop within 3 grey levels of its source on average, measured on photographs."""
FRAME_QUALITY = 80
FRAME_SIDE = 960
"""Longer side of a context frame in pixels: enough to see the place on a screen."""
_REMEMBERED = 64


@dataclass(slots=True)
class Pictures:
    """The picture files of an index folder."""

    folder: Path
    watch: Stopwatch = field(default_factory=Stopwatch)
    _frames: OrderedDict[str, str] = field(default_factory=OrderedDict)

    def save(self, sighting: Sighting) -> tuple[str, str]:
        """Writes the crop and, once for all crops of a frame, its context frame.

        Returns their paths relative to the index folder.
        """
        with self.watch.time("pictures"):
            crop = self._write("crops", sighting.id, sighting.pixels, CROP_QUALITY)
            frame = self._frames.get(sighting.frame_id)
            if frame is None:
                small = shrink(sighting.frame.image, FRAME_SIDE)
                frame = self._write("frames", sighting.frame_id, small, FRAME_QUALITY)
                self._frames[sighting.frame_id] = frame
                if len(self._frames) > _REMEMBERED:
                    self._frames.popitem(last=False)
            return crop, frame

    def delete(self, paths: Iterable[str]) -> None:
        """Deletes pictures by their relative paths; those already gone are no error."""
        for path in paths:
            (self.folder / path).unlink(missing_ok=True)

    def _write(self, kind: str, name: str, image: RGB, quality: int) -> str:
        relative = f"{kind}/{name[:2]}/{name}.jpg"
        path = self.folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        done, data = cv2.imencode(
            ".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality]
        )
        if not done:
            raise OSError(f"{path}: the picture cannot be encoded")
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(data.tobytes())
        temporary.replace(path)
        return relative


def shrink(image: RGB, side: int) -> RGB:
    """The picture with its longer side at most ``side`` pixels."""
    height, width = image.shape[:2]
    scale = side / max(height, width)
    if scale >= 1:
        return image
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]
