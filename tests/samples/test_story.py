"""The sample site's story agrees with itself, with its file names and with its documents."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from vision_ctx.sources.clock import start_of

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
BUILD = SAMPLES / "build"
CLASSES = {
    *("person", "bicycle", "car", "motorcycle", "bus", "truck", "dog", "cat"),
    *("backpack", "suitcase", "umbrella"),
}
COLOURS = set("red blue green yellow white black grey orange brown purple".split())
EVENT_ID = re.compile(r"\b(?:INC|DEL|VIS)-20\d\d-\d\d-\d{3}\b")


@pytest.fixture(scope="module")
def story() -> dict[str, Any]:
    return json.loads((BUILD / "story.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def recordings(story) -> list[dict[str, Any]]:
    return [*story["clips"], *story["stills"]]


@pytest.fixture(scope="module")
def events(story) -> dict[str, dict[str, Any]]:
    return {event["id"]: event for event in story["events"]}


def _parts(item: dict[str, Any]) -> list[dict[str, Any]]:
    rider = item["rider"]
    ridden = [{"label": "person", "colour": rider["upper"], **rider}] if rider else []
    return [item, *item["carrying"], *ridden]


def test_story_and_config_are_what_the_script_makes(story, monkeypatch):
    monkeypatch.syspath_prepend(str(BUILD))
    try:
        import story as script

        made = script.build()
        assert made == story
        assert script.config_toml(made) == (SAMPLES / "vision_ctx.toml").read_text("utf-8")
    finally:
        for name in [n for n in sys.modules if n == "story" or n.startswith("storybook")]:
            del sys.modules[name]


def test_the_site_is_as_large_as_promised(story, recordings, events):
    tracks = [part for r in recordings for o in r["objects"] for part in _parts(o)]
    assert 24 <= len(story["clips"]) <= 36
    assert 6 <= len(story["stills"]) <= 10
    assert all(8 <= clip["duration_s"] <= 20 for clip in story["clips"])
    assert all(10 <= clip["fps"] <= 15 for clip in story["clips"])
    assert len(tracks) >= 320
    assert len(events) >= 40
    assert len({clip["start"][:10] for clip in story["clips"]}) >= 10
    assert {camera["timezone"] for camera in story["cameras"].values()} == {
        "Europe/Amsterdam",
        "Europe/Lisbon",
    }


def test_objects_are_of_known_classes_and_colours(recordings):
    parts = [part for r in recordings for o in r["objects"] for part in _parts(o)]
    assert {part["label"] for part in parts} == CLASSES
    assert {part["colour"] for part in parts} == COLOURS
    counts = Counter(part["track"] for part in parts)
    assert max(counts.values()) == 1


def test_red_trucks_and_blue_jackets_have_many_look_alikes(recordings):
    alike = Counter(
        (o["label"], o["colour"], r["camera"]) for r in recordings for o in r["objects"]
    )
    trucks = {camera for (label, colour, camera) in alike if (label, colour) == ("truck", "red")}
    assert len(trucks) == 3
    assert (
        sum(n for (label, colour, _), n in alike.items() if (label, colour) == ("truck", "red"))
        >= 8
    )
    assert sum(n for key, n in alike.items() if key[:2] == ("person", "blue")) >= 20


def test_ends_lie_a_duration_after_starts_in_true_time(recordings):
    for recording in recordings:
        start, end = (datetime.fromisoformat(recording[key]) for key in ("start", "end"))
        assert end - start == timedelta(seconds=recording["duration_s"])
        zone = ZoneInfo(recording["timezone"])
        for moment in (start, end):
            local = moment.astimezone(UTC).astimezone(zone)
            assert local.replace(tzinfo=None) == moment.replace(tzinfo=None)
            assert local.utcoffset() == moment.utcoffset()


def test_one_clip_runs_across_the_change_of_clock(story):
    across = [
        clip
        for clip in story["clips"]
        if datetime.fromisoformat(clip["start"]).utcoffset()
        != datetime.fromisoformat(clip["end"]).utcoffset()
    ]
    assert [clip["start"] for clip in across] == ["2026-03-29T01:59:52+01:00"]
    assert across[0]["end"] == "2026-03-29T03:00:08+02:00"


def test_file_names_say_when_recordings_start(recordings):
    for recording in recordings:
        moment = start_of(Path(recording["path"]), recording["timezone"], mtime_ns=0)
        assert moment.utc == datetime.fromisoformat(recording["start"]).astimezone(UTC), recording
        assert not moment.weak


def test_each_camera_has_its_own_folder_and_vendor(story, recordings):
    vendors = [camera["vendor"] for camera in story["cameras"].values()]
    assert len(set(vendors)) == len(vendors)
    for recording in recordings:
        assert recording["path"].startswith(f"footage/{recording['camera']}/")
    assert len({recording["path"] for recording in recordings}) == len(recordings)


def test_config_covers_every_recording_once(recordings):
    import fnmatch

    config = tomllib.loads((SAMPLES / "vision_ctx.toml").read_text(encoding="utf-8"))["cameras"]
    for recording in recordings:
        claimed = [
            name
            for name, camera in config.items()
            if any(fnmatch.fnmatchcase(recording["path"], pattern) for pattern in camera["paths"])
        ]
        assert claimed == [recording["camera"]]
        assert config[recording["camera"]]["timezone"] == recording["timezone"]


def test_zones_lie_within_the_frame():
    config = tomllib.loads((SAMPLES / "vision_ctx.toml").read_text(encoding="utf-8"))["cameras"]
    for camera in config.values():
        names = [zone["name"] for zone in camera["zones"]]
        assert len(set(names)) == len(names) >= 3
        for zone in camera["zones"]:
            assert len(zone["polygon"]) >= 3
            assert all(0 <= value <= 1 for point in zone["polygon"] for value in point)


def test_events_belong_to_tracks_and_zones_of_their_recording(story, recordings, events):
    by_id = {recording["id"]: recording for recording in recordings}
    for event in events.values():
        recording = by_id[event["recording"]]
        tracks = {o["track"] for o in recording["objects"] if o["event"] == event["id"]}
        assert tracks == set(event["tracks"]) != set()
        zones = {zone["name"] for zone in story["cameras"][event["camera"]]["zones"]}
        assert not event["zone"] or event["zone"] in zones
        assert recording["start"][:4] + "-" + recording["start"][5:7] == event["id"][4:11]
        start, end = (datetime.fromisoformat(event[key]) for key in ("start", "end"))
        assert datetime.fromisoformat(recording["start"]) <= start <= end


def test_documents_name_only_incidents_of_the_story(events):
    named = Counter()
    for path in (SAMPLES / "documents").glob("*.md"):
        named.update(set(EVENT_ID.findall(path.read_text(encoding="utf-8"))))
    assert set(named) <= set(events)
    assert set(events) <= set(named), "every event stands in some report"


def test_sources_of_documents_name_only_incidents_of_the_story(events):
    for path in (BUILD / "documents").rglob("*.[mt]*"):
        if path.suffix in (".md", ".toml"):
            found = set(EVENT_ID.findall(path.read_text(encoding="utf-8")))
            assert found <= set(events), path.name
