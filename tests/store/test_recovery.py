"""Kills a run before each of its steps, runs again, and compares with a run that nobody disturbed."""

import shutil

import pytest
from lancedb.merge import LanceMergeInsertBuilder
from lancedb.table import LanceTable

from vision_ctx.index import Index
from vision_ctx.store import pictures, recovery
from vision_ctx.store import store as writing
from vision_ctx.store.lexical import LexicalIndex
from vision_ctx.store.snapshot import Snapshot
from vision_ctx.store.store import Store

STEPS = [
    (LanceTable, "add"),
    (LanceTable, "delete"),
    (LanceTable, "optimize"),
    (LanceMergeInsertBuilder, "execute"),
    (LexicalIndex, "save"),
    (writing, "write_atomically"),
    (pictures.Pictures, "_write"),
    (pictures.Pictures, "delete"),
    (recovery, "mark"),
    (recovery, "sweep"),
    (recovery, "unmark"),
    (shutil, "rmtree"),
]


class Killed(BaseException):
    pass


class Killer:
    """Stops everything that changes the disk from the n-th step on, as a dead process would."""

    def __init__(self, monkeypatch, at):
        self.at, self.names = at, []
        for owner, name in STEPS:
            monkeypatch.setattr(owner, name, self.wrap(name, getattr(owner, name)))

    @property
    def steps(self):
        return len(self.names)

    def wrap(self, name, function):
        def step(*args, **kwargs):
            self.names.append(name)
            if self.at is not None and self.steps >= self.at:
                raise Killed
            return function(*args, **kwargs)

        return step


def state(folder):
    """All that an index holds, but for row order, versions and the times of reading."""
    snapshot = Snapshot.load(folder)
    records = {r.id: r for r in map(snapshot.record, range(len(snapshot)))}
    assert len(records) == len(snapshot)
    vectors = {}
    for column in ("image_vector", "text_vector"):
        rows, matrix = snapshot.vectors(column)
        names = [snapshot.record(row).id for row in rows]
        vectors[column] = {
            name: vector.tobytes() for name, vector in zip(names, matrix, strict=True)
        }
    entries = {}
    for row in Store(folder, 32)._sources.to_arrow().to_pylist():
        assert row["path"] not in entries
        entries[row["path"]] = {key: v for key, v in row.items() if key != "read_at_ns"}
    recovery.unmark(folder)
    words = {
        snapshot.record(row).id: score
        for word in ("person", "bus", "gate", "open", "new")
        for row, score in enumerate(snapshot.words.scores([word]))
    }
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*.jpg")}
    left = {p.name for p in folder.rglob("*tmp")} | {p.name for p in folder.glob(recovery.MARK)}
    return records, vectors, entries, words, files, left


@pytest.fixture
def world(tmp_path, save, detector, embedder):
    """A folder, an index of its first state, and the folder changed since."""
    place, first = tmp_path / "gate", tmp_path / "first"
    save(place / "20260303_071500.jpg", person=(10, 20, 40, 100), bus=(50, 10, 150, 110))
    save(place / "20260303_071600.jpg", car=(10, 20, 90, 100))
    save(place / "20260303_071700.jpg")
    (place / "note.md").write_text("# Note\n\nThe gate was open.\n")
    Index.create(first, detector=detector, embedder=embedder).add(place)
    save(place / "20260303_071500.jpg", dog=(10, 20, 90, 100), person=(100, 20, 140, 100))
    (place / "20260303_071600.jpg").unlink()
    save(place / "20260303_071800.jpg", bus=(50, 10, 150, 110))
    (place / "note.md").write_text("# Note\n\nThe gate was closed.\n\n## New\n\nA new one.\n")

    def run(folder):
        return Index.open(folder, detector=detector, embedder=embedder).add(place)

    return place, first, run


@pytest.mark.slow
def test_killed_before_any_step_the_next_run_makes_it_good(world, tmp_path):
    _place, first, run = world
    before = state(first)
    undisturbed = tmp_path / "undisturbed"
    shutil.copytree(first, undisturbed)
    with pytest.MonkeyPatch.context() as patch:
        total = Killer(patch, None)
        run(undisturbed)
    after = state(undisturbed)
    assert after[0] != before[0]
    assert total.steps > 12
    for at in range(1, total.steps + 1):
        folder = tmp_path / f"killed{at}"
        shutil.copytree(first, folder)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            Killer(patch, at)
            run(folder)
        seen = Snapshot.load(folder)
        names = {seen.record(row).id for row in range(len(seen))}
        assert names in (before[0].keys(), after[0].keys())  # a reader sees the old or the new
        run(folder)
        assert state(folder) == after, f"killed before step {at} of {total.steps}"


def test_what_a_killed_run_began_and_is_gone_since_leaves_no_trace(world, tmp_path):
    place, first, run = world
    with pytest.MonkeyPatch.context() as patch:
        shutil.copytree(first, tmp_path / "watched")
        total = Killer(patch, None)
        run(tmp_path / "watched")
    new = place / "20260303_071800.jpg"
    kept = new.read_bytes()
    new.unlink()
    undisturbed = tmp_path / "undisturbed"
    shutil.copytree(first, undisturbed)
    run(undisturbed)
    after = state(undisturbed)
    between = [
        at for at, name in enumerate(total.names, 1) if name in ("execute", "_write", "save")
    ]
    for at in between:
        new.write_bytes(kept)
        folder = tmp_path / f"killed{at}"
        shutil.copytree(first, folder)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            Killer(patch, at)
            run(folder)
        new.unlink()
        run(folder)
        records, _vectors, entries, _words, files, left = state(folder)
        assert (records, files, left) == (after[0], after[4], after[5])
        assert entries.keys() == after[2].keys()


@pytest.mark.slow
def test_a_first_run_killed_before_any_step(tmp_path, save, detector, embedder):
    place = tmp_path / "gate"
    save(place / "20260303_071500.jpg", person=(10, 20, 40, 100))

    def run(folder):
        open_or_make = Index.open if folder.exists() else Index.create
        return open_or_make(folder, detector=detector, embedder=embedder).add(place)

    with pytest.MonkeyPatch.context() as patch:
        total = Killer(patch, None)
        run(tmp_path / "undisturbed")
    after = state(tmp_path / "undisturbed")
    for at in range(1, total.steps + 1):
        folder = tmp_path / f"killed{at}"
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            Killer(patch, at)
            run(folder)
        run(folder)
        assert state(folder) == after, f"killed before step {at} of {total.steps}"


def test_an_interrupted_run_keeps_what_it_did_and_the_next_does_the_rest(
    world, tmp_path, monkeypatch
):
    _place, first, run = world
    undisturbed = tmp_path / "undisturbed"
    shutil.copytree(first, undisturbed)
    run(undisturbed)
    saved = []
    write = pictures.Pictures._write

    def interrupted(self, *args):
        saved.append(args)
        if len(saved) == 3:
            raise KeyboardInterrupt
        return write(self, *args)

    monkeypatch.setattr(pictures.Pictures, "_write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(first)
    monkeypatch.undo()
    run(first)
    assert state(first) == state(undisturbed)


def test_a_swept_folder_keeps_named_pictures_only(tmp_path):
    for name in (
        "crops/aa/1.jpg",
        "crops/aa/2.jpg",
        "frames/bb/3.jpg",
        "crops/aa/4.tmp",
        ".x.9.tmp",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    recovery.sweep(tmp_path, ["crops/aa/1.jpg", None])
    left = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert left == {"crops/aa/1.jpg"}
    recovery.sweep(tmp_path / "nowhere", [])


def test_the_mark_tells_of_an_earlier_run(tmp_path):
    assert not recovery.mark(tmp_path)
    assert recovery.mark(tmp_path)
    recovery.unmark(tmp_path)
    recovery.unmark(tmp_path)
    assert not recovery.mark(tmp_path)
