"""The stage that turns footage files into frames with instant and camera.

A file that cannot be read ends with a mark that says why; the next file goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from vision_ctx.errors import SourceError
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.clock import start_of
from vision_ctx.sources.image import read_pages
from vision_ctx.sources.video import VideoInfo, probe, read_frames
from vision_ctx.types import Camera, Frame, Moment, Source


@dataclass(frozen=True, slots=True)
class Recording:
    """A footage file with its camera and, if the user gave one, its start."""

    source: Source
    camera: Camera
    start_time: datetime | None = None


def decode(
    recordings: Iterable[Recording | SourceDone], fps: float
) -> Iterator[Frame | SourceDone]:
    """Frames of every file, sampled at ``fps`` from videos, each file closed by its end mark."""
    for recording in recordings:
        if isinstance(recording, SourceDone):
            yield recording
            continue
        frames = 0
        info = VideoInfo()
        try:
            for frame in _frames(recording, fps, info):
                frames += 1
                yield frame
        except SourceError as error:
            partly = frames > 0
            reason = f"incomplete: {error.reason}" if partly else error.reason
            yield SourceDone(recording.source, reason, readable=partly, frames=frames)
        else:
            yield SourceDone(recording.source, info.shortfall(), frames=frames)


def _frames(recording: Recording, fps: float, info: VideoInfo) -> Iterator[Frame]:
    source, camera = recording.source, recording.camera
    path = Path(source.path)
    if source.kind == "video":
        start = _start(recording, duration_s=probe(path).promised_s)
        for sample in read_frames(path, fps, info):
            try:
                utc = start.utc + timedelta(seconds=sample.time_s)
            except OverflowError as error:
                reason = f"a frame {sample.time_s:.0f} s after the start is beyond the calendar"
                raise SourceError(source.path, reason) from error
            clock = f"{start.clock}, frames counted" if sample.counted else start.clock
            moment = Moment(utc, start.timezone, clock, start.weak or sample.counted)
            yield Frame(source, camera, moment, sample.image, time_s=sample.time_s)
        return
    moment = _start(recording)
    for page, image in enumerate(read_pages(path)):
        yield Frame(source, camera, moment, image, page=page)


def _start(recording: Recording, duration_s: float = 0.0) -> Moment:
    source = recording.source
    return start_of(
        Path(source.path),
        recording.camera.timezone,
        mtime_ns=source.mtime_ns,
        duration_s=duration_s,
        start_time=recording.start_time,
        exif=source.kind == "image",
    )
