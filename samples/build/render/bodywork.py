"""Parts that all motor vehicles share: hulls, glazing, wheels, lamps and plates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .mesh import GLOSS, GLOW, MATT, Builder
from .palette import DARK, GLASS, METAL, RUBBER, WHITE, Bgr, mix, tint

Array = NDArray[np.float64]

HEADLAMP: Bgr = (232, 240, 244)
TAIL_LAMP: Bgr = (36, 30, 176)
INDICATOR: Bgr = (40, 140, 240)
SKY_IN_GLASS: Bgr = (176, 164, 150)


def hull(
    builder: Builder, stations: Sequence[tuple[float, float, float, float]], colour: Bgr
) -> None:
    """Add a body from rear to front; a station is (x, low, deck height, half width at the deck).

    The flanks bulge a little, so that light grades over them.
    """
    rings = []
    for x, low, deck, half in stations:
        bulge, sill = half * 1.05, half * 0.97
        waist = low + (deck - low) * 0.6
        edge = deck - (deck - low) * 0.08
        rings.append(
            np.array(
                [
                    [x, low, -sill],
                    [x, waist, -bulge],
                    [x, edge, -half],
                    [x, deck, -half * 0.86],
                    [x, deck, half * 0.86],
                    [x, edge, half],
                    [x, waist, bulge],
                    [x, low, sill],
                ]
            )
        )
    builder.loft(rings, colour, GLOSS)


def patch(quad: Array, across: tuple[float, float], up: tuple[float, float]) -> Array:
    """Return the part of a quad between shares `across` and `up` of its sides.

    The quad's corners run: low start, low end, high end, high start.
    """
    corners = []
    for u, v in ((across[0], up[0]), (across[1], up[0]), (across[1], up[1]), (across[0], up[1])):
        low = quad[0] + (quad[1] - quad[0]) * u
        high = quad[3] + (quad[2] - quad[3]) * u
        corners.append(low + (high - low) * v)
    return np.array(corners)


def pane(
    builder: Builder,
    quad: Array,
    across: tuple[float, float],
    up: tuple[float, float],
    inside: Sequence[float],
    glass: Bgr = GLASS,
) -> None:
    """Add a window to a quad, with the sky mirrored along its upper edge."""
    builder.face(patch(quad, across, up), glass, inside, GLOSS, 0.34)
    high = up[0] + (up[1] - up[0]) * 0.62
    sky = mix(glass, SKY_IN_GLASS, 0.45)
    builder.face(patch(quad, across, (high, up[1])), sky, inside, GLOSS, 0.36)


def cabin(
    builder: Builder,
    base: tuple[float, float, float],
    roof: tuple[float, float, float],
    widths: tuple[float, float],
    colour: Bgr,
    posts: Sequence[float],
) -> None:
    """Add a glazed cabin.

    `base` and `roof` are (rear x, front x, height), `widths` the half widths at both; `posts`
    divide the side windows, as shares of the length from rear to front.
    """
    low = _quad(base, widths[0])
    high = _quad(roof, widths[1])
    builder.loft([low, high], colour, GLOSS)
    inside = np.concatenate((low, high)).mean(axis=0)
    for a, b, is_side in ((0, 1, True), (2, 3, True), (1, 2, False), (3, 0, False)):
        side = np.stack((low[a], low[b], high[b], high[a]))
        if not is_side:
            pane(builder, side, (0.07, 0.93), (0.08, 0.92), inside)
            continue
        edges = [0.04, *posts, 0.96]
        for start, end in pairwise(edges):
            span = (start + 0.015, end - 0.015)
            # side a=2 runs from front to rear
            pane(builder, side, span if a == 0 else (1 - span[1], 1 - span[0]), (0.1, 0.9), inside)


def wheels(
    builder: Builder,
    axles: Sequence[float],
    half_width: float,
    radius: float,
    arch: bool = True,
) -> None:
    """Add a wheel at both ends of every axle."""
    for x in axles:
        for side in (-1.0, 1.0):
            z = side * half_width
            inside = (x, radius, 0.0)
            if arch:
                centre = (x, radius * 1.05, z * 1.01)
                builder.disc(centre, radius * 1.22, (24, 24, 24), "z", inside, 0.8)
            inner = z - side * 0.24
            builder.box(
                (x - radius * 0.72, 0.0, min(z, inner)),
                (x + radius * 0.72, radius, max(z, inner)),
                RUBBER,
            )
            out = z * 1.02
            builder.disc((x, radius, out), radius, RUBBER, "z", inside, 0.86)
            builder.disc((x, radius, out), radius * 0.64, METAL, "z", inside, 0.9)
            builder.disc((x, radius, out), radius * 0.4, tint(METAL, 0.6), "z", inside, 0.92)
            builder.disc((x, radius, out), radius * 0.14, METAL, "z", inside, 0.94, 8)


def end_panel(
    builder: Builder,
    x: float,
    span: tuple[float, float],
    height: tuple[float, float],
    colour: Bgr,
    finish: float = MATT,
    bias: float = 0.15,
) -> None:
    """Add an upright panel across the vehicle at x, from z span[0] to span[1]."""
    (z0, z1), (y0, y1) = span, height
    points = [(x, y0, z0), (x, y0, z1), (x, y1, z1), (x, y1, z0)]
    builder.face(points, colour, (0.0, (y0 + y1) / 2, (z0 + z1) / 2), finish, bias)


def flank_panel(
    builder: Builder,
    z: float,
    span: tuple[float, float],
    height: tuple[float, float],
    colour: Bgr,
    finish: float = MATT,
    bias: float = 0.08,
) -> None:
    """Add an upright panel along the vehicle at z, from x span[0] to span[1]."""
    (x0, x1), (y0, y1) = span, height
    points = [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
    builder.face(points, colour, ((x0 + x1) / 2, (y0 + y1) / 2, 0.0), finish, bias)


def lights(
    builder: Builder,
    ends: tuple[float, float],
    half: float,
    heights: tuple[float, float],
    lit: bool,
) -> None:
    """Add head lamps at x = ends[1], tail lamps at x = ends[0], grille and number plates."""
    rear, front = ends
    back_y, front_y = heights
    for side in (-1.0, 1.0):
        outer, inner = side * half * 0.94, side * half * 0.58
        span = (min(outer, inner), max(outer, inner))
        finish = GLOW if lit else GLOSS
        builder_lamp = HEADLAMP if lit else tint(HEADLAMP, 0.85)
        end_panel(builder, front, span, (front_y - 0.09, front_y + 0.07), builder_lamp, finish)
        tail = (60, 50, 255) if lit else TAIL_LAMP
        end_panel(builder, rear, span, (back_y - 0.08, back_y + 0.12), tail, finish)
    grille = (front_y - 0.26, front_y + 0.02)
    end_panel(builder, front, (-half * 0.5, half * 0.5), grille, DARK)
    end_panel(builder, front, (-0.26, 0.26), (front_y - 0.3, front_y - 0.18), WHITE, MATT, 0.2)
    end_panel(builder, rear, (-0.26, 0.26), (back_y - 0.22, back_y - 0.1), WHITE, MATT, 0.2)


def _quad(level: tuple[float, float, float], half: float) -> Array:
    rear, front, y = level
    return np.array([[rear, y, -half], [front, y, -half], [front, y, half], [rear, y, half]])
