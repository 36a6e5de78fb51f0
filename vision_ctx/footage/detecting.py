"""The stage that runs the detector over frames, in batches across sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from vision_ctx.footage.crops import Seen
from vision_ctx.pipeline import Faults, SourceDone, Stopwatch, in_batches
from vision_ctx.protocols import Detector
from vision_ctx.types import Detection, Frame

BATCH = 8
"""Frames to a batch. A CPU gains at most a fifth from batches; a GPU is fed well enough by 8."""
MAX_BATCH_BYTES = 128 * 2**20


def frame_weight(item: Frame | SourceDone) -> int:
    """Bytes that an item of the frame stream holds in memory."""
    return item.image.nbytes if isinstance(item, Frame) else 0


@dataclass(slots=True)
class DetectionStage:
    """Finds objects in frames; ``min_confidence`` is the least confidence that is kept."""

    detector: Detector
    min_confidence: float
    watch: Stopwatch = field(default_factory=Stopwatch)

    def run(self, items: Iterable[Frame | SourceDone]) -> Iterator[Seen | SourceDone]:
        """Passes everything on in order, frames with their detections.

        A frame on which the detector fails is left out, and the end mark of its source says so.
        """
        faults = Faults()
        for group in in_batches(items, BATCH, frame_weight, MAX_BATCH_BYTES):
            frames = [item for item in group if isinstance(item, Frame)]
            with self.watch.time("detect"):
                found = iter(self._detect(frames))
            for item in group:
                if isinstance(item, SourceDone):
                    yield faults.close(item)
                    continue
                result = next(found)
                if isinstance(result, Exception):
                    faults.bad(item.source.id, f"incomplete: the detector failed: {result}")
                else:
                    faults.good(item.source.id)
                    yield Seen(item, self._confident(result))

    def _confident(self, detections: Iterable[Detection]) -> tuple[Detection, ...]:
        return tuple(d for d in detections if d.confidence >= self.min_confidence)

    def _detect(self, frames: list[Frame]) -> list[list[Detection] | Exception]:
        if not frames:
            return []
        try:
            found: list[list[Detection] | Exception] = list(
                self.detector.detect([frame.image for frame in frames])
            )
            if len(found) == len(frames):
                return found
            return [self._detect_one(frame) for frame in frames]
        except Exception:  # one frame may be to blame: find out which, keep the others
            return [self._detect_one(frame) for frame in frames]

    def _detect_one(self, frame: Frame) -> list[Detection] | Exception:
        try:
            (found,) = self.detector.detect([frame.image])
            return found
        except Exception as error:
            return error
