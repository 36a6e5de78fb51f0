"""Keeps crops and context frames as JPEG files, named by ids, spread over 256 folders.

A file is written beside its place and then moved there: a picture is whole or absent.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from vision_ctx.footage.crops import Sighting, shrink
from vision_ctx.pipeline import Stopwatch
from vision_ctx.types import RGB

CROP_QUALITY = 92
"""Keeps a crop within 3 grey levels of its source on average, measured on photographs."""
FRAME_QUALITY = 80
JPEG_SIDE = 65_500
"""The longest side in pixels that JPEG encoders accept."""
_REMEMBERED = 64


@dataclass(slots=True)
class Pictures:
    """The picture files of an index folder."""

    folder: Path
    watch: Stopwatch = field(default_factory=Stopwatch)
    pending: set[str] = field(default_factory=set)
    """Written, but not yet named by a row."""
    _frames: OrderedDict[str, str] = field(default_factory=OrderedDict)

    def save(self, sighting: Sighting) -> tuple[str, str]:
        """Writes the crop and, once for all crops of a frame, its context frame.

        Returns their paths relative to the index folder.
        """
        with self.watch.time("pictures"):
            crop = self._write("crops", sighting.id, sighting.pixels, CROP_QUALITY)
            frame = self._frames.get(sighting.frame_id)
            if frame is None:
                image = sighting.frame.image
                frame = self._write("frames", sighting.frame_id, image, FRAME_QUALITY)
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
        blue_first = cv2.cvtColor(shrink(image, JPEG_SIDE), cv2.COLOR_RGB2BGR)
        done, data = cv2.imencode(".jpg", blue_first, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not done:
            raise OSError(f"{path}: the picture cannot be encoded")
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(data.tobytes())
        temporary.replace(path)
        self.pending.add(relative)
        return relative
