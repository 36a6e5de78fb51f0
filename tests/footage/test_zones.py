"""In which zone an object stands: by its foot, in the first zone that holds it."""

import pytest

from vision_ctx.footage.zones import inside, zone_of
from vision_ctx.types import Box, Zone

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
HOOK = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.8, 1.0), (0.8, 0.2), (0.0, 0.2))
LEFT = Zone("left", ((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)))
ALL = Zone("all", SQUARE)


@pytest.mark.parametrize(
    ("point", "polygon", "expected"),
    [
        ((0.5, 0.5), SQUARE, True),
        ((1.5, 0.5), SQUARE, False),
        ((0.5, 1.5), SQUARE, False),
        ((0.5, 0.1), HOOK, True),
        ((0.5, 0.5), HOOK, False),
        ((0.9, 0.9), HOOK, True),
        ((0.5, 0.5), tuple(reversed(SQUARE)), True),
    ],
)
def test_inside(point, polygon, expected):
    assert inside(point, polygon) is expected


def test_a_shared_edge_belongs_to_one_zone():
    right = ((0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0))
    assert inside((0.5, 0.5), LEFT.polygon) != inside((0.5, 0.5), right)


def test_the_foot_decides_not_the_middle():
    leaning = Zone("floor", ((0.0, 0.8), (1.0, 0.8), (1.0, 1.0), (0.0, 1.0)))
    assert zone_of(Box(10, 10, 30, 90), (100, 100), [leaning]) == "floor"
    assert zone_of(Box(10, 10, 30, 70), (100, 100), [leaning]) is None


def test_an_object_cut_off_by_the_lower_edge_stands_at_the_edge():
    assert zone_of(Box(10, 50, 30, 100), (100, 100), [ALL]) == "all"


def test_the_first_zone_wins():
    assert zone_of(Box(10, 10, 30, 50), (100, 100), [LEFT, ALL]) == "left"
    assert zone_of(Box(70, 10, 90, 50), (100, 100), [LEFT, ALL]) == "all"
    assert zone_of(Box(70, 10, 90, 50), (100, 100), []) is None
