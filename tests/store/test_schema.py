from dataclasses import fields
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest

from vision_ctx.store.schema import light_columns, records_schema, to_record, to_table
from vision_ctx.types import Box, Nearby, Record

DIM = 8
SCHEMA = records_schema(DIM)
UNIT = np.eye(DIM, dtype=np.float32)
CROP = Record(
    *("id1", "crop", "src1", "/a/O'Brien \u202e.mp4", "context", "person"),
    label="person",
    confidence=0.5,
    camera="gate",
    site="Rotterdam",
    captured_at=datetime(2026, 10, 25, 1, 30, 0, 123456, tzinfo=UTC),
    timezone="Europe/Berlin",
    clock="file name",
    clock_weak=False,
    box=Box(0, 0, 30, 40),
    crop_box=Box(0, 0, 33, 44),
    frame_size=(1920, 1080),
    crop_path="crops/id/id1.jpg",
    frame_path="frames/fr/fr1.jpg",
    source_time_s=0.0,
    track={"id": 3, "start": "2026-10-25T02:30:00+01:00", "end": "2026-10-25T02:31:00+01:00"},
    nearby=(Nearby("bus", "touching", True), Nearby("dog", "left of")),
    zone="lane 1",
    colour="red",
    image_vector=UNIT[0],
    text_vector=UNIT[1],
)
CHUNK = Record(
    *("id2", "chunk", "src2", "/b/r.pdf", "From r.", "Body\n\x00 😀 华山"),
    document="r.pdf",
    title="Report",
    page=1,
    headings=("A", "B > C"),
    span=(0, 12),
    language="en",
    text_vector=UNIT[2],
)
BARE = Record("id3", "crop", "src1", "/a", "", "")


def rows(records):
    table = to_table(records, SCHEMA)
    assert table.schema == SCHEMA
    return table


def test_every_field_comes_back():
    back = [to_record(row) for row in rows([CROP, CHUNK, BARE]).to_pylist()]
    assert back == [CROP, CHUNK, BARE]
    assert isinstance(back[0].box, Box)
    assert back[0].captured_at.tzinfo is not None
    assert back[0].source_time_s == 0.0
    assert back[0].clock_weak is False


def test_the_test_fills_every_field():
    empty = {
        field.name
        for field in fields(Record)
        if not field.name.endswith("_vector")
        and all(getattr(record, field.name) in (None, ()) for record in (CROP, CHUNK))
    }
    assert empty == set()
    assert {field.name for field in fields(Record)} == set(SCHEMA.names)


def test_vectors_keep_their_rows():
    table = rows([CROP, CHUNK, BARE])
    images, texts = (table[f"{name}_vector"].to_pylist() for name in ("image", "text"))
    assert [row is None for row in images] == [False, True, True]
    assert [row is None for row in texts] == [False, False, True]
    assert np.array_equal(np.array(texts[1], dtype=np.float32), UNIT[2])


def test_half_precision_moves_a_cosine_by_a_thousandth_at_most():
    vectors = np.random.default_rng(0).standard_normal((200, 512)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    records = [
        Record(f"i{n}", "chunk", "s", "p", "", "", text_vector=v) for n, v in enumerate(vectors)
    ]
    table = to_table(records, records_schema(512))
    stored = np.array(table["text_vector"].to_pylist(), dtype=np.float32)
    assert np.abs(stored @ vectors[0] - vectors @ vectors[0]).max() < 1e-3


def test_no_records():
    assert rows([]).num_rows == 0
    assert "text_vector" not in light_columns(SCHEMA)
    assert len(light_columns(SCHEMA)) == len(SCHEMA.names) - 2


def test_a_vector_of_another_length_is_refused():
    wrong = Record("i", "chunk", "s", "p", "", "", text_vector=np.ones(DIM + 1, np.float32))
    with pytest.raises((ValueError, pa.ArrowInvalid)):
        rows([wrong])
