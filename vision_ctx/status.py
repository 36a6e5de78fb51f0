"""What an index holds: counts, cameras, time span, models, failures, disk. Loads no model."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from vision_ctx.store.manifest import Manifest
from vision_ctx.store.snapshot import Snapshot
from vision_ctx.store.store import Entry, read_published
from vision_ctx.store.tables import open_table


def status(folder: Path, manifest: Manifest) -> dict[str, Any]:
    """The state of the index as JSON values.

    Raises:
        IndexDamagedError: A table cannot be opened.
    """
    entries = _entries(folder)
    counts: dict[str, Any] = {"crops": 0, "chunks": 0}
    cameras: list[dict[str, Any]] = []
    if read_published(folder) is not None:
        snapshot = Snapshot.load(folder)
        counts = {f"{kind}s": int(snapshot.kind_mask(kind).sum()) for kind in ("crop", "chunk")}
        cameras = _cameras(snapshot)
    return {
        "index": str(folder),
        **counts,
        "sources": dict(Counter(entry.source.kind for entry in entries)),
        "frames": sum(entry.frames for entry in entries),
        "cameras": cameras,
        # By instant: the texts of cameras in different zones do not sort by time.
        "first": min((c["first"] for c in cameras), key=datetime.fromisoformat, default=None),
        "last": max((c["last"] for c in cameras), key=datetime.fromisoformat, default=None),
        "detector": {"spec": manifest.detector.spec, "id": manifest.detector.id},
        "embedder": {
            "spec": manifest.embedder.spec,
            "id": manifest.embedder.id,
            "dim": manifest.embedder.dim,
        },
        "settings": {
            "fps": manifest.settings.fps,
            "min_confidence": manifest.settings.min_confidence,
            "track": manifest.settings.track,
        },
        "failures": [
            {"source": entry.source.path, "error": entry.error}
            for entry in entries
            if entry.error is not None
        ],
        "disk_bytes": _disk_bytes(folder),
    }


def _disk_bytes(folder: Path) -> int:
    """Size of all files of the index, while a writer may be removing some."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(place, name).stat().st_size
    return total


def _entries(folder: Path) -> list[Entry]:
    if not (folder / "lance" / "sources.lance").exists():
        return []
    rows = open_table(folder, "sources").to_arrow().to_pylist()
    return sorted(map(Entry.of_row, rows), key=lambda entry: entry.source.path)


def _cameras(snapshot: Snapshot) -> list[dict[str, Any]]:
    grouped: dict[str, list[tuple[datetime, str, str | None]]] = {}
    columns = (snapshot.values(name) for name in ("camera", "captured_at", "timezone", "site"))
    for camera, captured, zone, site in zip(*columns, strict=True):
        if camera is not None:
            grouped.setdefault(camera, []).append((captured, zone, site))
    return [
        {
            "camera": camera,
            "site": rows[0][2],
            "timezone": rows[0][1],
            "crops": len(rows),
            "first": _local(min(row[:2] for row in rows)),
            "last": _local(max(row[:2] for row in rows)),
        }
        for camera, rows in sorted(grouped.items())
    ]


def _local(row: tuple[datetime, str]) -> str:
    return row[0].astimezone(ZoneInfo(row[1])).isoformat()
