"""The writing side of an index folder: LanceDB tables, pictures, and what readers are shown.

    index/
      vision-ctx.json     manifest
      lance/              LanceDB: `records` and `sources`, the truth
      crops/ frames/      pictures
      lexical/N/          word index of version N of the records
      published.json      the version that readers open, with its word index

Rows of a source are replaced before its entry in `sources` says so: a run that is killed leaves a
source that the next run does again, or rows that the next run drops (see `recovery`).  Readers open
only what `publish` named: table version and word index together.  Ids, which are hexadecimal, are
the only values that enter a filter string.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from vision_ctx.errors import IndexDamagedError, IndexLockedError
from vision_ctx.store import recovery
from vision_ctx.store.lexical import LexicalIndex
from vision_ctx.store.manifest import write_atomically
from vision_ctx.store.pictures import Pictures
from vision_ctx.store.schema import SOURCES, records_schema, to_table
from vision_ctx.store.tables import among, file_count, open_or_make
from vision_ctx.types import Record, Source

PUBLISHED = "published.json"
FLUSH_ROWS = 2000
"""Rows to a write: small writes leave many files (one table version each), large ones use memory."""
KEEP_VERSIONS = timedelta(minutes=2)
"""How long old table versions stay: longer than a reader takes to load what it was shown."""
FOREVER = timedelta(days=36500)
MANY_FILES = 16
"""Above this number of data files a table is compacted, and old versions go, at the end of a run."""


@dataclass(slots=True)
class Entry:
    """What the index knows of a source. ``status`` is done, incomplete, failed or writing."""

    source: Source
    read_at_ns: int
    settings: str
    options: dict[str, Any] = field(default_factory=dict)
    status: str = "done"
    error: str | None = None
    crops: int = 0
    chunks: int = 0
    frames: int = 0

    def row(self) -> dict[str, Any]:
        """The entry as a row of the sources table."""
        source = self.source
        return {
            "path": source.path,
            "id": source.id,
            "kind": source.kind,
            "size": source.size,
            "mtime_ns": source.mtime_ns,
            "read_at_ns": self.read_at_ns,
            "fingerprint": source.fingerprint,
            "settings": self.settings,
            "options": json.dumps(self.options),
            "status": self.status,
            "error": self.error,
            "crops": self.crops,
            "chunks": self.chunks,
            "frames": self.frames,
        }

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> Entry:
        """The entry of a row."""
        names = ("path", "kind", "size", "mtime_ns", "fingerprint", "id")
        rest = ("read_at_ns", "settings", "status", "error", "crops", "chunks", "frames")
        return cls(
            Source(**{name: row[name] for name in names}),
            options=json.loads(row["options"]),
            **{name: row[name] for name in rest},
        )


class Store:
    """An index folder opened for writing. Use it inside `locked`."""

    def __init__(self, folder: Path, dim: int) -> None:
        """Opens or makes the tables for vectors of length ``dim``.

        Raises:
            IndexDamagedError: A table is there but cannot be opened.
            IndexMismatchError: A table has other columns than this program writes.
        """
        self.folder = folder
        self.pictures = Pictures(folder)
        self._schema = records_schema(dim)
        fresh = not (folder / PUBLISHED).exists()
        self._records = open_or_make(folder, "records", self._schema, fresh)
        self._sources = open_or_make(folder, "sources", SOURCES, fresh)
        self.known = {
            entry.source.path: entry
            for entry in map(Entry.of_row, self._sources.to_arrow().to_pylist())
        }
        self._old_pictures: set[str] = set()
        self._new_pictures: set[str] = set()
        self._started: set[str] = set()
        self._finished: set[str] = set()
        self._changed = False
        self._untidy = recovery.mark(folder)
        if self._untidy:
            self._drop_unknown()

    def write(self, records: Sequence[Record], finished: Sequence[Entry]) -> None:
        """Adds rows, of finished sources and of ones that go on, then marks the finished ones.

        What an earlier run stored of these sources is removed before their first row is added.
        """
        self._begin({r.source_id: r.source for r in records}, finished)
        if records:
            self._records.add(to_table(records, self._schema))
            self._changed = True
            for record in records:
                named = set(filter(None, (record.crop_path, record.frame_path)))
                self._new_pictures |= named
                self.pictures.pending -= named
        if finished:
            self._put(finished)
            self._finished.update(entry.source.id for entry in finished)

    def note(self, entries: Sequence[Entry]) -> None:
        """Records what is known of sources whose rows stay as they are."""
        self._put(entries)

    def remove(self, entries: Sequence[Entry]) -> None:
        """Forgets sources: rows, words and, when published, pictures."""
        if not entries:
            return
        ids = [entry.source.id for entry in entries]
        self._delete_rows(ids)
        self._sources.delete(among("id", ids))
        for entry in entries:
            self.known.pop(entry.source.path, None)

    def publish(self) -> None:
        """Shows readers the present state: builds its word index, then names both in one step."""
        if self._changed or not self._is_published():
            self._publish()
        if file_count(self._sources) > MANY_FILES:  # a run that changes no record may note failures
            self._sources.optimize(cleanup_older_than=KEEP_VERSIONS)
        if self._untidy or self.pictures.pending:
            rows = self._records.search().select(["crop_path", "frame_path"]).to_arrow()
            recovery.sweep(self.folder, chain(*(column.to_pylist() for column in rows.columns)))
            self.pictures.pending.clear()
            self._untidy = False
        if self._started <= self._finished:  # else the next run has to look
            recovery.unmark(self.folder)

    def _publish(self) -> None:
        crowded = file_count(self._records) > MANY_FILES
        if crowded:
            self._records.optimize(cleanup_older_than=FOREVER)  # readers open an older version
        version = int(self._records.version)
        rows = self._records.search().select(["context", "body"]).to_arrow()
        contexts, bodies = rows["context"].to_pylist(), rows["body"].to_pylist()
        texts = [f"{context}\n{body}" for context, body in zip(contexts, bodies, strict=True)]
        target = self.folder / "lexical" / str(version)
        shutil.rmtree(target, ignore_errors=True)
        LexicalIndex.build(texts).save(target)
        state = {"records_version": version, "rows": len(texts)}
        write_atomically(self.folder / PUBLISHED, json.dumps(state).encode())
        self._changed = False
        self._clean_up(target)
        if crowded:
            self._records.optimize(cleanup_older_than=KEEP_VERSIONS)

    def _begin(self, started: dict[str, str], finished: Sequence[Entry]) -> None:
        """Removes what earlier runs stored of sources of which this run writes for the first time."""
        paths = {**started, **{entry.source.id: entry.source.path for entry in finished}}
        fresh = {key: path for key, path in paths.items() if key not in self._started}
        if not fresh:
            return
        self._started.update(fresh)
        replaced = [self.known[path] for path in fresh.values() if path in self.known]
        for entry in replaced:
            entry.status = "writing"
        self._put(replaced)
        self._delete_rows([*fresh, *(entry.source.id for entry in replaced)])

    def _put(self, entries: Sequence[Entry]) -> None:
        if not entries:
            return
        table = pa.Table.from_pylist([entry.row() for entry in entries], schema=SOURCES)
        merge = self._sources.merge_insert("path").when_matched_update_all()
        merge.when_not_matched_insert_all().execute(table)
        self.known.update({entry.source.path: entry for entry in entries})

    def _delete_rows(self, source_ids: Sequence[str]) -> None:
        if not source_ids or self._records.count_rows() == 0:
            return
        condition = among("source_id", source_ids)
        found = self._records.search().where(condition).select(["crop_path", "frame_path"])
        pictures = found.to_arrow()
        if pictures.num_rows == 0:
            return
        for column in pictures.columns:
            self._old_pictures.update(filter(None, column.to_pylist()))
        self._records.delete(condition)
        self._changed = True

    def _drop_unknown(self) -> None:
        """Removes rows whose source has no entry: the run that wrote them was cut short."""
        stored = self._records.search().select(["source_id"]).to_arrow()["source_id"].unique()
        self._delete_rows(
            sorted(set(stored.to_pylist()) - {entry.source.id for entry in self.known.values()})
        )

    def _is_published(self) -> bool:
        """Whether readers are shown the present state, and can read it."""
        try:
            state = read_published(self.folder)
            if state is None or state["records_version"] != int(self._records.version):
                return False
            words = LexicalIndex.load(self.folder / "lexical" / str(state["records_version"]))
        except IndexDamagedError:
            return False
        return bool(words.rows == state["rows"])

    def _clean_up(self, current: Path) -> None:
        self.pictures.delete(self._old_pictures - self._new_pictures)
        self._old_pictures.clear()
        for folder in current.parent.iterdir():
            if folder != current:
                shutil.rmtree(folder, ignore_errors=True)


def read_published(folder: Path) -> dict[str, Any] | None:
    """What readers are shown: version of the records and number of rows; ``None`` before the first.

    Raises:
        IndexDamagedError: The file is there but not readable.
    """
    path = folder / PUBLISHED
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        return {name: int(state[name]) for name in ("records_version", "rows")}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IndexDamagedError(
            f"{path} cannot be read ({error}); any run of vision-ctx index writes it anew"
        ) from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the index for writing.

    Raises:
        IndexLockedError: Another process holds it.
    """
    import os

    from filelock import FileLock, Timeout

    lock, owner = folder / ".writer.lock", folder / ".writer.pid"
    try:
        with FileLock(str(lock), timeout=0):
            owner.write_text(str(os.getpid()), encoding="utf-8")
            yield
    except Timeout:
        who = owner.read_text(encoding="utf-8") if owner.exists() else "unknown"
        raise IndexLockedError(
            f"the index {folder} is in use by process {who}; wait for it to end"
        ) from None


def now_ns() -> int:
    """The time of day in nanoseconds, to stamp when a file was read."""
    return time.time_ns()
