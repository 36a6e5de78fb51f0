"""What a second run does again, leaves alone, and forgets."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from vision_ctx.errors import ConfigError
from vision_ctx.pipeline import SourceDone
from vision_ctx.plan import Given, Plan, make_plan
from vision_ctx.store.manifest import Settings
from vision_ctx.store.store import Entry
from vision_ctx.types import Source

LONG_AGO = 1_700_000_000
Save = Callable[..., Path]


class Memory:
    """Stands in for the store: remembers what a run would have written."""

    def __init__(self) -> None:
        self.known: dict[str, Entry] = {}

    def plan(
        self,
        *paths: Path,
        given: Given | None = None,
        settings: Settings | None = None,
        contextualizer: str = "headings",
    ) -> Plan:
        given, settings = given or Given(), settings or Settings()
        return make_plan(paths, self.known, settings, given, contextualizer)

    def run(self, *paths: Path, error: str | None = None, **options: object) -> Plan:
        """Follows a plan; ``error`` makes every source that is indexed incomplete."""
        plan = self.plan(*paths, **options)  # type: ignore[arg-type]
        for item in list(plan.recordings()) + list(plan.documents()):
            if isinstance(item, SourceDone):
                self.remember(plan.failed_entry(item))
            else:
                source = item if isinstance(item, Source) else item.source
                self.remember(plan.entry(SourceDone(source, error), 1, 0))
        for entry in plan.touched:
            self.remember(entry)
        for entry in plan.vanished:
            del self.known[entry.source.path]
        return plan

    def remember(self, entry: Entry) -> None:
        self.known[entry.source.path] = Entry.of_row(entry.row())


def names(entries: object) -> list[str]:
    return sorted(Path(entry.source.path).name for entry in entries)  # type: ignore[attr-defined]


def todo(plan: Plan) -> list[str]:
    return sorted(candidate.found.path.name for candidate in plan.candidates)


def age(path: Path, seconds: int = 0) -> None:
    """Sets a file time that is long past, so that it can be trusted."""
    os.utime(path, (LONG_AGO + seconds, LONG_AGO + seconds))


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def site(tmp_path: Path, save: Save) -> Path:
    folder = tmp_path / "site"
    for name in ("gate/a.png", "gate/b.png", "yard/c.png"):
        age(save(folder / name, person=(10, 10, 20 + len(name), 40)))
    (folder / "report.md").write_text("# Report\n\nThe gate was open.\n")
    age(folder / "report.md")
    return folder


ALL = ["a.png", "b.png", "c.png", "report.md"]


def test_a_first_run_does_everything(memory: Memory, site: Path) -> None:
    plan = memory.run(site)
    assert todo(plan) == ALL
    cameras = {c.found.path.name: c.camera.id for c in plan.candidates if c.camera}
    assert cameras == {"a.png": "gate", "b.png": "gate", "c.png": "yard"}


def test_a_second_run_reads_nothing(
    memory: Memory, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.run(site)
    monkeypatch.setattr("vision_ctx.plan.read_source", lambda *_: pytest.fail("read a file"))
    plan = memory.run(site)
    assert (todo(plan), names(plan.unchanged), plan.vanished) == ([], ALL, [])


def test_a_file_of_this_very_moment_is_read_but_not_indexed_again(
    memory: Memory, site: Path
) -> None:
    (site / "gate" / "a.png").touch()
    memory.run(site)
    plan = memory.run(site)
    assert (todo(plan), names(plan.touched)) == (["a.png"], ["a.png"])


def test_a_changed_file_alone_is_done_again(memory: Memory, site: Path, save: Save) -> None:
    memory.run(site)
    save(site / "gate" / "a.png", person=(40, 40, 90, 90))
    plan = memory.plan(site)
    assert todo(plan) == ["a.png"]
    (found,) = plan.recordings()
    assert not plan.is_new(SourceDone(found.source))  # type: ignore[union-attr]


def test_a_change_that_keeps_size_and_time(memory: Memory, site: Path) -> None:
    report = site / "report.md"
    report.touch()
    stat = report.stat()
    memory.run(site)
    report.write_text("# Report\n\nThe gate was shut.\n")
    os.utime(report, ns=(stat.st_mtime_ns, stat.st_mtime_ns))
    plan = memory.plan(site)
    assert len(list(plan.documents())) == 1


def test_a_new_time_on_old_content_is_only_noted(memory: Memory, site: Path) -> None:
    memory.run(site)
    age(site / "gate" / "a.png", seconds=3600)
    plan = memory.run(site)
    assert names(plan.touched) == ["a.png"]
    assert todo(memory.run(site)) == []


def test_a_moved_file_is_another_source(memory: Memory, site: Path) -> None:
    memory.run(site)
    (site / "gate" / "a.png").rename(site / "yard" / "a.png")
    plan = memory.run(site)
    assert todo(plan) == ["a.png"] and names(plan.vanished) == ["a.png"]
    assert str(site / "gate" / "a.png") not in memory.known


def test_content_that_swaps_places_is_noticed(memory: Memory, site: Path) -> None:
    a, b, spare = site / "gate/a.png", site / "gate/b.png", site / "gate/spare"
    age(b, seconds=1)
    memory.run(site)
    a.rename(spare)
    b.rename(a)
    spare.rename(b)
    assert todo(memory.run(site)) == ["a.png", "b.png"]
    assert todo(memory.run(site)) == []


def test_options_stay_until_others_are_given(memory: Memory, site: Path) -> None:
    memory.run(site, given=Given(camera="gate 7", timezone="Asia/Tokyo"))
    assert todo(memory.run(site)) == []
    plan = memory.run(site, given=Given(timezone="Europe/Amsterdam"))
    assert todo(plan) == ALL[:3]  # a document has no camera
    assert {(c.camera.id, c.camera.timezone) for c in plan.candidates if c.camera} == {
        ("gate 7", "Europe/Amsterdam")
    }
    assert todo(memory.run(site, given=Given(camera="gate 7"))) == []
    assert todo(memory.run(site, given=Given(camera="gate 8"))) == ALL[:3]


def test_options_hold_for_the_files_that_were_named(memory: Memory, site: Path) -> None:
    memory.run(site / "gate", given=Given(camera="gate 7"))
    plan = memory.run(site)
    assert todo(plan) == ["c.png", "report.md"]
    assert [c.camera.id for c in plan.candidates if c.camera] == ["yard"]


def test_a_start_time_fits_one_recording(memory: Memory, site: Path) -> None:
    given = Given(start_time=datetime(2024, 1, 5, 10))
    with pytest.raises(ValueError, match="3 were found"):
        memory.plan(site, given=given)
    with pytest.raises(ValueError, match="0 were found"):
        memory.plan(site / "report.md", given=given)
    plan = memory.run(site / "yard", site / "report.md", given=given)
    assert [c.start_time for c in plan.candidates if c.camera] == [datetime(2024, 1, 5, 10)]
    assert todo(memory.run(site / "yard")) == []
    other = Given(start_time=datetime(2024, 1, 5, 11))
    assert todo(memory.run(site / "yard", given=other)) == ["c.png"]


def test_settings_decide_about_footage_and_the_contextualizer_about_documents(
    memory: Memory, site: Path
) -> None:
    memory.run(site)
    assert todo(memory.plan(site, settings=Settings(min_confidence=0.5))) == ALL[:3]
    assert todo(memory.plan(site, contextualizer="claude")) == ["report.md"]


def test_frames_a_second_decide_about_videos_only(memory: Memory, site: Path) -> None:
    (site / "gate" / "clip.mp4").write_bytes(b"video")
    age(site / "gate" / "clip.mp4")
    memory.run(site)
    assert todo(memory.plan(site, settings=Settings(fps=5.0))) == ["clip.mp4"]


def test_a_changed_configuration(memory: Memory, site: Path) -> None:
    memory.run(site)
    config = site / "vision_ctx.toml"
    config.write_text("[cameras.gate]\nlooks_at = 'the barrier'\n")
    assert todo(memory.run(site)) == ["a.png", "b.png"]  # the yard is as before
    config.write_text("[cameras.gate]\nlooks_at = 'the barrier'\npaths = []\n# a remark\n")
    assert todo(memory.run(site)) == []
    config.write_text("[cameras.gate]\nlooks_at = 'the barrier'\n[cameras.z]\npaths=['yard/*']\n")
    assert todo(memory.run(site)) == ["c.png"]
    config.unlink()
    assert todo(memory.run(site)) == ALL[:3]
    config.write_text("[cameras.gate\n")
    with pytest.raises(ConfigError):
        memory.plan(site)


def test_a_zone_that_does_not_exist(memory: Memory, site: Path) -> None:
    with pytest.raises(ConfigError, match="Mars"):
        memory.plan(site, given=Given(timezone="Mars/Olympus"))


def test_a_journey_does_not_move_old_times(
    memory: Memory, site: Path, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision_ctx.plan.local_timezone", lambda: "Europe/Amsterdam")
    memory.run(site)
    monkeypatch.setattr("vision_ctx.plan.local_timezone", lambda: "Asia/Tokyo")
    save(site / "gate" / "new.png")
    plan = memory.run(site)
    assert [(c.found.path.name, c.camera.timezone) for c in plan.candidates if c.camera] == [
        ("new.png", "Asia/Tokyo")
    ]


def test_vanished_files_are_forgotten(memory: Memory, site: Path) -> None:
    memory.run(site)
    (site / "gate" / "a.png").unlink()
    (site / "report.md").unlink()
    shutil.rmtree(site / "yard")
    assert names(memory.run(site).vanished) == ["a.png", "c.png", "report.md"]
    assert sorted(Path(path).name for path in memory.known) == ["b.png"]


def test_only_what_lies_under_the_named_sources_is_looked_for(memory: Memory, site: Path) -> None:
    memory.run(site)
    shutil.rmtree(site / "yard")
    (site / "gate" / "a.png").unlink()
    plan = memory.plan(site / "gate", site / "gate")
    assert names(plan.vanished) == ["a.png"]


def test_a_folder_whose_name_only_starts_alike_is_left_alone(
    memory: Memory, site: Path, save: Save
) -> None:
    age(save(site.parent / "site 2" / "d.png"))
    memory.run(site, site.parent / "site 2")
    shutil.rmtree(site.parent / "site 2")
    assert memory.plan(site).vanished == []


def test_an_unmounted_drive_keeps_its_files(memory: Memory, site: Path) -> None:
    memory.run(site)
    stored = site.rename(site.with_name("elsewhere"))
    gone = memory.run(site)
    assert gone.vanished == [] and "no such file" in gone.failures[0].error
    site.mkdir()
    empty = memory.run(site)
    assert empty.vanished == [] and "mounted" in empty.failures[0].error
    assert len(memory.known) == 4
    site.rmdir()
    stored.rename(site)
    assert names(memory.run(site).unchanged) == ALL


def test_an_empty_folder_that_never_held_anything(memory: Memory, tmp_path: Path) -> None:
    plan = memory.run(tmp_path)
    assert (plan.vanished, plan.failures, plan.candidates) == ([], [], [])


def test_a_file_named_by_hand_that_is_gone(memory: Memory, site: Path) -> None:
    memory.run(site)
    file = site / "gate" / "a.png"
    file.unlink()
    plan = memory.run(file)
    assert plan.vanished == [] and len(plan.failures) == 1  # a wrong path deletes nothing


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no such permissions")
def test_a_closed_folder_keeps_its_files(memory: Memory, save: Save) -> None:  # S40
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        top.chmod(0o755)
        for file in ("site/open/a.png", "site/closed/b.png", "site/closed/sub/c.png"):
            age(save(top / file))
        memory.run(top / "site")
        (top / "site" / "open" / "a.png").unlink()
        (top / "site" / "closed").chmod(0)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            plan = memory.run(top / "site")
            by_hand = memory.run(top / "site" / "closed" / "sub")
        finally:
            if root:
                os.seteuid(0)
            (top / "site" / "closed").chmod(0o755)
        assert names(plan.vanished) == ["a.png"]
        assert [failure.source for failure in plan.failures] == [str(top / "site" / "closed")]
        assert by_hand.vanished == [] and len(by_hand.failures) == 1
        assert len(memory.known) == 2


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no such permissions")
def test_a_closed_file_is_a_failure_and_keeps_what_it_had(memory: Memory, save: Save) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        top.chmod(0o755)
        file = save(top / "b.png")
        memory.run(top)
        file.chmod(0)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            memory.run(top)
        finally:
            if root:
                os.seteuid(0)
        entry = memory.known[str(file)]
        assert (entry.status, entry.crops) == ("failed", 1)
        assert entry.error is not None and "permission denied" in entry.error
        file.chmod(0o644)
        assert todo(memory.run(top)) == ["b.png"]
        assert memory.known[str(file)].status == "done"


def test_a_file_that_vanishes_between_plan_and_reading(memory: Memory, site: Path) -> None:
    plan = memory.plan(site)
    (site / "gate" / "a.png").unlink()
    items = list(plan.recordings())
    (failed,) = [item for item in items if isinstance(item, SourceDone)]
    assert (failed.readable, failed.error) == (False, "there is no such file or folder")
    assert len(items) == 3
    entry = plan.failed_entry(failed)
    assert (entry.status, entry.crops) == ("failed", 0)
    memory.remember(entry)
    assert names(memory.run(site).vanished) == ["a.png"]  # and the next run forgets it


def test_a_file_that_changes_after_it_was_read_is_done_again(
    memory: Memory, site: Path, save: Save
) -> None:
    plan = memory.plan(site / "yard")
    (item,) = plan.recordings()
    save(site / "yard" / "c.png", dog=(1, 1, 30, 30))  # while it is being indexed
    memory.remember(plan.entry(SourceDone(item.source), 1, 0))  # type: ignore[union-attr]
    assert len(list(memory.plan(site / "yard").recordings())) == 1


def test_failures_are_tried_again_and_cut_files_only_when_they_grow(
    memory: Memory, site: Path
) -> None:
    empty, cut = site / "gate" / "empty.mp4", site / "gate" / "cut.mp4"
    empty.touch()
    cut.write_bytes(b"half a recording")
    age(empty)
    age(cut)
    memory.run(site)
    assert memory.known[str(empty)].error == "the file is empty"
    assert todo(memory.run(site)) == ["empty.mp4"]
    memory.remember(replace(memory.known[str(cut)], status="incomplete", error="incomplete: …"))
    assert "cut.mp4" not in todo(memory.plan(site))
    cut.write_bytes(b"half a recording and the rest of it")
    assert "cut.mp4" in todo(memory.plan(site))


def test_a_detector_that_failed_is_asked_again(memory: Memory, site: Path) -> None:
    plan = memory.plan(site / "yard")
    (item,) = plan.recordings()
    done = SourceDone(item.source, "incomplete: the detector failed", retry=True)  # type: ignore[union-attr]
    memory.remember(plan.entry(done, 0, 0))
    plan = memory.plan(site / "yard")
    assert len(list(plan.recordings())) == 1


def test_a_run_that_was_killed_is_done_again(memory: Memory, site: Path) -> None:
    memory.run(site)
    path = str(site / "gate" / "a.png")
    memory.remember(replace(memory.known[path], status="writing"))
    plan = memory.plan(site)
    assert todo(plan) == ["a.png"] and len(list(plan.recordings())) == 1


def test_what_was_skipped_is_listed(memory: Memory, site: Path) -> None:
    (site / "notes.xyz").touch()
    plan = memory.plan(site)
    assert [Path(item.source).name for item in plan.skipped] == ["notes.xyz"]


def test_no_source_and_no_memory() -> None:
    known: Mapping[str, Entry] = {}
    assert make_plan([], known, Settings(), Given(), "x") == Plan()
