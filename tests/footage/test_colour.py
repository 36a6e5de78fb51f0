"""Names of colours: measured on the object, in many lights, unclear in the dark."""

import cv2
import numpy as np
import pytest

from vision_ctx.footage.colour import UNCLEAR, clear, light_of, main_colour
from vision_ctx.types import Box

BOX = Box(40, 30, 120, 90)
PAINTS = {
    "red": (190, 30, 30),
    "orange": (230, 120, 30),
    "yellow": (230, 200, 40),
    "green": (40, 130, 60),
    "blue": (30, 70, 180),
    "purple": (110, 50, 150),
    "brown": (105, 65, 35),
    "white": (240, 240, 240),
    "grey": (128, 128, 128),
    "black": (20, 20, 20),
}


def scene(paint, ground=(120, 122, 118), sky=(240, 242, 245)):
    """A painted box on the ground below a bright sky."""
    image = np.full((120, 160, 3), ground, dtype=np.uint8)
    image[:15] = sky
    image[BOX.y0 : BOX.y1, BOX.x0 : BOX.x1] = paint
    return image


def colour_in(image, label="car", box=BOX):
    return main_colour(image, box, label, light_of(image))


@pytest.mark.parametrize(("name", "paint"), PAINTS.items())
@pytest.mark.parametrize("brightness", [1.0, 0.6])
def test_paints_by_day_and_at_dusk(name, paint, brightness):
    image = (scene(paint) * brightness).astype(np.uint8)
    assert colour_in(image) == name


@pytest.mark.parametrize(("name", "paint"), PAINTS.items())
def test_paints_with_noise_and_compression(name, paint):
    noise = np.random.default_rng(0).normal(0, 8, (120, 160, 3))
    image = np.clip(scene(paint) + noise, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 60])
    assert colour_in(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]) == name


def test_the_background_does_not_count():
    assert colour_in(scene(PAINTS["blue"], ground=(60, 140, 60))) == "blue"


def test_windows_and_shadow_do_not_outvote_the_paint():
    image = scene(PAINTS["red"])
    image[BOX.y0 : BOX.y0 + 24, BOX.x0 : BOX.x1] = (60, 62, 66)
    assert colour_in(image) == "red"


def test_of_a_person_the_upper_body_counts():
    image = scene(PAINTS["black"])
    middle = (BOX.y0 + BOX.y1) // 2
    image[BOX.y0 : middle, BOX.x0 : BOX.x1] = PAINTS["yellow"]
    assert colour_in(image, "person") == "yellow"


def test_the_dark_is_unclear():
    assert colour_in((scene(PAINTS["red"]) * 0.1).astype(np.uint8)) == UNCLEAR
    assert clear(UNCLEAR) is None
    assert clear("red") == "red"


@pytest.mark.parametrize("box", [Box(0, 0, 1, 1), Box(159, 119, 160, 120), Box(5, 5, 5, 9)])
def test_boxes_of_no_size_have_an_answer(box):
    assert colour_in(scene(PAINTS["red"]), box=box) in {UNCLEAR, *PAINTS, "beige", "pink"}
