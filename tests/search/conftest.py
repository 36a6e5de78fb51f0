"""Snapshots made in memory from records: what a search reads, without files."""

from datetime import UTC, datetime

import numpy as np
import pytest

from vision_ctx.store.lexical import LexicalIndex
from vision_ctx.store.schema import light_columns, records_schema, to_table
from vision_ctx.store.snapshot import Snapshot
from vision_ctx.types import Record

DIM = 8


def direction(*values):
    vector = np.zeros(DIM, dtype=np.float32)
    vector[: len(values)] = values
    return vector / np.linalg.norm(vector)


@pytest.fixture
def unit():
    return direction


@pytest.fixture
def snapshot():
    """Makes a snapshot of records."""

    def make(*records):
        schema = records_schema(DIM)
        table = to_table(records, schema)
        columns = table.select(light_columns(schema)).combine_chunks()
        vectors = {}
        for name in ("image_vector", "text_vector"):
            rows = [n for n, record in enumerate(records) if getattr(record, name) is not None]
            matrix = [getattr(records[n], name) for n in rows]
            stacked = np.array(matrix, dtype=np.float32).reshape(len(rows), DIM)
            vectors[name] = (np.array(rows, dtype=np.int64), stacked)
        return Snapshot(columns, LexicalIndex.build([r.text for r in records]), None, vectors)

    return make


@pytest.fixture
def crop():
    """Makes a crop: ``crop("red van", look, meaning, camera=…)``."""

    def make(words, look=None, meaning=None, **values):
        values = {
            "label": "van",
            "camera": "gate",
            "timezone": "UTC",
            "captured_at": datetime(2026, 3, 3, 7, 15, tzinfo=UTC),
            **values,
        }
        look = direction(1) if look is None else look
        return Record(
            *(words, "crop", "s", "/a.mp4", words, values["label"] or ""),
            image_vector=look,
            text_vector=look if meaning is None else meaning,
            **values,
        )

    return make


@pytest.fixture
def chunk():
    def make(words, meaning=None):
        vector = direction(1) if meaning is None else meaning
        return Record(
            words, "chunk", "d", "/a.md", "Log.", words, text_vector=vector, document="a.md"
        )

    return make
