"""Writes `samples/queries.jsonl` from the questions in `questions/`, the truth and the documents.

    python samples/build/queries.py

The right answers of a question about footage are all tracks of the truth that fulfil one of its
predicates, so that none is forgotten. A predicate is a line of `key=value`: `rec` (recording),
`camera`, `day`, `label`, `colour`, `event`, `riding=no`, `carrying=label:colour`, and
`near=label:colour`, which asks for company of that kind in at least half of the frames.
Every question is checked: it has answers, and each passage stands in its document just once.
"""

from __future__ import annotations

import itertools
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from question_truth import Passages, Track, Truth

HERE = Path(__file__).parent
SAMPLES = HERE.parent
# A tracker may catch an object a little before or after the frames that the truth counts as seen.
SLACK = timedelta(seconds=0.6)
MOST_ANSWERS = 12
LONGEST_PASSAGE = 60
Json = dict[str, Any]


class QuestionError(ValueError):
    """A question that the truth or the documents do not answer as it says."""


def build(truth: Truth, passages: Passages) -> list[Json]:
    """All questions with their answers, splits alternating within each kind and language."""
    groups: dict[str, list[Json]] = {}
    for path in sorted((HERE / "questions").glob("*.toml")):
        for group, asked in tomllib.loads(path.read_text(encoding="utf-8")).items():
            groups.setdefault(group, []).extend(asked)
    built = []
    split = itertools.cycle(("dev", "test"))
    for group in sorted(groups):
        kind, _, language = (
            group.partition("_") if group.startswith("language") else (group, "", "")
        )
        for number, asked in enumerate(groups[group], 1):
            built.append(
                {
                    "id": f"{group.replace('_', '-')}-{number:02d}",
                    "query": asked["q"],
                    "kind": kind,
                    "language": language or "en",
                    "split": next(split),
                    "relevant": list(_answers(asked, truth, passages)),
                    "filters": {},
                }
                | ({"needs": asked["needs"]} if "needs" in asked else {})
            )
            _check(built[-1])
    return built


def _check(question: Json) -> None:
    count = len(question["relevant"])
    if (count == 0) != (question["kind"] == "nothing") or count > MOST_ANSWERS:
        raise QuestionError(f"{question['id']} ({question['query']}) has {count} answers")


def _answers(asked: Mapping[str, Any], truth: Truth, passages: Passages) -> Iterator[Json]:
    found: dict[str, Json] = {}
    for predicate in asked.get("tracks", ()):
        matching = truth.matching(predicate)
        if not matching:
            raise QuestionError(f"{asked['q']}: no track fulfils {predicate!r}")
        coloured = "colour=" in predicate
        found |= {track["track"]: crop_matcher(track, coloured=coloured) for track in matching}
    yield from found.values()
    for file, text in asked.get("at", ()):
        if len(text) > LONGEST_PASSAGE:
            raise QuestionError(f"{asked['q']}: {text!r} is longer than {LONGEST_PASSAGE}")
        times = passages.count(file, text)
        if times != 1:
            raise QuestionError(f"{asked['q']}: {text!r} stands {times} times in {file}")
        yield {"kind": "chunk", "document": file, "contains": text}


def crop_matcher(track: Track, *, coloured: bool) -> Json:
    """The conditions that only a crop of this track fulfils, or one of a twin beside it.

    The colour counts only where the question asks for it: of several cars that are all right answers,
    each takes one hit, whatever colour the index measured.
    """
    start, end = (datetime.fromisoformat(track[name]) for name in ("start", "end"))
    return {
        "kind": "crop",
        "camera": track["camera"],
        "label": track["label"],
        **({"colour": track["colour"]} if coloured else {}),
        "after": (start - SLACK).isoformat(timespec="milliseconds"),
        "before": (end + SLACK).isoformat(timespec="milliseconds"),
        "track": track["track"],
    }


def summary(built: Sequence[Json]) -> str:
    """How many questions of each kind there are."""
    kinds = sorted({question["kind"] for question in built})
    counts = (f"{kind} {sum(q['kind'] == kind for q in built)}" for kind in kinds)
    dev = sum(question["split"] == "dev" for question in built)
    return f"{len(built)} questions ({', '.join(counts)}), {dev} dev"


def main() -> None:
    """Writes the questions and says how many there are."""
    built = build(Truth.read(SAMPLES), Passages(SAMPLES / "documents"))
    lines = (json.dumps(question, ensure_ascii=False) for question in built)
    target = SAMPLES / "queries.jsonl"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    print(summary(built))


if __name__ == "__main__":
    main()
