"""The reading side: one published state of an index, table version and word index together.

Everything but the vectors is read at once; a vector column is read when a channel first needs it.
Row i of the columns, of the vectors and of the word index is the same record.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from vision_ctx.errors import IndexDamagedError, IndexNotFoundError
from vision_ctx.store.lexical import LexicalIndex
from vision_ctx.store.schema import light_columns, to_record
from vision_ctx.store.store import read_published
from vision_ctx.store.tables import open_table
from vision_ctx.types import Record, Vectors

Mask = npt.NDArray[np.bool_]


@dataclass(slots=True)
class Snapshot:
    """A state of the index. ``columns`` holds all fields of the records but the vectors."""

    columns: pa.Table
    words: LexicalIndex
    _table: Any
    _vectors: dict[str, tuple[npt.NDArray[np.int64], Vectors]] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> Snapshot:
        """Opens what was last published.

        Raises:
            IndexNotFoundError: Nothing was published yet.
            IndexDamagedError: A part cannot be opened or the parts do not fit each other.
        """
        while True:
            state = read_published(folder)
            try:
                return cls._load(folder, state)
            except IndexDamagedError:
                # A run may have published, and cleared away what was being read here.
                if read_published(folder) == state:
                    raise

    @classmethod
    def _load(cls, folder: Path, state: dict[str, Any] | None) -> Snapshot:
        if state is None:
            raise IndexNotFoundError(
                f"the index at {folder} is empty; fill it with: vision-ctx index SOURCE "
                f"--index {folder}"
            )
        table = open_table(folder, "records")
        version = state["records_version"]
        try:
            table.checkout(version)
            columns = table.search().select(light_columns(table.schema)).to_arrow()
        except Exception as error:  # lancedb raises ValueError, RuntimeError, OSError, …
            raise IndexDamagedError(
                f"{folder}: version {version} of the records cannot be read ({error})"
            ) from error
        words = LexicalIndex.load(folder / "lexical" / str(version))
        if columns.num_rows != words.rows:
            raise IndexDamagedError(
                f"{folder}: the word index covers {words.rows} records of {columns.num_rows}; any "
                "run of vision-ctx index builds it anew"
            )
        # One chunk for each column: taking single rows from many chunks costs 75 times as much.
        return cls(columns.combine_chunks(), words, table)

    def __len__(self) -> int:
        return int(self.columns.num_rows)

    def record(self, row: int) -> Record:
        """The record of a row, without vectors."""
        return to_record(self.columns.slice(row, 1).to_pylist()[0])

    def values(self, column: str) -> list[Any]:
        """A column as Python values."""
        return list(self.columns[column].to_pylist())

    def kind_mask(self, kind: str) -> Mask:
        """Which rows are of the kind ``crop`` or ``chunk``."""
        return np.asarray(self.values("kind")) == kind if len(self) else np.zeros(0, dtype=bool)

    def vectors(self, column: str) -> tuple[npt.NDArray[np.int64], Vectors]:
        """Rows that have a vector in the column, and those vectors, shape ``(len(rows), dim)``."""
        if column not in self._vectors:
            array = self._table.search().select([column]).to_arrow()[column].combine_chunks()
            dim = array.type.list_size
            present = np.asarray(array.is_valid())
            flat = array.filter(pa.array(present)).flatten()
            matrix = flat.to_numpy(zero_copy_only=False).reshape(-1, dim).astype(np.float32)
            matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
            self._vectors[column] = (np.flatnonzero(present), matrix)
        return self._vectors[column]

    def with_vectors(self, column: str, rows: npt.NDArray[np.int64], vectors: Vectors) -> Snapshot:
        """The same state with other vectors in a column, to measure what difference they make."""
        changed = Snapshot(self.columns, self.words, self._table, dict(self._vectors))
        changed._vectors[column] = (rows, vectors)
        return changed

    def span(self) -> tuple[datetime, datetime] | None:
        """First and last instant of the footage."""
        import pyarrow.compute as pc

        bounds = pc.min_max(self.columns["captured_at"]).as_py()
        return None if bounds["min"] is None else (bounds["min"], bounds["max"])
