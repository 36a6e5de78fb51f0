"""Filters as masks over rows. They narrow what is searched, before anything is ranked.

Values are compared as data; none ever becomes part of a query string.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from vision_ctx.store.snapshot import Mask, Snapshot

Kind = Literal["all", "crops", "chunks"]
KINDS: tuple[Kind, ...] = ("all", "crops", "chunks")


@dataclass(frozen=True, slots=True)
class Filters:
    """What a record must fulfil. A time without offset is a local time of each record's camera.

    ``after`` is included, ``before`` is not.  A filter by camera, label or time leaves no chunk,
    since a chunk has none of them.
    """

    kind: Kind = "all"
    camera: str | None = None
    label: str | None = None
    after: datetime | None = None
    before: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """The filters that are set, as JSON values."""
        values: dict[str, Any] = {} if self.kind == "all" else {"kind": self.kind}
        for name in ("camera", "label"):
            if getattr(self, name) is not None:
                values[name] = getattr(self, name)
        for name in ("after", "before"):
            if getattr(self, name) is not None:
                values[name] = getattr(self, name).isoformat()
        return values


def select(snapshot: Snapshot, filters: Filters) -> Mask:
    """The rows that fulfil all filters, shape ``(rows,)``."""
    mask = np.ones(len(snapshot), dtype=bool)
    if filters.kind != "all":
        mask &= snapshot.kind_mask("crop" if filters.kind == "crops" else "chunk")
    for name in ("camera", "label"):
        wanted = getattr(filters, name)
        if wanted is not None:
            mask &= _equal(snapshot.columns[name], wanted)
    if filters.after is not None:
        mask &= ~_earlier(snapshot, filters.after) & _timed(snapshot)
    if filters.before is not None:
        mask &= _earlier(snapshot, filters.before)
    return mask


def _equal(column: pa.ChunkedArray, value: str) -> Mask:
    return _mask(pc.equal(column, pa.scalar(value)))


def _timed(snapshot: Snapshot) -> Mask:
    return _mask(pc.is_valid(snapshot.columns["captured_at"]))


def _earlier(snapshot: Snapshot, time: datetime) -> Mask:
    """Rows captured before a time; a naive time is read in each camera's own zone."""
    instants = snapshot.columns["captured_at"]
    if time.tzinfo is not None:
        return _mask(pc.less(instants, pa.scalar(time, instants.type)))
    zones = snapshot.columns["timezone"]
    mask = np.zeros(len(snapshot), dtype=bool)
    for zone in pc.unique(zones).to_pylist():
        if zone is not None:
            instant = pa.scalar(time.replace(tzinfo=ZoneInfo(zone)), instants.type)
            mask |= _mask(pc.and_(pc.equal(zones, zone), pc.less(instants, instant)))
    return mask


def _mask(condition: Any) -> Mask:  # noqa: ANN401 - an Arrow array
    return np.asarray(pc.fill_null(condition, False).combine_chunks().to_numpy(False))
