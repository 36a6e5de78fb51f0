"""Reads recordings: upright RGB frames, sampled by presentation time, in bounded memory.

The time of a frame is its presentation timestamp, never its number divided by a frame rate: in
recordings of phones and doorbells the rate varies.  Only where a stream has no timestamps (bare
H.264 and H.265) are its frames counted, which is marked.  Frames between two samples are grabbed
but not converted (converting costs as much as decoding).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A decoder prints each damaged macroblock to the terminal unless told otherwise; -8 is AV_LOG_QUIET.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
# And OpenCV warns of each file that is no recording; the report names those.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
import cv2

from vision_ctx.errors import SourceError
from vision_ctx.sources.discover import reason_of
from vision_ctx.sources.image import MAX_PIXELS
from vision_ctx.types import RGB

# Containers without a frame index let the reader only estimate the number of frames, from the mean
# rate; below this share of the promised frames a recording counts as cut off.
COMPLETE_SHARE = 0.97
# A timestamp this much before the last one starts a new count, as in recordings put one behind the
# other; a smaller step back is disorder. Decoders hand out frames in order to within a few frames.
RESTART_S = 0.5
USUAL_FPS = 25.0
"""The rate by which frames are counted where neither timestamps nor a rate are given."""


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """A sampled frame: presentation time in seconds from the start, upright RGB pixels.

    ``counted`` says that the stream has no timestamps, so that the time is the frame's number
    divided by the rate that the decoder names or assumes.
    """

    time_s: float
    image: RGB
    counted: bool = False


@dataclass(slots=True)
class VideoInfo:
    """What the container promises and what was read. Frames are decoded ones, not sampled ones.

    ``offset_s`` is the first timestamp of the stream, ``read_s`` the time from the first frame to
    the end of the last one.
    """

    promised_frames: int = 0
    read_frames: int = 0
    fps: float = 0.0
    offset_s: float = 0.0
    read_s: float = 0.0

    @property
    def promised_s(self) -> float:
        """Length in seconds by the container's count and mean rate, 0 if it names none."""
        return self.promised_frames / self.fps if self.fps > 0 else 0.0

    def shortfall(self) -> str | None:
        """What is missing of the promised frames, in words; ``None`` if nothing is."""
        promised = self.promised_frames
        # Matroska's length counts from timestamp 0, also where a recorder's segment starts later.
        late = self.offset_s * self.fps
        if 0 < late < promised:
            promised -= round(late)
        if self.read_frames >= COMPLETE_SHARE * promised or self._counts_fields():
            return None
        return f"incomplete: {self.read_frames} of {promised} frames could be read"

    def _counts_fields(self) -> bool:
        """Whether the header counts fields, two to a frame, and all of them were read."""
        halves = 2 * self.read_frames >= COMPLETE_SHARE * self.promised_frames
        return halves and self.read_s >= COMPLETE_SHARE * self.promised_s


@dataclass(slots=True)
class _Timeline:
    """Makes one rising time of a decoder's timestamps, which may stand still or start over."""

    frame_s: float
    time_s: float = 0.0
    counted: bool = False
    _last: float | None = None
    _shift: float = 0.0
    _still: int = 0

    def advance(self, stamp_s: float) -> float:
        """The time of the next frame in seconds from the first one."""
        if self._last is None:
            self._shift = -stamp_s
        elif stamp_s < self._last - RESTART_S:
            self._shift = self.time_s + self.frame_s - stamp_s
        self._still = self._still + 1 if stamp_s == self._last else 0
        # A repeated stamp here and there is a rounded one; only a stream without any stands still.
        self.counted = self._still > 1
        self._last = stamp_s
        self.time_s = max(self.time_s, stamp_s + self._shift + self._still * self.frame_s)
        return self.time_s


def probe(path: Path) -> VideoInfo:
    """Number of frames and mean rate that the container names, without decoding.

    Raises:
        SourceError: The file holds no video that can be opened.
    """
    capture = _open(path)
    try:
        return _info(capture)
    finally:
        capture.release()


def read_frames(path: Path, fps: float, info: VideoInfo | None = None) -> Iterator[VideoFrame]:
    """Yields at most ``fps`` frames for each second of presentation time, the first one included.

    ``info``, if given, is filled while reading, so that the caller can ask for a shortfall.

    Raises:
        SourceError: The file holds no video that can be opened, or not one frame of it decodes.
    """
    capture = _open(path)
    try:
        info = info if info is not None else VideoInfo()
        promised = _info(capture)
        info.promised_frames, info.fps = promised.promised_frames, promised.fps
        yield from _sample(capture, path, fps, info)
    finally:
        capture.release()


def _sample(capture: Any, path: Path, fps: float, info: VideoInfo) -> Iterator[VideoFrame]:  # noqa: ANN401 - cv2 has no types
    timeline = _Timeline(1.0 / (info.fps or USUAL_FPS))
    step = 1.0 / fps
    due = 0.0
    seen = False
    while capture.grab():
        stamp_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        if info.read_frames == 0 and info.fps > 0:
            info.offset_s = capture.get(cv2.CAP_PROP_PTS) / info.fps - stamp_s
        info.read_frames += 1
        time_s = timeline.advance(stamp_s)
        info.read_s = time_s + timeline.frame_s
        if time_s + 1e-6 < due:
            continue
        image = _picture(capture, path)
        if image is None:
            continue
        seen = True
        yield VideoFrame(time_s, image, timeline.counted)
        # The grid stays put, so that the rate does not drift; after a gap it starts anew.
        due = due + step if due + step > time_s else time_s + step
    if not seen:
        raise SourceError(str(path), "no frame of the recording can be decoded")


def _picture(capture: Any, path: Path) -> RGB | None:  # noqa: ANN401 - cv2 has no types
    try:
        decoded, picture = capture.retrieve()
        return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB) if decoded else None
    except (cv2.error, MemoryError) as error:
        raise SourceError(str(path), f"a frame cannot be decoded: {error}") from error


def _open(path: Path) -> Any:  # noqa: ANN401 - cv2 has no types
    try:
        path.open("rb").close()  # OpenCV does not say why it cannot open a file
    except OSError as error:
        raise SourceError(str(path), reason_of(error)) from error
    # Named explicitly, since another backend takes "%02d" in a name for a series of pictures.
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        capture.release()
        raise SourceError(str(path), "the content is not a recording that can be opened")
    width, height = (
        capture.get(cv2.CAP_PROP_FRAME_WIDTH),
        capture.get(cv2.CAP_PROP_FRAME_HEIGHT),
    )
    if width * height > MAX_PIXELS:
        capture.release()
        raise SourceError(str(path), f"frames of {width:.0f} × {height:.0f} pixels are too large")
    return capture


def _info(capture: Any) -> VideoInfo:  # noqa: ANN401 - cv2 has no types
    count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    fps = capture.get(cv2.CAP_PROP_FPS)
    # Streams without a count report a huge negative number.
    return VideoInfo(int(count) if 0 < count < 2**31 else 0, 0, float(fps) if fps > 0 else 0.0)
