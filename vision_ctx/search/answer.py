"""Answers as the documented JSON objects, and the words that say why a record was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from vision_ctx.types import ChannelRank, Hit, Record, SearchResult

_CHANNEL_WORDS = {"image": "looks like it", "text": "means it", "bm25": "words"}


def result_json(result: SearchResult) -> dict[str, Any]:
    """The object that ``search --json`` prints."""
    return {
        "query": result.query,
        "interpreted": result.interpreted,
        "eligible": result.eligible,
        "confident": result.confident,
        "elapsed_ms": round(result.elapsed_ms, 1),
        "hits": [hit_json(hit) for hit in result.hits],
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """One hit."""
    record = hit.record
    channels = {
        name: {"rank": place.rank, "score": round(place.score, 4)}
        for name, place in hit.channels.items()
    }
    common = {
        "rank": hit.rank,
        "id": record.id,
        "kind": record.kind,
        "score": round(hit.score, 6),
        "channels": channels,
        "why": hit.why,
        "context": record.context,
        "text": record.text,
        "source": record.source,
    }
    return {**common, **(_crop(record) if record.kind == "crop" else _chunk(record))}


def _crop(record: Record) -> dict[str, Any]:
    captured = None
    if record.captured_at is not None and record.timezone is not None:
        captured = record.captured_at.astimezone(ZoneInfo(record.timezone)).isoformat()
    return {
        "label": record.label,
        "confidence": None if record.confidence is None else round(record.confidence, 4),
        "camera": record.camera,
        "site": record.site,
        "captured_at": captured,
        "timezone": record.timezone,
        "clock": record.clock,
        "clock_weak": record.clock_weak,
        "box": _list(record.box),
        "crop_box": _list(record.crop_box),
        "frame_size": _list(record.frame_size),
        "crop_path": record.crop_path,
        "frame_path": record.frame_path,
        "source_time_s": record.source_time_s,
        "track": record.track,
        "nearby": [{"label": n.label, "relation": n.relation} for n in record.nearby],
        "zone": record.zone,
        "colour": record.colour,
    }


def _chunk(record: Record) -> dict[str, Any]:
    return {
        "document": record.document,
        "title": record.title,
        "page": record.page,
        "headings": list(record.headings),
        "span": _list(record.span),
        "language": record.language,
    }


def _list(values: tuple[int, ...] | None) -> list[int] | None:
    return None if values is None else list(values)


def reason(channels: Mapping[str, ChannelRank], matched: list[str]) -> str:
    """Why a record was found, such as ``words: red, truck (rank 1); looks like it (rank 3)``."""
    parts = []
    if matched:
        parts.append(f"words: {', '.join(matched)} (rank {channels['bm25'].rank})")
    for name in ("image", "text"):
        if name in channels:
            parts.append(f"{_CHANNEL_WORDS[name]} (rank {channels[name].rank})")
    return "; ".join(parts)
