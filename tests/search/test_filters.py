from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from vision_ctx.search.filters import Filters, select

ODD_CAMERAS = ["O'Brien gate", "x' OR 1=1 --", "100%_yard", "plain", "%", "客厅", ""]


@pytest.fixture
def records(crop, chunk):
    def at(hour, minute, zone):
        return datetime(2026, 3, 3, hour, minute, tzinfo=ZoneInfo(zone)).astimezone(UTC)

    return [
        crop("a", captured_at=at(7, 30, "Europe/Berlin"), timezone="Europe/Berlin"),
        crop("b", captured_at=at(8, 0, "Europe/Berlin"), timezone="Europe/Berlin", label="bus"),
        crop("c", captured_at=at(7, 30, "Asia/Tokyo"), timezone="Asia/Tokyo", camera="yard"),
        crop("d", captured_at=at(8, 30, "Asia/Tokyo"), timezone="Asia/Tokyo", camera="yard"),
        chunk("e"),
    ]


def names(snapshot, records, **filters):
    mask = select(snapshot(*records), Filters(**filters))
    assert mask.dtype == bool
    return "".join(record.id for record, chosen in zip(records, mask, strict=True) if chosen)


@pytest.mark.parametrize(
    ("filters", "chosen"),
    [
        ({}, "abcde"),
        ({"kind": "crops"}, "abcd"),
        ({"kind": "chunks"}, "e"),
        ({"camera": "gate"}, "ab"),
        ({"camera": "Gate"}, ""),
        ({"label": "bus"}, "b"),
        ({"camera": "yard", "label": "bus"}, ""),
        ({"kind": "chunks", "camera": "gate"}, ""),
        # without offset: local time of each camera; after is included, before is not
        ({"after": datetime(2026, 3, 3, 8)}, "bd"),
        ({"before": datetime(2026, 3, 3, 8)}, "ac"),
        ({"after": datetime(2026, 3, 3, 7, 30), "before": datetime(2026, 3, 3, 8)}, "ac"),
        # with offset: one instant everywhere (07:00 in Berlin is 15:00 in Tokyo)
        ({"after": datetime(2026, 3, 3, 6, tzinfo=UTC)}, "ab"),
        ({"before": datetime(2026, 3, 3, 6, tzinfo=UTC)}, "cd"),
        ({"after": datetime(2026, 3, 3, 8, tzinfo=ZoneInfo("Europe/Berlin"))}, "b"),
        ({"before": datetime(2026, 3, 3, 8, tzinfo=timezone(timedelta(hours=9)))}, "c"),
        ({"after": datetime(2026, 3, 4)}, ""),
    ],
)
def test_select(snapshot, records, filters, chosen):
    assert names(snapshot, records, **filters) == chosen


@pytest.mark.parametrize("value", [datetime.min, datetime.max])
@pytest.mark.parametrize("bound", ["after", "before"])
def test_the_ends_of_the_calendar(snapshot, records, bound, value):
    every = (value == datetime.min) == (bound == "after")
    assert names(snapshot, records, **{bound: value}) == ("abcd" if every else "")


@pytest.mark.parametrize("camera", ODD_CAMERAS)
def test_odd_names_are_data(snapshot, crop, camera):  # S19
    records = [crop(str(n), camera=name) for n, name in enumerate(ODD_CAMERAS)]
    assert names(snapshot, records, camera=camera) == str(ODD_CAMERAS.index(camera))


def test_the_hour_that_comes_twice_is_in_by_either_clock(snapshot, crop):
    instants = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1)]  # 02:30 twice
    records = [
        crop(str(n), captured_at=at, timezone="Europe/Berlin") for n, at in enumerate(instants)
    ]
    day = datetime(2026, 10, 25)
    hour = {"after": day + timedelta(hours=2), "before": day + timedelta(hours=3)}
    assert names(snapshot, records, **hour) == "01"


def test_an_empty_index(snapshot):
    filters = {"camera": "x", "label": "y", "after": datetime(2026, 1, 1), "kind": "crops"}
    assert names(snapshot, [], **filters) == ""
    assert names(snapshot, [], before=datetime(2026, 1, 1, tzinfo=UTC)) == ""


def test_only_set_filters_are_shown():
    assert Filters().to_dict() == {}
    filters = Filters("crops", "gate", after=datetime(2026, 3, 3, tzinfo=UTC))
    assert filters.to_dict() == {
        "kind": "crops",
        "camera": "gate",
        "after": "2026-03-03T00:00:00+00:00",
    }
