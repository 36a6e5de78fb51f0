"""The truth files of rendered recordings: objects of every frame, and one line per track."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from .scene import BoxXyxy, RenderedObject

SEEN = 0.25  # share that must be visible for a frame to count as a sighting


@dataclass(slots=True)
class Track:
    """What is known of one track; filled frame by frame."""

    track: str
    first: RenderedObject
    event: str | None
    starts: float | None = None
    ends: float | None = None
    frames: int = 0
    largest_box: BoxXyxy | None = None
    largest_time: float = 0.0
    visible: float = 0.0
    zone_times: dict[str, int] = field(default_factory=dict)

    def see(self, found: RenderedObject, t: float, zones: Sequence[str]) -> None:
        """Count a frame at t seconds in which enough of the object is visible."""
        if found.visible < SEEN:
            return
        self.starts = t if self.starts is None else self.starts
        self.ends = t
        self.frames += 1
        self.visible = max(self.visible, found.visible)
        if self.largest_box is None or _area(found.box) > _area(self.largest_box):
            self.largest_box, self.largest_time = found.box, t
        for zone in zones:
            self.zone_times[zone] = self.zone_times.get(zone, 0) + 1

    def line(self, recording: Mapping[str, Any]) -> dict[str, Any]:
        """Return the track's line of tracks.jsonl; it must have been seen."""
        found = self.first
        zones = sorted(self.zone_times, key=lambda name: -self.zone_times[name])
        starts, ends = self.starts or 0.0, self.ends or 0.0
        return {
            "track": self.track,
            "recording": recording["id"],
            "source": recording["path"],
            "camera": recording["camera"],
            "label": found.label,
            "colour": found.colour,
            "start": moment(recording, starts).isoformat(timespec="milliseconds"),
            "end": moment(recording, ends).isoformat(timespec="milliseconds"),
            "start_utc": utc(recording, starts),
            "end_utc": utc(recording, ends),
            "frames": self.frames,
            "largest_box": list(self.largest_box or ()),
            "largest_time_s": round(self.largest_time, 3),
            "visible": self.visible,
            "zone": zones[0] if zones else None,
            "zones": zones,
            "carrying": [list(pair) for pair in found.carrying],
            "carried": found.carried,
            "riding": found.riding,
            "upper": found.upper,
            "lower": found.lower,
            "event": self.event,
        }


def moment(recording: Mapping[str, Any], t: float) -> datetime:
    """Return the local time t seconds into a recording, right across a change of clock."""
    start = datetime.fromisoformat(recording["start"]).astimezone(timezone.utc)  # noqa: UP017
    return (start + timedelta(seconds=t)).astimezone(ZoneInfo(recording["timezone"]))


def utc(recording: Mapping[str, Any], t: float) -> str:
    """Return the time t seconds into a recording in UTC, ending in Z."""
    start = datetime.fromisoformat(recording["start"]).astimezone(timezone.utc)  # noqa: UP017
    text = (start + timedelta(seconds=t)).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def frame_line(
    recording: Mapping[str, Any], frame: int, t: float, found: Iterable[tuple[str, RenderedObject]]
) -> dict[str, Any]:
    """Return the line of one frame."""
    return {
        "clip": recording["id"],
        "frame": frame,
        "time_s": round(t, 4),
        "captured_at": moment(recording, t).isoformat(timespec="milliseconds"),
        "objects": [_object(track, item) for track, item in found],
    }


def _object(track: str, item: RenderedObject) -> dict[str, Any]:
    line: dict[str, Any] = {
        "track": track,
        "label": item.label,
        "colour": item.colour,
        "box": list(item.box),
        "visible": item.visible,
    }
    if item.carrying:
        line["carrying"] = [list(pair) for pair in item.carrying]
    if item.carried:
        line["carried"] = True
    if item.riding:
        line["riding"] = item.riding
    return line


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON lines, gzip'ed if the name says so; the same lines give the same bytes."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".gz":
        path.write_text(text, encoding="utf-8")
        return
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as packed:
        packed.write(text.encode())
    path.write_bytes(buffer.getvalue())


def inside(x: float, z: float, polygon: Sequence[Sequence[float]]) -> bool:
    """Tell whether a ground point lies in a polygon of (x, z)."""
    is_in = False
    for (x0, z0), (x1, z1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (z0 > z) != (z1 > z) and x < (x1 - x0) * (z - z0) / (z1 - z0) + x0:
            is_in = not is_in
    return is_in


def _area(box: BoxXyxy) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
