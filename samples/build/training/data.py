"""Training images in memory and their augmentation; shared by both trainings.

An image is uint8 RGB of its own size, its boxes are rows (class, x0, y0, x1, y1) in pixels, and
`known` says which classes are labelled completely: an unlabelled object of any other class must
not count as background. No model and no training loop here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

CLASSES = (
    "person",
    "bicycle",
    "car",
    "motorcycle",
    "bus",
    "truck",
    "dog",
    "cat",
    "backpack",
    "suitcase",
    "umbrella",
)
CLASS_INDEX = {name: i for i, name in enumerate(CLASSES)}
PADDING_GREY = 114  # the value ultralytics pads with when it predicts
MIN_SIDE = 3.0  # pixels; smaller boxes teach nothing at a stride of 8
MIN_VISIBLE = 0.3  # a box cut down to less of its area than this is no longer shown as one
SKIPPED_SOURCES = ("topveh",)  # seen from above, one class for all vehicles: contradicts the rest


@dataclass(slots=True)
class Picture:
    """One training image with its boxes.

    Attributes:
        image: uint8 RGB, shape (height, width, 3).
        boxes: float32, shape (n, 5): class, x0, y0, x1, y1 in pixels.
        known: bool, shape (11,): classes whose objects are all labelled.
        group: where it comes from; mosaics mix pictures of one group only.
        attributes: one dict per box with what is known beyond the class ("colour", ...).
    """

    image: np.ndarray
    boxes: np.ndarray
    known: np.ndarray
    group: str
    attributes: list[dict]


def shrink(image: np.ndarray, longest: int) -> tuple[np.ndarray, float]:
    """Return the image with its longer side at most `longest`, and the factor used."""
    factor = min(1.0, longest / max(image.shape[:2]))
    if factor == 1.0:
        return image, 1.0
    height, width = image.shape[:2]
    size = (round(width * factor), round(height * factor))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA), factor


def load_photographs(folder: Path, split: str, longest: int = 352) -> list[Picture]:
    """Read the photographs of one split, their boxes of our classes and what is known.

    Args:
        folder: holds flags.jsonl and the images it names.
        split: "train" or "val".
        longest: longer side kept in memory, in pixels.
    """
    pictures = []
    for line in (folder / "flags.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["split"] != split or row["src"] in SKIPPED_SOURCES:
            continue
        image = cv2.imread(str(folder / row["file"]))
        if image is None:
            continue
        image, _ = shrink(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), longest)
        height, width = image.shape[:2]
        boxes = [
            (
                CLASS_INDEX[name],
                (x - w / 2) * width,
                (y - h / 2) * height,
                (x + w / 2) * width,
                (y + h / 2) * height,
            )
            for name, x, y, w, h, *_ in row["boxes"]
            if name in CLASS_INDEX
        ]
        array = np.array(boxes, np.float32).reshape(-1, 5)
        known = np.array([name in row["human_classes"] for name in CLASSES])
        pictures.append(Picture(image, array, known, row["src"], [{} for _ in boxes]))
    return pictures


class Augmenter:
    """Places pictures on a canvas: scaled, moved, mirrored, recoloured, some as mosaics."""

    def __init__(self, seed: int, mosaic: float = 0.3, spread: float = 1.6) -> None:
        """Keep the settings.

        Args:
            seed: seed of every choice.
            mosaic: share of canvases made of four pictures.
            spread: scales are drawn between 1/spread and spread of the fitting one.
        """
        self.rng = np.random.default_rng(seed)
        self.mosaic = mosaic
        self.spread = spread

    def _place(
        self, picture: Picture, canvas: np.ndarray, area: tuple[int, int, int, int]
    ) -> np.ndarray:
        """Draw the picture into the area (x0, y0, x1, y1); return its boxes there."""
        x0, y0, x1, y1 = area
        width, height = x1 - x0, y1 - y0
        rows, columns = picture.image.shape[:2]
        fit = min(width / columns, height / rows)
        scale = fit * np.exp(self.rng.uniform(-1, 1) * np.log(self.spread))
        # Where the picture is larger than the area, any part may be seen; else any place in it.
        shift_x = self.rng.uniform(*sorted((0.0, width - columns * scale)))
        shift_y = self.rng.uniform(*sorted((0.0, height - rows * scale)))
        mirror = self.rng.random() < 0.5
        step = -scale if mirror else scale
        start = shift_x + columns * scale if mirror else shift_x
        matrix = np.array([[step, 0, start], [0, scale, shift_y]], np.float32)
        tile = canvas[y0:y1, x0:x1]
        tile[:] = cv2.warpAffine(
            picture.image,
            matrix,
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderValue=(PADDING_GREY,) * 3,
        )
        return _moved_boxes(picture.boxes, (step, start, scale, shift_y), area)

    def _recolour(self, image: np.ndarray) -> None:
        """Change hue, saturation and value in place, gently: colours are what users ask for."""
        gain = self.rng.uniform(-1, 1, 3) * (0.015, 0.5, 0.4) + 1
        steps = np.arange(256, dtype=np.float32)
        hue = ((steps * gain[0]) % 180).astype(np.uint8)
        saturation = np.clip(steps * gain[1], 0, 255).astype(np.uint8)
        value = np.clip(steps * gain[2], 0, 255).astype(np.uint8)
        table = np.stack([hue, saturation, value], -1)[None]
        hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV)
        cv2.cvtColor(cv2.LUT(hsv, table), cv2.COLOR_HSV2RGB, dst=image)

    def compose(
        self, pictures: list[Picture], size: tuple[int, int]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (canvas, boxes, known) of one picture, or of four as a mosaic.

        Args:
            pictures: one or four.
            size: (width, height) of the canvas.
        """
        width, height = size
        canvas = np.full((height, width, 3), PADDING_GREY, np.uint8)
        if len(pictures) == 1:
            areas = [(0, 0, width, height)]
        else:
            x = int(width * self.rng.uniform(0.35, 0.65))
            y = int(height * self.rng.uniform(0.35, 0.65))
            areas = [(0, 0, x, y), (x, 0, width, y), (0, y, x, height), (x, y, width, height)]
        boxes = [self._place(p, canvas, a) for p, a in zip(pictures, areas, strict=True)]
        self._recolour(canvas)
        known = np.logical_and.reduce([p.known for p in pictures])
        return canvas, np.concatenate(boxes), known

    def batch(
        self, pool: dict[str, list[Picture]], groups: list[str], size: tuple[int, int]
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield one composed canvas for each group named."""
        for group in groups:
            members = pool[group]
            count = 4 if self.rng.random() < self.mosaic else 1
            chosen = [members[i] for i in self.rng.integers(len(members), size=count)]
            yield self.compose(chosen, size)


def _moved_boxes(
    boxes: np.ndarray,
    move: tuple[float, float, float, float],
    area: tuple[int, int, int, int],
) -> np.ndarray:
    """Return boxes after x -> a*x + b, y -> c*y + d, clipped to the area; cut ones left out."""
    if not len(boxes):
        return boxes
    x0, y0, x1, y1 = area
    xs = np.sort(boxes[:, [1, 3]] * move[0] + move[1], 1) + x0
    ys = boxes[:, [2, 4]] * move[2] + move[3] + y0
    full = np.maximum((xs[:, 1] - xs[:, 0]) * (ys[:, 1] - ys[:, 0]), 1e-6)
    xs, ys = xs.clip(x0, x1), ys.clip(y0, y1)
    wide, high = xs[:, 1] - xs[:, 0], ys[:, 1] - ys[:, 0]
    keep = (wide >= MIN_SIDE) & (high >= MIN_SIDE) & (wide * high >= MIN_VISIBLE * full)
    moved = np.stack([boxes[:, 0], xs[:, 0], ys[:, 0], xs[:, 1], ys[:, 1]], 1)
    return moved[keep].astype(np.float32)
