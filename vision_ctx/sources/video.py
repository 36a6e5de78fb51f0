"""Reads recordings: upright RGB frames, sampled by presentation time, in bounded memory.

The time of a frame is its presentation timestamp, never its number divided by a frame rate: in
recordings of phones and doorbells the rate varies.  Frames between two samples are grabbed but not
converted (converting costs as much as decoding).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A decoder prints each damaged macroblock to the terminal unless told otherwise; -8 is AV_LOG_QUIET.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
import cv2

from vision_ctx.errors import SourceError
from vision_ctx.types import RGB

# Containers without a frame index let the reader only estimate the number of frames, from the mean
# rate; below this share of the promised frames a recording counts as cut off.
COMPLETE_SHARE = 0.97


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """A sampled frame: presentation time in seconds from the start, upright RGB pixels."""

    time_s: float
    image: RGB


@dataclass(slots=True)
class VideoInfo:
    """What the container promises and what was read. Frames are decoded ones, not sampled ones."""

    promised_frames: int = 0
    read_frames: int = 0
    fps: float = 0.0

    @property
    def promised_s(self) -> float:
        """Length in seconds by the container's count and mean rate, 0 if it names none."""
        return self.promised_frames / self.fps if self.fps > 0 else 0.0

    def shortfall(self) -> str | None:
        """What is missing of the promised frames, in words; ``None`` if nothing is."""
        if self.read_frames >= COMPLETE_SHARE * self.promised_frames:
            return None
        return f"incomplete: {self.read_frames} of {self.promised_frames} frames could be read"


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
    step = 1.0 / fps
    due = 0.0
    last = -1.0
    while capture.grab():
        info.read_frames += 1
        time_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        if time_s < last:  # a stream whose timestamps start over: go on counting from here
            due = time_s
        last = time_s
        if time_s + 1e-6 < due:
            continue
        decoded, picture = capture.retrieve()
        if not decoded:
            continue
        yield VideoFrame(time_s, cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
        # The grid stays put, so that the rate does not drift; after a gap it starts anew.
        due = due + step if due + step > time_s else time_s + step
    if info.read_frames == 0:
        raise SourceError(str(path), "no frame of the recording can be decoded")


def _open(path: Path) -> Any:  # noqa: ANN401 - cv2 has no types
    # Named explicitly, since another backend takes "%02d" in a name for a series of pictures.
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        capture.release()
        raise SourceError(str(path), "the content is not a recording that can be opened")
    return capture


def _info(capture: Any) -> VideoInfo:  # noqa: ANN401 - cv2 has no types
    count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    fps = capture.get(cv2.CAP_PROP_FPS)
    # Streams without a count report a huge negative number.
    return VideoInfo(int(count) if 0 < count < 2**31 else 0, 0, float(fps) if fps > 0 else 0.0)
