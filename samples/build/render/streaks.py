"""Rain before the lens."""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike as Image


def rain(image: Image, rng: np.random.Generator, drops: int = 110) -> Image:
    """Return the picture with streaks of rain and a little veil."""
    height, width = image.shape[:2]
    sheet = np.zeros_like(image)
    places = rng.uniform((0, -20), (width, height), (drops, 2))
    lengths = rng.uniform(7, 20, drops)
    for (x, y), length in zip(places, lengths, strict=True):
        start = (round(x), round(y))
        end = (round(x - length * 0.14), round(y + length))
        cv2.line(sheet, start, end, (70, 68, 66), 1, cv2.LINE_AA)
    return cv2.add(image, sheet)
