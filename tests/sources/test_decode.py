"""Files become frames with instant and camera; each ends with a mark that says how it went."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.decode import Recording, decode
from vision_ctx.sources.fingerprint import read_source
from vision_ctx.types import Camera, Frame, SourceKind

GATE = Camera("gate", "gate", "America/New_York")


def recording(path: Path, kind: SourceKind, start: datetime | None = None) -> Recording:
    return Recording(read_source(path, kind), GATE, start)


def split(items: list[Frame | SourceDone]) -> tuple[list[Frame], list[SourceDone]]:
    frames = [item for item in items if isinstance(item, Frame)]
    return frames, [item for item in items if isinstance(item, SourceDone)]


def film(path: Path, frames: int = 20) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    rng = np.random.default_rng(0)
    for _ in range(frames):
        writer.write(rng.integers(0, 255, (48, 64, 3), np.uint8))
    writer.release()
    return path


def test_instants_of_a_video(tmp_path: Path) -> None:
    path = film(tmp_path / "20240105_101500.avi")
    frames, (done,) = split(list(decode([recording(path, "video")], 2)))
    start = datetime(2024, 1, 5, 15, 15, tzinfo=UTC)
    assert [frame.moment.utc - start for frame in frames] == [
        timedelta(seconds=s) for s in (0, 0.5, 1, 1.5)
    ]
    assert [frame.time_s for frame in frames] == [0, 0.5, 1, 1.5]
    assert {frame.moment.clock for frame in frames} == {"file name (date and time)"}
    assert not any(frame.moment.weak for frame in frames)
    assert frames[0].camera is GATE and frames[0].size == (64, 48)
    assert (done.error, done.frames, done.readable) == (None, 4, True)


def test_a_start_given_by_the_user(tmp_path: Path) -> None:
    path = film(tmp_path / "20240105_101500.avi")
    given = datetime(2024, 7, 1, 12)
    frames, _ = split(list(decode([recording(path, "video", given)], 1)))
    assert frames[1].moment.utc == datetime(2024, 7, 1, 16, 0, 1, tzinfo=UTC)
    assert frames[1].moment.clock == "given"


def test_a_file_time_counts_back_from_the_end(tmp_path: Path) -> None:
    path = film(tmp_path / "clip.avi")
    frames, _ = split(list(decode([recording(path, "video")], 1)))
    end = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert abs(frames[0].moment.utc - (end - timedelta(seconds=2))) < timedelta(seconds=0.01)
    assert frames[0].moment.weak


def test_pages_of_a_picture(tmp_path: Path) -> None:
    pages = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    path = tmp_path / "20240105_101500.tif"
    pages[0].save(path, save_all=True, append_images=pages[1:])
    frames, (done,) = split(list(decode([recording(path, "image")], 2)))
    assert [(frame.page, frame.time_s) for frame in frames] == [(0, None), (1, None)]
    assert done.frames == 2


def test_bad_files_between_good_ones(tmp_path: Path, save: Callable[..., Path]) -> None:
    """S11, S13: each file ends with its own mark, in order, whatever the one before it was."""
    good, other = save(tmp_path / "a.jpg"), save(tmp_path / "z.png")
    text = tmp_path / "b.jpg"
    text.write_text("just text")
    bomb = tmp_path / "c.png"
    Image.new("1", (20000, 20000)).save(bomb)
    cut = film(tmp_path / "d.avi")
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    no_video = tmp_path / "e.mp4"
    no_video.write_bytes(b"\0\5\26\7\0\2\0\0Mac OS X")
    todo = [recording(good, "image"), recording(text, "image"), recording(bomb, "image")]
    todo += [recording(cut, "video"), recording(no_video, "video"), recording(other, "image")]
    frames, marks = split(list(decode(todo, 10)))
    by_name = {Path(mark.source.path).name: mark for mark in marks}
    assert list(by_name) == ["a.jpg", "b.jpg", "c.png", "d.avi", "e.mp4", "z.png"]
    assert by_name["a.jpg"].error is by_name["z.png"].error is None
    for name in ("b.jpg", "c.png", "e.mp4"):
        assert by_name[name].error and not by_name[name].readable and not by_name[name].frames
    error = by_name["d.avi"].error
    read = by_name["d.avi"].frames
    assert error == f"incomplete: {read} of 20 frames could be read"
    assert by_name["d.avi"].readable and 5 < read < 15
    assert len(frames) == 2 + read


def test_a_damaged_page_is_told_but_keeps_the_others(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)
    path = tmp_path / "two.png"
    Image.fromarray(noise).save(path, save_all=True, append_images=[Image.fromarray(255 - noise)])
    path.write_bytes(path.read_bytes()[:-6000])
    frames, (done,) = split(list(decode([recording(path, "image")], 2)))
    assert len(frames) == 1
    assert done.readable and done.error is not None
    assert done.error.startswith("incomplete: the picture cannot be decoded")


@pytest.mark.parametrize(("name", "kind"), [("a.jpg", "image"), ("a.avi", "video")])
def test_a_file_that_vanishes_before_its_turn(
    tmp_path: Path, save: Callable[..., Path], name: str, kind: SourceKind
) -> None:
    path = film(tmp_path / name) if kind == "video" else save(tmp_path / name)
    todo = recording(path, kind)
    path.unlink()
    (done,) = list(decode([todo], 2))
    assert isinstance(done, SourceDone)
    assert (done.readable, done.error) == (False, "there is no such file or folder")


def test_marks_of_files_that_were_not_readable_pass_through(tmp_path: Path) -> None:
    mark = SourceDone(read_source(film(tmp_path / "a.avi"), "video"), "why", readable=False)
    assert list(decode([mark], 2)) == [mark]


def test_times_that_no_calendar_has(tmp_path: Path) -> None:
    path = film(tmp_path / "a.avi")
    todo = recording(path, "video", datetime.max.replace(tzinfo=UTC))
    frames, (first, second) = split(list(decode([todo, recording(path, "video")], 2)))
    assert first.error is not None and "calendar" in first.error
    assert second.error is None
    assert len(frames) == first.frames + second.frames
