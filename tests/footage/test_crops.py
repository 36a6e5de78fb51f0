from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np
import pytest

from vision_ctx.footage.crops import (
    FRAME_SIDE,
    MIN_SIDE,
    SCENE_EVERY_S,
    Seen,
    cut,
    in_order,
    pad,
    shrink,
    usable,
)
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.fingerprint import make_source
from vision_ctx.types import SCENE, Box, Camera, Detection, Frame, Moment

CAMERA = Camera("gate", "gate", "UTC")
START = datetime(2026, 3, 3, 7, 15, tzinfo=UTC)
SOURCE = make_source("/gate/a.mp4", "video", 1, 1, "aa")
NOISE = np.random.default_rng(0).integers(0, 255, (120, 160, 3), dtype=np.uint8)


def frame(source=SOURCE, time_s=None, page=0, image=NOISE):
    moment = Moment(START + timedelta(seconds=time_s or 0), "UTC", "file name")
    return Frame(source, CAMERA, moment, image, time_s, page)


def seen(*detections, **where):
    return Seen(frame(**where), tuple(detections))


def found(label, *box, confidence=0.9):
    return Detection(label, confidence, Box(*box))


def ids(*items):
    return [sighting.id for sighting in cut(items)]


@pytest.mark.parametrize(
    ("box", "padded"),
    [
        (Box(50, 40, 90, 60), Box(46, 38, 94, 62)),
        (Box(0, 0, 40, 40), Box(0, 0, 44, 44)),
        (Box(120, 80, 160, 120), Box(116, 76, 160, 120)),
        (Box(0, 0, 160, 120), Box(0, 0, 160, 120)),
        (Box(50, 50, 54, 54), Box(50, 50, 54, 54)),
    ],
)
def test_padding_stays_inside_the_frame(box, padded):
    assert pad(box, (160, 120)) == padded


def test_a_crop_is_the_source_pixels_of_its_padded_box():
    (crop,) = cut([seen(found("person", 50, 40, 90, 60))])
    assert crop.crop_box == Box(46, 38, 94, 62)
    assert np.array_equal(crop.pixels, NOISE[38:62, 46:94])
    assert crop.detection.box == Box(50, 40, 90, 60)
    assert crop.frame_size == (160, 120)
    assert crop.pixels.base is None  # does not keep the frame in memory


def test_boxes_are_clipped_and_useless_ones_dropped():
    boxes = [
        found("car", -20, -5, 40, 50),
        found("car", 150, 100, 300, 300),
        found("bus", 10, 10, 10 + MIN_SIDE - 1, 90),
        found("bus", 10, 10, 10 + MIN_SIDE, 90),
        found("bus", 159, 0, 200, 90),
        found("bus", 200, 200, 300, 300),
        found("bus", 50, 50, 40, 40),
    ]
    kept = [tuple(d.box) for d in usable(boxes, (160, 120))]
    assert kept == [(0, 0, 40, 50), (150, 100, 160, 120), (10, 10, 18, 90)]


def test_a_frame_with_useless_detections_only_is_a_scene():
    (crop,) = cut([seen(found("bus", 159, 0, 200, 90))])
    assert crop.detection.label == SCENE
    assert crop.crop_box == Box(0, 0, 160, 120)
    assert crop.confidence is None
    assert crop.neighbours == ()
    assert np.array_equal(crop.pixels, NOISE)


def test_a_picture_smaller_than_any_crop_is_a_scene():
    (crop,) = cut([seen(image=NOISE[:3, :2])])
    assert crop.crop_box == Box(0, 0, 2, 3)


def test_ids_are_stable_and_unique():
    detections = [found("car", x, 0, x + 20, 20) for x in (0, 30, 60)] + [
        found("bus", 0, 0, 20, 20)
    ]
    first = ids(seen(*detections, time_s=1.0), seen(*detections, time_s=1.5))
    assert len(set(first)) == 8
    assert first == ids(seen(*detections, time_s=1.0), seen(*detections, time_s=1.5))
    assert not set(first) & set(ids(seen(*detections, source=replace(SOURCE, id="other"))))


def test_equal_content_in_two_folders_gives_two_sets_of_ids():
    sources = [make_source(f"/{folder}/1.jpg", "image", 1, 1, "aa") for folder in ("gate", "yard")]
    both = [ids(seen(found("car", 0, 0, 20, 20), source=source)) for source in sources]
    assert both[0] != both[1]
    frames = [next(iter(cut([seen(source=source)]))).frame_id for source in sources]
    assert frames[0] != frames[1]


def test_pages_and_instants_have_their_own_ids():
    made = [*ids(seen(page=0), seen(page=1)), *ids(seen(time_s=0.0)), *ids(seen(time_s=0.04))]
    assert len(set(made)) == 4


def test_ids_do_not_hang_on_the_last_bits_of_boxes_or_the_order_of_detections():
    boxes = [(10, 10, 30, 40), (50, 10, 80, 40), (90, 60, 120, 100)]
    random = Random(1)

    def run():
        jittered = [
            found("car", *(value + random.choice((0, 1)) for value in box)) for box in boxes
        ]
        others = [found("dog", 10, 80, 40, 110, confidence=random.random())]
        crops = list(cut([seen(*random.sample(jittered + others, 4), time_s=2.0)]))
        return {c.id: (c.detection.label, round(c.detection.box.x0, -1)) for c in crops}

    answers = [run() for _ in range(20)]
    assert all(answer == answers[0] for answer in answers)


def test_turns_count_from_left_to_right_for_each_label():
    detections = [found("car", 50, 0, 60, 9), found("bus", 9, 0, 20, 9), found("car", 5, 0, 15, 9)]
    turns = [(turn, d.label, d.box.x0) for turn, d in in_order(detections)]
    assert turns == [(0, "bus", 9), (0, "car", 5), (1, "car", 50)]


def test_the_same_box_twice_comes_in_the_order_of_confidence():
    twins = [found("car", 0, 0, 20, 20, confidence=c) for c in (0.3, 0.8)]
    assert [d.confidence for _, d in in_order(twins)] == [0.8, 0.3]


def scenes(times):
    return [c.frame.time_s for c in cut([seen(time_s=time) for time in times])]


def test_a_long_empty_video_gets_a_scene_now_and_then():
    times = [n / 2 for n in range(200)]
    assert scenes(times) == [0, 30, 60, 90]
    assert scenes([0.0]) == [0.0]  # however short
    assert scenes([0, 29.97, 29.99, 60.1]) == [0, 60.1]


def test_scenes_wait_while_there_are_records():
    car = found("car", 0, 0, 20, 20)
    items = [seen(*([car] if 10 <= time <= 20 else []), time_s=float(time)) for time in range(80)]
    made = [(c.detection.label, c.frame.time_s) for c in cut(items)]
    assert [time for label, time in made if label == SCENE] == [0, 50]
    assert 20 + SCENE_EVERY_S == 50
    assert sum(label == "car" for label, _ in made) == 11


def test_every_source_has_scenes_of_its_own():
    other = replace(SOURCE, id="other")
    items = [
        seen(time_s=0.0),
        SourceDone(SOURCE),
        seen(time_s=0.0, source=other),
        SourceDone(other),
    ]
    assert [type(item).__name__ for item in cut(items)] == ["Sighting", "SourceDone"] * 2
    assert len(ids(seen(page=0), seen(page=1))) == 2  # every picture


def test_neighbours_are_those_of_the_same_frame():
    crops = list(
        cut(
            [
                seen(found("person", 0, 0, 20, 60), found("bus", 22, 0, 90, 60), time_s=0.0),
                seen(found("person", 0, 0, 20, 60), time_s=0.5),
            ]
        )
    )
    assert [[n.label for n in crop.neighbours] for crop in crops] == [["person"], ["bus"], []]


def test_the_context_frame_is_kept_small():
    big = np.zeros((1080, 1920, 3), np.uint8)
    (crop,) = cut([seen(image=big)])
    assert crop.frame.image.shape == (540, FRAME_SIDE, 3)
    assert crop.frame_size == (1920, 1080)
    assert shrink(NOISE, 160) is NOISE
    assert shrink(np.zeros((3, 9000, 3), np.uint8), 900).shape == (1, 900, 3)
