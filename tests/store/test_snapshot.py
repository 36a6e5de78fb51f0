from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from vision_ctx.errors import IndexDamagedError, IndexNotFoundError
from vision_ctx.sources.fingerprint import digest, make_source
from vision_ctx.store import snapshot as reading
from vision_ctx.store.snapshot import Snapshot
from vision_ctx.store.store import Entry, Store
from vision_ctx.types import Record

DIM = 4
SOURCE = make_source("/a.mp4", "video", 1, 1, "aa")
START = datetime(2026, 3, 3, 7, tzinfo=UTC)


def crop(turn, vector=None):
    at = START + timedelta(minutes=turn)
    ids = (digest("crop", str(turn)), "crop", SOURCE.id, SOURCE.path, "Gate.", f"van{turn}")
    return Record(*ids, captured_at=at, timezone="UTC", image_vector=vector, text_vector=vector)


def chunk(turn, vector):
    ids = (digest("chunk", str(turn)), "chunk", SOURCE.id, SOURCE.path, "Log.", f"dog{turn}")
    return Record(*ids, text_vector=vector)


def filled(folder, records):
    store = Store(folder, DIM)
    store.write(records, [Entry(SOURCE, 1, "s")])
    store.publish()
    return Snapshot.load(folder)


def test_an_index_without_content_says_how_to_fill_it(tmp_path):
    with pytest.raises(IndexNotFoundError, match="vision-ctx index SOURCE"):
        Snapshot.load(tmp_path)


def test_an_empty_state(tmp_path):
    snapshot = filled(tmp_path, [])
    assert len(snapshot) == 0
    assert snapshot.kind_mask("crop").shape == (0,)
    assert snapshot.span() is None
    rows, matrix = snapshot.vectors("image_vector")
    assert (rows.shape, matrix.shape) == ((0,), (0, DIM))


def test_vectors_are_of_unit_length_and_know_their_rows(tmp_path):
    vectors = np.random.default_rng(0).standard_normal((3, DIM)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    records = [chunk(0, vectors[0]), crop(1, vectors[1]), crop(2), crop(3, vectors[2])]
    snapshot = filled(tmp_path, records)
    rows, matrix = snapshot.vectors("image_vector")
    assert rows.tolist() == [1, 3]
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-6)
    assert np.allclose(matrix, vectors[1:], atol=1e-3)
    assert snapshot.vectors("text_vector")[0].tolist() == [0, 1, 3]
    assert snapshot.kind_mask("chunk").tolist() == [True, False, False, False]
    assert snapshot.span() == (START + timedelta(minutes=1), START + timedelta(minutes=3))
    assert snapshot.record(1) == records[1]


def test_other_vectors_for_measuring_leave_the_state_alone(tmp_path):
    snapshot = filled(tmp_path, [crop(0, np.eye(DIM, dtype=np.float32)[0])])
    other = np.eye(DIM, dtype=np.float32)[1:2]
    changed = snapshot.with_vectors("text_vector", np.array([0]), other)
    assert changed.vectors("text_vector")[1].tolist() == other.tolist()
    assert snapshot.vectors("text_vector")[1].tolist() != other.tolist()


def test_words_that_cover_other_rows_are_damage(tmp_path):
    filled(tmp_path, [crop(0), crop(1)])
    words = next((tmp_path / "lexical").iterdir())
    reading.LexicalIndex.build(["van"]).save(words)
    with pytest.raises(IndexDamagedError, match="covers 1 records of 2"):
        Snapshot.load(tmp_path)


def test_a_run_that_publishes_meanwhile_disturbs_no_reader(tmp_path, monkeypatch):
    filled(tmp_path, [crop(0)])
    load, other = reading.LexicalIndex.load, make_source("/b.mp4", "video", 1, 1, "bb")

    def late(folder):
        monkeypatch.undo()
        store = Store(tmp_path, DIM)
        record = crop(1)
        record.source_id, record.source = other.id, other.path
        store.write([record], [Entry(other, 1, "s")])
        store.publish()  # clears the words away that are about to be read
        return load(folder)

    monkeypatch.setattr(reading.LexicalIndex, "load", late)
    assert len(Snapshot.load(tmp_path)) == 2
