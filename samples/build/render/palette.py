"""Named colours and their shades, as BGR floats in 0..255.

A name stands for a small region of HSV space, so that no two red cars are the same red, and so
that regions of different names do not touch.
"""

from __future__ import annotations

import colorsys

import numpy as np

Bgr = tuple[float, float, float]

# name: (hue range in degrees, saturation range, value range)
SHADES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "red": ((-8, 5), (0.74, 0.95), (0.55, 0.92)),
    "orange": ((22, 31), (0.82, 1.0), (0.86, 1.0)),
    "yellow": ((48, 57), (0.75, 0.95), (0.86, 1.0)),
    "green": ((100, 150), (0.5, 0.85), (0.32, 0.72)),
    "blue": ((210, 230), (0.66, 0.92), (0.42, 0.88)),
    "purple": ((268, 288), (0.48, 0.78), (0.38, 0.72)),
    "pink": ((326, 345), (0.34, 0.58), (0.88, 1.0)),
    "brown": ((17, 28), (0.52, 0.72), (0.26, 0.45)),
    "beige": ((34, 44), (0.2, 0.34), (0.78, 0.9)),
    "white": ((0, 360), (0.0, 0.03), (0.9, 1.0)),
    "grey": ((200, 240), (0.0, 0.06), (0.42, 0.62)),
    "black": ((200, 240), (0.0, 0.14), (0.05, 0.13)),
}
COLOURS = tuple(SHADES)

# Animals wear few of these; the rest would look like toys.
FUR = ("black", "white", "brown", "grey", "orange", "beige")

SKIN: tuple[Bgr, ...] = (
    (168, 196, 236),
    (140, 172, 222),
    (104, 140, 196),
    (72, 102, 158),
    (52, 74, 118),
    (38, 54, 88),
)
HAIR: tuple[Bgr, ...] = ((22, 22, 26), (30, 42, 62), (52, 74, 104), (96, 142, 178), (150, 150, 152))
GLASS: Bgr = (74, 62, 50)
RUBBER: Bgr = (34, 33, 33)
METAL: Bgr = (168, 166, 162)
DARK: Bgr = (42, 40, 38)
WHITE: Bgr = (240, 240, 238)


def shade(name: str, rng: np.random.Generator) -> Bgr:
    """Return one shade of a named colour.

    Raises:
        KeyError: the name is not one of `COLOURS`.
    """
    hue, saturation, value = (rng.uniform(*span) for span in SHADES[name])
    red, green, blue = colorsys.hsv_to_rgb((hue % 360) / 360.0, saturation, value)
    return (blue * 255.0, green * 255.0, red * 255.0)


def tint(colour: Bgr, factor: float) -> Bgr:
    """Return the colour darker (factor < 1) or lighter, kept within 0..255."""
    b, g, r = (min(255.0, max(0.0, channel * factor)) for channel in colour)
    return (b, g, r)


def mix(first: Bgr, second: Bgr, share: float) -> Bgr:
    """Return the colour `share` of the way from first to second."""
    b, g, r = (a + (z - a) * share for a, z in zip(first, second, strict=True))
    return (b, g, r)


def pick(rng: np.random.Generator, items: tuple[Bgr, ...]) -> Bgr:
    """Return one of the colours."""
    return items[int(rng.integers(len(items)))]
