"""Render scenes for training or measuring into shards, seed by seed; skips those that exist.

Needs the package `render` beside this folder on the path (PYTHONPATH=samples/build). Training
seeds and held-out seeds must not overlap: the default ranges start at 0 and at 9,000,000.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from shards import write_shard

if TYPE_CHECKING:
    from render.scene import RenderedObject

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

HELD_OUT_SEED = 9_000_000
PER_SHARD = 50
MIN_VISIBLE = 0.15  # share of an object that must be seen for it to be called there
MIN_SIDE = 4  # pixels of the rendered picture


def described(found: RenderedObject) -> dict:
    """Return what is kept of a rendered object: class, box, colours, what is carried."""
    facts = {"label": found.label, "box": [int(v) for v in found.box], "colour": found.colour}
    facts["visible"] = round(float(found.visible), 3)
    if found.label == "person":
        facts["colour"] = found.upper or found.colour
        if found.lower:
            facts["lower_colour"] = found.lower
        if found.carrying:
            facts["carrying"] = found.carrying[0][0]
    return facts


def scene(seed: int, size: tuple[int, int]) -> tuple[np.ndarray, list[dict]]:
    """Return (RGB image, objects) of one seed."""
    from render.training import random_scene

    made = random_scene(seed, size)
    objects = [
        described(o)
        for o in made.objects
        if o.visible >= MIN_VISIBLE and min(o.box[2] - o.box[0], o.box[3] - o.box[1]) >= MIN_SIDE
    ]
    return cv2.cvtColor(made.image, cv2.COLOR_BGR2RGB), objects


def main() -> None:
    """Render the shards that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=4000)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--height", type=int, default=360)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for start in range(0, options.scenes, PER_SHARD):
        first = options.first_seed + start
        path = options.out / f"scenes-{first:08d}.npz"
        if not path.exists():
            size = (options.width, options.height)
            write_shard(path, [scene(first + i, size) for i in range(PER_SHARD)])


if __name__ == "__main__":
    main()
