"""From a sighting to a draft of its record: the context prefix and every field but the vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vision_ctx.embedding import Draft
from vision_ctx.footage.colour import clear
from vision_ctx.footage.crops import Sighting
from vision_ctx.footage.prefix import Subject, coloured, prefix, scene_words
from vision_ctx.pipeline import SourceDone
from vision_ctx.types import Record

SavePictures = Callable[[Sighting], tuple[str, str]]
"""Keeps the crop and its context frame; returns their paths relative to the index folder."""


def describe(
    items: Iterable[Sighting | SourceDone], save: SavePictures
) -> Iterator[Draft | SourceDone]:
    """Gives every sighting its context prefix and has its pictures kept."""
    for item in items:
        if isinstance(item, SourceDone):
            yield item
            continue
        frame, subject = item.frame, _subject(item)
        yield Draft(
            record=_record(item, prefix(frame.camera, frame.moment.local, subject), save(item)),
            image=item.pixels,
            text_to_embed=scene_words(frame.camera, subject),
        )


def _subject(sighting: Sighting) -> Subject:
    return Subject(
        sighting.detection.label,
        sighting.detection.box,
        sighting.frame_size,
        sighting.neighbours,
        clear(sighting.colour),
        sighting.zone,
        sighting.movement,
        sighting.stay_s,
    )


def _record(sighting: Sighting, context: str, pictures: tuple[str, str]) -> Record:
    frame, detection = sighting.frame, sighting.detection
    return Record(
        id=sighting.id,
        kind="crop",
        source_id=frame.source.id,
        source=frame.source.path,
        context=context,
        body=coloured(detection.label, clear(sighting.colour)),
        label=detection.label,
        confidence=sighting.confidence,
        camera=frame.camera.id,
        site=frame.camera.site,
        captured_at=frame.moment.utc,
        timezone=frame.moment.timezone,
        clock=frame.moment.clock,
        clock_weak=frame.moment.weak,
        box=detection.box,
        crop_box=sighting.crop_box,
        frame_size=sighting.frame_size,
        crop_path=pictures[0],
        frame_path=pictures[1],
        source_time_s=frame.time_s,
        nearby=sighting.neighbours,
        track=sighting.track,
        zone=sighting.zone,
        colour=sighting.colour,
    )
