"""Measures of retrieval: matching, recall, MRR, nDCG, the rows, and files of questions."""

import json
import math
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from vision_ctx.errors import VisionCtxError
from vision_ctx.evaluate import Query, _outcome, evaluate, first_hits, matches, read_queries
from vision_ctx.plot import plot_rows
from vision_ctx.search.filters import Filters
from vision_ctx.types import Hit, Record, SearchResult


def record(**values):
    given = {"id": "a", "kind": "crop", "source_id": "s", "source": "/x", "context": "", "body": ""}
    return Record(**{**given, **values})


def result(*records, ms=1.0):
    hits = tuple(Hit(rank, 1 / rank, rec, {}, "") for rank, rec in enumerate(records, 1))
    return SearchResult("", {}, {}, True, ms, hits)


CROP = record(
    camera="dock",
    label="truck",
    captured_at=datetime(2026, 3, 3, 6, 15, tzinfo=UTC),
    timezone="UTC",
)
CHUNK = record(id="b", kind="chunk", document="log.md", body="The second vehicle left.", page=2)


@pytest.mark.parametrize(
    ("item", "relevant", "expected"),
    [
        (CROP, "a", True),
        (CROP, "b", False),
        (CROP, {"kind": "crop", "camera": "dock", "label": "truck"}, True),
        (CROP, {"kind": "crop", "camera": "gate"}, False),
        (CROP, {"after": "2026-03-03T07:15:00+01:00"}, True),
        (CROP, {"after": "2026-03-03T07:15:01+01:00"}, False),
        (CROP, {"before": "2026-03-03T06:15:00+00:00"}, True),
        (CROP, {"before": "2026-03-03T06:14:59+00:00"}, False),
        (replace(CROP, timezone="Europe/Amsterdam"), {"after": "2026-03-03T07:15"}, True),
        (replace(CROP, timezone="Europe/Amsterdam"), {"after": "2026-03-03T07:16"}, False),
        (CROP, {"label": "truck", "track": "truth-7"}, True),  # a truth's own name is no condition
        (CROP, {"colour": "red"}, True),  # the index does not know the colour
        (record(colour="blue"), {"colour": "red"}, False),
        (CHUNK, {"kind": "chunk", "document": "log.md", "contains": "second vehicle"}, True),
        (CHUNK, {"contains": "third vehicle"}, False),
        (CHUNK, {"after": "2026-03-03T00:00:00+00:00"}, False),
    ],
)
def test_matches(item, relevant, expected):
    assert matches(item, relevant) is expected


def test_measures_by_hand():
    others = [record(id=f"x{i}") for i in range(6)]
    query = Query("q", ("a", "b", "never"), Filters(), "all")
    answer = result(others[0], CROP, *others[1:6], CHUNK)
    assert first_hits(query, answer.hits) == [2, 8]
    outcome = _outcome(query, answer)
    assert outcome["recall@5"] == pytest.approx(1 / 3)
    assert outcome["recall@10"] == outcome["recall@20"] == pytest.approx(2 / 3)
    assert outcome["mrr"] == 1 / 2
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert outcome["ndcg@10"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(9)) / ideal)


def test_a_hit_stands_for_one_answer_only():
    trucks = ({"camera": "dock"}, {"camera": "dock"})
    query = Query("two trucks", trucks, Filters(), "all")
    assert _outcome(query, result(CROP))["recall@5"] == 1 / 2
    other = replace(CROP, id="other")
    assert first_hits(query, result(CROP, CHUNK, other, replace(CROP, id="third")).hits) == [1, 3]


def test_a_hit_that_fits_two_answers_makes_room_for_one_that_fits_one():
    query = Query("q", ({"camera": "dock"}, {"label": "truck", "camera": "dock"}), Filters(), "all")
    car = replace(CROP, id="car", label="car")
    assert first_hits(query, result(CROP, car).hits) == [1, 2]
    assert first_hits(query, result(car, CROP).hits) == [1, 2]


def test_rows_from_an_index(index, tmp_path, save, embedder):
    save(tmp_path / "gate" / "20260303_071500.jpg", person=(10, 20, 40, 100))
    save(tmp_path / "yard" / "20260304_091500.jpg", car=(10, 20, 80, 100))
    (tmp_path / "log.md").write_text("# Night log\n\nA padlock was broken at the gate.\n")
    index.add(tmp_path / "gate", tmp_path / "yard", tmp_path / "log.md")
    queries = [
        Query("person gate", ({"kind": "crop", "camera": "gate"},), Filters(), "object"),
        Query("padlock", ({"kind": "chunk", "contains": "padlock"},), Filters(), "document"),
        Query("zeppelin", (), Filters(), "nothing"),
    ]
    measured = evaluate(index.snapshot(), embedder, queries)
    names = [row["name"] for row in measured["rows"]]
    assert names == ["plain", "context", "context+bm25"]
    assert measured["rows"][-1]["failure_at_20"] == 0
    assert measured["queries"] == 3
    assert measured["answerable"] == 2
    assert measured["nothing"] == {"queries": 1, "recognised": 1}
    assert set(measured["by_kind"]) == {"object", "document"}
    json.dumps(measured)


def test_plain_row_knows_no_context(index, tmp_path, embedder):
    (tmp_path / "a.md").write_text("# Title\n\n## Section\n\nbody words\n")
    index.add(tmp_path / "a.md")
    embedder.texts.clear()
    evaluate(index.snapshot(), embedder, [Query("body", ({"kind": "chunk"},), Filters(), "all")])
    bodies = [text for text in embedder.texts if "body words" in text]
    assert bodies
    assert not any("From" in text for text in bodies)


def write(tmp_path, *lines):
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_read_queries(tmp_path):
    good = {"query": "a", "relevant": ["x"], "split": "dev", "kind": "k"}
    other = {"query": "b", "relevant": [], "split": "test", "filters": {"after": "2026-03-03"}}
    path = write(tmp_path, json.dumps(good), "", json.dumps(other))
    assert [query.text for query in read_queries(path)] == ["a", "b"]
    only = read_queries(path, "test")
    assert [query.text for query in only] == ["b"]
    assert only[0].filters.after == datetime(2026, 3, 3)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 1"),
        ('{"relevant": []}', "query"),
        ('{"query": "a", "relevant": [{"kamera": "x"}]}', "kamera"),
        ('{"query": "a", "relevant": [], "filters": {"since": "x"}}', "since"),
        ('{"query": "a", "relevant": [], "filters": {"after": "noon"}}', "noon"),
        ('{"query": "a", "relevant": [], "filters": {"kind": "videos"}}', "kind must be one of"),
        ('{"query": "a", "relevant": "abc"}', "must be a list"),
        ('{"query": "a", "relevant": [7]}', "neither an id nor conditions"),
        ('{"query": "a", "relevant": [{"after": "noon"}]}', "noon"),
        ('{"query": "a", "relevant": [{"after": 7}]}', "line 1"),
        ("[]", "line 1"),
        ("", "no question"),
    ],
)
def test_bad_question_files_name_the_line(tmp_path, line, says):
    with pytest.raises(VisionCtxError, match=says):
        read_queries(write(tmp_path, line))


def test_missing_question_file(tmp_path):
    with pytest.raises(VisionCtxError, match=r"none\.jsonl"):
        read_queries(tmp_path / "none.jsonl")


def test_plot(tmp_path):
    rows = [{"name": "plain", "failure_at_20": 0.2}, {"name": "context", "failure_at_20": 0.1}]
    plot_rows(rows, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(VisionCtxError, match="plot"):
        plot_rows(rows, tmp_path / "none" / "plot.png")
