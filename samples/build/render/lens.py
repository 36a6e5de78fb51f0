"""What a cheap camera does to a picture: glare, blur, noise, colour cast and compression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike as Image


@dataclass(frozen=True, slots=True)
class Lens:
    """How much of each fault; `noise` is a standard deviation in grey levels, `jpeg` a quality."""

    blur: float = 0.0
    noise: float = 2.5
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    vignette: float = 0.0
    jpeg: int | None = None


def expose(image: Image, lens: Lens, rng: np.random.Generator) -> Image:
    """Return the picture as the camera would store it."""
    if lens.blur > 0.2:
        image = cv2.GaussianBlur(image, (0, 0), lens.blur)
    image = _tone(image, lens)
    if lens.vignette > 0.01:
        image = cv2.multiply(image, _corners(image.shape[:2], lens.vignette), scale=1 / 255.0)
    if lens.noise > 0.1:
        image = grain(image, lens.noise, rng)
    if lens.jpeg is not None:
        image = _through_jpeg(image, lens.jpeg)
    return image


def _through_jpeg(image: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if decoded is None:
        raise ValueError("OpenCV cannot decode the JPEG it just wrote")
    return decoded


def grain(image: Image, strength: float, rng: np.random.Generator) -> Image:
    """Return the picture with sensor noise, a little coarser than one pixel."""
    height, width = image.shape[:2]
    # one seeded draw of a quarter of the pixels, mirrored: drawing all costs more than rendering
    field = rng.standard_normal((height // 2 + 1, width // 2 + 1), dtype=np.float32)
    field = np.hstack((field, field[::-1]))[:, :width]
    field = np.vstack((field, -field[:, ::-1]))[:height]
    soft = np.clip(field * strength, -60, 60)
    plus = np.clip(soft, 0, None).astype(np.uint8)
    minus = np.clip(-soft, 0, None).astype(np.uint8)
    three = [cv2.merge((side, side, side)) for side in (plus, minus)]
    return cv2.subtract(cv2.add(image, three[0]), three[1])


def glare(image: Image, spots: Sequence[tuple[float, float, float]], strength: float) -> Image:
    """Return the picture with soft light round lamps; spots are (x, y, radius) in pixels."""
    height, width = image.shape[:2]
    for x, y, radius in spots:
        reach = int(min(90, max(3, radius * 4)))
        x0, x1 = max(0, int(x) - reach), min(width, int(x) + reach + 1)
        y0, y1 = max(0, int(y) - reach), min(height, int(y) + reach + 1)
        if x1 <= x0 or y1 <= y0:
            continue
        across = np.arange(x0, x1) - x
        down = np.arange(y0, y1) - y
        far = (across[None] ** 2 + down[:, None] ** 2) / reach**2
        light = strength * np.clip(1 - far, 0, None) ** 3
        spot = image[y0:y1, x0:x1]
        added = spot + light[..., None] * np.array([190.0, 225.0, 245.0])
        image[y0:y1, x0:x1] = np.clip(added, 0, 255).astype(np.uint8)
    return image


def _tone(image: Image, lens: Lens) -> Image:
    if lens.contrast == 1.0 and lens.gain == (1.0, 1.0, 1.0):
        return image
    levels = np.arange(256, dtype=np.float64)
    tables = [
        np.clip(((levels - 118.0) * lens.contrast + 118.0) * gain, 0, 255) for gain in lens.gain
    ]
    table = np.stack(tables, axis=1).astype(np.uint8).reshape(1, 256, 3)
    return cv2.LUT(image, table)


def _corners(shape: tuple[int, int], strength: float) -> Image:
    height, width = shape
    across = np.linspace(-1, 1, width) ** 2
    down = np.linspace(-1, 1, height) ** 2
    factor = 255 * (1 - strength * (across[None] + down[:, None]) / 2)
    one = factor.astype(np.uint8)
    return cv2.merge((one, one, one))
