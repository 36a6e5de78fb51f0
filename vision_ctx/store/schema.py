"""The columns of the two LanceDB tables, and how records become rows and rows records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from vision_ctx.types import Box, Nearby, Record

_TIME = pa.timestamp("us", "UTC")
_BOX = pa.list_(pa.int32(), 4)
_VECTOR_COLUMNS = ("image_vector", "text_vector")

SOURCES = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("id", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("size", pa.int64(), nullable=False),
        pa.field("mtime_ns", pa.int64(), nullable=False),
        pa.field("read_at_ns", pa.int64(), nullable=False),
        pa.field("fingerprint", pa.string(), nullable=False),
        pa.field("settings", pa.string(), nullable=False),
        pa.field("options", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("error", pa.string()),
        pa.field("crops", pa.int64(), nullable=False),
        pa.field("chunks", pa.int64(), nullable=False),
        pa.field("frames", pa.int64(), nullable=False),
    ]
)


def records_schema(dim: int) -> pa.Schema:
    """Columns of the records.

    Vectors are float16: it halves the disk and moves a cosine by at most 1e-3, less than bf16
    arithmetic does.
    """
    vector = pa.list_(pa.float16(), dim)
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("kind", pa.string(), nullable=False),
            pa.field("source_id", pa.string(), nullable=False),
            pa.field("source", pa.string(), nullable=False),
            pa.field("context", pa.string(), nullable=False),
            pa.field("body", pa.string(), nullable=False),
            pa.field("label", pa.string()),
            pa.field("confidence", pa.float32()),
            pa.field("camera", pa.string()),
            pa.field("site", pa.string()),
            pa.field("captured_at", _TIME),
            pa.field("timezone", pa.string()),
            pa.field("clock", pa.string()),
            pa.field("clock_weak", pa.bool_()),
            pa.field("box", _BOX),
            pa.field("crop_box", _BOX),
            pa.field("frame_size", pa.list_(pa.int32(), 2)),
            pa.field("crop_path", pa.string()),
            pa.field("frame_path", pa.string()),
            pa.field("source_time_s", pa.float64()),
            pa.field("track", pa.string()),
            pa.field("nearby", pa.string()),
            pa.field("zone", pa.string()),
            pa.field("colour", pa.string()),
            pa.field("document", pa.string()),
            pa.field("title", pa.string()),
            pa.field("page", pa.int32()),
            pa.field("headings", pa.list_(pa.string())),
            pa.field("span", pa.list_(pa.int64(), 2)),
            pa.field("language", pa.string()),
            pa.field("image_vector", vector),
            pa.field("text_vector", vector),
        ]
    )


def light_columns(schema: pa.Schema) -> list[str]:
    """All columns but the vectors."""
    return [name for name in schema.names if name not in _VECTOR_COLUMNS]


def to_table(records: Sequence[Record], schema: pa.Schema) -> pa.Table:
    """Rows of the records table."""
    columns = {name: [_cell(record, name) for record in records] for name in schema.names}
    arrays = [
        _vectors(columns[field.name], field.type)
        if field.name in _VECTOR_COLUMNS
        else pa.array(columns[field.name], field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _cell(record: Record, name: str) -> Any:  # noqa: ANN401 - a cell of any column
    value = getattr(record, name)
    if name == "nearby":
        return (
            json.dumps([[n.label, n.relation, n.larger, n.colour] for n in value])
            if value
            else None
        )
    if name == "track":
        return None if value is None else json.dumps(value)
    if isinstance(value, tuple):
        return list(value)
    return value


def _vectors(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    dim = kind.list_size
    flat = np.zeros((len(values), dim), dtype=np.float16)
    missing = np.array([value is None for value in values], dtype=bool)
    for row, value in enumerate(values):
        if value is not None:
            flat[row] = value
    return pa.FixedSizeListArray.from_arrays(
        pa.array(flat.reshape(-1)), dim, mask=pa.array(missing)
    )


def to_record(row: Mapping[str, Any]) -> Record:
    """The record of a row without vectors."""
    values = {name: row[name] for name in row if name not in _VECTOR_COLUMNS}
    for name in ("box", "crop_box"):
        values[name] = Box(*row[name]) if row[name] else None
    for name in ("frame_size", "span"):
        values[name] = tuple(row[name]) if row[name] else None
    values["nearby"] = tuple(Nearby(*entry) for entry in json.loads(row["nearby"] or "[]"))
    values["track"] = json.loads(row["track"]) if row["track"] else None
    values["headings"] = tuple(row["headings"] or ())
    return Record(**values)
