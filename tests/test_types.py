"""The words of the package as data."""

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from vision_ctx.types import (
    Box,
    Camera,
    ChannelRank,
    Detection,
    Failure,
    Frame,
    Hit,
    Moment,
    Record,
    Report,
    SearchResult,
    Source,
)


def source(path="/site/gate/a.jpg"):
    return Source(path, "image", 10, 1, "f" * 64, "a" * 32)


def test_box_edges_are_exclusive():
    box = Box(10, 20, 14, 26)
    assert (box.width, box.height, box.area) == (4, 6, 24)
    assert box.centre == (12.0, 23.0)
    image = np.zeros((40, 40, 3), np.uint8)
    assert image[box.y0 : box.y1, box.x0 : box.x1].shape[:2] == (box.height, box.width)


def test_a_moment_is_said_in_the_camera_s_zone():
    summer = Moment(datetime(2026, 7, 1, 22, 30, tzinfo=UTC), "Europe/Amsterdam", "EXIF")
    winter = Moment(datetime(2026, 1, 1, 22, 30, tzinfo=UTC), "Europe/Amsterdam", "EXIF")
    assert summer.local.isoformat() == "2026-07-02T00:30:00+02:00"
    assert winter.local.isoformat() == "2026-01-01T23:30:00+01:00"
    assert summer.local == summer.utc


def test_a_frame_knows_its_size_as_width_and_height():
    moment = Moment(datetime(2026, 1, 1, tzinfo=UTC), "UTC", "given")
    frame = Frame(source(), Camera("g", "g", "UTC"), moment, np.zeros((120, 160, 3), np.uint8))
    assert frame.size == (160, 120)
    assert frame.source.name == Path(frame.source.path).name == "a.jpg"
    assert "image=" not in repr(frame)  # a log must not print a picture


def test_what_was_seen_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Detection("bus", 0.9, Box(0, 0, 1, 1)).label = "car"


def test_the_text_of_a_record_is_context_and_body():
    record = Record("1", "chunk", "s", "/a.md", "From a.", "The gate.")
    assert record.text == "From a.\nThe gate."


def test_records_compare_without_vectors():
    one, two = (
        Record("1", "crop", "s", "/a.jpg", "c", "b", image_vector=np.ones(3) * n) for n in (1, 2)
    )
    assert one == two


def test_a_hit_and_a_result_know_their_json_form():
    record = Record("1", "chunk", "s", "/a.md", "c", "b", document="a.md", span=(0, 1))
    hit = Hit(1, 0.5, record, {"bm25": ChannelRank(1, 2.0)}, "words: b (rank 1)")
    result = SearchResult("b", {}, {"crops": 0, "chunks": 1}, True, 1.0, (hit,))
    assert result.to_dict()["hits"] == [hit.to_dict()]
    assert hit.to_dict()["span"] == [0, 1]


def test_a_report_divides_by_no_zero():
    report = Report(failures=[Failure("/a", "why")], skipped=[Failure("/b", "type")])
    made = report.to_dict()
    assert made["frames_per_s"] == 0
    assert made["failures"] == [{"source": "/a", "error": "why"}]
    assert made["skipped"] == [{"source": "/b", "reason": "type"}]
