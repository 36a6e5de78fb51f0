"""One golden line for every rule of the prefix grammar."""

import locale
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from vision_ctx.footage.prefix import (
    Subject,
    clock_words,
    company_words,
    object_words,
    part_of_day,
    place_in_frame,
    place_words,
    plural,
    prefix,
    scene_words,
    size_word,
    stay_words,
)
from vision_ctx.types import SCENE, Box, Camera, Nearby

GATE = Camera("gate", "Gate camera 1", "Europe/Amsterdam", site="Rotterdam")
LOCAL = datetime(2026, 3, 3, 7, 15, tzinfo=ZoneInfo("Europe/Amsterdam"))
FRAME = (1200, 900)


def test_the_whole_prefix():
    neighbours = (Nearby("bus", "touching", True, "white"), *2 * (Nearby("person", "left of"),))
    box = Box(500, 350, 700, 550)
    subject = Subject(
        "truck", box, FRAME, neighbours, "red", "exit lane", "moving left", stay_s=12.4
    )
    assert prefix(GATE, LOCAL, subject) == (
        "Gate camera 1, Rotterdam. Tuesday 3 March 2026, 07:15, early morning. Red truck, centre, "
        "in exit lane, moving left. In view for 12 s. "
        "Nearby: beside white bus (touching), 2 persons (left of it)."
    )
    assert prefix(GATE, LOCAL, Subject("person", box, FRAME)) == (
        "Gate camera 1, Rotterdam. Tuesday 3 March 2026, 07:15, early morning. Person, centre."
    )


def test_scene_words_are_the_prefix_without_its_clock():
    subject = Subject("bus", Box(0, 0, 1200, 900), FRAME, (Nearby("car", "above"),), stay_s=5)
    words = scene_words(GATE, subject)
    assert words == "Gate camera 1, Rotterdam. Large bus, centre. Nearby: car (above it)."
    whole = prefix(GATE, LOCAL, subject)
    assert whole.replace(f"{clock_words(LOCAL)} ", "").replace("In view for 5 s. ", "") == words
    later = prefix(GATE, LOCAL + timedelta(hours=9), subject)
    assert later != whole


@pytest.mark.parametrize(
    ("name", "site", "words"),
    [
        ("Gate camera 1", "Rotterdam", "Gate camera 1, Rotterdam."),
        ("Gate Camera", None, "Gate Camera."),
        ("gate_02", None, "Camera gate_02."),
        ("O'Brien gate", "Hall 3", "Camera O'Brien gate, Hall 3."),
        ("客厅", None, "Camera 客厅."),
        ("gate", "", "Camera gate."),
    ],
)
def test_place(name, site, words):
    assert place_words(Camera("x", name, "UTC", site)) == words


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (datetime(2024, 2, 29, 0, 5), "Thursday 29 February 2024, 00:05, night."),
        (datetime(2026, 12, 31, 23, 59, 59), "Thursday 31 December 2026, 23:59, night."),
        (datetime(1999, 1, 1, 12), "Friday 1 January 1999, 12:00, midday."),
    ],
)
def test_clock(moment, words):
    assert clock_words(moment) == words


def test_clock_is_english_in_any_locale():
    before = locale.setlocale(locale.LC_TIME)
    try:
        for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "C"):
            try:
                locale.setlocale(locale.LC_TIME, name)
            except locale.Error:
                continue
            assert clock_words(LOCAL) == "Tuesday 3 March 2026, 07:15, early morning."
    finally:
        locale.setlocale(locale.LC_TIME, before)


def test_the_hour_that_comes_twice_is_worded_twice():
    zone = ZoneInfo("Europe/Berlin")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC).astimezone(zone)
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC).astimezone(zone)
    assert clock_words(first) == clock_words(second) == "Sunday 25 October 2026, 02:30, night."


def test_parts_of_the_day_cover_all_hours_in_order():
    parts = [part_of_day(hour) for hour in range(24)]
    assert parts == (
        5 * ["night"]
        + 3 * ["early morning"]
        + 4 * ["morning"]
        + 2 * ["midday"]
        + 4 * ["afternoon"]
        + 4 * ["evening"]
        + 2 * ["night"]
    )


def test_object():
    def words(label, *box, **more):
        return object_words(Subject(label, Box(*box), FRAME, **more))

    assert words("person", 0, 0, 100, 100) == "Person, top left."
    assert words("bus", 0, 0, 1200, 900) == "Large bus, centre."
    assert words("traffic light", 1180, 0, 1190, 20) == "Small traffic light, top right."
    assert words(SCENE, 0, 0, 1200, 900) == "Scene without detected objects."
    assert words("person", 0, 0, 100, 100, colour="red") == "Person in red, top left."
    red = words("bus", 0, 0, 1200, 900, colour="red", zone="bay 2", movement="coming nearer")
    assert red == "Large red bus, centre, in bay 2, coming nearer."


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, ""),
        (1.9, ""),
        (2, "In view for 2 s."),
        (119, "In view for 119 s."),
        (120, "In view for 2 min."),
        (5400, "In view for 90 min."),
    ],
)
def test_stay(seconds, words):
    assert stay_words(seconds) == words


@pytest.mark.parametrize(
    ("box", "word"),
    [
        (Box(0, 0, 400, 270), "large"),  # exactly a tenth
        (Box(0, 0, 400, 269), ""),
        (Box(0, 0, 60, 54), ""),  # exactly 0.3 %
        (Box(0, 0, 60, 53), "small"),
    ],
)
def test_size(box, word):
    assert size_word(box, FRAME) == word


def test_places_in_frame():
    found = {
        place_in_frame(Box(x, y, x + 2, y + 2), (900, 900))
        for x in (100, 449, 800)
        for y in (100, 449, 800)
    }
    assert found == {
        *("top left", "top", "top right", "left", "centre", "right"),
        *("bottom left", "bottom", "bottom right"),
    }
    assert place_in_frame(Box(299, 299, 301, 301), (900, 900)) == "centre"  # exactly on a third


@pytest.mark.parametrize(
    ("neighbours", "words"),
    [
        ([], ""),
        ([Nearby("bus", "touching", True)], "Nearby: beside bus (touching)."),
        ([Nearby("bus", "left of", True)], "Nearby: beside bus (left of it)."),
        ([Nearby("cat", "below")], "Nearby: cat (below it)."),
        (3 * [Nearby("bus", "right of")], "Nearby: 3 buses (right of it)."),
        (2 * [Nearby("car", "above", colour="red")], "Nearby: 2 red cars (above it)."),
        (2 * [Nearby("person", "above", colour="red")], "Nearby: 2 persons in red (above it)."),
        (
            [Nearby("car", "above", colour="red"), Nearby("car", "above", colour="blue")],
            "Nearby: red car (above it), blue car (above it).",
        ),
        (2 * [Nearby("bus", "above", True)], "Nearby: beside 2 buses (above it)."),
        (
            [Nearby("car", "above"), Nearby("dog", "below"), Nearby("car", "above")],
            "Nearby: 2 cars (above it), dog (below it).",
        ),
        (
            [Nearby("car", "above"), Nearby("car", "above", True), Nearby("car", "below")],
            "Nearby: car (above it), beside car (above it), car (below it).",
        ),
    ],
)
def test_company(neighbours, words):
    assert company_words(neighbours) == words


def test_plurals():
    singular = "person bus wine_glass bench giraffe knife sheep skis scissors mouse toy bicycle"
    words = [plural(label.replace("_", " ")) for label in singular.split()]
    assert words == [
        *("persons", "buses", "wine glasses", "benches", "giraffes", "knives", "sheep", "skis"),
        *("scissors", "mice", "toys", "bicycles"),
    ]
    assert plural("computer mouse") == "computer mice"
    assert plural("lorry") == "lorries"
