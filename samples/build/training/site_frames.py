"""Frames of the committed recordings with their truth: for measuring, never for training."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import cv2
import numpy as np
from data import CLASS_INDEX, CLASSES, Picture
from render_shards import MIN_SIDE, MIN_VISIBLE

EVERY_SECONDS = 1.0  # frames between are nearly the same picture


def load_site(samples: Path) -> list[Picture]:
    """Return one frame a second of every recording, with boxes, colours and clothing.

    Args:
        samples: folder with `truth/` and the recordings that `truth/tracks.jsonl` names.
    """
    tracks = {}
    sources = {}
    for line in (samples / "truth" / "tracks.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        tracks[row["track"]] = row
        sources[row["recording"]] = samples / row["source"]
    pictures = []
    for recording, source in sorted(sources.items()):
        path = samples / "truth" / f"{recording}.jsonl.gz"
        if path.exists() and source.exists():
            lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
            pictures += _frames(source, [json.loads(line) for line in lines], tracks)
    return pictures


def _frames(source: Path, truth: list[dict], tracks: dict[str, dict]) -> list[Picture]:
    video = cv2.VideoCapture(str(source))
    pictures, due = [], 0.0
    for row in truth:
        if not video.grab():
            break
        if row["time_s"] + 1e-6 < due:
            continue
        due = row["time_s"] + EVERY_SECONDS
        image = video.retrieve()[1]
        pictures.append(_picture(image, row["objects"], tracks))
    video.release()
    return pictures


def _picture(image: np.ndarray, objects: list[dict], tracks: dict[str, dict]) -> Picture:
    boxes, facts = [], []
    for found in objects:
        x0, y0, x1, y1 = found["box"]
        if found["visible"] < MIN_VISIBLE or min(x1 - x0, y1 - y0) < MIN_SIDE:
            continue
        track = tracks.get(found["track"], {})
        colour = (track.get("upper") if found["label"] == "person" else None) or found["colour"]
        boxes.append((CLASS_INDEX[found["label"]], x0, y0, x1, y1))
        facts.append({"label": found["label"], "colour": colour, "visible": found["visible"]})
    return Picture(
        cv2.cvtColor(image, cv2.COLOR_BGR2RGB),
        np.array(boxes, np.float32).reshape(-1, 5),
        np.ones(len(CLASSES), bool),
        "site",
        facts,
    )
