from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from vision_ctx.footage.crops import Seen, cut
from vision_ctx.sources.fingerprint import make_source
from vision_ctx.sources.image import read_image
from vision_ctx.store.pictures import JPEG_SIDE, Pictures
from vision_ctx.types import Box, Camera, Detection, Frame, Moment

MOMENT = Moment(datetime(2026, 3, 3, tzinfo=UTC), "UTC", "file name")
SOURCE = make_source("/a.jpg", "image", 1, 1, "aa")


def sightings(image, *detections, page=0):
    frame = Frame(SOURCE, Camera("c", "c", "UTC"), MOMENT, image, page=page)
    return list(cut([Seen(frame, detections)]))


def test_crops_are_pixels_of_the_source(tmp_path, bus_jpg):
    image = read_image(bus_jpg)
    (crop,) = sightings(image, Detection("bus", 0.9, Box(20, 230, 800, 750)))
    crop_path, frame_path = Pictures(tmp_path).save(crop)
    saved = cv2.imread(str(tmp_path / crop_path))[..., ::-1]
    box = crop.crop_box
    assert saved.shape == (box.height, box.width, 3)
    difference = np.abs(saved.astype(int) - image[box.y0 : box.y1, box.x0 : box.x1])
    assert difference.mean() < 3
    assert cv2.imread(str(tmp_path / frame_path)).shape[0] == 960


def test_one_context_frame_for_all_crops_of_a_frame(tmp_path):
    image = np.full((90, 120, 3), 128, np.uint8)
    boxes = [Detection("car", 0.9, Box(x, 0, x + 20, 20)) for x in (0, 40, 80)]
    pictures = Pictures(tmp_path)
    paths = [pictures.save(sighting) for sighting in sightings(image, *boxes)]
    other = pictures.save(sightings(image, boxes[0], page=1)[0])
    assert len({crop for crop, _ in paths}) == 3
    assert len({frame for _, frame in paths}) == 1
    assert other[1] != paths[0][1]
    assert len(list(tmp_path.rglob("*.jpg"))) == 6
    assert {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.jpg")} == pictures.pending


def test_deleting_is_no_error_twice(tmp_path):
    pictures = Pictures(tmp_path)
    paths = pictures.save(sightings(np.zeros((20, 20, 3), np.uint8))[0])
    pictures.delete(paths)
    pictures.delete(paths)
    assert not list(tmp_path.rglob("*.jpg"))


@pytest.mark.parametrize("shape", [(1, 1), (9, JPEG_SIDE + 100), (JPEG_SIDE + 100, 9)])
def test_odd_sizes_are_kept(tmp_path, shape):
    (scene,) = sightings(np.full((*shape, 3), 200, np.uint8))
    crop, _ = Pictures(tmp_path).save(scene)
    assert max(cv2.imread(str(tmp_path / crop)).shape) == min(max(shape), JPEG_SIDE) or shape == (
        1,
        1,
    )


def test_a_picture_is_whole_or_absent(tmp_path, monkeypatch):
    (scene,) = sightings(np.zeros((20, 20, 3), np.uint8))

    def killed(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", killed)
    with pytest.raises(KeyboardInterrupt):
        Pictures(tmp_path).save(scene)
    assert not list(tmp_path.rglob("*.jpg"))
