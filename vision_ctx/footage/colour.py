"""Names the main colour of an object, measured on the object and not on its background.

The light of the scene is taken out first: the frame's brightest part is made white (white-patch
assumption, as cameras' own white balance does), half of the way for its tint, since an evening sky
is really orange.  Then the pixels in the middle of the box (of a person, of the upper body) are named
one by one in CIELAB, where distances are those the eye sees (ISO/CIE 11664-4).  A colour wins over
grey from a quarter of the pixels on, since windows, wheels and shadows are grey on every car.  Where
light is too low to tell, the answer is ``unclear``.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision_ctx.types import RGB, Box

UNCLEAR = "unclear"
# Prototypes as sRGB: shades of the basic colour terms (Berlin and Kay, 1969) as they look on cars and
# clothes in daylight and in shade, rather than as pure screen colours.
_SHADES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "red": ((190, 25, 30), (130, 20, 25), (225, 70, 65)),
    "orange": ((230, 120, 25), (200, 95, 20), (245, 150, 60)),
    "yellow": ((235, 205, 40), (200, 170, 30), (245, 225, 110)),
    "green": ((40, 130, 55), (20, 80, 40), (90, 190, 90), (70, 220, 60)),
    "blue": ((30, 70, 180), (20, 40, 100), (80, 140, 215)),
    "purple": ((110, 50, 150), (75, 35, 100), (150, 90, 180)),
    "pink": ((235, 130, 170), (220, 90, 140)),
    "brown": ((105, 65, 35), (75, 45, 25), (130, 85, 50)),
    "beige": ((215, 195, 155), (185, 165, 125)),
}
_NAMES = tuple(name for name, shades in _SHADES.items() for _ in shades)
# Where in its box an object's own colour shows (left, top, right, bottom as shares of the sides):
# wheels, feet and the road are at the margins, trousers below a person's middle.
_MIDDLE = (0.2, 0.2, 0.8, 0.75)
_UPPER_BODY = (0.25, 0.2, 0.75, 0.5)
_SIDE = 32
_CHROMATIC = 16.0
"""From this chroma on (distance from the grey axis of CIELAB) the eye sees a colour on a surface."""
_COLOUR_SHARE = 0.25
_BLACK_BELOW, _WHITE_FROM = 30.0, 70.0
"""Lightness (0 to 100) of greys that people call black and white, with the scene's light taken out."""
_TOO_DARK = 25.0
"""A frame whose brightest part is below this lightness shows no colours."""
_BRIGHTEST = 98.0
_GREATEST_GAIN = 3.0

Gains = npt.NDArray[np.float32]


def light_of(image: RGB) -> Gains | None:
    """What to multiply red, green and blue by to take the scene's light out; ``None`` in the dark."""
    small = cv2.resize(image, (64, 48), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    brightest = np.percentile(small.astype(np.float32), _BRIGHTEST, axis=0)
    level = float(brightest.max())
    lightness = _lab(np.full((1, 1, 3), level, dtype=np.uint8))[0, 0, 0]
    if lightness < _TOO_DARK:
        return None
    tint = level / np.maximum(brightest, 1.0)
    gains = 245.0 / level * np.sqrt(tint)
    return np.asarray(np.clip(gains, 0.8, _GREATEST_GAIN), dtype=np.float32)


def clear(colour: str | None) -> str | None:
    """The colour if it is one, to put into words."""
    return None if colour == UNCLEAR else colour


def main_colour(image: RGB, box: Box, label: str, light: Gains | None) -> str:
    """The main colour of the object in ``box``; ``light`` comes from `light_of` the same picture."""
    region = _region(image, box, _UPPER_BODY if label == "person" else _MIDDLE)
    if light is None or region.size == 0:
        return UNCLEAR
    small = cv2.resize(region, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    lit = np.clip(small.astype(np.float32) * light, 0, 255).astype(np.uint8)
    lab = _lab(lit).reshape(-1, 3)
    chromatic = lab[np.hypot(lab[:, 1], lab[:, 2]) >= _CHROMATIC]
    if len(chromatic) >= _COLOUR_SHARE * len(lab):
        return _most_common(chromatic)
    grey = lab if not len(chromatic) else lab[np.hypot(lab[:, 1], lab[:, 2]) < _CHROMATIC]
    lightness = float(np.median(grey[:, 0]))
    return "black" if lightness < _BLACK_BELOW else "white" if lightness >= _WHITE_FROM else "grey"


def _most_common(lab: npt.NDArray[np.float32]) -> str:
    """The name that most pixels are nearest to; lightness counts half, since it is often shade."""
    weights = np.array([0.5, 1.0, 1.0], dtype=np.float32)
    distances = np.linalg.norm((lab[:, None] - _PROTOTYPES[None]) * weights, axis=2)
    counts = np.bincount(distances.argmin(axis=1), minlength=len(_NAMES))
    votes: dict[str, int] = {}
    for name, count in zip(_NAMES, counts, strict=True):
        votes[name] = votes.get(name, 0) + int(count)
    return max(votes, key=lambda name: votes[name])


def _region(image: RGB, box: Box, part: tuple[float, float, float, float]) -> RGB:
    left, top, right, bottom = part
    x0, x1 = box.x0 + round(box.width * left), box.x0 + round(box.width * right)
    y0, y1 = box.y0 + round(box.height * top), box.y0 + round(box.height * bottom)
    return image[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]


def _lab(pixels: RGB) -> npt.NDArray[np.float32]:
    scaled = np.ascontiguousarray(pixels, dtype=np.float32) / 255.0
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_RGB2LAB), dtype=np.float32)


_PROTOTYPES = _lab(np.array([[s for shades in _SHADES.values() for s in shades]], np.uint8))[0]
