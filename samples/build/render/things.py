"""Backpacks, suitcases and umbrellas, standing alone or carried."""

from __future__ import annotations

import math

import numpy as np

from .mesh import GLOSS, MATT, Builder, ring
from .palette import DARK, METAL, Bgr, tint

Rng = np.random.Generator
Point = tuple[float, float, float]


def backpack(builder: Builder, colour: Bgr, rng: Rng, at: Point = (0.0, 0.0, 0.0)) -> None:
    """Add a backpack whose bottom is at `at` and whose straps face forward (+x)."""
    x, y, z = at
    tall, wide, deep = rng.uniform(0.44, 0.58), rng.uniform(0.15, 0.19), rng.uniform(0.1, 0.14)
    levels = ((0.0, 0.86), (0.12, 1.0), (0.7, 0.96), (0.92, 0.74), (1.0, 0.4))
    rings = [ring((x, y + tall * h, z), (deep * s, wide * s), 10, 0.55) for h, s in levels]
    builder.loft(rings, colour)
    pocket = [
        ring((x - deep * 0.95, y + tall * h, z), (deep * 0.5 * s, wide * 0.76 * s), 8, 0.55)
        for h, s in ((0.08, 0.9), (0.16, 1.0), (0.42, 1.0), (0.5, 0.8))
    ]
    builder.loft(pocket, tint(colour, 0.78), MATT, 0.04)
    for side in (-1.0, 1.0):
        strap = z + side * wide * 0.5
        builder.limb(
            (x + deep, y + tall * 0.86, strap),
            (x + deep * 1.7, y + tall * 0.6, strap),
            (0.022, 0.022),
            tint(colour, 0.55),
        )
        builder.limb(
            (x + deep * 1.7, y + tall * 0.6, strap),
            (x + deep, y + tall * 0.16, strap),
            (0.022, 0.018),
            tint(colour, 0.55),
        )
    top = y + tall
    builder.limb((x, top, z - 0.05), (x, top + 0.05, z), (0.016, 0.016), tint(colour, 0.5))
    builder.limb((x, top + 0.05, z), (x, top, z + 0.05), (0.016, 0.016), tint(colour, 0.5))


def suitcase(
    builder: Builder, colour: Bgr, rng: Rng, at: Point = (0.0, 0.0, 0.0), pulled: bool = False
) -> None:
    """Add an upright trolley case; pulled cases have the handle out."""
    x, y, z = at
    tall, wide, deep = SUITCASES[int(rng.integers(len(SUITCASES)))]
    foot = y + 0.05
    levels = ((0.0, 0.93), (0.05, 1.0), (0.95, 1.0), (1.0, 0.93))
    rings = [ring((x, foot + tall * h, z), (deep * s, wide * s), 12, 0.85) for h, s in levels]
    builder.loft(rings, colour, GLOSS * 0.6)
    for i in range(4):  # ribs of a hard shell
        rib = z + wide * (-0.66 + 0.44 * i)
        for face in (-1.0, 1.0):
            points = [
                (x + face * deep * 1.005, foot + tall * 0.1, rib - 0.012),
                (x + face * deep * 1.005, foot + tall * 0.1, rib + 0.012),
                (x + face * deep * 1.005, foot + tall * 0.9, rib + 0.012),
                (x + face * deep * 1.005, foot + tall * 0.9, rib - 0.012),
            ]
            builder.face(points, tint(colour, 0.72), (x, foot + tall / 2, rib), MATT, 0.03)
    for sx in (-0.8, 0.8):
        for sz in (-0.8, 0.8):
            builder.ball((x + deep * sx, y + 0.03, z + wide * sz), 0.03, DARK)
    rise = 0.42 if pulled else rng.choice([0.05, 0.4])
    top = foot + tall
    for side in (-1.0, 1.0):
        rod = z + side * wide * 0.4
        builder.limb((x, top, rod), (x, top + rise, rod), (0.012, 0.012), METAL)
    grip = (x, top + rise, z - wide * 0.4), (x, top + rise, z + wide * 0.4)
    builder.limb(*grip, (0.02, 0.02), DARK)


SUITCASES = ((0.5, 0.18, 0.11), (0.6, 0.22, 0.13), (0.72, 0.26, 0.16))


def umbrella_open(builder: Builder, colour: Bgr, rng: Rng, grip: Point, tilt: float = 0.0) -> None:
    """Add an open umbrella held at `grip`; `tilt` in radians leans it forward."""
    radius = rng.uniform(0.52, 0.68)
    stick = 0.74
    lean = np.array([math.sin(tilt), math.cos(tilt), 0.0])
    foot = np.array(grip)
    crown = foot + lean * stick
    panels = 8
    angles = np.arange(panels) * (2 * math.pi / panels) + rng.uniform(0, 0.7)
    forward = np.array([math.cos(tilt), -math.sin(tilt), 0.0])
    sideways = np.array([0.0, 0.0, 1.0])
    spokes = np.cos(angles)[:, None] * forward + np.sin(angles)[:, None] * sideways
    shoulder = crown - lean * 0.07 + spokes * radius * 0.55
    rim = crown - lean * 0.27 + spokes * radius
    inside = crown - lean * 0.3
    second = tint(colour, 0.86) if rng.random() < 0.7 else tint(colour, 1.12)
    for i in range(panels):
        j = (i + 1) % panels
        paint = colour if i % 2 else second
        for quad in (
            np.stack((crown, shoulder[i], shoulder[j])),
            np.stack((shoulder[i], rim[i], rim[j], shoulder[j])),
        ):
            builder.face(quad, paint, inside, MATT, 0.12)
            # the inner side is the same cloth in its own shade
            builder.face(quad[::-1] - lean * 0.01, tint(colour, 0.6), crown + lean * 3, MATT, -0.1)
    builder.limb(tuple(foot - lean * 0.1), tuple(crown + lean * 0.06), (0.012, 0.012), METAL)
    builder.limb(tuple(foot - lean * 0.12), tuple(foot), (0.02, 0.02), DARK)


def umbrella_closed(builder: Builder, colour: Bgr, foot: Point, lean: float = 0.0) -> None:
    """Add a rolled umbrella standing with its tip at `foot`; `lean` in radians forward."""
    x, y, z = foot
    way = np.array([math.sin(lean), math.cos(lean), 0.0])
    base = np.array([x, y, z])
    builder.limb(tuple(base), tuple(base + way * 0.12), (0.01, 0.014), METAL)
    builder.limb(tuple(base + way * 0.1), tuple(base + way * 0.45), (0.02, 0.06), colour)
    builder.limb(tuple(base + way * 0.45), tuple(base + way * 0.7), (0.06, 0.03), colour)
    builder.limb(tuple(base + way * 0.7), tuple(base + way * 0.84), (0.018, 0.018), DARK)
    hook = base + way * 0.88 + np.array([0.05, 0.0, 0.0])
    builder.limb(tuple(base + way * 0.84), tuple(hook), (0.016, 0.016), DARK)
