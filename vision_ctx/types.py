"""The words of this package as data: sources, frames, detections, crops, chunks, records, hits.

Boxes are pixels of the upright frame, origin top left, ``x1`` and ``y1`` exclusive.  Sizes are
``(width, height)``.  Images are ``uint8`` RGB arrays of shape ``(height, width, 3)``.  Vectors are
``float32`` of unit length.  Instants are timezone-aware and in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

RGB = npt.NDArray[np.uint8]
"""An upright picture, shape ``(height, width, 3)``, red first."""
Vectors = npt.NDArray[np.float32]
"""Unit vectors, shape ``(n, dim)``."""
SourceKind = Literal["image", "video", "document"]
RecordKind = Literal["crop", "chunk"]
SCENE = "scene"
"""The label of a whole frame in which nothing was detected."""


class Box(NamedTuple):
    """A rectangle in frame pixels; ``x1`` and ``y1`` are exclusive."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self.y1 - self.y0

    @property
    def area(self) -> int:
        """Area in square pixels."""
        return self.width * self.height

    @property
    def centre(self) -> tuple[float, float]:
        """Centre ``(x, y)`` in pixels."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True, slots=True)
class Detection:
    """One object that a detector found in one frame."""

    label: str
    confidence: float
    box: Box


@dataclass(frozen=True, slots=True)
class Source:
    """A file to index, with what decides whether it changed.

    ``id`` and ``fingerprint`` are hexadecimal; the id covers both the path and the content, so two
    equal files in two folders stay two sources and a changed file gets new ids.
    """

    path: str
    kind: SourceKind
    size: int
    mtime_ns: int
    fingerprint: str
    id: str

    @property
    def name(self) -> str:
        """The file's base name."""
        return Path(self.path).name


@dataclass(frozen=True, slots=True)
class Zone:
    """A named part of a camera's picture: corners as shares of width and height, from top left."""

    name: str
    polygon: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Camera:
    """Where a source was recorded. ``timezone`` is an IANA name."""

    id: str
    name: str
    timezone: str
    site: str | None = None
    looks_at: str | None = None
    zones: tuple[Zone, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant in UTC, the zone in which people there would say it, and who says so.

    ``clock`` names the origin ("file name", "EXIF", …); ``weak`` marks an origin that is often
    wrong (the file's modification time).
    """

    utc: datetime
    timezone: str
    clock: str
    weak: bool = False

    @property
    def local(self) -> datetime:
        """The instant in the camera's own zone."""
        return self.utc.astimezone(ZoneInfo(self.timezone))


@dataclass(frozen=True, slots=True)
class Frame:
    """One decoded picture with its place and instant.

    ``time_s`` is the presentation time in seconds from the start of a video, ``None`` for a
    picture; ``page`` counts the pictures of a multi-page file from 0.
    """

    source: Source
    camera: Camera
    moment: Moment
    image: RGB = field(compare=False, repr=False)
    time_s: float | None = None
    page: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """``(width, height)`` in pixels."""
        return self.image.shape[1], self.image.shape[0]


@dataclass(frozen=True, slots=True)
class Nearby:
    """A neighbour of a detection: where it stands as seen from the detection.

    ``relation`` is one of touching, left of, right of, above, below; ``larger`` says that the
    neighbour is the landmark of the two; ``colour`` is its main colour if that is clear.
    """

    label: str
    relation: str
    larger: bool = False
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document: ``document.text[start:end] == text``. Pages count from 1."""

    text: str
    start: int
    end: int
    page: int | None
    headings: tuple[str, ...]


@dataclass(slots=True)
class Record:
    """A row of the index: a crop or a chunk.

    Fields of the other kind stay ``None``.  ``image_vector`` (crops) and ``text_vector`` have shape
    ``(dim,)``.  Paths of pictures are relative to the index folder.
    """

    id: str
    kind: RecordKind
    source_id: str
    source: str
    context: str
    body: str
    # crop
    label: str | None = None
    confidence: float | None = None
    camera: str | None = None
    site: str | None = None
    captured_at: datetime | None = None
    timezone: str | None = None
    clock: str | None = None
    clock_weak: bool | None = None
    box: Box | None = None
    crop_box: Box | None = None
    frame_size: tuple[int, int] | None = None
    crop_path: str | None = None
    frame_path: str | None = None
    source_time_s: float | None = None
    track: dict[str, Any] | None = None
    nearby: tuple[Nearby, ...] = ()
    zone: str | None = None
    colour: str | None = None
    # chunk
    document: str | None = None
    title: str | None = None
    page: int | None = None
    headings: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    language: str | None = None
    # vectors
    image_vector: npt.NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    text_vector: npt.NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """What the word index covers: ``context + "\\n" + body``."""
        return f"{self.context}\n{self.body}"


@dataclass(frozen=True, slots=True)
class ChannelRank:
    """Where one channel put a record: rank from 1 within its kind, and the channel's own score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A record with its place in the answer and the reason for it."""

    rank: int
    score: float
    record: Record
    channels: dict[str, ChannelRank]
    why: str

    def to_dict(self) -> dict[str, Any]:
        """The hit as the documented JSON object."""
        from vision_ctx.search.answer import hit_json

        return hit_json(self)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """An answer: the hits, best first, and how the question was taken."""

    query: str
    interpreted: dict[str, Any]
    eligible: dict[str, int]
    confident: bool
    elapsed_ms: float
    hits: tuple[Hit, ...]

    def to_dict(self) -> dict[str, Any]:
        """The answer as the documented JSON object."""
        from vision_ctx.search.answer import result_json

        return result_json(self)


@dataclass(frozen=True, slots=True)
class Failure:
    """A source that could not be indexed as it should, and why."""

    source: str
    error: str


@dataclass(slots=True)
class Report:
    """What a run of indexing did. Seconds are wall-clock; stages overlap, so they need not add up."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    crops: int = 0
    chunks: int = 0
    frames: int = 0
    failures: list[Failure] = field(default_factory=list)
    skipped: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stage_s: dict[str, float] = field(default_factory=dict)
    elapsed_s: float = 0.0
    usage: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The report as the documented JSON object."""
        seconds = max(self.elapsed_s, 1e-9)
        return {
            "added": self.added,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "removed": self.removed,
            "crops": self.crops,
            "chunks": self.chunks,
            "frames": self.frames,
            "failures": [{"source": f.source, "error": f.error} for f in self.failures],
            "skipped": [{"source": s.source, "reason": s.error} for s in self.skipped],
            "notes": list(self.notes),
            "elapsed_s": round(self.elapsed_s, 3),
            "frames_per_s": round(self.frames / seconds, 2),
            "crops_per_s": round(self.crops / seconds, 2),
            "stages_s": {name: round(value, 3) for name, value in self.stage_s.items()},
            "usage": dict(self.usage),
        }
