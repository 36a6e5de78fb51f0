"""Fixed things of the sample site: booth, barrier, steps, rack, reception, sofa."""

from __future__ import annotations

import math

import numpy as np

from .mesh import GLOSS, GLOW, MATT, Builder
from .palette import DARK, GLASS, METAL, WHITE, Bgr, tint

BARRIER_HEIGHT = 1.05  # metres
SEGMENTS = {  # seven-segment digits: (x, y) ends in a 0.3 x 0.5 m field
    1: ("b", "c"), 2: ("a", "b", "g", "e", "d"), 3: ("a", "b", "g", "c", "d"),
    4: ("f", "g", "b", "c"),
}  # fmt: skip
BARS = {
    "a": ((0.0, 0.42), (0.3, 0.5)), "b": ((0.22, 0.25), (0.3, 0.5)), "c": ((0.22, 0.0), (0.3, 0.25)),
    "d": ((0.0, 0.0), (0.3, 0.08)), "e": ((0.0, 0.0), (0.08, 0.25)), "f": ((0.0, 0.25), (0.08, 0.5)),
    "g": ((0.0, 0.21), (0.3, 0.29)),
}  # fmt: skip


class Front:
    """The front of a building at object z = 0 that faces the camera; later panels lie on top."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._layers = 0

    def panel(
        self,
        across: tuple[float, float],
        up: tuple[float, float],
        colour: Bgr,
        layer: int = 1,
    ) -> None:
        """Add a rectangle; a higher layer is drawn later."""
        (x0, x1), (y0, y1) = across, up
        points = [(x0, y0, -0.01), (x1, y0, -0.01), (x1, y1, -0.01), (x0, y1, -0.01)]
        self._builder.face(points, colour, ((x0 + x1) / 2, (y0 + y1) / 2, 4.0), MATT, layer * 1.0)


def digit(front: Front, number: int, x: float, y: float) -> None:
    """Write a digit 1 to 4 whose middle is at x."""
    for name in SEGMENTS[number]:
        (x0, y0), (x1, y1) = BARS[name]
        front.panel((x - 0.15 + x0, x - 0.15 + x1), (y + y0, y + y1), DARK, 14)


def booth(builder: Builder) -> None:
    """Add the guard's booth, 1.2 by 2 m."""
    body: Bgr = (190, 186, 176)
    builder.box((-0.6, 0.0, -0.95), (0.6, 1.0, 0.95), body)
    builder.box((-0.56, 1.0, -0.91), (0.56, 2.15, 0.91), GLASS, GLOSS)
    for x in (-0.58, 0.58):
        for z in (-0.93, 0.93):
            builder.box((x - 0.04, 1.0, z - 0.04), (x + 0.04, 2.15, z + 0.04), body, bias=0.05)
    builder.box((-0.8, 2.15, -1.15), (0.8, 2.32, 1.15), tint(body, 0.55), bias=0.05)


def post_box(builder: Builder, colour: Bgr) -> None:
    """Add the housing of a barrier's motor."""
    builder.box((-0.16, 0.0, -0.16), (0.16, 1.15, 0.16), colour)


def barrier(builder: Builder, length: float, raised: float, to_right: bool) -> None:
    """Add a barrier's arm from its pivot at the origin; `raised` 0 is closed, 1 upright."""
    angle = math.radians(84.0) * raised
    way = (1.0 if to_right else -1.0) * math.cos(angle), math.sin(angle)
    pieces = 8
    for i in range(pieces):
        ends = [
            (way[0] * length * k / pieces, BARRIER_HEIGHT + way[1] * length * k / pieces, 0.0)
            for k in (i, i + 1)
        ]
        colour: Bgr = WHITE if i % 2 else (44, 40, 200)
        builder.limb(ends[0], ends[1], (0.06, 0.06), colour)


def steps(builder: Builder) -> None:
    """Add three steps and a rail before the staff door."""
    for i in range(3):
        z0 = -1.0 + 0.32 * i
        builder.box((-0.7, 0.0, z0), (0.7, 0.32 * (i + 1), 0.5), (150, 150, 148), bias=0.02 * i)
    for x in (-0.68, 0.68):
        builder.limb((x, 0.3, -0.9), (x, 1.9, 0.3), (0.025, 0.025), (40, 170, 210))


def hydrant(builder: Builder) -> None:
    """Add a hydrant."""
    red: Bgr = (46, 44, 176)
    builder.limb((0, 0.0, 0), (0, 0.62, 0), (0.11, 0.1), red)
    builder.limb((-0.2, 0.42, 0), (0.2, 0.42, 0), (0.06, 0.06), tint(red, 0.8))
    builder.ball((0, 0.68, 0), 0.11, tint(red, 0.9))


def ashtray(builder: Builder) -> None:
    """Add a standing ashtray."""
    builder.limb((0, 0, 0), (0, 0.85, 0), (0.09, 0.09), tint(METAL, 0.7))
    builder.limb((0, 0.85, 0), (0, 0.92, 0), (0.13, 0.13), DARK)


def bicycle_rack(builder: Builder) -> None:
    """Add a row of hoops along x."""
    for x in np.arange(-1.3, 1.31, 0.65):
        for start, end in (
            ((x, 0, -0.35), (x, 0.75, -0.35)),
            ((x, 0.75, -0.35), (x, 0.75, 0.35)),
            ((x, 0.75, 0.35), (x, 0, 0.35)),
        ):
            builder.limb(start, end, (0.025, 0.025), METAL)


def reception(builder: Builder) -> None:
    """Add the reception desk, 3 m along z, with two screens."""
    wood: Bgr = (88, 128, 164)
    builder.box((-0.3, 0.0, -1.5), (0.3, 1.08, 1.5), wood)
    builder.box((-0.42, 1.08, -1.6), (0.38, 1.14, 1.6), tint(wood, 0.6), GLOSS, 0.05)
    for z in (-0.9, 0.5):
        builder.box((0.1, 1.14, z), (0.16, 1.48, z + 0.55), DARK, bias=0.06)
    glow = [(-0.31, 0.15, -1.45), (-0.31, 0.15, 1.45), (-0.31, 0.22, 1.45), (-0.31, 0.22, -1.45)]
    builder.face(glow, (210, 226, 236), (0, 0.2, 0), GLOW, 0.05)


def sofa(builder: Builder) -> None:
    """Add a sofa of 2 m along z that faces +x."""
    cloth: Bgr = (118, 92, 74)
    builder.box((-0.4, 0.1, -1.0), (0.45, 0.45, 1.0), cloth)
    builder.box((-0.48, 0.1, -1.0), (-0.22, 0.92, 1.0), tint(cloth, 0.88), bias=-0.1)
    for z in (-1.05, 0.85):
        builder.box((-0.42, 0.1, z), (0.45, 0.66, z + 0.2), tint(cloth, 0.8), bias=0.05)
    for z in (-0.42, 0.42):
        builder.box((-0.2, 0.45, z - 0.4), (0.42, 0.56, z + 0.4), tint(cloth, 1.12), bias=0.06)


def barrier_closed(builder: Builder) -> None:
    """Add a closed barrier with its post."""
    post_box(builder, (40, 150, 230))
    barrier(builder, 3.8, 0.0, True)
