"""From detections to crops: cuts them, names them, finds their neighbours, keeps their pictures.

A crop holds pixels of the source, padded, never with boxes drawn on.  Its id covers the source's
path and content, its time and its turn from left to right among equal labels of the frame: the same
input gives the same ids, and the last bits of a detector's arithmetic change none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from vision_ctx.footage.colour import Gains, light_of, main_colour
from vision_ctx.footage.nearby import nearby
from vision_ctx.footage.zones import zone_of
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.fingerprint import digest
from vision_ctx.types import RGB, SCENE, Box, Detection, Frame, Nearby

PADDING = 0.1
"""Share of the box's sides added on each side: a little surrounding helps CLIP and the eye."""
MIN_SIDE = 8
"""Detections with a side below this many pixels hold nothing that an embedding could use."""
FRAME_SIDE = 960
"""Longer side of a context frame in pixels: enough to see the place on a screen."""
SCENE_EVERY_S = 30.0
"""A stretch of video without a record gets one of the whole frame after this many seconds."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame with what the detector found in it."""

    frame: Frame
    detections: tuple[Detection, ...]


@dataclass(frozen=True, slots=True)
class Sighting:
    """A crop before it is described: where it was cut and what stood beside it.

    ``frame`` holds the context frame, which is smaller than ``frame_size``: a sighting may be kept for
    the length of a track, and hundreds of whole frames would not fit in memory.
    """

    id: str
    frame_id: str
    frame: Frame
    frame_size: tuple[int, int]
    detection: Detection
    crop_box: Box
    neighbours: tuple[Nearby, ...]
    pixels: RGB = field(compare=False, repr=False)
    colour: str | None = None
    zone: str | None = None
    movement: str | None = None
    stay_s: float = 0.0
    track: dict[str, Any] | None = None

    @property
    def confidence(self) -> float | None:
        """The detector's confidence; a scene has none."""
        return None if self.detection.label == SCENE else self.detection.confidence


def cut(items: Iterable[Seen | SourceDone]) -> Iterator[Sighting | SourceDone]:
    """Cuts every detection; a frame in which nothing was found becomes a scene, sparingly."""
    latest: dict[str, float] = {}
    for item in items:
        if isinstance(item, SourceDone):
            latest.pop(item.source.id, None)
            yield item
        else:
            yield from sightings(item, latest)


def sightings(seen: Seen, latest: dict[str, float]) -> Iterator[Sighting]:
    """The crops of one frame, from left to right for each label; a scene if it shows nothing.

    ``latest`` holds, by source, the time in seconds of the newest frame that gave a record.
    """
    frame = seen.frame
    detections = usable(seen.detections, frame.size)
    source = frame.source.id
    if not detections:
        previous = latest.get(source)
        recent = previous is not None and frame.time_s is not None
        if recent and frame.time_s - previous < SCENE_EVERY_S:  # type: ignore[operator]
            return
        detections = (Detection(SCENE, 1.0, Box(0, 0, *frame.size)),)
    if frame.time_s is not None:
        latest[source] = frame.time_s
    small = replace(frame, image=shrink(frame.image, FRAME_SIDE))
    frame_id = digest(source, "frame", position(frame))
    light = light_of(frame.image)
    colours = {d: _colour(frame.image, d, light) for d in detections}
    for turn, detection in in_order(detections):
        crop_box = pad(detection.box, frame.size)
        yield Sighting(
            digest(source, "crop", position(frame), detection.label, str(turn)),
            frame_id,
            small,
            frame.size,
            detection,
            crop_box,
            nearby(detection, detections, colours),
            # A copy: a view would keep the whole frame in memory for as long as the crop.
            np.array(frame.image[crop_box.y0 : crop_box.y1, crop_box.x0 : crop_box.x1]),
            colours[detection],
            zone_of(detection.box, frame.size, frame.camera.zones),
        )


def _colour(image: RGB, detection: Detection, light: Gains | None) -> str | None:
    """The main colour of an object; a whole frame has none."""
    if detection.label == SCENE:
        return None
    return main_colour(image, detection.box, detection.label, light)


def position(frame: Frame) -> str:
    """Where in its source a frame stands: milliseconds of a video, page of a picture."""
    return f"page {frame.page}" if frame.time_s is None else f"{round(frame.time_s * 1000)} ms"


def in_order(detections: Sequence[Detection]) -> Iterator[tuple[int, Detection]]:
    """The detections from left to right, each with its turn among those of the same label."""
    turns: dict[str, int] = {}
    for detection in sorted(detections, key=lambda d: (d.label, d.box, -d.confidence)):
        turn = turns.get(detection.label, 0)
        turns[detection.label] = turn + 1
        yield turn, detection


def usable(detections: Sequence[Detection], frame_size: tuple[int, int]) -> tuple[Detection, ...]:
    """Clips boxes to the frame and drops those too thin to show anything."""
    kept = []
    width, height = frame_size
    for detection in detections:
        x0, y0, x1, y1 = detection.box
        box = Box(max(x0, 0), max(y0, 0), min(x1, width), min(y1, height))
        if min(box.width, box.height) >= MIN_SIDE:
            kept.append(Detection(detection.label, detection.confidence, box))
    return tuple(kept)


def pad(box: Box, frame_size: tuple[int, int]) -> Box:
    """The box with `PADDING` on each side, inside the frame."""
    dx, dy = round(box.width * PADDING), round(box.height * PADDING)
    width, height = frame_size
    return Box(
        max(box.x0 - dx, 0), max(box.y0 - dy, 0), min(box.x1 + dx, width), min(box.y1 + dy, height)
    )


def shrink(image: RGB, side: int) -> RGB:
    """The picture with its longer side at most ``side`` pixels."""
    height, width = image.shape[:2]
    scale = side / max(height, width)
    if scale >= 1:
        return image
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]
