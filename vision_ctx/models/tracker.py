"""Tracking through ultralytics' ByteTrack, made fit for a few frames a second.

ByteTrack matches boxes that overlap from frame to frame.  At two frames a second a walking person has
left the own box, so the boxes are widened before they are matched ("buffered" IoU: F. Yang et al.,
"Hard to Track Objects with Irregular Motions and Similar Appearances? Make It Easier by Buffering the
Matching Space", WACV 2023).  Only boxes of one kind compete: a person never becomes the bicycle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from vision_ctx.models.surroundings import before_ultralytics
from vision_ctx.types import Detection

# A detector takes the same vehicle now for a car, now for a truck; the track goes on.
VEHICLES = frozenset({"car", "truck", "bus", "van"})
LOST_S = 3.0
"""How long an object may be hidden and still be the same track."""
WIDENING = 2.0
"""How far a box is widened on each side at one frame a second, in roots of its area. Measured on the
true boxes of the sample site at two frames a second: tracks for each object 1.68 with 0.8, 1.31 with
1.2, 1.21 with 1.6, 1.07 with 2.0, 1.06 with 2.6; objects without a track of their own 6 of 397 with
1.2 and 1.6, 9 with 2.0, 10 with 2.6."""
_MATCH_IOU = 0.1
"""Least overlap of two widened boxes that counts as the same object."""


class ByteTracker:
    """Tracks the objects of one recording. Make a new one for each."""

    def __init__(self, fps: float) -> None:
        """Takes the rate, in frames a second, at which `update` will be called."""
        self._fps = fps
        self._trackers: dict[str, Any] = {}
        self._names: dict[tuple[str, int], int] = {}

    def update(self, detections: Sequence[Detection]) -> list[int]:
        """The track of each detection of the next frame, in the order of the detections."""
        groups: dict[str, list[int]] = {name: [] for name in self._trackers}
        for index, detection in enumerate(detections):
            groups.setdefault(_group(detection.label), []).append(index)
        tracks = [-1] * len(detections)
        for name, indices in groups.items():
            found = self._update_group(name, [detections[index] for index in indices])
            for index, track in zip(indices, found, strict=True):
                tracks[index] = self._names.setdefault((name, track), len(self._names))
        return tracks

    def _update_group(self, name: str, detections: Sequence[Detection]) -> list[int]:
        before_ultralytics()
        from ultralytics.engine.results import Boxes

        tracker = self._trackers.get(name)
        if tracker is None:
            tracker = self._trackers[name] = _make_tracker(self._fps)
        rows = np.array(
            [[*self._widened(d), d.confidence, 0.0] for d in detections], dtype=np.float32
        ).reshape(-1, 6)
        tracker.update(Boxes(rows, (1, 1)))
        now = {
            int(track.idx): int(track.track_id)
            for track in tracker.tracked_stracks
            if track.frame_id == tracker.frame_id
        }
        # What the tracker left aside (it may merge two boxes of one object) is a track of its own.
        return [
            now.get(index, -1 - tracker.frame_id * 10_000 - index) for index in range(len(rows))
        ]

    def _widened(self, detection: Detection) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = detection.box
        margin = WIDENING * math.sqrt((x1 - x0) * (y1 - y0)) / max(self._fps, 1.0)
        return x0 - margin, y0 - margin, x1 + margin, y1 + margin


def _group(label: str) -> str:
    return "vehicle" if label in VEHICLES else label


def _make_tracker(fps: float) -> Any:  # noqa: ANN401 - ultralytics has no types
    before_ultralytics()
    from ultralytics.trackers.byte_tracker import BYTETracker, STrack

    class EagerTrack(STrack):  # type: ignore[misc]
        """A track that counts from its first box: at few frames a second there may be no second."""

        def activate(self, kalman_filter: Any, frame_id: int) -> None:  # noqa: ANN401
            super().activate(kalman_filter, frame_id)
            self.is_activated = True

    class EagerTracker(BYTETracker):  # type: ignore[misc]
        track_class = EagerTrack

    return EagerTracker(
        SimpleNamespace(
            track_high_thresh=0.0,  # the stage before has dropped what is not confident enough
            track_low_thresh=0.0,
            new_track_thresh=0.0,
            track_buffer=max(round(LOST_S * fps), 1),
            match_thresh=1 - _MATCH_IOU,
            fuse_score=False,  # a shaky confidence is no reason to lose an object
        )
    )
