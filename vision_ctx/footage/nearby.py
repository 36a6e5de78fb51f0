"""Which detections stand near a detection, and where. Pure geometry, no input or output.

The distance of two boxes is the length of the gap between their edges (0 where they meet or
overlap), divided by the mean of their diagonals, so that it means the same for near and far objects.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from vision_ctx.footage.colour import clear
from vision_ctx.types import Box, Detection, Nearby

NEAREST = 5
"""At most so many neighbours are named: more would fill the prefix and describe the crowd."""
REACH = 1.5
"""Neighbours farther than this distance (in mean diagonals) are no longer "beside"."""
TOUCHING = 0.02
"""Up to this distance two boxes count as touching: about the error of a detector's box edge."""
LANDMARK = 1.5
"""A neighbour with this many times the area is the landmark of the two: people say "a person beside
a bus", not "a bus beside a person" (Talmy's figure and ground)."""


def distance(a: Box, b: Box) -> float:
    """Gap between the edges of two boxes over the mean of their diagonals; 0 if they meet."""
    gap_x = max(a.x0 - b.x1, b.x0 - a.x1, 0)
    gap_y = max(a.y0 - b.y1, b.y0 - a.y1, 0)
    mean_diagonal = (math.hypot(a.width, a.height) + math.hypot(b.width, b.height)) / 2
    return math.hypot(gap_x, gap_y) / mean_diagonal if mean_diagonal else math.inf


def relation(subject: Box, other: Box) -> str:
    """Where ``other`` stands as seen from ``subject``.

    touching, or else left of, right of, above, below by the larger offset of the centres.
    """
    if distance(subject, other) <= TOUCHING:
        return "touching"
    dx = other.centre[0] - subject.centre[0]
    dy = other.centre[1] - subject.centre[1]
    if abs(dx) >= abs(dy):
        return "left of" if dx < 0 else "right of"
    return "above" if dy < 0 else "below"


def nearby(
    subject: Detection,
    others: Sequence[Detection],
    colours: Mapping[Detection, str | None] = MappingProxyType({}),
) -> tuple[Nearby, ...]:
    """The nearest neighbours of a detection within reach, nearest first, with their colours.

    Equal distances are ordered by larger area, then by position and label, so that the answer does
    not hang on the order in which a detector lists its boxes (nor fail where one box has two labels).
    """
    neighbours = [
        (distance(subject.box, other.box), -other.box.area, other.box, other.label, other)
        for other in others
        if other is not subject
    ]
    near = sorted((n for n in neighbours if n[0] <= REACH), key=lambda n: n[:-1])[:NEAREST]
    return tuple(
        Nearby(
            other.label,
            relation(subject.box, other.box),
            other.box.area >= LANDMARK * subject.box.area,
            clear(colours.get(other)),
        )
        for *_, other in near
    )
