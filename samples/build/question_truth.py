"""What the questions are answered from: tracks of the rendered truth, and words of the documents."""

from __future__ import annotations

import gzip
import html
import json
import math
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

Track = dict[str, Any]
Box = Sequence[float]
# What nobody can find is no answer: fewer frames, smaller boxes or less to be seen are left out.
_LEAST_FRAMES, _LEAST_SIDE_PX, _LEAST_VISIBLE = 6, 10, 0.4
# Gap over mean diagonal, as the program measures "beside", in at least this share of the frames.
_NEAR, _NEAR_SHARE = 0.5, 0.5


@dataclass(frozen=True)
class Truth:
    """The tracks of all recordings; frames are read when a question asks for company."""

    folder: Path
    tracks: Sequence[Track]
    stills: frozenset[str] = field(default=frozenset())

    @classmethod
    def read(cls, samples: Path) -> Truth:
        """The truth of the rendered footage below `samples/`.

        Raises:
            FileNotFoundError: the footage has not been rendered.
        """
        folder = samples / "truth"
        lines = (folder / "tracks.jsonl").read_text(encoding="utf-8").splitlines()
        story = json.loads((samples / "build" / "story.json").read_text(encoding="utf-8"))
        return cls(
            folder,
            [json.loads(line) for line in lines if line.strip()],
            frozenset(still["id"] for still in story["stills"]),
        )

    def matching(self, predicate: str) -> list[Track]:
        """The findable tracks that fulfil a predicate such as `rec=gate-03 label=truck`."""
        conditions = dict(word.split("=", 1) for word in predicate.split())
        return [
            track
            for track in self.tracks
            if self.findable(track)
            and all(self._fulfils(track, key, value) for key, value in conditions.items())
        ]

    def findable(self, track: Track) -> bool:
        """Whether the track is large, visible and long enough to be expected of a detector."""
        x0, y0, x1, y1 = track["largest_box"]
        return (
            (track["frames"] >= _LEAST_FRAMES or track["recording"] in self.stills)
            and min(x1 - x0, y1 - y0) >= _LEAST_SIDE_PX
            and track["visible"] >= _LEAST_VISIBLE
        )

    def _fulfils(self, track: Track, key: str, value: str) -> bool:
        if key == "rec":
            return bool(track["recording"] == value)
        if key == "day":
            return datetime.fromisoformat(track["start"]).date().isoformat() == value
        if key == "riding":
            return (track["riding"] or "no") == value
        if key == "carrying":
            return value.split(":") in [list(pair) for pair in track["carrying"]]
        if key == "near":
            return self._has_company(track, *value.split(":"))
        if key in ("camera", "label", "colour", "event"):
            return bool(track[key] == value)
        raise ValueError(f"a predicate knows no {key!r}")

    def _has_company(self, track: Track, label: str, colour: str = "any") -> bool:
        near = seen = 0
        for objects in self._frames[track["recording"]]:
            mine = next((o for o in objects if o["track"] == track["track"]), None)
            if mine is None:
                continue
            seen += 1
            own = track["track"].split(".")[0]  # what one carries or rides is no company
            near += any(
                o["label"] == label
                and colour in ("any", o["colour"])
                and o["track"].split(".")[0] != own
                and gap(mine["box"], o["box"]) <= _NEAR
                for o in objects
            )
        return seen > 0 and near >= seen * _NEAR_SHARE

    @cached_property
    def _frames(self) -> dict[str, list[list[dict[str, Any]]]]:
        frames = {}
        for path in sorted(self.folder.glob("*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                frames[path.name.split(".")[0]] = [json.loads(line)["objects"] for line in lines]
        return frames


def gap(a: Box, b: Box) -> float:
    """The gap between two boxes over the mean of their diagonals; 0 where they meet."""
    gap_x = max(a[0] - b[2], b[0] - a[2], 0)
    gap_y = max(a[1] - b[3], b[1] - a[3], 0)
    diagonals = math.hypot(a[2] - a[0], a[3] - a[1]) + math.hypot(b[2] - b[0], b[3] - b[1])
    return math.hypot(gap_x, gap_y) / (diagonals / 2)


class Passages:
    """The text of the documents, line by line as a reader of their format finds it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: dict[str, list[str]] = {}

    def count(self, file: str, text: str) -> int:
        """In how many lines of a document a text stands."""
        if file not in self._lines:
            self._lines[file] = _lines(self._folder / file)
        return sum(text in line for line in self._lines[file])


def _lines(path: Path) -> list[str]:
    if path.suffix == ".pdf":
        import pymupdf

        with pymupdf.open(path) as pdf:
            return [line for page in pdf for line in page.get_text().splitlines()]
    if path.suffix == ".docx":
        with zipfile.ZipFile(path) as archive:
            text = archive.read("word/document.xml").decode()
        return [html.unescape(re.sub(r"<[^>]+>", "", part)) for part in text.split("</w:p>")]
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return text.splitlines()
