import gzip
import importlib.util
import json
import math
import sys
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

BUILD = Path(__file__).resolve().parents[2] / "samples" / "build"
SAMPLES = BUILD.parent
sys.path.insert(0, str(BUILD))

from render import choreography, palette, truth  # noqa: E402
from render.actors import LABELS, Actor, figure  # noqa: E402
from render.camera import Camera  # noqa: E402
from render.light import daylight  # noqa: E402
from render.scene import Standing, compose  # noqa: E402
from render.training import caption_facts, random_crops, random_scene  # noqa: E402

CAMERA = Camera((640, 360), 500.0, 3.0, math.radians(12))
GREY = np.full((360, 640, 3), 128, dtype=np.uint8)
DAY = daylight(200.0, 50.0)


def stand(label, colour, x, z, heading=20.0, seed=3, **more):
    return Standing(figure(Actor(label, colour, seed, **more), 0.4), x, z, heading)


def render(*standing, props=()):
    return compose(GREY, standing, CAMERA, DAY, props)


def test_the_same_seed_gives_the_same_scene():
    first, again = random_scene(41, (320, 240)), random_scene(41, (320, 240))
    assert np.array_equal(first.image, again.image)
    assert first.objects == again.objects


def test_a_scene_does_not_depend_on_scenes_drawn_before():
    alone = random_scene(90, (320, 240)).image
    for other in (3, 91, 92, 200, 301, 402, 503):
        random_scene(other, (320, 240))
    assert np.array_equal(alone, random_scene(90, (320, 240)).image)


def test_another_seed_gives_another_scene():
    assert not np.array_equal(random_scene(1, (320, 240)).image, random_scene(2, (320, 240)).image)


@pytest.mark.parametrize("size", [(640, 360), (320, 320), (200, 360)])
def test_boxes_lie_inside_the_picture_and_the_full_box(size):
    for seed in range(60, 72):
        scene = random_scene(seed, size)
        assert scene.image.shape == (size[1], size[0], 3)
        for found in scene.objects:
            x0, y0, x1, y1 = found.box
            a, b, c, d = found.full_box
            assert 0 <= x0 < x1 <= size[0] and 0 <= y0 < y1 <= size[1]
            assert a - 1 <= x0 and b - 1 <= y0 and x1 <= c + 1 and y1 <= d + 1
            assert 0 < found.visible <= 1


@pytest.mark.parametrize("label", LABELS)
def test_the_box_encloses_what_the_object_changed(label):
    empty, _ = render()
    picture, (found, *_) = render(
        stand(label, "red" if label not in ("dog", "cat") else "black", 0.0, 9.0)
    )
    changed = np.abs(picture.astype(int) - empty).max(axis=2) > 25
    x0, y0, x1, y1 = found.box
    # a shadow also changes the ground, but only darkens it: look for pixels of another hue
    inside = changed[y0:y1, x0:x1]
    assert inside.mean() > 0.12
    assert inside.any(axis=1).mean() > 0.8 and inside.any(axis=0).mean() > 0.8


def test_every_label_stands_on_the_ground_at_its_size():
    tall = {"person": (1.1, 2.0), "car": (1.2, 1.9), "bus": (2.6, 3.4), "cat": (0.15, 0.6)}
    for label, (low, high) in tall.items():
        _, (found, *_) = render(stand(label, "grey", 0.0, 14.0, heading=0.0))
        foot = CAMERA.project(np.array([[0.0, 0.0, 14.0]]))[0, 1]
        metres = (foot - found.box[1]) * 14.0 / CAMERA.focal
        assert low * 0.8 < metres < high * 1.2, (label, metres)
        assert found.box[3] == pytest.approx(foot, abs=0.06 * CAMERA.focal)


def test_what_stands_before_hides_what_stands_behind():
    person = stand("person", "red", 0.0, 14.0)
    _, alone = render(person)
    _, both = render(person, stand("car", "blue", 0.0, 10.0, 0.0))
    hidden = next(o for o in both if o.label == "person")
    car = next(o for o in both if o.label == "car")
    assert alone[0].visible > 0.99 and hidden.visible < 0.8 and car.visible > 0.99
    assert hidden.box[3] < alone[0].box[3] and hidden.full_box == alone[0].full_box


def test_order_in_the_list_does_not_decide_who_hides_whom():
    near, far = stand("car", "blue", 0.0, 8.0), stand("truck", "red", 0.5, 20.0)
    for order in ((near, far), (far, near)):
        _, found = render(*order)
        assert next(o for o in found if o.label == "car").visible > 0.99


def test_a_person_beside_a_long_truck_is_not_painted_over():
    truck = stand("truck", "white", -3.0, 16.0, 90.0, model="box")
    person = stand("person", "red", -0.9, 18.5)  # farther than the truck's middle, in front of it
    _, found = render(person, truck)
    assert next(o for o in found if o.label == "person").visible > 0.9


def test_an_object_cut_by_the_edge_is_less_visible_and_its_box_is_clipped():
    _, (found,) = render(stand("car", "red", -5.2, 8.0))
    assert found.box[0] == 0 and found.full_box[0] < 0 and found.visible < 0.9


def test_things_carried_and_riders_are_objects_of_their_own():
    _, found = render(
        stand("person", "green", -2.0, 9.0, carrying=(("suitcase", "red"), ("umbrella", "blue"))),
        stand("bicycle", "red", 2.0, 9.0, rider=("yellow", "black")),
    )
    names = {(o.label, o.colour, o.carried, o.riding) for o in found}
    assert names == {
        ("person", "green", False, None), ("suitcase", "red", True, None),
        ("umbrella", "blue", True, None), ("bicycle", "red", False, None),
        ("person", "yellow", False, "bicycle"),
    }  # fmt: skip
    person = next(o for o in found if o.label == "person" and not o.riding)
    assert caption_facts(person)["carrying"] == [("suitcase", "red"), ("umbrella", "blue")]


def test_an_unknown_label_or_colour_is_refused():
    with pytest.raises(ValueError, match="zebra"):
        figure(Actor("zebra", "red", 1))
    with pytest.raises(KeyError):
        figure(Actor("car", "ultraviolet", 1))


def dominant_hue(picture, box):
    x0, y0, x1, y1 = box
    hsv = cv2.cvtColor(picture[y0:y1, x0:x1], cv2.COLOR_BGR2HSV).reshape(-1, 3).astype(int)
    vivid = hsv[(hsv[:, 1] > 90) & (hsv[:, 2] > 40)]
    return float(np.argmax(np.bincount(vivid[:, 0], minlength=180))) * 2


HUES = {"red": 0, "orange": 26, "yellow": 53, "green": 125, "blue": 220, "purple": 278, "pink": 336}


@pytest.mark.parametrize("colour", HUES)
@pytest.mark.parametrize("label", ["car", "truck", "bus", "suitcase"])
def test_by_day_the_hue_in_the_box_is_the_named_one(label, colour):
    for seed in range(3):
        picture, (found,) = render(
            stand(label, colour, 0.0, 12.0 if label != "suitcase" else 4.0, 30.0, seed)
        )
        away = abs((dominant_hue(picture, found.box) - HUES[colour] + 180) % 360 - 180)
        assert away < 24, (seed, away)


@pytest.mark.parametrize(("colour", "low", "high"), [("white", 150, 255), ("black", 0, 75)])
def test_by_day_white_is_bright_and_black_is_dark(colour, low, high):
    picture, (found,) = render(stand("suitcase", colour, 0.0, 4.0))
    x0, y0, x1, y1 = found.box
    middle = picture[y0 + (y1 - y0) // 2 : y1 - 8, x0 + 6 : x1 - 6]
    assert low <= np.median(middle) <= high


def test_no_two_colours_share_a_region_of_their_space():
    rng = np.random.default_rng(0)
    shades = {name: [palette.shade(name, rng) for _ in range(200)] for name in palette.COLOURS}
    for name, mine in shades.items():
        for other, theirs in shades.items():
            if name < other:
                gaps = np.linalg.norm(np.array(mine)[:, None] - np.array(theirs)[None], axis=2)
                assert gaps.min() > 8, (name, other)


def test_crops_hold_their_object():
    crops = [crop for seed in range(30, 40) for crop in random_crops(seed, (320, 240))]
    assert len(crops) >= 10
    for crop in crops:
        x0, y0, x1, y1 = crop.truth.box
        height, width = crop.image.shape[:2]
        assert height >= (y1 - y0) - 1 and width >= (x1 - x0) - 1
        assert crop.truth.visible >= 0.45


@pytest.mark.slow
def test_labels_and_colours_are_in_fair_shares():
    labels: dict[str, int] = {}
    for seed in range(7000, 7060):
        for found in random_scene(seed, (240, 180)).objects:
            labels[found.label] = labels.get(found.label, 0) + 1
    total = sum(labels.values())
    assert set(labels) == set(LABELS)
    assert min(labels.values()) > 0.02 * total and max(labels.values()) < 0.3 * total


# The story and what was rendered from it

STORY = BUILD / "story.json"
RENDERED = SAMPLES / "truth" / "tracks.jsonl"
needs_site = pytest.mark.skipif(not RENDERED.exists(), reason="the site has not been rendered")


@pytest.fixture(scope="module")
def story():
    return json.loads(STORY.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tracks():
    return [json.loads(line) for line in RENDERED.read_text(encoding="utf-8").splitlines()]


def load_render_site():
    spec = importlib.util.spec_from_file_location("render_site", BUILD / "render_site.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["render_site"] = module
    spec.loader.exec_module(module)
    return module


def recordings(story):
    return [*story["clips"], *story["stills"]]


def read_truth(name):
    with gzip.open(SAMPLES / "truth" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def performer(waypoints, facing=None, rear=False):
    actor = Actor("car", "red", 1)
    return choreography.Performer(actor, ("t",), tuple(waypoints), facing, rear, None)


def test_a_performer_is_where_its_waypoints_say():
    car = performer([(1.0, 0.0, 10.0), (3.0, 4.0, 10.0), (5.0, 4.0, 10.0), (6.0, 4.0, 12.0)])
    assert not car.is_present(0.9) and car.is_present(1.0) and not car.is_present(6.1)
    assert car.place(2.0) == pytest.approx((2.0, 10.0))
    assert car.place(4.0) == (4.0, 10.0)
    assert car.speed(2.0) == pytest.approx(2.0) and car.speed(4.0) == 0
    assert car.heading(2.0) == pytest.approx(0.0)
    assert car.heading(4.0) == pytest.approx(0.0)  # keeps looking where it drove
    assert car.heading(5.9) == pytest.approx(90.0)
    assert 20 < car.heading(5.0) < 70  # turns smoothly


def test_backing_looks_against_the_motion_and_things_look_as_told():
    assert performer([(0, 0, 10), (4, 0, 20)], rear=True).heading(2.0) % 360 == pytest.approx(270)
    assert performer([(0, 1, 5), (9, 1, 5)], facing=135.0).heading(3.0) == 135.0


def test_times_are_right_across_a_change_of_clock():
    recording = {"start": "2026-03-29T01:59:52+01:00", "timezone": "Europe/Amsterdam"}
    after = truth.moment(recording, 12.0)
    assert after.isoformat() == "2026-03-29T03:00:04+02:00"
    assert truth.utc(recording, 12.0) == "2026-03-29T01:00:04.000Z"


def test_rendering_some_recordings_again_replaces_only_their_tracks(tmp_path):
    merge = load_render_site().merge_tracks
    path = tmp_path / "tracks.jsonl"
    order = ["a", "b", "c"]
    tracks = [{"track": f"{name}-1", "recording": name, "round": 1} for name in ("b", "a", "c")]
    assert merge(path, tracks, order) == 3
    assert merge(path, [{"track": "b-9", "recording": "b", "round": 2}], order) == 3
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(t["track"], t["round"]) for t in lines] == [("a-1", 1), ("b-9", 2), ("c-1", 1)]


@needs_site
def test_every_recording_of_the_story_is_there_with_its_frames(story):
    for facts in recordings(story):
        assert (SAMPLES / facts["path"]).exists(), facts["id"]
        lines = read_truth(facts["id"])
        assert len(lines) == max(1, round(facts["duration_s"] * (facts["fps"] or 1)))
        assert lines[0]["captured_at"].startswith(facts["start"][:19])
        for k, line in enumerate(lines):
            assert line["frame"] == k
            assert line["time_s"] == pytest.approx(k / (facts["fps"] or 1), abs=1e-3)


@needs_site
def test_the_truth_holds_the_story_s_objects_and_no_others(story, tracks):
    by_recording: dict[str, list[dict]] = {}
    for track in tracks:
        by_recording.setdefault(track["recording"], []).append(track)
    for facts in recordings(story):
        told = {o["track"]: o for o in facts["objects"]}
        riders = {o["rider"]["track"] for o in facts["objects"] if o["rider"]}
        carried = {c["track"] for o in facts["objects"] for c in o["carrying"]}
        for track in by_recording[facts["id"]]:
            name = track["track"]
            is_filler = name.startswith(f"{facts['id']}-f")
            assert name in told or name in riders or name in carried or is_filler
            if name in told:
                mine = told[name]
                assert (track["label"], track["colour"]) == (mine["label"], mine["colour"])
                first = datetime.fromisoformat(facts["start"]).timestamp()
                seen = datetime.fromisoformat(track["start"]).timestamp() - first
                assert mine["waypoints"][0][0] - 0.01 <= seen <= mine["waypoints"][-1][0] + 0.01
    assert len(tracks) >= 300 and len({t["track"] for t in tracks}) == len(tracks)


@needs_site
def test_local_and_utc_times_of_tracks_agree(tracks):
    for track in tracks:
        for end in ("start", "end"):
            local = datetime.fromisoformat(track[end])
            universal = datetime.fromisoformat(track[f"{end}_utc"])
            assert local.utcoffset() is not None and local == universal


@needs_site
def test_all_footage_together_is_small_and_says_nothing_of_the_machine(story):
    total = sum(p.stat().st_size for p in (SAMPLES / "footage").rglob("*") if p.is_file())
    assert total < 18_000_000
    for facts in story["clips"]:
        head = (SAMPLES / facts["path"]).read_bytes()
        assert b"x264 - core" not in head and b"Lavf" not in head


@needs_site
@pytest.mark.slow
def test_the_first_frame_of_a_clip_is_what_the_story_renders(story):
    module = load_render_site()
    facts = story["clips"][0]
    lines: list[dict] = []
    fresh = next(module.frames(module.Recording.prepare(facts, story), {}, lines))
    assert lines[0] == read_truth(facts["id"])[0]
    stored = cv2.VideoCapture(str(SAMPLES / facts["path"])).read()[1]
    assert np.abs(stored.astype(int) - fresh).mean() < 6
