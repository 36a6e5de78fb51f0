"""ByteTrack at a few frames a second: objects that leave their own box, hide, cross, change label."""

import os
import subprocess
import sys

from vision_ctx.models.tracker import LOST_S, ByteTracker
from vision_ctx.types import Box, Detection

FPS = 2.0


def person(x, y=50, label="person", width=30, height=80):
    return Detection(label, 0.8, Box(x, y, x + width, y + height))


def follow(frames, fps=FPS):
    tracker = ByteTracker(fps)
    return [tracker.update(frame) for frame in frames]


def test_a_walk_faster_than_the_own_width_is_one_track():
    assert follow([[person(10 + 40 * t)] for t in range(8)]) == [[0]] * 8


def test_a_missed_frame_and_a_short_hiding_are_bridged():
    hidden = round(LOST_S * FPS) - 2
    frames = [[person(100)]] * 4 + [[]] * hidden + [[person(102)]] * 2
    assert [track for frame in follow(frames) for track in frame] == [0] * 6


def test_a_long_absence_begins_a_new_track():
    away = round((LOST_S + 2) * FPS)
    tracks = follow([[person(100)]] * 3 + [[]] * away + [[person(100)]])
    assert tracks[-1] == [1]


def test_every_detection_has_a_track_from_its_first_frame():
    frames = [[person(10)], [person(10), person(400)], [person(10), person(400), person(800)]]
    assert follow(frames) == [[0], [0, 1], [0, 1, 2]]


def test_two_that_stand_apart_stay_apart():
    assert follow([[person(10 + 5 * t), person(300 - 5 * t)] for t in range(10)]) == [[0, 1]] * 10


def test_a_rider_does_not_become_the_bicycle():
    bicycle = {"label": "bicycle", "width": 60, "height": 60, "y": 80}
    frames = [[person(10 + 20 * t), person(5 + 20 * t, **bicycle)] for t in range(6)]
    assert follow(frames) == [[0, 1]] * 6


def test_a_vehicle_whose_label_flickers_is_one_track():
    labels = ["car", "truck", "car", "truck"]
    frames = [[person(10 + 9 * t, label=label, width=90)] for t, label in enumerate(labels)]
    assert follow(frames) == [[0]] * 4


def test_order_of_detections_is_that_of_the_answer():
    tracker = ByteTracker(FPS)
    one, other = tracker.update([person(10), person(300)])
    assert tracker.update([person(301), person(11)]) == [other, one]


def test_trackers_know_nothing_of_each_other():
    first, second = ByteTracker(FPS), ByteTracker(FPS)
    first.update([person(10), person(300)])
    assert second.update([person(10)]) == [0]


def test_nothing_to_follow():
    assert follow([[], [person(10)], []]) == [[], [0], []]


def test_faster_sampling_needs_less_widening():
    assert follow([[person(10 + 8 * t)] for t in range(20)], fps=10.0) == [[0]] * 20


def test_the_first_import_on_a_machine_writes_nothing_to_stdout(tmp_path):
    code = "from vision_ctx.models.tracker import ByteTracker as T; T(2.0).update([])"
    code += "; from vision_ctx.models.tracker import _make_tracker; _make_tracker(2.0)"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("YOLO_")}
    environment |= {"YOLO_CONFIG_DIR": str(tmp_path / "new"), "YOLO_OFFLINE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout == ""
