"""Searches one snapshot: filter, rank in every channel, fuse, and say why.

Channels: ``image`` (crop pictures by vector), ``text`` (crop prefixes and chunks by vector), ``bm25``
(both by words).  Each ranks crops and chunks separately (see `vision_ctx.search.fusion`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision_ctx.protocols import Embedder
from vision_ctx.search.answer import reason
from vision_ctx.search.filters import Filters, select
from vision_ctx.search.fusion import (
    WORDS_WEIGHT,
    Rows,
    by_position,
    in_order,
    one_dense_list,
    ranked,
    reciprocal_rank,
    shared_ranks,
)
from vision_ctx.store.analysis import tokens, words
from vision_ctx.store.snapshot import Mask, Snapshot
from vision_ctx.types import RGB, ChannelRank, Hit, SearchResult

DEPTH = 200
"""How far down each channel is ranked, or the number of hits asked for if that is more: beyond it a
rank by vectors adds less than 1 / 260 to a score, one by words less than `WORDS_WEIGHT` / 260."""
CHANNELS = frozenset({"image", "text", "bm25"})
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Question:
    """A question: words, a picture, or both; ``channels`` are those that may answer."""

    text: str
    image: RGB | None = None
    k: int = 10
    filters: Filters = field(default_factory=Filters)
    channels: frozenset[str] = CHANNELS


@dataclass(slots=True)
class _Channels:
    """Places by row; dense lists of rows, and ranks by words, for each kind."""

    places: dict[int, dict[str, ChannelRank]] = field(default_factory=dict)
    dense: dict[str, list[Rows]] = field(default_factory=dict)
    words: dict[str, dict[int, int]] = field(default_factory=dict)

    def note(self, channel: str, rows: Rows, scores: Sequence[float], ranks: Sequence[int]) -> None:
        for rank, row, score in zip(ranks, rows, scores, strict=True):
            self.places.setdefault(int(row), {})[channel] = ChannelRank(rank, float(score))


def search(
    snapshot: Snapshot, question: Question, embedder: Callable[[], Embedder]
) -> SearchResult:
    """Answers a question. ``embedder`` is called only if there is something to compare with."""
    mask = select(snapshot, question.filters)
    kinds = {kind: mask & snapshot.kind_mask(kind) for kind in ("crop", "chunk")}
    depth = max(DEPTH, question.k)
    channels = _Channels()
    asked = words(question.text)
    model = embedder() if mask.any() else None
    start = time.perf_counter()  # loading a model is not searching
    if model is not None:
        if "bm25" in question.channels:
            terms = [term for expanded in asked.values() for term in expanded]
            _rank_words(snapshot, list(dict.fromkeys(terms)), kinds, depth, channels)
        _rank_vectors(snapshot, question, model, kinds, depth, channels)
    hits = _hits(snapshot, channels, asked, question.k)
    return SearchResult(
        query=question.text,
        interpreted=question.filters.to_dict(),
        eligible={f"{kind}s": int(rows.sum()) for kind, rows in kinds.items()},
        confident=_confident(question, channels),
        elapsed_ms=(time.perf_counter() - start) * 1000,
        hits=tuple(hits),
    )


def _rank_words(
    snapshot: Snapshot,
    terms: Sequence[str],
    kinds: dict[str, Mask],
    depth: int,
    channels: _Channels,
) -> None:
    scores = snapshot.words.scores(terms)
    for kind, mask in kinds.items():
        rows = np.flatnonzero(mask & (scores > 0))  # a score of 0 is no match, whatever its rank
        best = ranked(scores[rows], rows, depth)
        found = scores[best].tolist()
        ranks = shared_ranks(found)
        channels.note("bm25", best, found, ranks)
        channels.words[kind] = dict(zip(best.tolist(), ranks, strict=True))


def _rank_vectors(
    snapshot: Snapshot,
    question: Question,
    embedder: Embedder,
    kinds: dict[str, Mask],
    depth: int,
    channels: _Channels,
) -> None:
    text = embedder.embed_texts([question.text])[0] if question.text.strip() else None
    image = embedder.embed_images([question.image])[0] if question.image is not None else None
    look = _mean([vector for vector in (text, image) if vector is not None])
    if look is not None and "image" in question.channels:
        best = _nearest(snapshot, "image_vector", look, kinds["crop"], depth, channels, "image")
        channels.dense["crop"] = [best]
    # A picture alone ranks chunks only if chunks are all that was asked for: with crops in the list
    # a picture's likeness to pictures says more.
    meaning = text if text is not None or question.filters.kind != "chunks" else image
    if meaning is None or "text" not in question.channels:
        return
    for kind, mask in kinds.items():
        best = _nearest(snapshot, "text_vector", meaning, mask, depth, channels, "text")
        channels.dense.setdefault(kind, []).append(best)


def _nearest(
    snapshot: Snapshot,
    column: str,
    vector: Vector,
    mask: Mask,
    depth: int,
    channels: _Channels,
    channel: str,
) -> Rows:
    """The eligible rows with the highest cosine, exactly: the filter comes first."""
    if not mask.any():
        return np.zeros(0, dtype=np.int64)
    rows, matrix = snapshot.vectors(column)
    eligible = mask[rows]
    cosines = matrix[eligible] @ vector if not eligible.all() else matrix @ vector
    candidates = rows[eligible]
    order = np.argsort(-cosines, kind="stable")[:depth]
    best = candidates[order]
    channels.note(channel, best, cosines[order].tolist(), range(1, len(best) + 1))
    return best


def _mean(vectors: Sequence[Vector]) -> Vector | None:
    if not vectors:
        return None
    total = np.sum(vectors, axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-12), dtype=np.float32)


def _hits(
    snapshot: Snapshot, channels: _Channels, asked: dict[str, list[str]], k: int
) -> list[Hit]:
    lists = [by_position(one_dense_list(part)) for part in channels.dense.values()]
    weights = [1.0] * len(lists) + [WORDS_WEIGHT] * len(channels.words)
    lists.extend(channels.words.values())
    scores = reciprocal_rank(lists, weights)

    def bm25(row: int) -> float:
        place = channels.places[row].get("bm25")
        return place.score if place else 0.0

    # The best crop and the best chunk often have equal sums; the stronger words then go first.
    order = sorted(in_order(scores), key=lambda row: (-scores[row], -bm25(row)))
    hits = []
    for rank, row in enumerate(order[:k], 1):
        record = snapshot.record(row)
        places = channels.places[row]
        present = set(tokens(record.text)) if "bm25" in places else set()
        matched = [word for word, terms in asked.items() if present.intersection(terms)]
        why = reason(places, matched)
        hits.append(Hit(rank, scores[row], record, places, why))
    return hits


def _confident(question: Question, channels: _Channels) -> bool:
    """Whether any record holds a word of the question or the question is a picture.

    Cosines alone cannot tell: the nearest of any set of records is near.
    """
    if question.text.strip():
        return any(len(rows) for rows in channels.words.values())
    return bool(channels.places)
