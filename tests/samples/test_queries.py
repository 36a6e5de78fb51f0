"""The sample questions can be answered, from the truth and from the documents."""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from vision_ctx.evaluate import read_queries

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
BUILD = SAMPLES / "build"
QUERIES = SAMPLES / "queries.jsonl"
KINDS = {
    *("object_colour", "place_time", "neighbours", "document", "mixed", "language", "nothing"),
}
LANGUAGES = {"en", "fr", "es", "ko", "it"}
SLACK = timedelta(seconds=1)


@pytest.fixture(scope="module")
def queries() -> list[dict[str, Any]]:
    return [json.loads(line) for line in QUERIES.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def script():
    """The script that writes the questions, and what it reads."""
    sys.path.insert(0, str(BUILD))
    try:
        import queries as module

        yield module
    finally:
        sys.path.remove(str(BUILD))
        for name in ("queries", "question_truth"):
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def tracks() -> dict[str, dict[str, Any]]:
    lines = (SAMPLES / "truth" / "tracks.jsonl").read_text(encoding="utf-8").splitlines()
    return {track["track"]: track for track in map(json.loads, lines)}


def test_the_program_reads_every_question(queries):
    assert len(read_queries(QUERIES)) == len(queries) >= 120


def test_all_kinds_and_languages_are_there(queries):
    assert {query["kind"] for query in queries} == KINDS
    assert {query["language"] for query in queries} == LANGUAGES
    assert min(Counter(query["kind"] for query in queries).values()) >= 10


def test_ids_and_questions_are_unique(queries):
    for field in ("id", "query"):
        assert max(Counter(query[field] for query in queries).values()) == 1


def test_both_splits_hold_half_of_each_kind(queries):
    for kind in KINDS:
        count = Counter(query["split"] for query in queries if query["kind"] == kind)
        assert set(count) == {"dev", "test"}
        assert abs(count["dev"] - count["test"]) <= 2, kind


def test_only_questions_about_nothing_have_no_answer(queries):
    for query in queries:
        count = len(query["relevant"])
        assert (count == 0) == (query["kind"] == "nothing"), query["id"]
        assert count <= 12, query["id"]


def test_mixed_questions_have_a_report_and_its_footage(queries):
    for query in queries:
        if query["kind"] == "mixed":
            assert {answer["kind"] for answer in query["relevant"]} == {"crop", "chunk"}


def test_each_crop_matcher_is_tight_around_a_track_of_the_truth(queries, tracks):
    for query in queries:
        for answer in query["relevant"]:
            if answer["kind"] != "crop":
                continue
            track = tracks[answer["track"]]
            named = [key for key in ("camera", "label", "colour") if key in answer]
            assert [answer[key] for key in named] == [track[key] for key in named]
            after, before = (datetime.fromisoformat(answer[key]) for key in ("after", "before"))
            start, end = (datetime.fromisoformat(track[key]) for key in ("start", "end"))
            assert start - SLACK <= after <= start <= end <= before <= end + SLACK


def test_each_passage_stands_just_once_in_one_line_of_its_document(queries, script):
    pytest.importorskip("pymupdf")
    passages = script.Passages(SAMPLES / "documents")
    for query in queries:
        for answer in query["relevant"]:
            if answer["kind"] == "chunk":
                assert len(answer["contains"]) <= 60
                assert passages.count(answer["document"], answer["contains"]) == 1, answer


def test_questions_on_formats_without_a_reader_say_so(queries):
    for query in queries:
        formats = {Path(a["document"]).suffix[1:] for a in query["relevant"] if "document" in a}
        needed = formats & {"docx", "html"}
        assert {query["needs"]} == needed if needed else "needs" not in query, query["id"]


def test_the_file_is_what_the_script_makes(queries, script):
    truth, passages = script.Truth.read(SAMPLES), script.Passages(SAMPLES / "documents")
    assert script.build(truth, passages) == queries


def test_a_question_that_nothing_answers_is_refused(script):
    truth = script.Truth(SAMPLES / "truth", [])
    with pytest.raises(script.QuestionError, match="no track fulfils"):
        list(script._answers({"q": "red truck", "tracks": ["label=truck"]}, truth, None))
