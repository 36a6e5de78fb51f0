"""One crop for one object: joins sightings of a recording into tracks and keeps the best view.

The best view is the one with the highest quality: area × confidence × sharpness, a quarter of that if
the frame's edge cuts the object off.  A track ends when its object was away for `AWAY_S`, or with
the recording; numbers of tracks begin anew in every source.  Knows no tracker: it is handed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

import cv2

from vision_ctx.footage.crops import Seen, Sighting, sightings
from vision_ctx.pipeline import SourceDone
from vision_ctx.protocols import Tracker
from vision_ctx.types import RGB, SCENE

AWAY_S = 4.0
"""Longer than a tracker keeps a hidden object (3 s): then nothing more can join the track."""
EDGE_SHARE = 0.25
"""What a view is worth that the frame's edge cuts off."""
# A crop of this variance of the Laplacian is half as good as a perfectly sharp one; motion blur gives
# tens, a sharp crop hundreds to thousands (J. Pech-Pacheco et al., ICPR 2000, for the measure).
_HALF_SHARP = 60.0
_SHARPNESS_SIDE = 96


@dataclass(slots=True)
class _Track:
    """An object that may still be there. ``first`` is kept for its id only."""

    number: int
    best: Sighting
    quality: float
    first_id: str
    start: datetime
    end: datetime
    last_s: float
    votes: dict[str, float] = field(default_factory=dict)

    def take(self, sighting: Sighting) -> None:
        """Adds a sighting of the object."""
        self.end = sighting.frame.moment.utc
        self.last_s = sighting.frame.time_s or 0.0
        label, confidence = sighting.detection.label, sighting.detection.confidence
        self.votes[label] = self.votes.get(label, 0.0) + confidence
        ceiling = _unsharpened(sighting)
        if ceiling > self.quality:  # sharpness only lowers it: not worth measuring otherwise
            quality = ceiling * sharpness(sighting.pixels)
            if quality > self.quality:
                self.best, self.quality = sighting, quality

    def finish(self) -> Sighting:
        """The best view, under the label that most sightings gave, with the track's times."""
        label = max(self.votes, key=lambda name: (self.votes[name], name))
        detection = replace(self.best.detection, label=label)
        zone = self.best.frame.moment
        return replace(
            self.best,
            id=self.first_id,
            detection=detection,
            track={
                "id": self.number,
                "start": replace(zone, utc=self.start).local.isoformat(),
                "end": replace(zone, utc=self.end).local.isoformat(),
            },
        )


@dataclass(slots=True)
class TrackStage:
    """The stage that turns frames with detections into one sighting for each object."""

    make_tracker: Callable[[], Tracker]
    _tracker: Tracker | None = None
    _open: dict[int, _Track] = field(default_factory=dict)

    def run(self, items: Iterable[Seen | SourceDone]) -> Iterator[Sighting | SourceDone]:
        """Passes end marks on after the tracks of their source; pictures are not tracked."""
        last_record: dict[str, float] = {}
        for item in items:
            if isinstance(item, SourceDone):
                yield from self._close(None)
                self._tracker = None
                last_record.clear()
                yield item
            elif item.frame.time_s is None:
                yield from sightings(item, last_record)
            else:
                yield from self._follow(item, last_record)

    def _follow(self, seen: Seen, last_record: dict[str, float]) -> Iterator[Sighting]:
        found = list(sightings(seen, last_record))
        if self._tracker is None:
            self._tracker = self.make_tracker()
        objects = [sighting for sighting in found if sighting.detection.label != SCENE]
        numbers = self._tracker.update([sighting.detection for sighting in objects])
        for sighting, number in zip(objects, numbers, strict=True):
            track = self._open.get(number)
            if track is None:
                self._open[number] = _begin(number, sighting)
            else:
                track.take(sighting)
        yield from self._close(seen.frame.time_s)
        yield from (sighting for sighting in found if sighting.detection.label == SCENE)

    def _close(self, now_s: float | None) -> Iterator[Sighting]:
        """Ends the tracks that were away too long, or all of them at the end of the source."""
        for number in [
            number
            for number, track in self._open.items()
            if now_s is None or now_s - track.last_s > AWAY_S
        ]:
            yield self._open.pop(number).finish()


def _begin(number: int, sighting: Sighting) -> _Track:
    utc = sighting.frame.moment.utc
    quality = _unsharpened(sighting) * sharpness(sighting.pixels)
    votes = {sighting.detection.label: sighting.detection.confidence}
    seconds = sighting.frame.time_s or 0.0
    return _Track(number, sighting, quality, sighting.id, utc, utc, seconds, votes)


def _unsharpened(sighting: Sighting) -> float:
    box, (width, height) = sighting.detection.box, sighting.frame_size
    cut = box.x0 <= 1 or box.y0 <= 1 or box.x1 >= width - 1 or box.y1 >= height - 1
    return box.area * sighting.detection.confidence * (EDGE_SHARE if cut else 1.0)


def sharpness(pixels: RGB) -> float:
    """From 0 (blurred) to 1 (sharp), by the variance of the Laplacian at one common size."""
    scale = _SHARPNESS_SIDE / max(pixels.shape[:2])
    size = (max(round(pixels.shape[1] * scale), 1), max(round(pixels.shape[0] * scale), 1))
    grey = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), size, interpolation=cv2.INTER_AREA)
    variance = float(cv2.Laplacian(grey, cv2.CV_64F).var())
    return variance / (variance + _HALF_SHARP)
