"""The write path, end to end with fakes: mixtures, changes, faults, interruptions."""

import os
import shutil
import tempfile
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision_ctx.embedding
import vision_ctx.footage.detecting
import vision_ctx.index
import vision_ctx.ingest
from vision_ctx import Index
from vision_ctx.errors import ConfigError
from vision_ctx.store.store import Store
from vision_ctx.store.tables import open_table


class Broken(BaseException):
    """What no stage may take for the fault of one frame."""


PERSON = {"person": (20, 30, 50, 100)}


class Frames:
    """A tracker that takes every detection for a new object."""

    def __init__(self, fps):
        self.count = 0

    def update(self, detections):
        self.count += len(detections)
        return list(range(self.count - len(detections), self.count))


@pytest.fixture(autouse=True)
def no_tracker(monkeypatch):
    monkeypatch.setattr(vision_ctx.index, "_tracker", Frames)


@pytest.fixture
def film(draw):
    """Writes a video of a person who walks to the right: ``film(path, frames)`` at 2 frames/s."""

    def write(path, frames=6):
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 2.0, (160, 120))
        for number in range(frames):
            x = 10 + 4 * number
            writer.write(np.ascontiguousarray(draw(person=(x, 30, x + 30, 100))[..., ::-1]))
        writer.release()
        return path

    return write


@pytest.fixture
def site(tmp_path, save, film):
    folder = tmp_path / "site"
    for number in range(4):
        save(folder / "gate" / f"20260303_07150{number}.png", **PERSON, bus=(60, 20, 150, 110))
    film(folder / "yard" / "20260303_080000.avi")
    (folder / "a.md").write_text("# Log\n\n## Gate\n\nOpen.\n\n## Yard\n\nClosed.\n")
    (folder / "b.txt").write_text("All quiet.\n")
    return folder


def rows(index):
    """All that is stored, by id, vectors included."""
    table = open_table(index.folder, "records").to_arrow().to_pylist()
    ids = [row["id"] for row in table]
    assert len(ids) == len(set(ids))
    return {row["id"]: row for row in table}


def same_rows(one, two):
    assert one.keys() == two.keys()
    for key, row in one.items():
        assert row == two[key]


def pictures(index):
    return {
        path.relative_to(index.folder).as_posix(): path.read_bytes()
        for path in index.folder.rglob("*.jpg")
    }


def make(folder, detector, embedder, **settings):
    return Index.create(folder, detector=detector, embedder=embedder, **settings)


def test_everything_is_stored(index, site):
    report = index.add(site)
    assert (report.added, report.frames, report.chunks) == (7, 10, 3)
    assert report.crops == 4 * 2 + 6
    stored = rows(index)
    assert len(stored) == report.crops + report.chunks
    for row in stored.values():
        if row["kind"] == "crop":
            assert (index.folder / row["crop_path"]).is_file()
            assert (index.folder / row["frame_path"]).is_file()
            assert abs(np.linalg.norm(row["image_vector"]) - 1) < 1e-2
        assert abs(np.linalg.norm(row["text_vector"]) - 1) < 1e-2
    named = {row["crop_path"] for row in stored.values()} | {
        r["frame_path"] for r in stored.values()
    }
    assert set(pictures(index)) == named - {None}


def test_stages_have_their_seconds(index, site):
    report = index.add(site)
    assert report.stage_s.keys() >= {
        *("decode", "detect", "embed images", "embed texts", "pictures", "store", "publish"),
    }
    assert all(seconds >= 0 for seconds in report.stage_s.values())


def test_progress_names_every_source_and_ends_at_the_total(index, site):
    steps = []
    index.add(site, on_progress=steps.append)
    assert {Path(step.source).name for step in steps} >= {"a.md", "20260303_080000.avi"}
    assert (steps[-1].done, steps[-1].total) == (7, 7)
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert any(step.time_s for step in steps)


def test_a_mixture_ends_and_names_each_failure(index, site, detector):
    whole = (site / "gate" / "20260303_071500.png").read_bytes()
    (site / "empty.jpg").touch()
    (site / "cut.png").write_bytes(whole[: len(whole) // 2])
    (site / "text.jpg").write_text("not a picture")
    (site / "text.mp4").write_text("not a video")
    (site / "binary.txt").write_bytes(b"\0\1\2")
    (site / "bad.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    (site / "blank.md").write_text(" \n\n")
    (site / "sheet.xlsx").touch()
    (site / ".hidden.jpg").touch()
    (site / "link.jpg").symlink_to(site / "nowhere.jpg")
    report = index.add(site)
    failed = {Path(failure.source).name: failure.error for failure in report.failures}
    assert failed.keys() == {
        *("empty.jpg", "cut.png", "text.jpg", "text.mp4", "binary.txt", "bad.pdf", "blank.md"),
        "link.jpg",
    }
    assert all(failed.values())
    assert [Path(entry.source).name for entry in report.skipped] == ["sheet.xlsx"]
    (note,) = report.notes
    assert note.startswith("passed over: 1 hidden or system")
    assert report.added == 7
    labels = {hit.record.source for hit in index.search("person bus gate open", k=100).hits}
    assert len(labels) == 7
    again = index.add(site)
    assert again.unchanged == 7 and {f.source for f in again.failures} == {
        failure.source for failure in report.failures
    }


@pytest.fixture
def as_user(detector, embedder):
    """A folder of a person without root's right to read everything; yields it as that person."""
    if os.name != "posix":
        pytest.skip("permissions of this kind are POSIX's")
    folder = Path(tempfile.mkdtemp(prefix="vision-ctx-"))
    make(folder / "warm", detector, embedder)  # imports what the index needs while root may read it
    user = os.geteuid()
    if user == 0:
        shutil.rmtree(folder / "warm")
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
    yield folder
    os.seteuid(user)
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)


def test_what_may_not_be_read_is_named(as_user, save, detector, embedder):
    site = as_user / "site"
    save(site / "ok" / "a.png", **PERSON)
    secret = save(site / "ok" / "b.png", **PERSON)
    save(site / "System Volume Information" / "c.png", **PERSON)
    (site / "ok" / "loop").symlink_to(site)
    os.mkfifo(site / "pipe.jpg")
    secret.chmod(0)
    (site / "System Volume Information").chmod(0)
    index = make(as_user / "index", detector, embedder)
    report = index.add(site)
    failed = {Path(failure.source).name: failure.error for failure in report.failures}
    assert failed.keys() == {"b.png", "System Volume Information"}
    assert all("permission denied" in error for error in failed.values())
    assert report.added == 1
    assert index.search("person").eligible["crops"] == 1
    # What became unreadable is not gone: it keeps what it had.
    secret.chmod(0o600)
    (site / "System Volume Information").chmod(0o700)
    assert index.add(site).added == 2
    secret.chmod(0)
    (site / "System Volume Information").chmod(0)
    report = index.add(site)
    assert report.removed == 0
    assert index.search("person").eligible["crops"] == 3


def test_changed_vanished_touched_renamed_and_new_files(index, site, save):
    index.add(site)
    gate = site / "gate"
    save(gate / "20260303_071500.png", dog=(20, 30, 50, 60))  # changed
    (gate / "20260303_071501.png").unlink()  # vanished
    os.utime(gate / "20260303_071502.png", (2e9, 2e9))  # touched, same content
    (gate / "20260303_071503.png").rename(gate / "20260303_091503.png")  # renamed
    (site / "new.md").write_text("A fox.\n")
    (site / "b.txt").unlink()
    report = index.add(site)
    assert (report.added, report.updated, report.removed, report.unchanged) == (2, 1, 3, 3)
    again = index.add(site)
    assert (again.added, again.updated, again.removed, again.unchanged) == (0, 0, 0, 6)
    assert index.search("quiet").eligible["chunks"] == 3
    sources = {row["source"] for row in rows(index).values()}
    assert sources == {str(path) for path in site.rglob("*") if path.is_file()}
    labels = [h.record.label for h in index.search("dog", label="dog").hits]
    assert labels == ["dog"]


def test_changes_leave_the_same_index_as_a_first_run(
    index, site, save, tmp_path, detector, embedder
):
    index.add(site, timezone="UTC")
    save(site / "gate" / "20260303_071500.png", dog=(20, 30, 50, 60))
    (site / "gate" / "20260303_071501.png").unlink()
    (site / "a.md").write_text("# Other\n\nWords.\n")
    index.add(site, timezone="UTC")
    fresh = make(tmp_path / "fresh", detector, embedder)
    fresh.add(site, timezone="UTC")
    same_rows(rows(index), rows(fresh))
    assert pictures(index) == pictures(fresh)


def test_a_file_that_changes_without_its_size_or_time(index, site):
    log = site / "b.txt"
    index.add(site)
    stat = log.stat()
    log.write_text("All queer.\n")
    os.utime(log, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert index.add(site).updated == 1


def test_a_file_that_goes_bad_keeps_what_it_had_and_says_so(index, site, save):
    index.add(site)
    picture = site / "gate" / "20260303_071500.png"
    whole = picture.read_bytes()
    picture.write_bytes(whole[:100])
    report = index.add(site)
    assert [Path(f.source).name for f in report.failures] == [picture.name]
    assert report.removed == 0 and index.search("person").eligible["crops"] == 14
    picture.write_bytes(whole)
    report = index.add(site)
    assert report.failures == [] and index.search("person").eligible["crops"] == 14


def test_settings_decide_what_is_done_again(index, site, detector, embedder):
    index.add(site)
    faster = Index.open(index.folder, detector=detector, embedder=embedder, fps=1)
    report = faster.add(site)
    assert report.updated >= 1 and report.removed == 0
    assert faster.search("person", camera="yard").eligible["crops"] == 3
    assert faster.add(site).unchanged == 7
    assert Index.open(index.folder, detector=detector, embedder=embedder).add(site).unchanged == 7


def test_what_was_said_of_a_source_holds_for_later_runs(index, site):
    index.add(site / "gate", camera="north", timezone="Asia/Tokyo")
    assert index.add(site / "gate").unchanged == 4
    assert index.search("person", camera="north").eligible["crops"] == 8
    assert index.add(site / "gate", camera="south").updated == 4
    assert index.search("person", camera="north").eligible["crops"] == 0


def test_sources_by_turns_are_sources_together(index, site, tmp_path, detector, embedder):
    index.add(site, timezone="UTC")
    slowly = make(tmp_path / "slowly", detector, embedder)
    files = sorted(path for path in site.rglob("*") if path.is_file())
    for file in reversed(files):
        slowly.add(file, timezone="UTC")
    ids = {row["id"] for row in rows(index).values()}
    assert ids == {row["id"] for row in rows(slowly).values()}
    assert slowly.add(*files).unchanged == 7
    assert index.add(site, site, site / "gate").unchanged == 7  # named twice, counted once


def test_one_folder_does_not_remove_another(index, site, tmp_path, save):
    other = save(tmp_path / "site2" / "a.png", **PERSON)
    index.add(site, tmp_path / "site2")
    assert index.add(site).removed == 0
    other.unlink()
    assert index.add(site).removed == 0
    (tmp_path / "site2" / "b.md").write_text("Words.")
    assert index.add(tmp_path / "site2").removed == 1


def test_an_empty_mount_point_forgets_nothing(index, site):
    index.add(site)
    shutil.move(site, site.with_name("away"))
    site.mkdir()
    report = index.add(site)
    assert report.removed == 0 and "is the drive mounted?" in report.failures[0].error
    assert index.search("person").eligible["crops"] == 14


def test_a_bad_configuration_stops_before_anything_is_done(index, site):
    (site / "vision_ctx.toml").write_text("[cameras.gate]\ntimezone = 'Mars'\n")
    with pytest.raises(ConfigError, match=r"vision_ctx\.toml"):
        index.add(site)
    (site / "vision_ctx.toml").unlink()
    assert index.add(site).added == 7


def test_a_picture_and_a_film_without_anything_stay_findable(index, tmp_path, save):
    index.add(save(tmp_path / "gate" / "a.png"))
    (hit,) = index.search("scene without objects").hits
    assert hit.record.label == "scene" and hit.record.confidence is None


# Faults of models


def test_a_detector_that_fails_on_one_frame(tmp_path, site, detector, embedder):
    class Fragile(type(detector)):
        def _detect(self, image):
            found = super()._detect(image)
            if any(detection.box.x0 == 18 for detection in found if detection.label == "person"):
                raise RuntimeError("out of memory")
            return found

    fragile = Fragile()
    index = make(tmp_path / "i", fragile, embedder)
    report = index.add(site)
    (failure,) = report.failures
    assert failure.source.endswith("080000.avi")
    assert "incomplete" in failure.error and "out of memory" in failure.error
    assert report.crops == 4 * 2 + 5  # the other frames are kept
    Fragile._detect = type(detector)._detect
    report = index.add(site)
    assert (report.updated, report.unchanged, report.failures) == (1, 6, [])
    assert index.search("person").eligible["crops"] == 14


@pytest.mark.parametrize("method", ["embed_images", "embed_texts"])
@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_an_embedder_that_gives_no_direction_for_one_file(
    tmp_path, site, save, detector, embedder, method, value
):
    save(site / "gate" / "20260303_120000.png", dog=(20, 30, 50, 60))

    class Fragile(type(embedder)):
        broken = method

        def _picture(self, image):
            centre = image[image.shape[0] // 2, image.shape[1] // 2]
            yellow = np.abs(centre.astype(int) - (255, 255, 0)).max() < 60
            return self._spoiled(super()._picture(image), yellow and self.broken == "embed_images")

        def _text(self, text):
            dog = "dog" in text.lower()
            return self._spoiled(super()._text(text), dog and self.broken == "embed_texts")

        def _spoiled(self, vector, spoil):
            return np.full_like(vector, value) if spoil else vector

    fragile = Fragile()
    index = make(tmp_path / "i", detector, fragile)
    report = index.add(site)
    (failure,) = report.failures
    assert failure.source.endswith("120000.png") and "no finite" in failure.error
    assert index.search("person").eligible == {"crops": 14, "chunks": 3}
    assert all(np.isfinite(row["text_vector"]).all() for row in rows(index).values())
    fragile.broken = None
    report = index.add(site)
    assert (report.updated + report.added, report.failures) == (1, [])
    assert index.search("dog", label="dog").eligible["crops"] == 1


@pytest.mark.parametrize("role", ["detect", "embed_images", "embed_texts"])
def test_a_model_that_breaks_down_leaves_a_whole_index(
    tmp_path, site, detector, embedder, role, monkeypatch
):
    """Whatever a model raises, the next run completes the index."""
    monkeypatch.setattr(vision_ctx.ingest, "FLUSH_ROWS", 3)
    index = make(tmp_path / "i", detector, embedder)
    model = detector if role == "detect" else embedder
    calls = [0]
    original = getattr(model, role)

    def break_down(items):
        calls[0] += 1
        if calls[0] > 3:
            raise Broken
        return original(items)

    monkeypatch.setattr(model, role, break_down)
    monkeypatch.setattr(vision_ctx.embedding, "BATCH", 1)
    monkeypatch.setattr(vision_ctx.footage.detecting, "BATCH", 2)
    with pytest.raises(Broken):
        index.add(site, timezone="UTC")
    monkeypatch.setattr(model, role, original)
    index.add(site, timezone="UTC")
    fresh = make(tmp_path / "fresh", detector, embedder)
    fresh.add(site, timezone="UTC")
    same_rows(rows(index), rows(fresh))


# Interruptions


@pytest.mark.parametrize(
    ("at", "flush"), [(1, 2000), (4, 1), (10, 4), (12, 1), (14, 4), (15, 2000), (16, 1)]
)
def test_stopped_by_hand_and_run_again(tmp_path, site, detector, embedder, monkeypatch, at, flush):
    monkeypatch.setattr(vision_ctx.ingest, "FLUSH_ROWS", flush)
    monkeypatch.setattr(vision_ctx.embedding, "BATCH", 1)
    index = make(tmp_path / "i", detector, embedder)
    count = [0]

    def stop(step):
        count[0] += 1
        if count[0] == at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.add(site, timezone="UTC", on_progress=stop)
    index.search("person")  # what was done is published, whole
    again = Index.open(index.folder, detector=detector, embedder=embedder)
    again.add(site, timezone="UTC")
    fresh = make(tmp_path / "fresh", detector, embedder)
    fresh.add(site, timezone="UTC")
    same_rows(rows(index), rows(fresh))
    assert pictures(index) == pictures(fresh)
    assert again.add(site).unchanged == 7


def test_what_was_done_before_a_stop_is_kept(tmp_path, site, detector, embedder, monkeypatch):
    index = make(tmp_path / "i", detector, embedder)

    def stop(step):
        if step.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.add(site, on_progress=stop)
    assert index.search("person").eligible["crops"] == 14
    assert index.add(site).unchanged >= 6


@pytest.mark.parametrize("then", ["changed", "vanished"])
def test_stopped_in_a_film_that_then_changes(tmp_path, film, detector, embedder, monkeypatch, then):
    """Rows of a film that was never finished must not outlive it."""
    monkeypatch.setattr(vision_ctx.ingest, "FLUSH_ROWS", 2)
    monkeypatch.setattr(vision_ctx.embedding, "BATCH", 1)
    site = tmp_path / "site"
    path = film(site / "yard" / "20260303_080000.avi", frames=40)
    (site / "log.md").write_text("Quiet.")
    index = make(tmp_path / "i", detector, embedder)
    written = []
    original = Store.write

    def write(self, records, finished):
        original(self, records, finished)
        written.extend(records)
        if len(written) >= 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(Store, "write", write)
    with pytest.raises(KeyboardInterrupt):
        index.add(site, timezone="UTC")
    monkeypatch.setattr(Store, "write", original)
    if then == "changed":
        film(path, frames=5)
    else:
        path.unlink()
    index.add(site, timezone="UTC")
    fresh = make(tmp_path / "fresh", detector, embedder)
    fresh.add(site, timezone="UTC")
    same_rows(rows(index), rows(fresh))
    assert pictures(index) == pictures(fresh)


def test_stopped_while_a_changed_film_is_replaced(tmp_path, film, detector, embedder, monkeypatch):
    monkeypatch.setattr(vision_ctx.ingest, "FLUSH_ROWS", 2)
    monkeypatch.setattr(vision_ctx.embedding, "BATCH", 1)
    path = film(tmp_path / "yard" / "20260303_080000.avi", frames=6)
    index = make(tmp_path / "i", detector, embedder)
    index.add(path, timezone="UTC")
    film(path, frames=9)
    count = [0]

    def stop(step):
        count[0] += 1
        if count[0] == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.add(path, timezone="UTC", on_progress=stop)
    index.add(path, timezone="UTC")
    fresh = make(tmp_path / "fresh", detector, embedder)
    fresh.add(path, timezone="UTC")
    same_rows(rows(index), rows(fresh))
    assert pictures(index) == pictures(fresh)


def test_a_write_that_fails_half_way_is_not_done_twice(index, site, monkeypatch):
    monkeypatch.setattr("vision_ctx.ingest.FLUSH_ROWS", 2)
    real, failed = Store._put, []

    def put(store, entries):
        if any(entry.status == "done" for entry in entries) and not failed:
            failed.append(True)
            raise OSError("disk full")
        real(store, entries)

    monkeypatch.setattr(Store, "_put", put)
    with pytest.raises(OSError, match="disk full"):
        index.add(site)
    ids = index.snapshot().values("id")
    assert len(ids) == len(set(ids))
    index.add(site)
    ids = index.snapshot().values("id")
    assert len(ids) == len(set(ids)) > 2
