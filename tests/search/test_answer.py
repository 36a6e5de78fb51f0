import json
from datetime import UTC, datetime

import pytest

from vision_ctx.search.answer import hit_json, reason, result_json
from vision_ctx.types import Box, ChannelRank, Hit, Nearby, Record, SearchResult

CROP = Record(
    *("id1", "crop", "s", "/gate/O'Brien.mp4", "Gate.", "person"),
    label="person",
    confidence=0.87654,
    camera="gate",
    site="Rotterdam",
    captured_at=datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
    timezone="Europe/Berlin",
    clock="file name",
    clock_weak=False,
    box=Box(1, 2, 3, 4),
    crop_box=Box(0, 1, 4, 5),
    frame_size=(64, 48),
    crop_path="crops/id/id1.jpg",
    frame_path="frames/fr/fr.jpg",
    source_time_s=1.5,
    nearby=(Nearby("bus", "touching", True),),
)
CHUNK = Record(
    *("id2", "chunk", "d", "/r.pdf", "From r.", "Body"),
    document="r.pdf",
    title="Report",
    page=2,
    headings=("A", "B"),
    span=(0, 4),
)
PLACES = {"image": ChannelRank(3, 0.123456), "bm25": ChannelRank(1, 4.2)}
COMMON = {"rank", "id", "kind", "score", "channels", "why", "context", "text", "source"}


def test_a_crop_has_the_fields_of_the_contract():
    found = hit_json(Hit(1, 0.0327868852, CROP, PLACES, "because"))
    assert found.keys() >= COMMON | {
        *("label", "confidence", "camera", "site", "captured_at", "clock", "box", "frame_size"),
        *("crop_path", "frame_path", "source_time_s", "track", "nearby", "zone", "colour"),
    }
    assert found["captured_at"] == "2026-10-25T02:30:00+01:00"
    assert found["channels"]["image"] == {"rank": 3, "score": 0.1235}
    assert found["text"] == "Gate.\nperson"
    assert found["nearby"] == [{"label": "bus", "relation": "touching"}]
    assert (found["box"], found["frame_size"], found["track"]) == ([1, 2, 3, 4], [64, 48], None)
    assert "document" not in found


def test_a_chunk_has_the_fields_of_the_contract():
    found = hit_json(Hit(2, 0.5, CHUNK, {}, ""))
    assert found.keys() == COMMON | {"document", "title", "page", "headings", "span", "language"}
    assert (found["headings"], found["span"], found["page"]) == (["A", "B"], [0, 4], 2)


def test_the_answer_is_json():
    hits = (Hit(1, 0.5, CROP, PLACES, ""), Hit(2, 0.4, CHUNK, {}, ""))
    result = SearchResult("q", {}, {"crops": 1, "chunks": 1}, True, 1.2345, hits)
    found = json.loads(json.dumps(result_json(result)))
    assert found.keys() == {"query", "interpreted", "eligible", "confident", "elapsed_ms", "hits"}
    assert found["elapsed_ms"] == 1.2
    assert [hit["kind"] for hit in found["hits"]] == ["crop", "chunk"]
    assert result.to_dict() == result_json(result)
    assert hits[0].to_dict() == hit_json(hits[0])


def test_a_record_without_a_clock():
    bare = Record("i", "crop", "s", "/a", "", "")
    found = hit_json(Hit(1, 1.0, bare, {}, ""))
    assert (found["captured_at"], found["box"], found["confidence"]) == (None, None, None)


@pytest.mark.parametrize(
    ("channels", "matched", "words"),
    [
        (PLACES, ["red", "truck"], "words: red, truck (rank 1); looks like it (rank 3)"),
        ({"text": ChannelRank(2, 0.1)}, [], "means it (rank 2)"),
        ({}, [], ""),
    ],
)
def test_reason(channels, matched, words):
    assert reason(channels, matched) == words
