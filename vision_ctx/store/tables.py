"""Opening the LanceDB tables of an index folder, and the filter strings they are asked with."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from vision_ctx.errors import IndexDamagedError, IndexMismatchError
from vision_ctx.store import recovery


def connect(folder: Path) -> Any:  # noqa: ANN401 - lancedb's connection
    """LanceDB's connection to an index folder."""
    import lancedb

    return lancedb.connect(str(folder / "lance"))


def open_table(folder: Path, name: str) -> Any:  # noqa: ANN401 - lancedb's table
    """Opens a table that must be there.

    Raises:
        IndexDamagedError: It cannot be opened.
    """
    try:
        return connect(folder).open_table(name)
    except Exception as error:  # lancedb raises ValueError, RuntimeError, OSError, …
        raise IndexDamagedError(
            f"{folder}: the table '{name}' cannot be opened ({_first_line(error)}); index the "
            "sources anew into another folder with --index"
        ) from error


def open_or_make(folder: Path, name: str, schema: pa.Schema, fresh: bool) -> Any:  # noqa: ANN401
    """Opens a table, or makes it; ``fresh`` says that no reader was ever shown it.

    Raises:
        IndexDamagedError: It is there but cannot be opened.
        IndexMismatchError: It has other columns than this program writes.
    """
    path = folder / "lance" / f"{name}.lance"
    if path.exists() and fresh and recovery.holds_nothing(path):
        shutil.rmtree(path)
    if not path.exists():
        return connect(folder).create_table(name, schema=schema)
    table = open_table(folder, name)
    if table.schema.names != schema.names or table.schema.types != schema.types:
        there, ours = set(table.schema.names), set(schema.names)
        differing = sorted(there ^ ours) or "types of columns"
        raise IndexMismatchError(
            f"{folder}: the table '{name}' was made by another version of this program (differs in "
            f"{differing}); index the sources anew into another folder with --index"
        )
    return table


def file_count(table: Any) -> int:  # noqa: ANN401 - lancedb's table
    """Number of data files of a table."""
    return int(table.stats()["fragment_stats"]["num_fragments"])


def among(column: str, ids: Sequence[str]) -> str:
    """The condition that a column holds one of some ids, which are letters and digits only."""
    for value in ids:
        if not value.isalnum():
            raise ValueError(f"{value!r} is no id")
    return f"{column} IN ({', '.join(repr(value) for value in ids)})"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
