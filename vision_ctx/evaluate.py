"""Measures retrieval on questions with known answers: recall, MRR, nDCG, latency.

The rows follow Anthropic's contextual retrieval: embeddings of the bare passages and pictures
(``plain``), embeddings of passages and crops with their context (``context``), and both joined with
BM25 over the contextual text (``context+bm25``).  There is no reranker yet, so there is no fourth row.

A question is one JSON object a line:

    {"query": "red truck at the dock", "relevant": [{"kind": "crop", "camera": "dock",
     "label": "truck", "after": "2026-03-03T07:14:00+01:00", "before": "2026-03-03T07:16:00+01:00"}],
     "filters": {}, "kind": "place_time"}

An entry of ``relevant`` is a record's id or conditions that a record must fulfil, all of them; both
bounds of time are included, and one without offset is a local time of the record's camera.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from vision_ctx.errors import VisionCtxError
from vision_ctx.protocols import Embedder
from vision_ctx.search.engine import CHANNELS, Question, search
from vision_ctx.search.filters import KINDS, Filters
from vision_ctx.sources.clock import parse_time
from vision_ctx.store.snapshot import Snapshot
from vision_ctx.types import Hit, Record, SearchResult

CUTS = (5, 10, 20)
DEPTH = 20
_FIELDS = {"kind", "camera", "label", "colour", "document", "page", "contains", "after", "before"}
_VECTORS = frozenset({"image", "text"})


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its right answers; none of them for a question without an answer."""

    text: str
    relevant: tuple[str | Mapping[str, Any], ...]
    filters: Filters
    kind: str


def read_queries(path: Path, split: str | None = None) -> list[Query]:
    """Reads a file of questions, of one ``split`` only if that is named.

    Raises:
        VisionCtxError: The file cannot be read; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise VisionCtxError(f"{path}: the questions cannot be read: {error}") from error
    queries = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            if split is None or data.get("split") == split:
                queries.append(_query(data))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise VisionCtxError(f"{path}, line {number}: {error}") from error
    if not queries:
        raise VisionCtxError(f"{path}: there is no question in it")
    return queries


def _query(data: Mapping[str, Any]) -> Query:
    if not isinstance(data["relevant"], list):
        raise ValueError("'relevant' must be a list")
    relevant = tuple(map(_relevant, data["relevant"]))
    return Query(
        str(data["query"]), relevant, _filters(data.get("filters") or {}), data.get("kind", "all")
    )


def _relevant(entry: Any) -> str | Mapping[str, Any]:  # noqa: ANN401 - a JSON value
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        raise ValueError(f"{entry!r} in 'relevant' is neither an id nor conditions")
    unknown = set(entry) - _FIELDS - {"track"}
    if unknown:
        raise ValueError(f"unknown condition {sorted(unknown)[0]!r} in 'relevant'")
    for name in {"after", "before"} & set(entry):
        parse_time(entry[name])
    return entry


def _filters(given: Mapping[str, Any]) -> Filters:
    unknown = set(given) - {"kind", "camera", "label", "after", "before"}
    if unknown:
        raise ValueError(f"unknown filter {sorted(unknown)[0]!r}")
    after, before = (
        parse_time(given[name]) if given.get(name) else None for name in ("after", "before")
    )
    kind = given.get("kind", "all")
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    return Filters(kind, given.get("camera"), given.get("label"), after, before)


def matches(record: Record, relevant: str | Mapping[str, Any]) -> bool:
    """Whether a record is the one with that id, or fulfils all the conditions."""
    if isinstance(relevant, str):
        return record.id == relevant
    return all(_fulfils(record, name, value) for name, value in relevant.items() if name in _FIELDS)


def _fulfils(record: Record, name: str, value: Any) -> bool:  # noqa: ANN401 - a JSON value
    if name == "contains":
        return str(value) in record.body
    if name in ("after", "before"):
        if record.captured_at is None:
            return False
        limit = parse_time(value)
        if limit.tzinfo is None:  # as in a filter: a local time of the record's camera
            limit = limit.replace(tzinfo=ZoneInfo(record.timezone or "UTC"))
        return record.captured_at >= limit if name == "after" else record.captured_at <= limit
    held = getattr(record, name)
    # A colour or zone that the index does not know cannot contradict the question.
    return held == value or (name == "colour" and held is None)


def evaluate(snapshot: Snapshot, embedder: Embedder, queries: Sequence[Query]) -> dict[str, Any]:
    """All measures, as the documented JSON object."""
    plain = without_context(snapshot, embedder)
    rows: list[tuple[str, Snapshot, frozenset[str]]] = [
        ("plain", plain, _VECTORS),
        ("context", snapshot, _VECTORS),
        ("context+bm25", snapshot, CHANNELS),
    ]
    answerable = [query for query in queries if query.relevant]
    outcomes: dict[str, list[dict[str, float]]] = {}
    for name, state, channels in rows:
        outcomes[name] = [
            _outcome(query, _ask(state, query, channels, lambda: embedder)) for query in answerable
        ]
    nothing = [query for query in queries if not query.relevant]
    unsure = [_ask(snapshot, q, CHANNELS, lambda: embedder).confident for q in nothing].count(False)
    return {
        "queries": len(queries),
        "answerable": len(answerable),
        "rows": [{"name": name, **_summary(found)} for name, found in outcomes.items()],
        "by_kind": _by_kind(answerable, outcomes),
        "nothing": {"queries": len(nothing), "recognised": unsure},
    }


def without_context(snapshot: Snapshot, embedder: Embedder) -> Snapshot:
    """The snapshot with text vectors of the chunks' bare passages, and none of crops."""
    chunks = np.flatnonzero(snapshot.kind_mask("chunk"))
    bodies = snapshot.values("body")
    vectors = embedder.embed_texts([bodies[row] for row in chunks])
    return snapshot.with_vectors("text_vector", chunks, vectors)


def _ask(
    snapshot: Snapshot, query: Query, channels: frozenset[str], embedder: Callable[[], Embedder]
) -> SearchResult:
    question = Question(query.text, k=DEPTH, filters=query.filters, channels=channels)
    return search(snapshot, question, embedder)


def _outcome(query: Query, result: SearchResult) -> dict[str, float]:
    """The measures of one question. ``recall@k``: share of its answers among the first k hits."""
    first = first_hits(query, result.hits)
    found: dict[str, float] = {
        f"recall@{cut}": sum(rank <= cut for rank in first) / len(query.relevant) for cut in CUTS
    }
    found["mrr"] = max((1 / rank for rank in first), default=0.0)
    ideal = sum(1 / np.log2(1 + rank) for rank in range(1, min(len(query.relevant), 10) + 1))
    gains = sum(1 / np.log2(1 + rank) for rank in set(first) if rank <= 10)
    found["ndcg@10"] = float(gains / ideal)
    found["ms"] = result.elapsed_ms
    return found


def first_hits(query: Query, hits: Sequence[Hit]) -> list[int]:
    """The ranks at which right answers were found, best first; a hit stands for one answer only.

    Hits are taken in their order.  If all answers that a hit could stand for are taken, one of them
    moves to another hit where it can (augmenting paths, as for any matching of two sides).
    """
    taken: dict[int, int] = {}
    fits = [
        [i for i, relevant in enumerate(query.relevant) if matches(hit.record, relevant)]
        for hit in hits
    ]

    def place(hit: int, tried: set[int]) -> bool:
        for answer in fits[hit]:
            if answer not in tried:
                tried.add(answer)
                if answer not in taken or place(taken[answer], tried):
                    taken[answer] = hit
                    return True
        return False

    return [hits[position].rank for position in range(len(hits)) if place(position, set())]


def _summary(outcomes: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    def mean(name: str) -> float:
        return round(float(np.mean([outcome[name] for outcome in outcomes])), 4) if outcomes else 0

    times = [outcome["ms"] for outcome in outcomes] or [0.0]
    return {
        "failure_at_20": round(1 - mean("recall@20"), 4),
        "recall_at": {str(cut): mean(f"recall@{cut}") for cut in CUTS},
        "mrr": mean("mrr"),
        "ndcg_at_10": mean("ndcg@10"),
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p95_ms": round(float(np.percentile(times, 95)), 2),
    }


def _by_kind(
    queries: Sequence[Query], outcomes: Mapping[str, Sequence[Mapping[str, float]]]
) -> dict[str, Any]:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, query in enumerate(queries):
        positions[query.kind].append(position)
    return {
        kind: {
            "queries": len(where),
            "rows": [
                {"name": name, **_summary([found[i] for i in where])}
                for name, found in outcomes.items()
            ],
        }
        for kind, where in sorted(positions.items())
    }
