"""Cars, vans, trucks and buses.

Label rule: minivans and estates are cars; pick-ups and closed panel vans without rear windows are
trucks, as are all lorries; minibuses with windows all round are buses.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .bodywork import cabin, end_panel, flank_panel, hull, lights, pane, wheels
from .mesh import GLOSS, GLOW, MATT, Builder
from .palette import DARK, GLASS, METAL, WHITE, Bgr, mix, tint

Rng = np.random.Generator


def car(builder: Builder, colour: Bgr, rng: Rng, lit: bool = False) -> None:
    """Add a saloon, hatchback, estate, off-roader, minivan or coupé."""
    style = CAR_STYLES[int(rng.integers(len(CAR_STYLES)))]
    length, half, deck, roof, bonnet, screen_foot, roof_span, tail, posts = style
    length *= rng.uniform(0.95, 1.05)
    low = 0.2 + 0.1 * (roof > 1.6)
    back, nose = -length / 2, length / 2
    hull(
        builder,
        [
            (back, low + 0.1, deck * 0.84, half * 0.9),
            (back + 0.12, low, deck * 0.97, half * 0.97),
            (back + length * 0.3, low, deck, half),
            (screen_foot * length, low, deck * 0.98, half),
            (nose - 0.5, low, bonnet, half * 0.96),
            (nose - 0.08, low + 0.04, bonnet * 0.9, half * 0.9),
            (nose, low + 0.1, bonnet * 0.72, half * 0.84),
        ],
        colour,
    )
    base = (tail * length, screen_foot * length + 0.06, deck * 0.97)
    top = (roof_span[0] * length, roof_span[1] * length, roof)
    cabin(builder, base, top, (half * 0.93, half * 0.74), colour, posts)
    radius = 0.31 + 0.05 * (roof > 1.6)
    wheels(builder, (-length * 0.29, length * 0.31), half * 1.01, radius)
    for side in (-1.0, 1.0):
        flank_panel(builder, side * half * 1.055, (back + 0.5, nose - 0.6), (low, low + 0.1), DARK)
        mirror = (screen_foot * length - 0.1, deck + 0.04, side * half * 1.08)
        builder.limb(mirror, mirror, (0.09, 0.09), tint(colour, 0.8))
    lights(builder, (back - 0.012, nose + 0.012), half * 0.86, (deck * 0.74, bonnet * 0.66), lit)


# length, half width, deck, roof, bonnet height, foot of the windscreen, roof span, rear window
# foot, posts; x values as shares of the length
CarStyle = tuple[
    float, float, float, float, float, float, tuple[float, float], float, tuple[float, ...]
]
CAR_STYLES: tuple[CarStyle, ...] = (
    (4.6, 0.9, 0.92, 1.43, 0.84, 0.2, (-0.22, 0.06), -0.36, (0.36, 0.66)),  # saloon
    (4.0, 0.87, 0.95, 1.48, 0.88, 0.22, (-0.4, 0.07), -0.47, (0.3, 0.6)),  # hatchback
    (4.7, 0.9, 0.93, 1.46, 0.85, 0.2, (-0.42, 0.06), -0.47, (0.28, 0.52, 0.76)),  # estate
    (4.6, 0.95, 1.1, 1.74, 1.04, 0.22, (-0.41, 0.1), -0.47, (0.28, 0.6)),  # off-roader
    (4.6, 0.94, 1.04, 1.8, 0.95, 0.3, (-0.43, 0.14), -0.48, (0.24, 0.5, 0.76)),  # minivan
    (4.3, 0.9, 0.86, 1.3, 0.78, 0.16, (-0.16, 0.02), -0.36, (0.4,)),  # coupé
)


def pickup(builder: Builder, colour: Bgr, rng: Rng, lit: bool = False) -> None:
    """Add a pick-up with an open bed."""
    hull(
        builder,
        [
            (-2.65, 0.45, 1.05, 0.92),
            (-0.3, 0.42, 1.06, 0.95),
            (0.9, 0.42, 1.1, 0.95),
            (2.5, 0.46, 1.02, 0.92),
            (2.65, 0.55, 0.84, 0.86),
        ],
        colour,
    )
    cabin(builder, (-0.5, 1.15, 1.06), (-0.35, 0.6, 1.78), (0.9, 0.76), colour, (0.5,))
    bed = [(-2.55, 1.075, -0.78), (-0.6, 1.075, -0.78), (-0.6, 1.075, 0.78), (-2.55, 1.075, 0.78)]
    builder.face(bed, DARK, (0.0, 0.0, 0.0), MATT, 0.1)
    if rng.random() < 0.5:
        builder.box((-2.3, 1.07, -0.6), (-1.0, rng.uniform(1.3, 1.6), 0.6), (96, 122, 148))
    wheels(builder, (-1.6, 1.7), 0.96, 0.4)
    lights(builder, (-2.66, 2.66), 0.88, (0.86, 0.86), lit)


def van(builder: Builder, colour: Bgr, rng: Rng, lit: bool = False) -> None:
    """Add a closed panel van."""
    height = rng.uniform(2.0, 2.6)
    length = rng.uniform(4.9, 6.0)
    back, nose = -length / 2, length / 2
    hull(
        builder,
        [
            (back, 0.34, height * 0.99, 0.94),
            (back + (length - 1.75) * 0.3, 0.34, height, 0.96),
            (nose - 2.35, 0.34, height, 0.96),
            (nose - 1.75, 0.34, height, 0.96),
            (nose - 0.85, 0.34, 1.3, 0.95),
            (nose - 0.1, 0.36, 1.12, 0.9),
            (nose, 0.42, 0.8, 0.86),
        ],
        colour,
    )
    inside = (0.0, 1.2, 0.0)
    screen = np.array(
        [
            [nose - 0.92, 1.36, -0.8],
            [nose - 0.92, 1.36, 0.8],
            [nose - 1.66, height * 0.96, 0.74],
            [nose - 1.66, height * 0.96, -0.74],
        ]
    )
    pane(builder, screen, (0.04, 0.96), (0.02, 0.98), inside)
    for side in (-1.0, 1.0):
        window = np.array(
            [
                [nose - 2.3, 1.3, side * 0.99],
                [nose - 1.08, 1.3, side * 0.99],
                [nose - 1.6, height * 0.86, side * 0.96],
                [nose - 2.3, height * 0.86, side * 0.96],
            ]
        )
        pane(builder, window, (0.0, 1.0), (0.0, 1.0), (0.0, 1.2, side * 0.5))
        flank_panel(builder, side * 1.0, (back + 0.3, nose - 0.6), (0.34, 0.5), DARK)
        seam = (nose - 2.45, nose - 2.42)
        flank_panel(builder, side * 0.99, seam, (0.5, height * 0.9), tint(colour, 0.6))
    end_panel(builder, back - 0.01, (-0.02, 0.02), (0.5, height * 0.92), tint(colour, 0.5))
    wheels(builder, (back + 1.0, nose - 0.95), 0.97, 0.35)
    lights(builder, (back - 0.012, nose + 0.012), 0.86, (1.0, 0.8), lit)


def box_truck(builder: Builder, colour: Bgr, rng: Rng, lit: bool = False) -> None:
    """Add a lorry with a closed box."""
    length = rng.uniform(6.2, 9.0)
    back, nose = -length / 2, length / 2
    top = rng.uniform(3.1, 3.8)
    _chassis(builder, back, nose)
    _cab(builder, colour, nose, rng.uniform(2.4, 2.9), lit)
    box = tint(colour, rng.uniform(0.88, 1.12))
    front = nose - 2.0
    builder.box((back, 1.0, -1.22), (front, top, 1.22), box, GLOSS * 0.5)
    if rng.random() < 0.6:
        stripe = WHITE if sum(colour) < 420 else tint(colour, 0.55)
        y = rng.uniform(1.5, 2.2)
        for side in (-1.0, 1.0):
            span = (back + length * 0.1, front - length * 0.1)
            flank_panel(builder, side * 1.225, span, (y, y + 0.3), stripe)
    for z in (-0.02, 1.15, -1.19):
        end_panel(builder, back - 0.01, (z, z + 0.05), (1.05, top - 0.08), tint(box, 0.55))
    wheels(builder, (back + 1.5, nose - 1.1), 1.18, 0.48, arch=False)
    lights(builder, (back - 0.012, nose + 0.012), 1.05, (0.82, 0.72), lit)


def tipper(builder: Builder, colour: Bgr, rng: Rng, lit: bool = False) -> None:
    """Add a tipper or flatbed lorry, loaded or not."""
    length = rng.uniform(5.8, 7.6)
    back, nose = -length / 2, length / 2
    _chassis(builder, back, nose)
    _cab(builder, colour, nose, 2.5, lit)
    side = rng.choice([1.35, 1.9, 2.2])
    bed = tint(colour, 0.9)
    builder.box((back, 1.0, -1.2), (nose - 2.1, side, 1.2), bed)
    load = mix((88, 112, 138), (120, 120, 120), rng.random())
    if side > 1.5:
        rim = [(back + 0.1, side, -1.1), (nose - 2.2, side, -1.1)]
        rim += [(nose - 2.2, side, 1.1), (back + 0.1, side, 1.1)]
        builder.face(rim, load, (0.0, 0.0, 0.0), MATT, 0.1)
        for x in np.arange(back + 0.5, nose - 2.2, 0.9):
            for z in (-1.21, 1.21):
                flank_panel(builder, z, (x, x + 0.1), (1.0, side), tint(bed, 0.75))
    else:
        builder.box((back + 0.4, side, -0.9), (nose - 2.6, side + 0.8, 0.9), load)
    wheels(builder, (back + 0.9, back + 1.95, nose - 1.1), 1.18, 0.48, arch=False)
    lights(builder, (back - 0.012, nose + 0.012), 1.05, (0.82, 0.72), lit)


def _chassis(builder: Builder, back: float, nose: float) -> None:
    builder.box((back + 0.1, 0.55, -0.5), (nose - 0.4, 1.0, 0.5), DARK)
    for side in (-1.0, 1.0):
        flank_panel(builder, side * 1.1, (back + 2.6, nose - 2.0), (0.5, 0.95), (70, 70, 72))


def _cab(builder: Builder, colour: Bgr, nose: float, top: float, lit: bool) -> None:
    rear = nose - 1.9
    hull(
        builder,
        [
            (rear, 0.5, top, 1.16),
            (nose - 0.3, 0.5, top, 1.16),
            (nose - 0.06, 0.48, top * 0.66, 1.14),
            (nose, 0.48, 1.1, 1.12),
        ],
        colour,
    )
    inside = (nose - 1.0, 1.4, 0.0)
    screen = np.array(
        [
            [nose - 0.03, top * 0.6, -1.02],
            [nose - 0.03, top * 0.6, 1.02],
            [nose - 0.24, top * 0.94, 1.0],
            [nose - 0.24, top * 0.94, -1.0],
        ]
    )
    pane(builder, screen, (0.0, 1.0), (0.0, 1.0), inside)
    for side in (-1.0, 1.0):
        window = np.array(
            [
                [nose - 1.3, top * 0.56, side * 1.225],
                [nose - 0.25, top * 0.56, side * 1.225],
                [nose - 0.4, top * 0.88, side * 1.19],
                [nose - 1.3, top * 0.88, side * 1.19],
            ]
        )
        pane(builder, window, (0.0, 1.0), (0.0, 1.0), inside)
        builder.box(
            (nose - 0.2, top * 0.6, side * 1.34 - 0.06),
            (nose - 0.1, top * 0.82, side * 1.34 + 0.06),
            DARK,
        )
    end_panel(builder, nose + 0.006, (-1.1, 1.1), (0.42, 0.58), METAL if lit else DARK)


def bus(builder: Builder, colour: Bgr, rng: Rng, lit: bool = False) -> None:
    """Add a city bus, coach or minibus."""
    length, half, top, radius = BUS_STYLES[int(rng.integers(len(BUS_STYLES)))]
    back, nose = -length / 2, length / 2
    count = max(4, round(length / 1.5))
    hull(
        builder,
        [
            (back, 0.4, top * 0.97, half * 0.97),
            # short pieces, so that each window is sorted with the wall it lies on
            *((x, 0.32, top, half) for x in np.linspace(back + 0.2, nose - 0.3, count + 1)),
            (nose, 0.36, top * 0.95, half * 0.96),
        ],
        colour,
    )
    sill, lintel = top * 0.42, top * 0.82
    inside = (0.0, top / 2, 0.0)
    for side in (-1.0, 1.0):
        z = side * half * 1.05
        row = np.array([[back + 0.3, sill, z], [nose - 0.35, sill, z]])
        row = np.concatenate((row, row[::-1] + np.array([0.0, lintel - sill, 0.0])))
        for i in range(count):
            pane(builder, row, ((i + 0.05) / count, (i + 0.95) / count), (0.0, 1.0), inside)
        flank_panel(builder, z, (back + 0.3, nose - 0.3), (0.32, 0.5), DARK)
        if side < 0:  # doors on one side only
            for x in (nose - 1.5, 0.0 if length > 8 else back + 0.7):
                flank_panel(builder, z * 1.004, (x, x + 1.1), (0.38, lintel), DARK, MATT, 0.5)
                for leaf in (x + 0.06, x + 0.57):
                    glass = (leaf, leaf + 0.47)
                    flank_panel(builder, z * 1.006, glass, (0.5, lintel - 0.1), GLASS, GLOSS, 0.6)
    front = np.array([[nose + 0.01, 0, -half], [nose + 0.01, 0, half]], dtype=np.float64)
    front = np.concatenate((front, front[::-1] + np.array([0.0, top, 0.0])))
    pane(builder, front, (0.06, 0.94), (0.38, 0.8), inside)
    sign = (30, 170, 250) if lit else (40, 120, 190)
    end_panel(builder, nose + 0.015, (-half * 0.7, half * 0.7), (top * 0.83, top * 0.93), DARK)
    shown = (-half * 0.5, half * 0.4)
    end_panel(builder, nose + 0.02, shown, (top * 0.855, top * 0.905), sign, GLOW, 0.2)
    rear = front + np.array([-length - 0.02, 0.0, 0.0])
    pane(builder, rear, (0.15, 0.85), (0.5, 0.8), inside)
    wheels(builder, (back + length * 0.24, nose - length * 0.2), half * 1.03, radius)
    lights(builder, (back - 0.015, nose + 0.015), half * 0.92, (0.9, 0.68), lit)


BUS_STYLES = ((11.5, 1.27, 3.05, 0.48), (9.5, 1.25, 3.3, 0.48), (6.6, 1.05, 2.7, 0.38))

TRUCKS: tuple[Callable[[Builder, Bgr, Rng, bool], None], ...] = (box_truck, tipper, van, pickup)
