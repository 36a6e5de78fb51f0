"""Crops for the image-text model, cut the way the product cuts them, and their augmentation.

A crop is the box padded by 10 % of its size on each side, squashed to a square. The bank keeps
a little more around each (so that a training crop can be shifted) and what is known about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from data import CLASSES, Picture, load_photographs

PAD = 0.10  # of the box's width and height on each side, as the product cuts crops
SLACK = 0.10  # kept beyond that in the bank, for shifting
BANK_SIDE = 152  # pixels; the middle 1.2 / 1.4 of it (130 px) is the product's crop
MIN_BOX_SIDE = 14.0  # pixels; the product leaves smaller detections out too

MIN_VISIBLE = 0.4  # share of a rendered object; less of it looks like what hides it


def cut(image: np.ndarray, box: Sequence[float], pad: float, side: int) -> np.ndarray:
    """Return the padded box, clipped to the image, squashed to (side, side, 3).

    A side of 0 leaves the pixels as they are.
    """
    x0, y0, x1, y1 = (float(v) for v in box)
    dx, dy = (x1 - x0) * pad, (y1 - y0) * pad
    height, width = image.shape[:2]
    left, top = max(0, round(x0 - dx)), max(0, round(y0 - dy))
    right, bottom = min(width, round(x1 + dx)), min(height, round(y1 + dy))
    part = image[top : max(bottom, top + 1), left : max(right, left + 1)]
    if not side:
        return part
    shrinking = part.shape[0] > side or part.shape[1] > side
    method = cv2.INTER_AREA if shrinking else cv2.INTER_CUBIC
    return cv2.resize(part, (side, side), interpolation=method)


def worth_a_crop(row: np.ndarray, facts: dict) -> bool:
    """Tell whether a box (class, x0, y0, x1, y1) is large enough and open enough to be named."""
    is_large = min(row[3] - row[1], row[4] - row[2]) >= MIN_BOX_SIDE
    return bool(is_large and facts.get("visible", 1.0) >= MIN_VISIBLE)


class CropBank:
    """Crops in memory with their facts, by class."""

    def __init__(self) -> None:
        self.images: list[np.ndarray] = []
        self.facts: list[dict[str, str]] = []
        self.by_label: dict[str, list[int]] = {name: [] for name in CLASSES}

    def __len__(self) -> int:
        return len(self.images)

    def add(
        self, pictures: Sequence[Picture], pad: float = PAD + SLACK, side: int = BANK_SIDE
    ) -> None:
        """Cut the boxes that are large enough out of the pictures."""
        for picture in pictures:
            for row, extra in zip(picture.boxes, picture.attributes, strict=True):
                if not worth_a_crop(row, extra):
                    continue
                label = CLASSES[int(row[0])]
                self.by_label[label].append(len(self.images))
                self.images.append(cut(picture.image, row[1:], pad, side))
                kept = {k: extra[k] for k in ("colour", "lower_colour", "carrying") if extra.get(k)}
                self.facts.append({"label": label, **kept})

    def sample(self, rng: np.random.Generator, count: int) -> list[int]:
        """Return indices; classes are drawn by the fourth root of how many they have."""
        labels = [name for name, rows in self.by_label.items() if rows]
        weights = np.array([len(self.by_label[name]) for name in labels]) ** 0.25
        drawn = rng.choice(len(labels), count, p=weights / weights.sum())
        return [int(rng.choice(self.by_label[labels[i]])) for i in drawn]


def photograph_crops(folder: Path, split: str) -> CropBank:
    """Return the crops of the real photographs of one split."""
    bank = CropBank()
    bank.add(load_photographs(folder, split))
    return bank


def augment(rng: np.random.Generator, image: np.ndarray, side: int) -> np.ndarray:
    """Return a shifted, mirrored, re-lit, sometimes blurred crop of (side, side, 3), uint8.

    The hue stays: colour words must keep their meaning.
    """
    full = image.shape[0]
    size = rng.uniform(0.78, 0.98, 2) * full
    x, y = rng.uniform(0, 1, 2) * (full - size)
    part = image[int(y) : int(y + size[1]), int(x) : int(x + size[0])]
    if rng.random() < 0.25:  # as far objects look: few pixels, stretched
        small = int(rng.integers(20, 64))
        part = cv2.resize(part, (small, small), interpolation=cv2.INTER_AREA)
    out = cv2.resize(part, (side, side), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        out = out[:, ::-1]
    gain, lift = rng.uniform(0.75, 1.25), rng.uniform(-20, 20)
    return (
        cv2.convertScaleAbs(out, alpha=gain, beta=max(lift, 0.0))
        if lift > 0
        else np.maximum(
            cv2.convertScaleAbs(out, alpha=gain).astype(np.int16) + int(lift), 0
        ).astype(np.uint8)
    )
