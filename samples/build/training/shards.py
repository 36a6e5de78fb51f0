"""Rendered scenes on disk: a shard is one .npz with JPEG bytes and one JSON line per scene."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from data import CLASS_INDEX, CLASSES, Picture

JPEG_QUALITY = 92  # rendered scenes already carry a codec's noise; little more is added


def write_shard(path: Path, scenes: list[tuple[np.ndarray, list[dict]]]) -> None:
    """Write scenes (RGB image, objects) under a temporary name, then rename."""
    arrays, lines = {}, []
    for i, (image, objects) in enumerate(scenes):
        bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
        arrays[f"image{i}"] = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
        lines.append(json.dumps(objects))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    with temporary.open("wb") as file:
        np.savez(file, truth=np.array(lines), **arrays)
    temporary.replace(path)


def read_shard(path: Path) -> list[Picture]:
    """Return the pictures of a shard; every class of a rendered scene is known."""
    pictures = []
    with np.load(path) as shard:
        for i, line in enumerate(shard["truth"]):
            objects = json.loads(str(line))
            image = cv2.imdecode(shard[f"image{i}"], cv2.IMREAD_COLOR)
            boxes = [(CLASS_INDEX[o["label"]], *o["box"]) for o in objects]
            pictures.append(
                Picture(
                    cv2.cvtColor(image, cv2.COLOR_BGR2RGB),
                    np.array(boxes, np.float32).reshape(-1, 5),
                    np.ones(len(CLASSES), bool),
                    "rendered",
                    objects,
                )
            )
    return pictures


def load_shards(folder: Path, seen: set[str]) -> list[Picture]:
    """Return the pictures of shards not yet in `seen`, and note their names there."""
    pictures = []
    for path in sorted(folder.glob("*.npz")):
        if path.name not in seen:
            pictures += read_shard(path)
            seen.add(path.name)
    return pictures
