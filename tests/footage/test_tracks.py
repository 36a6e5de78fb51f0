"""One record for one object: grouping, best view, label by vote, ends, numbering."""

from datetime import UTC, datetime, timedelta

import cv2
import numpy as np
import pytest

from vision_ctx.footage.crops import Seen
from vision_ctx.footage.tracks import AWAY_S, TrackStage, movement, sharpness
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.fingerprint import make_source
from vision_ctx.types import SCENE, Box, Camera, Detection, Frame, Moment

CAMERA = Camera("gate", "Gate", "Europe/Amsterdam")
START = datetime(2026, 3, 3, 6, 15, tzinfo=UTC)
NOISE = np.random.default_rng(0).integers(0, 255, (200, 300, 3), dtype=np.uint8)


class ByColumn:
    """A tracker for tests: each column of 100 pixels is an object."""

    def __init__(self):
        self.numbers = {}

    def update(self, detections):
        keys = [round(d.box.x0, -1) // 100 for d in detections]
        return [self.numbers.setdefault(key, len(self.numbers)) for key in keys]


def source(name="a.mp4", kind="video"):
    return make_source(f"/x/{name}", kind, 1, 1, name)


def seen(time_s, *detections, of=None, image=NOISE):
    utc = START + timedelta(seconds=time_s or 0)
    moment = Moment(utc, CAMERA.timezone, "given")
    return Seen(Frame(of or source(), CAMERA, moment, image, time_s=time_s), detections)


def at(x, label="person", confidence=0.9, size=(30, 60), y=40):
    return Detection(label, confidence, Box(x, y, x + size[0], y + size[1]))


def run(*items):
    out = list(TrackStage(ByColumn).run([*items, SourceDone(source())]))
    assert isinstance(out[-1], SourceDone)
    return out[:-1]


def test_one_sighting_for_one_object():
    tracks = run(*(seen(t, at(10 + t), at(210, "car")) for t in range(4)))
    assert sorted(s.detection.label for s in tracks) == ["car", "person"]
    assert {s.track["id"] for s in tracks} == {0, 1}


def test_best_view_is_large_confident_and_whole():
    small, large = at(20, size=(20, 40)), at(20, size=(60, 120))
    assert run(seen(0, small), seen(1, large), seen(2, small))[0].detection.box == large.box
    unsure = at(20, confidence=0.3)
    assert run(seen(0, unsure), seen(1, at(21)), seen(2, unsure))[0].frame.time_s == 1
    cut_off = at(0, size=(60, 120))
    assert run(seen(0, cut_off), seen(1, at(20, size=(45, 90))))[0].frame.time_s == 1


def test_best_view_is_sharp():
    blurred = cv2.GaussianBlur(NOISE, (0, 0), 8)
    tracks = run(*(seen(t, at(20), image=blurred if t != 2 else NOISE) for t in range(4)))
    assert tracks[0].frame.time_s == 2
    assert np.array_equal(tracks[0].pixels, NOISE[34:106, 17:53])


def test_sharpness_falls_with_blur():
    values = [sharpness(NOISE)]
    values += [sharpness(cv2.GaussianBlur(NOISE, (0, 0), sigma)) for sigma in (1, 3, 9)]
    assert values == sorted(values, reverse=True)
    assert all(0 <= value <= 1 for value in values)
    assert sharpness(np.zeros((5, 1, 3), dtype=np.uint8)) == 0


def test_label_is_that_of_most_sightings():
    labels = ["truck", "car", "truck", "truck"]
    tracks = run(*(seen(t, at(20, label)) for t, label in enumerate(labels)))
    assert [s.detection.label for s in tracks] == ["truck"]


def test_colour_and_zone_are_those_of_most_sightings():
    red, grey = np.full_like(NOISE, (180, 20, 20)), np.full_like(NOISE, 128)
    for image in (red, grey):
        image[:20] = 245  # something white, to tell the light by
    (track,) = run(*(seen(t, at(20), image=i) for t, i in enumerate((red, grey, red))))
    assert track.colour == "red"
    assert track.stay_s == 2


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (Box(0, 0, 30, 60), Box(100, 0, 130, 60), "moving right"),
        (Box(100, 0, 130, 60), Box(0, 0, 30, 60), "moving left"),
        (Box(0, 0, 30, 60), Box(10, 0, 40, 60), None),
        (Box(0, 0, 30, 60), Box(0, 0, 60, 120), "coming nearer"),
        (Box(0, 0, 60, 120), Box(0, 0, 30, 60), "going away"),
        (Box(0, 0, 30, 60), Box(0, 0, 33, 66), None),
    ],
)
def test_movement(first, last, words):
    assert movement(first, last) == words


def test_company_of_a_part_of_the_stay_is_named():
    person, car = at(20, size=(20, 40)), at(110, "car", size=(60, 60))
    alone = at(20, size=(40, 80))  # the best view shows nobody else
    tracks = run(seen(0, person, car), seen(1, person, car), seen(2, alone), seen(3, person))
    person_track = next(s for s in tracks if s.detection.label == "person")
    assert person_track.frame.time_s == 2
    assert [n.label for n in person_track.neighbours] == ["car"]


def test_company_in_passing_is_not_named():
    person, car = at(20, size=(20, 40)), at(110, "car", size=(60, 60))
    items = [seen(0, person, car), *(seen(t, at(20, size=(40, 80))) for t in range(1, 9))]
    person_track = next(s for s in run(*items) if s.detection.label == "person")
    assert person_track.neighbours == ()


def test_start_and_end_in_local_time():
    (track,) = run(*(seen(t, at(20)) for t in (1, 2, 3)))
    assert track.track["start"] == "2026-03-03T07:15:01+01:00"
    assert track.track["end"] == "2026-03-03T07:15:03+01:00"


def test_track_ends_when_its_object_is_gone():
    stage = TrackStage(ByColumn)
    times = [0, 1, 1 + AWAY_S, 1.5 + AWAY_S]
    items = [seen(times[0], at(20)), seen(times[1], at(20)), *(seen(t) for t in times[2:])]
    out = list(stage.run(items))
    assert [s.detection.label for s in out] == ["person"]  # before the recording ended


def test_every_source_begins_anew():
    def both(*names):
        items = []
        for name in names:
            items += [seen(t, at(20), of=source(name)) for t in range(2)]
            items.append(SourceDone(source(name)))
        out = list(TrackStage(ByColumn).run(items))
        return {s.id: s.track for s in out if not isinstance(s, SourceDone)}

    alone, together, turned = both("b.mp4"), both("a.mp4", "b.mp4"), both("b.mp4", "a.mp4")
    assert len(together) == 2
    assert together == turned
    assert alone.items() <= together.items()


def test_id_hangs_on_the_first_sighting_not_on_the_best():
    small, large = at(20, size=(20, 40)), at(20, size=(60, 120))
    ids = {run(seen(0, small), seen(1, box))[0].id for box in (small, large)}
    assert len(ids) == 1


def test_pictures_are_not_tracked():
    picture = source("a.jpg", "image")
    out = run(seen(None, at(20), at(21, y=100), of=picture), seen(None, at(20), of=picture))
    assert len(out) == 3
    assert all(s.track is None for s in out)


def test_scenes_are_not_tracked():
    (scene,) = run(seen(0), seen(1), seen(2))
    assert scene.detection.label == SCENE
    assert scene.track is None


def test_whole_frames_are_not_kept():
    big = np.zeros((2160, 3840, 3), dtype=np.uint8)
    (track,) = run(seen(0, at(20), image=big))
    held = track.frame.image.nbytes + track.pixels.nbytes
    assert track.pixels.base is None
    assert held < big.nbytes / 10
    assert track.frame_size == (3840, 2160)


@pytest.mark.parametrize("count", [1, 50])
def test_many_objects(count):
    boxes = [at(100 * i, size=(30, 60)) for i in range(count)]
    wide = np.zeros((200, 100 * count + 100, 3), dtype=np.uint8)
    tracks = run(*(seen(t, *boxes, image=wide) for t in range(3)))
    assert len(tracks) == count
