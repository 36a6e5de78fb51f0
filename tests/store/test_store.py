from dataclasses import replace

import lancedb
import numpy as np
import pytest

from vision_ctx.errors import IndexDamagedError, IndexLockedError, IndexMismatchError
from vision_ctx.sources.fingerprint import digest, make_source
from vision_ctx.store.snapshot import Snapshot
from vision_ctx.store.store import MANY_FILES, Entry, Store, locked, read_published
from vision_ctx.store.tables import among, file_count
from vision_ctx.types import Record

DIM = 8


def source(path, content="aa"):
    return make_source(path, "image", 1, 1, content)


def record(owner, turn=0, text="van", picture=True):
    name = digest(owner.id, str(turn))
    vector = np.zeros(DIM, np.float32)
    vector[turn % DIM] = 1
    paths = {"crop_path": f"crops/{name}.jpg", "frame_path": f"frames/{owner.id}.jpg"}
    return Record(
        *(name, "crop", owner.id, owner.path, "Gate.", text),
        text_vector=vector,
        image_vector=vector,
        **(paths if picture else {}),
    )


def entry(owner, **values):
    return Entry(owner, read_at_ns=5, settings="s", **values)


def draw(store, records):
    """The files that the rows name."""
    for each in records:
        for path in (each.crop_path, each.frame_path):
            (store.folder / path).parent.mkdir(exist_ok=True)
            (store.folder / path).touch()
    return records


def put(store, owner, *records):
    store.write(draw(store, records), [entry(owner, crops=len(records))])


def pictures(folder):
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*.jpg")}


def ids(folder):
    snapshot = Snapshot.load(folder)
    return sorted(snapshot.values("id"))


GATE, YARD = source("/gate.jpg"), source("/yard.jpg")


def test_readers_see_what_was_published_and_no_more(tmp_path):
    store = Store(tmp_path, DIM)
    assert read_published(tmp_path) is None
    put(store, GATE, record(GATE))
    store.publish()
    before = Snapshot.load(tmp_path)
    put(store, YARD, record(YARD, text="dog"))
    assert len(Snapshot.load(tmp_path)) == 1
    store.publish()
    after = Snapshot.load(tmp_path)
    assert (len(before), len(after)) == (1, 2)
    assert len(before.vectors("text_vector")[0]) == 1  # an open snapshot stays as it was
    assert after.words.rows == 2
    assert after.record(1).body == "dog"


def test_rows_words_and_vectors_are_in_one_order(tmp_path):
    store = Store(tmp_path, DIM)
    names = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"] * 5
    for turn, name in enumerate(names):  # many small writes: publishing compacts them
        owner = source(f"/{turn}.jpg")
        put(store, owner, record(owner, turn % DIM, text=name))
    store.publish()
    snapshot = Snapshot.load(tmp_path)
    rows, matrix = snapshot.vectors("text_vector")
    assert rows.tolist() == list(range(40))
    for row in range(40):
        name = snapshot.record(row).body
        assert snapshot.words.scores([name])[row] > 0
        assert matrix[row].argmax() == names.index(name)


def test_a_replaced_source_leaves_nothing(tmp_path):
    store = Store(tmp_path, DIM)
    put(store, GATE, record(GATE, 0, "van"), record(GATE, 1, "dog"))
    put(store, YARD, record(YARD))
    store.publish()
    store = Store(tmp_path, DIM)
    changed = source("/gate.jpg", "bb")
    put(store, changed, record(changed, 0, "cat"))
    store.publish()
    assert ids(tmp_path) == sorted([record(changed).id, record(YARD).id])
    snapshot = Snapshot.load(tmp_path)
    assert not snapshot.words.scores(["dog"]).any()
    named = {each for r in (record(changed), record(YARD)) for each in (r.crop_path, r.frame_path)}
    assert pictures(tmp_path) == named
    assert store.known.keys() == {"/gate.jpg", "/yard.jpg"}
    assert [path.name for path in (tmp_path / "lexical").iterdir()] == [
        str(read_published(tmp_path)["records_version"])
    ]


def test_a_source_that_goes_on_over_several_writes_is_kept_whole(tmp_path):
    store = Store(tmp_path, DIM)
    store.write(draw(store, [record(GATE, 0)]), [])
    store.write(draw(store, [record(GATE, 1)]), [])
    store.write(draw(store, [record(GATE, 2)]), [entry(GATE, crops=3)])
    store.publish()
    assert len(ids(tmp_path)) == 3


def test_the_same_content_written_again_keeps_its_pictures(tmp_path):
    for _ in range(2):  # other settings, same ids
        store = Store(tmp_path, DIM)
        put(store, GATE, record(GATE, 0))
        store.publish()
    assert ids(tmp_path) == [record(GATE).id]
    assert pictures(tmp_path) == {record(GATE).crop_path, record(GATE).frame_path}


def test_removed_sources_leave_nothing(tmp_path):
    store = Store(tmp_path, DIM)
    put(store, GATE, record(GATE, 0, "van"))
    put(store, YARD, record(YARD, 0, "dog"))
    store.publish()
    store = Store(tmp_path, DIM)
    store.remove([store.known["/gate.jpg"]])
    store.publish()
    assert ids(tmp_path) == [record(YARD).id]
    assert pictures(tmp_path) == {record(YARD).crop_path, record(YARD).frame_path}
    assert not Snapshot.load(tmp_path).words.scores(["van"]).any()
    assert Store(tmp_path, DIM).known.keys() == {"/yard.jpg"}
    store.remove([])
    store.remove([store.known["/yard.jpg"]])
    store.publish()
    assert ids(tmp_path) == []


@pytest.mark.parametrize(
    "path", ["/O'Brien gate/it's 5.jpg", "/x' OR 1=1 --/a", "/100%_yard/a", "/"]
)
def test_odd_paths_touch_no_other_source(tmp_path, path):  # S19
    odd, store = source(path), Store(tmp_path, DIM)
    put(store, odd, record(odd))
    put(store, GATE, record(GATE))
    store.publish()
    store = Store(tmp_path, DIM)
    changed = source(path, "bb")
    put(store, changed, record(changed))
    store.publish()
    assert ids(tmp_path) == sorted([record(changed).id, record(GATE).id])
    store.remove([store.known[path]])
    store.publish()
    assert ids(tmp_path) == [record(GATE).id]


def test_only_ids_enter_a_condition():
    assert among("id", ["aa", "b1"]) == "id IN ('aa', 'b1')"
    for value in ("x' OR 1=1 --", "", "a b", "a'b"):
        with pytest.raises(ValueError, match="no id"):
            among("id", ["aa", value])


def test_thousands_of_sources_go_at_once(tmp_path):
    store = Store(tmp_path, DIM)
    owners = [source(f"/{n}.jpg") for n in range(3000)]
    store.write([record(owner, picture=False) for owner in owners], [entry(o) for o in owners])
    store.publish()
    assert len(Snapshot.load(tmp_path)) == 3000
    store.remove(list(store.known.values())[:2999])
    store.publish()
    assert ids(tmp_path) == [record(owners[-1]).id]


def test_entries_come_back(tmp_path):
    store = Store(tmp_path, DIM)
    given = entry(GATE, options={"camera": "O'Brien"}, status="incomplete", error="cut", frames=7)
    store.note([given])
    store.note([entry(YARD)])
    store.note([replace(given, crops=2)])
    assert Store(tmp_path, DIM).known == {
        "/gate.jpg": replace(given, crops=2),
        "/yard.jpg": entry(YARD),
    }


def test_publishing_nothing_new_changes_nothing(tmp_path):
    store = Store(tmp_path, DIM)
    store.publish()
    assert ids(tmp_path) == []
    put(store, GATE, record(GATE))
    store.publish()
    state = (tmp_path / "published.json").stat().st_mtime_ns
    Store(tmp_path, DIM).publish()
    assert (tmp_path / "published.json").stat().st_mtime_ns == state


@pytest.mark.parametrize("damage", ["words", "published"])
def test_any_run_builds_derived_parts_anew(tmp_path, damage):
    store = Store(tmp_path, DIM)
    put(store, GATE, record(GATE))
    store.publish()
    if damage == "words":
        for path in (tmp_path / "lexical").rglob("*.npy"):
            path.write_bytes(b"")
    else:
        (tmp_path / "published.json").write_text("{")
    with pytest.raises(IndexDamagedError, match="any run of vision-ctx index"):
        Snapshot.load(tmp_path)
    Store(tmp_path, DIM).publish()
    assert Snapshot.load(tmp_path).words.scores(["van"]).tolist() != [0]


def test_one_writer_at_a_time(tmp_path):
    with locked(tmp_path):
        with pytest.raises(IndexLockedError, match="in use by process"), locked(tmp_path):
            pass
    with locked(tmp_path):
        pass


def test_the_lock_is_free_after_an_error(tmp_path):
    with pytest.raises(RuntimeError), locked(tmp_path):
        raise RuntimeError
    with locked(tmp_path):
        pass


def test_a_table_of_another_version_is_refused_untouched(tmp_path):  # S22
    rows = [{"id": str(n), "vector": [0.0] * DIM} for n in range(50)]
    lancedb.connect(tmp_path / "lance").create_table("records", rows)
    with pytest.raises(IndexMismatchError, match=r"another version.*--index"):
        Store(tmp_path, DIM)
    assert lancedb.connect(tmp_path / "lance").open_table("records").count_rows() == 50


def test_another_vector_length_is_refused(tmp_path):
    Store(tmp_path, DIM)
    with pytest.raises(IndexMismatchError, match="types of columns"):
        Store(tmp_path, DIM + 1)


def test_a_published_table_without_manifest_is_damage(tmp_path):  # S23
    store = Store(tmp_path, DIM)
    put(store, GATE, record(GATE))
    store.publish()
    for path in (tmp_path / "lance" / "records.lance" / "_versions").iterdir():
        path.unlink()
    for use in (lambda: Store(tmp_path, DIM), lambda: Snapshot.load(tmp_path)):
        with pytest.raises(IndexDamagedError, match=r"'records' cannot be opened.*--index"):
            use()


def test_a_table_whose_making_was_cut_short_is_made_again(tmp_path):  # S23
    for name in ("records", "sources"):
        (tmp_path / "lance" / f"{name}.lance" / "_transactions").mkdir(parents=True)
    store = Store(tmp_path, DIM)
    put(store, GATE, record(GATE))
    store.publish()
    assert len(ids(tmp_path)) == 1


@pytest.mark.slow
def test_many_runs_do_not_pile_up_files(tmp_path):  # S21
    for turn in range(30):
        store = Store(tmp_path, DIM)
        owner = source(f"/{turn}.jpg")
        put(store, owner, record(owner))
        store.publish()
    assert len(Snapshot.load(tmp_path)) == 30
    data = list((tmp_path / "lance" / "records.lance" / "data").iterdir())
    current = store._records.stats()["fragment_stats"]["num_fragments"]
    assert current <= 17
    assert len(data) < 80


def test_noting_failures_run_after_run_does_not_pile_up_files(tmp_path):  # S21
    store = Store(tmp_path, DIM)
    put(store, GATE, record(GATE))
    store.publish()
    for turn in range(MANY_FILES + 1):
        store.note([entry(source(f"/{turn}.jpg"), status="failed", error="cut off")])
    store.publish()
    assert file_count(store._sources) == 1
    assert len(Store(tmp_path, DIM).known) == MANY_FILES + 2
