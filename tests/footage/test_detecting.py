from datetime import UTC, datetime

import numpy as np

from vision_ctx.footage.crops import Seen
from vision_ctx.footage.detecting import BATCH, DetectionStage
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.fingerprint import make_source
from vision_ctx.types import Box, Camera, Detection, Frame, Moment

MOMENT = Moment(datetime(2026, 3, 3, tzinfo=UTC), "UTC", "file name")
SOURCES = [make_source(f"/{name}.mp4", "video", 1, 1, name) for name in "abc"]


def frame(source, value=0):
    image = np.full((8, 8, 3), value, np.uint8)
    return Frame(source, Camera("c", "c", "UTC"), MOMENT, image, time_s=float(value))


class Numbered:
    """Finds one object whose confidence is the pixels' value in percent; fails as it is told."""

    id = "numbered"

    def __init__(self, bad=(), short=False):
        self.bad, self.short, self.calls = bad, short, []

    def detect(self, images):
        self.calls.append(len(images))
        values = [int(image[0, 0, 0]) for image in images]
        if set(values) & set(self.bad):
            raise RuntimeError("bad frame")
        found = [[Detection("car", value / 100, Box(0, 0, 8, 8))] for value in values]
        return found[1:] if self.short and len(found) > 1 else found


def run(detector, items, least=0.0):
    return list(DetectionStage(detector, least).run(items))


def test_frames_keep_their_order_and_go_in_batches_across_sources():
    items = [
        item
        for source in SOURCES
        for item in (*(frame(source, n) for n in range(1, 6)), SourceDone(source, frames=5))
    ]
    detector = Numbered()
    out = run(detector, items)
    assert [type(item) for item in out] == ([Seen] * 5 + [SourceDone]) * 3
    values = [round(item.detections[0].confidence * 100) for item in out if isinstance(item, Seen)]
    assert values == [1, 2, 3, 4, 5] * 3
    assert detector.calls == [BATCH, 15 - BATCH]
    assert all(item.error is None for item in out if isinstance(item, SourceDone))


def test_least_confidence_is_included():
    out = run(Numbered(), [frame(SOURCES[0], value) for value in (24, 25, 26)], least=0.25)
    assert [len(item.detections) for item in out] == [0, 1, 1]


def test_one_bad_frame_is_named_and_harms_no_other():
    items = [
        *(frame(SOURCES[0], n) for n in (1, 2, 3)),
        SourceDone(SOURCES[0], error="incomplete: cut off", frames=3),
        frame(SOURCES[1], 4),
        SourceDone(SOURCES[1]),
    ]
    out = run(Numbered(bad=[2]), items)
    assert [item.frame.time_s for item in out if isinstance(item, Seen)] == [1, 3, 4]
    first, second = (item for item in out if isinstance(item, SourceDone))
    assert first.error == "incomplete: cut off; incomplete: the detector failed: bad frame"
    assert first.retry
    assert first.frames == 3
    assert first.readable
    assert second == SourceDone(SOURCES[1])


def test_a_detector_that_loses_a_picture_does_not_shift_the_others():
    out = run(Numbered(short=True), [*(frame(SOURCES[0], n) for n in (1, 2, 3))])
    assert [round(item.detections[0].confidence * 100) for item in out] == [1, 2, 3]


def test_end_marks_alone_need_no_detector():
    assert run(None, [SourceDone(SOURCES[0])]) == [SourceDone(SOURCES[0])]


def test_a_source_that_fails_wholly_replaces_nothing():
    items = [
        frame(SOURCES[0], 1),
        SourceDone(SOURCES[0]),
        frame(SOURCES[1], 2),
        SourceDone(SOURCES[1]),
    ]
    failed, _, fine = run(Numbered(bad=[1]), items)
    assert (failed.readable, failed.retry) == (False, True)
    assert fine == SourceDone(SOURCES[1])
