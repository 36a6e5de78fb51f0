"""One crop for one object: joins sightings of a recording into tracks and keeps the best view.

The best view is the one with the highest quality: area × confidence × sharpness, a quarter of that if
the frame's edge cuts the object off.  A track ends when its object was away for `AWAY_S`, or with
the recording; numbers of tracks begin anew in every source.  Knows no tracker: it is handed one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import cv2

from vision_ctx.footage.crops import Seen, Sighting, sightings
from vision_ctx.footage.nearby import NEAREST
from vision_ctx.pipeline import SourceDone
from vision_ctx.protocols import Tracker
from vision_ctx.types import RGB, SCENE, Box, Nearby

AWAY_S = 4.0
"""Longer than a tracker keeps a hidden object (3 s): then nothing more can join the track."""
EDGE_SHARE = 0.25
"""What a view is worth that the frame's edge cuts off."""
STAYED_SHARE = 0.25
"""In this share of an object's views a neighbour must stand at its side, in the same way, to be named
although the best view does not show it."""
MOVED, GREW = 0.5, 1.5
"""How far, in widths, and how much, in heights, an object moves before its movement is worth a word."""
# A crop of this variance of the Laplacian is half as good as a perfectly sharp one; motion blur gives
# tens, a sharp crop hundreds to thousands (J. Pech-Pacheco et al., ICPR 2000, for the measure).
_HALF_SHARP = 60.0
_SHARPNESS_SIDE = 96


@dataclass(slots=True)
class _Track:
    """An object that may still be there."""

    number: int
    first: Sighting
    best: Sighting
    quality: float
    last_box: Box
    end: datetime
    last_s: float
    labels: Counter[str] = field(default_factory=Counter)
    colours: Counter[str | None] = field(default_factory=Counter)
    zones: Counter[str | None] = field(default_factory=Counter)
    company: Counter[Nearby] = field(default_factory=Counter)
    sightings: int = 0

    def take(self, sighting: Sighting) -> None:
        """Adds a sighting of the object."""
        self.end = sighting.frame.moment.utc
        self.last_s = sighting.frame.time_s or 0.0
        self.last_box = sighting.detection.box
        self.vote(sighting)
        ceiling = _unsharpened(sighting)
        if ceiling > self.quality:  # sharpness only lowers it: not worth measuring otherwise
            quality = ceiling * sharpness(sighting.pixels)
            if quality > self.quality:
                self.best, self.quality = sighting, quality

    def vote(self, sighting: Sighting) -> None:
        """Counts what the sighting says of label, colour and zone, by its confidence.

        In thousandths, since whole numbers add up to the same sum in any order.
        """
        weight = round(1000 * sighting.detection.confidence)
        self.labels[sighting.detection.label] += weight
        self.colours[sighting.colour] += weight
        self.zones[sighting.zone] += weight
        self.company.update(sighting.neighbours)
        self.sightings += 1

    def finish(self) -> Sighting:
        """The best view, with what most sightings said of the object and the track's times."""
        zone = self.best.frame.moment
        start = self.first.frame.moment.utc
        return replace(
            self.best,
            id=self.first.id,
            detection=replace(self.best.detection, label=_winner(self.labels)),
            colour=_winner(self.colours),
            zone=_winner(self.zones),
            neighbours=companions(self.best.neighbours, self.company, self.sightings),
            movement=movement(self.first.detection.box, self.last_box),
            stay_s=(self.end - start).total_seconds(),
            track={
                "id": self.number,
                "start": replace(zone, utc=start).local.isoformat(),
                "end": replace(zone, utc=self.end).local.isoformat(),
            },
        )


def companions(
    at_best: tuple[Nearby, ...], company: Counter[Nearby], sightings: int
) -> tuple[Nearby, ...]:
    """The neighbours of the best view, then those that stood there in `STAYED_SHARE` of all views.

    ``company`` counts equal neighbours (label, relation, colour) over the sightings of the track; of a
    label that the best view shows, or that was named already, no second one is added.
    """
    named = {neighbour.label for neighbour in at_best}
    more = []
    for neighbour, count in sorted(company.items(), key=lambda item: (-item[1], str(item[0]))):
        if count >= STAYED_SHARE * sightings and neighbour.label not in named:
            named.add(neighbour.label)
            more.append(neighbour)
    return (*at_best, *more)[:NEAREST]


def movement(first: Box, last: Box) -> str | None:
    """Where an object went between its first and its last box, in words; ``None`` if it stayed.

    Sideways counts if the centre moved by more than half the larger box's width; else nearer or
    away, if the height changed by half (an object at twice the distance is half as high).
    """
    shift = last.centre[0] - first.centre[0]
    if abs(shift) > MOVED * max(first.width, last.width):
        return "moving left" if shift < 0 else "moving right"
    growth = last.height / first.height
    if growth > GREW:
        return "coming nearer"
    return "going away" if growth < 1 / GREW else None


def _winner(votes: Counter[Any]) -> Any:  # noqa: ANN401 - a label, a colour or a zone
    """What has most votes; the alphabet decides between equals, so that the order does not."""
    return max(votes, key=lambda value: (votes[value], value or ""))


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
    quality = _unsharpened(sighting) * sharpness(sighting.pixels)
    box, moment = sighting.detection.box, sighting.frame.moment
    seconds = sighting.frame.time_s or 0.0
    track = _Track(number, sighting, sighting, quality, box, moment.utc, seconds)
    track.vote(sighting)
    return track


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
