"""In which named zone of its camera an object stands. Pure geometry."""

from __future__ import annotations

from collections.abc import Sequence

from vision_ctx.types import Box, Zone


def zone_of(box: Box, frame_size: tuple[int, int], zones: Sequence[Zone]) -> str | None:
    """The first zone that holds the point where the object meets the ground.

    That is the middle of the box's lower edge; of an object that the lower edge of the frame cuts off,
    the point just inside the frame.
    """
    x = (box.x0 + box.x1) / 2 / frame_size[0]
    y = min(box.y1, frame_size[1] - 1) / frame_size[1]
    return next((zone.name for zone in zones if inside((x, y), zone.polygon)), None)


def inside(point: tuple[float, float], polygon: Sequence[tuple[float, float]]) -> bool:
    """Whether a point lies in a polygon, by counting the edges that a ray to the left crosses.

    Even-odd rule, as in SVG; of two zones that share an edge, a point on it is in exactly one.
    """
    x, y = point
    crossings = 0
    for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (y0 > y) != (y1 > y) and x > x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            crossings += 1
    return crossings % 2 == 1
