"""Things that stand about and are no objects to be found: they hide, clutter and give scale."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .mesh import GLOW, MATT, Builder, ring
from .palette import DARK, METAL, WHITE, Bgr, mix, tint

Rng = np.random.Generator

LEAF: Bgr = (46, 92, 62)
WOOD: Bgr = (78, 112, 146)
CONE: Bgr = (40, 100, 236)


def cone(builder: Builder, rng: Rng) -> None:
    """Add a traffic cone."""
    tall = rng.uniform(0.45, 0.8)
    builder.box((-0.18, 0.0, -0.18), (0.18, 0.04, 0.18), DARK)
    for low, high, colour in ((0.04, 0.45, CONE), (0.45, 0.65, WHITE), (0.65, 1.0, CONE)):
        builder.limb(
            (0, tall * low, 0),
            (0, tall * high, 0),
            (0.14 * (1.05 - low), 0.14 * (1.05 - high)),
            colour,
        )


def barrel(builder: Builder, rng: Rng) -> None:
    """Add an oil drum or a bin."""
    colour = _any_colour(rng)
    tall, wide = rng.uniform(0.8, 1.1), rng.uniform(0.26, 0.34)
    builder.loft([ring((0, tall * h, 0), (wide, wide), 12) for h in (0.0, 0.5, 1.0)], colour)
    for h in (0.33, 0.66):
        band = [ring((0, tall * (h + d), 0), (wide * 1.02, wide * 1.02), 12) for d in (0, 0.03)]
        builder.loft(band, tint(colour, 0.7), MATT, 0.03)


def bin_on_wheels(builder: Builder, rng: Rng) -> None:
    """Add a rubbish bin with a lid."""
    colour = _any_colour(rng)
    builder.box((-0.28, 0.05, -0.25), (0.28, 0.98, 0.25), colour, taper=1.12)
    builder.box((-0.34, 0.98, -0.3), (0.36, 1.08, 0.3), tint(colour, 0.7), bias=0.05)


def skip(builder: Builder, rng: Rng) -> None:
    """Add a large waste container."""
    colour = _any_colour(rng)
    builder.box((-1.7, 0.1, -0.85), (1.7, 1.3, 0.85), colour, taper=1.15)
    for x in np.arange(-1.5, 1.6, 0.6):
        builder.box((x, 0.2, -0.98), (x + 0.08, 1.25, -0.9), tint(colour, 0.75), bias=0.1)


def container(builder: Builder, rng: Rng) -> None:
    """Add a shipping container."""
    colour = tint(_any_colour(rng), 0.85)
    length = rng.choice([6.0, 12.0])
    builder.box((-length / 2, 0.0, -1.2), (length / 2, 2.6, 1.2), colour)
    for x in np.arange(-length / 2 + 0.2, length / 2, 0.45):
        for z in (-1.205, 1.205):
            points = [(x, 0.15, z), (x + 0.2, 0.15, z), (x + 0.2, 2.45, z), (x, 2.45, z)]
            builder.face(points, tint(colour, 0.82), (x, 1.0, 0.0), MATT, 0.05)


def crate(builder: Builder, rng: Rng) -> None:
    """Add a pallet with boxes."""
    builder.box((-0.6, 0.0, -0.4), (0.6, 0.14, 0.4), tint(WOOD, 0.8))
    y = 0.14
    for _ in range(int(rng.integers(0, 4))):
        high = rng.uniform(0.25, 0.5)
        half = rng.uniform(0.4, 0.56)
        colour = mix((110, 150, 186), (150, 150, 150), rng.random())
        builder.box((-half, y, -0.38), (half, y + high, 0.38), colour)
        y += high


def bollard(builder: Builder, rng: Rng) -> None:
    """Add a post."""
    colour = (40, 190, 230) if rng.random() < 0.5 else tint(METAL, 0.6)
    tall = rng.uniform(0.7, 1.1)
    builder.limb((0, 0, 0), (0, tall, 0), (0.075, 0.075), colour)
    builder.limb((0, tall * 0.7, 0), (0, tall * 0.8, 0), (0.08, 0.08), DARK, 0.02)


def lamp_post(builder: Builder, rng: Rng) -> None:
    """Add a street lamp."""
    tall = rng.uniform(4.5, 7.0)
    builder.limb((0, 0, 0), (0, tall, 0), (0.08, 0.05), tint(METAL, 0.55))
    builder.limb((0, tall, 0), (0.9, tall + 0.1, 0), (0.04, 0.05), tint(METAL, 0.55))
    builder.limb((0.75, tall + 0.05, 0), (1.1, tall + 0.05, 0), (0.08, 0.08), (210, 232, 240))


def sign(builder: Builder, rng: Rng) -> None:
    """Add a road sign."""
    tall = rng.uniform(2.0, 2.6)
    builder.limb((0, 0, 0), (0, tall, 0), (0.03, 0.03), METAL)
    colour, second = _any_colour(rng), WHITE
    if rng.random() < 0.5:
        builder.disc((0.04, tall, 0), 0.32, colour, "x", None, 0.05)
        builder.disc((0.05, tall, 0), 0.22, second, "x", None, 0.08)
    else:
        w = rng.uniform(0.3, 0.5)
        plate = [(0.04, tall - 0.3, -w), (0.04, tall - 0.3, w), (0.04, tall + 0.3, w),
                 (0.04, tall + 0.3, -w)]  # fmt: skip
        builder.face(plate, colour, None, MATT, 0.05)


def tree(builder: Builder, rng: Rng) -> None:
    """Add a broad-leaved tree or a conifer."""
    tall = rng.uniform(3.0, 8.0)
    green = mix(LEAF, (40, 130, 150), rng.random() * 0.4)
    builder.limb((0, 0, 0), (0, tall * 0.55, 0), (0.16, 0.1), (52, 70, 88))
    if rng.random() < 0.3:
        for h in np.linspace(0.25, 0.9, 5):
            radius = tall * 0.2 * (1.1 - h)
            builder.limb(
                (0, tall * h, 0),
                (0, tall * (h + 0.15), 0),
                (radius, radius * 0.4),
                tint(green, rng.uniform(0.7, 1.0)),
            )
        return
    for _ in range(11):
        spot = rng.normal(0, tall * 0.13, 3)
        colour = tint(green, rng.uniform(0.65, 1.2))
        builder.ball(
            (spot[0], tall * 0.72 + spot[1], spot[2]), tall * rng.uniform(0.09, 0.17), colour
        )


def bush(builder: Builder, rng: Rng) -> None:
    """Add a bush."""
    green = mix(LEAF, (40, 120, 130), rng.random() * 0.5)
    for _ in range(9):
        x, z = rng.normal(0, 0.4, 2)
        size = rng.uniform(0.22, 0.42)
        builder.ball((x, size, z), size, tint(green, rng.uniform(0.7, 1.2)))


def bench(builder: Builder, rng: Rng) -> None:
    """Add a bench or a row of seats."""
    colour = WOOD if rng.random() < 0.5 else _any_colour(rng)
    half = rng.uniform(0.6, 1.2)
    builder.box((-0.22, 0.4, -half), (0.22, 0.46, half), colour)
    builder.box((-0.26, 0.46, -half), (-0.2, 0.85, half), colour)
    for z in (-half * 0.8, half * 0.8):
        builder.box((-0.2, 0.0, z - 0.04), (0.2, 0.4, z + 0.04), DARK)


def plant(builder: Builder, rng: Rng) -> None:
    """Add a potted plant."""
    builder.loft([ring((0, 0, 0), (0.16, 0.16)), ring((0, 0.4, 0), (0.22, 0.22))], _any_colour(rng))
    for _ in range(9):
        angle = rng.uniform(0, 2 * math.pi)
        tip = (0.4 * math.cos(angle), rng.uniform(0.7, 1.5), 0.4 * math.sin(angle))
        builder.limb((0, 0.4, 0), tip, (0.03, 0.07), tint(LEAF, rng.uniform(0.8, 1.4)))


def desk(builder: Builder, rng: Rng) -> None:
    """Add a counter with a screen."""
    half = rng.uniform(0.9, 1.8)
    colour = mix(WOOD, WHITE, rng.random())
    builder.box((-0.35, 0.0, -half), (0.35, 1.05, half), colour)
    builder.box((-0.45, 1.05, -half - 0.08), (0.45, 1.12, half + 0.08), tint(colour, 0.6))
    builder.box((-0.1, 1.12, -0.3), (-0.05, 1.5, 0.3), DARK)


def chair(builder: Builder, rng: Rng) -> None:
    """Add an armchair."""
    colour = _any_colour(rng)
    builder.box((-0.38, 0.1, -0.38), (0.38, 0.45, 0.38), colour)
    builder.box((-0.42, 0.1, -0.4), (-0.24, 0.95, 0.4), tint(colour, 0.9))
    for z in (-0.42, 0.3):
        builder.box((-0.35, 0.1, z), (0.35, 0.65, z + 0.12), tint(colour, 0.85))


def pillar(builder: Builder, rng: Rng) -> None:
    """Add a column from floor to ceiling."""
    half = rng.uniform(0.15, 0.35)
    builder.box((-half, 0, -half), (half, 3.4, half), mix(WHITE, _any_colour(rng), 0.2))


def forklift(builder: Builder, rng: Rng) -> None:
    """Add a parked forklift."""
    colour = (30, 170, 235) if rng.random() < 0.6 else (60, 60, 210)
    builder.box((-1.0, 0.25, -0.55), (0.7, 0.95, 0.55), colour)
    builder.box((-1.0, 0.95, -0.5), (-0.5, 1.2, 0.5), tint(colour, 0.7))
    for x, z in ((-0.7, -0.5), (-0.7, 0.5), (0.5, -0.5), (0.5, 0.5)):
        builder.limb((x, 0.9, z), (x * 0.9, 2.1, z), (0.04, 0.04), DARK)
        builder.disc((x, 0.25, z * 1.12), 0.25, DARK, "z", (x, 0.25, 0), 0.1)
    builder.box((-0.7, 2.1, -0.55), (0.55, 2.16, 0.55), DARK)
    for z in (-0.3, 0.3):
        builder.box((0.75, 0.05, z - 0.06), (0.85, 2.4, z + 0.06), tint(METAL, 0.5))
        builder.box((0.85, 0.05, z - 0.06), (1.8, 0.1, z + 0.06), tint(METAL, 0.5))


def lit_panel(builder: Builder, rng: Rng) -> None:
    """Add a vending machine or an advertising screen."""
    colour = _any_colour(rng)
    builder.box((-0.35, 0.0, -0.45), (0.35, 1.85, 0.45), tint(colour, 0.8))
    screen = [(0.36, 0.5, -0.36), (0.36, 0.5, 0.36), (0.36, 1.7, 0.36), (0.36, 1.7, -0.36)]
    builder.face(screen, mix(colour, WHITE, 0.6), (0, 1, 0), GLOW, 0.05)


def _any_colour(rng: Rng) -> Bgr:
    b, g, r = rng.uniform(40, 215, 3)
    return mix((b, g, r), ((b + g + r) / 3,) * 3, rng.uniform(0.1, 0.9))


OUTDOOR: tuple[Callable[[Builder, Rng], None], ...] = (
    cone, barrel, bin_on_wheels, skip, container, crate, bollard, lamp_post, sign, tree, bush,
    bench, forklift,
)  # fmt: skip
INDOOR: tuple[Callable[[Builder, Rng], None], ...] = (
    bench, plant, desk, chair, pillar, bin_on_wheels, crate, lit_panel, bollard, barrel,
)  # fmt: skip
