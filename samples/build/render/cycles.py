"""Bicycles and motorcycles; riders are added by whoever places them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from .bodywork import HEADLAMP, TAIL_LAMP
from .mesh import Builder
from .palette import DARK, METAL, RUBBER, Bgr, tint

Rng = np.random.Generator
Point = tuple[float, float, float]

BICYCLE_SEAT, MOTORCYCLE_SEAT = 0.95, 0.82  # metres


def bicycle(builder: Builder, colour: Bgr, rng: Rng, phase: float = 0.0) -> None:
    """Add a bicycle; `phase` in radians turns pedals and spokes."""
    wheel = rng.uniform(0.31, 0.35)
    rear, front = (-0.52, wheel, 0.0), (0.53, wheel, 0.0)
    for hub in (rear, front):
        _rim(builder, hub, wheel, phase)
    tube = 0.03
    crank = (-0.08, 0.3, 0.0)
    seat_top, head = (-0.22, 0.86, 0.0), (0.36, 0.86, 0.0)
    low_step = rng.random() < 0.35
    bar = (0.36, 0.6, 0.0) if low_step else head
    tubes = ((crank, seat_top), (crank, bar), (crank, rear), (head, front), (rear, seat_top))
    for start, end in tubes:
        builder.limb(start, end, (tube, tube * 0.85), colour, 0.02)
    if not low_step:
        builder.limb((-0.2, 0.82, 0.0), head, (tube, tube), colour, 0.02)
    builder.limb((-0.32, 0.92, 0.0), (-0.1, 0.91, 0.0), (0.06, 0.035), DARK)
    builder.limb(head, (0.33, 1.0, 0.0), (0.016, 0.016), METAL)
    builder.limb((0.3, 1.01, -0.27), (0.3, 1.01, 0.27), (0.02, 0.02), DARK)
    for turn, z in ((0.0, 0.1), (math.pi, -0.1)):
        a = phase + turn
        pedal = (crank[0] + 0.16 * math.cos(a), crank[1] - 0.16 * math.sin(a), z)
        builder.limb((crank[0], crank[1], z * 0.4), pedal, (0.014, 0.014), METAL)
        builder.limb(pedal, (pedal[0] + 0.06, pedal[1], z), (0.02, 0.02), DARK)
    if rng.random() < 0.5:
        _mudguard(builder, rear, wheel + 0.04, colour)
        _mudguard(builder, front, wheel + 0.04, colour)
    if rng.random() < 0.35:
        builder.box((0.4, 0.82, -0.15), (0.68, 1.04, 0.15), (92, 128, 160))
    elif rng.random() < 0.5:
        builder.limb((-0.7, 0.72, 0.0), (-0.3, 0.74, 0.0), (0.025, 0.025), DARK)


def _rim(builder: Builder, hub: Point, radius: float, phase: float) -> None:
    corners = 14
    for i in range(corners):
        a, b = (2 * math.pi * j / corners for j in (i, i + 1))
        start = (hub[0] + radius * math.cos(a), hub[1] + radius * math.sin(a), 0.0)
        end = (hub[0] + radius * math.cos(b), hub[1] + radius * math.sin(b), 0.0)
        builder.limb(start, end, (0.024, 0.024), RUBBER)
    for i in range(6):
        a = phase + math.pi * i / 3
        tip = (hub[0] + radius * math.cos(a), hub[1] + radius * math.sin(a), 0.0)
        builder.limb(hub, tip, (0.005, 0.005), METAL)


def _mudguard(builder: Builder, hub: Point, radius: float, colour: Bgr) -> None:
    angles = np.linspace(0.35, math.pi - 0.1, 7)
    points = [(hub[0] + radius * math.cos(a), hub[1] + radius * math.sin(a), 0.0) for a in angles]
    for start, end in pairwise(points):
        builder.limb(start, end, (0.03, 0.03), tint(colour, 0.85))


def motorcycle(
    builder: Builder, colour: Bgr, rng: Rng, phase: float = 0.0, lit: bool = False
) -> None:
    """Add a motorcycle or a scooter; `phase` is not visible on its wheels."""
    del phase
    if rng.random() < 0.4:
        _scooter(builder, colour, rng, lit)
    else:
        _motorbike(builder, colour, rng, lit)


def _fat_wheel(builder: Builder, x: float, radius: float, width: float) -> None:
    inside = (x, radius, 0.0)
    corners = 12
    for i in range(corners):
        a, b = (2 * math.pi * j / corners for j in (i, i + 1))
        r = radius - width
        start = (x + r * math.cos(a), radius + r * math.sin(a), 0.0)
        end = (x + r * math.cos(b), radius + r * math.sin(b), 0.0)
        builder.limb(start, end, (width, width), RUBBER)
    for side in (-1.0, 1.0):
        builder.disc((x, radius, side * 0.04), radius * 0.6, METAL, "z", inside, 0.06)
        builder.disc((x, radius, side * 0.045), radius * 0.42, tint(METAL, 0.5), "z", inside, 0.08)


def _motorbike(builder: Builder, colour: Bgr, rng: Rng, lit: bool) -> None:
    for x in (-0.7, 0.72):
        _fat_wheel(builder, x, 0.31, 0.07)
    builder.box((-0.3, 0.28, -0.15), (0.3, 0.62, 0.15), (66, 64, 62), taper=0.85)
    builder.limb((-0.25, 0.42, 0.0), (0.2, 0.46, 0.0), (0.14, 0.13), tint(METAL, 0.7), 0.05)
    builder.limb((-0.05, 0.76, 0.0), (0.3, 0.82, 0.0), (0.14, 0.17), colour, 0.04)  # tank
    builder.limb((-0.75, 0.84, 0.0), (-0.1, 0.76, 0.0), (0.08, 0.11), DARK, 0.03)  # seat
    builder.limb((-0.9, 0.82, 0.0), (-0.5, 0.74, 0.0), (0.06, 0.12), colour, 0.02)  # tail
    fork = (0.42, 0.95, 0.0)
    for z in (-0.1, 0.1):
        builder.limb((0.72, 0.31, z), (fork[0], fork[1], z), (0.026, 0.03), METAL)
        builder.limb((-0.7, 0.31, z), (-0.1, 0.42, z), (0.03, 0.04), DARK)
    builder.limb((0.72 - 0.2, 0.62, 0.0), (0.92, 0.56, 0.0), (0.07, 0.05), colour, 0.05)  # guard
    if rng.random() < 0.55:  # fairing
        builder.limb((0.3, 0.62, 0.0), (0.52, 0.9, 0.0), (0.2, 0.16), colour, 0.06)
        builder.limb((0.1, 0.48, 0.0), (0.34, 0.6, 0.0), (0.17, 0.19), tint(colour, 0.9), 0.06)
    _handlebar(builder, 0.36, 1.04, 0.34)
    builder.ball((0.58, 0.86, 0.0), 0.1, HEADLAMP if lit else tint(HEADLAMP, 0.8), 0.1)
    builder.ball((-0.94, 0.8, 0.0), 0.05, TAIL_LAMP, 0.08)
    builder.limb((-0.8, 0.4, -0.17), (0.1, 0.32, -0.15), (0.06, 0.04), METAL, 0.04)


def _scooter(builder: Builder, colour: Bgr, rng: Rng, lit: bool) -> None:
    for x in (-0.6, 0.62):
        _fat_wheel(builder, x, 0.24, 0.07)
    builder.limb((-0.72, 0.56, 0.0), (-0.24, 0.48, 0.0), (0.17, 0.2), colour, 0.04)
    builder.limb((-0.78, 0.78, 0.0), (-0.16, 0.76, 0.0), (0.1, 0.12), DARK, 0.03)
    builder.box((-0.3, 0.22, -0.18), (0.36, 0.32, 0.18), tint(colour, 0.85))
    shield = np.array(
        [[0.34, 0.26, -0.2], [0.34, 0.26, 0.2], [0.4, 0.86, 0.14], [0.4, 0.86, -0.14]]
    )
    builder.loft([shield, shield + np.array([0.12, 0.04, 0.0])], colour)
    builder.limb((0.44, 0.86, 0.0), (0.36, 1.0, 0.0), (0.1, 0.09), colour, 0.04)
    builder.limb((0.5, 0.44, 0.0), (0.78, 0.4, 0.0), (0.09, 0.06), colour, 0.05)
    builder.limb((0.62, 0.24, 0.08), (0.44, 0.7, 0.06), (0.03, 0.03), METAL)
    _handlebar(builder, 0.34, 1.04, 0.3)
    builder.ball((0.5, 0.92, 0.0), 0.08, HEADLAMP if lit else tint(HEADLAMP, 0.8), 0.1)
    builder.ball((-0.88, 0.6, 0.0), 0.06, TAIL_LAMP, 0.08)
    if rng.random() < 0.4:
        builder.box((-1.0, 0.8, -0.2), (-0.62, 1.16, 0.2), tint(colour, 0.9))


def _handlebar(builder: Builder, x: float, y: float, half: float) -> None:
    builder.limb((x, y, -half), (x, y, half), (0.025, 0.025), DARK)
    for side in (-1.0, 1.0):
        mirror = (x + 0.05, y + 0.16, side * half * 0.75)
        builder.limb((x, y, side * half * 0.6), mirror, (0.01, 0.01), DARK)
        builder.ball(mirror, 0.05, DARK)
