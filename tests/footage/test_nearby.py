import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision_ctx.footage.nearby import LANDMARK, NEAREST, REACH, distance, nearby, relation
from vision_ctx.types import Box, Detection, Nearby

corner = st.integers(0, 2000)
boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    corner,
    corner,
    st.integers(1, 900),
    st.integers(1, 900),
)


def found(label, *box):
    return Detection(label, 0.9, Box(*box))


def test_distance_is_the_gap_over_the_mean_diagonal():
    a, b = Box(0, 0, 30, 40), Box(60, 40, 90, 80)  # diagonals of 50, gap of 30 along x, 0 along y
    assert distance(a, b) == pytest.approx(30 / 50)
    corner_gap = Box(33, 44, 63, 84)  # 3 and 4 pixels apart: a gap of 5
    assert distance(a, corner_gap) == pytest.approx(5 / 50)
    assert distance(a, Box(30, 0, 60, 40)) == 0  # edges meet
    assert distance(a, Box(5, 5, 10, 10)) == 0  # one inside the other
    assert distance(Box(5, 5, 5, 5), Box(9, 9, 9, 9)) == math.inf


@settings(deadline=None, max_examples=50)
@given(boxes, boxes, st.integers(2, 5))
def test_distance_is_symmetric_and_means_the_same_near_and_far(a, b, scale):
    near = [Box(*(value * scale for value in box)) for box in (a, b)]
    assert distance(a, b) == distance(b, a) >= 0
    assert distance(*near) == pytest.approx(distance(a, b))


@pytest.mark.parametrize(
    ("other", "where"),
    [
        ((300, 100, 400, 200), "right of"),
        ((0, 0, 20, 20), "left of"),
        ((100, 300, 200, 400), "below"),
        ((110, 0, 190, 50), "above"),
        ((200, 100, 300, 200), "touching"),  # edges meet
        ((120, 120, 150, 150), "touching"),  # inside
        ((202, 100, 302, 200), "touching"),  # a gap of 1.4 % of the diagonals
        ((203, 100, 303, 200), "right of"),  # 2.1 %
        ((300, 300, 400, 400), "right of"),  # equal offsets: across before up and down
        ((0, 0, 60, 60), "left of"),
    ],
)
def test_relation(other, where):
    assert relation(Box(100, 100, 200, 200), Box(*other)) == where


@settings(deadline=None, max_examples=50)
@given(boxes, boxes)
def test_relations_are_mirrored(a, b):
    mirror = {"left of": "right of", "above": "below", "touching": "touching"}
    mirror |= {value: key for key, value in mirror.items()}
    if not (relation(a, b) in ("left of", "right of") and a.centre == b.centre):
        assert relation(b, a) == mirror[relation(a, b)]


def test_the_larger_neighbour_is_the_landmark():
    person, bus = found("person", 0, 0, 10, 10), found("bus", 12, 0, 27, 10)
    assert bus.box.area == LANDMARK * person.box.area
    assert nearby(person, [person, bus]) == (Nearby("bus", "right of", larger=True),)
    assert nearby(bus, [person, bus]) == (Nearby("person", "left of", larger=False),)
    smaller = found("bus", 12, 0, 26, 10)
    assert not nearby(person, [person, smaller])[0].larger


def test_nearest_five_within_reach_nearest_first():
    subject = found("person", 0, 0, 30, 40)
    others = [found(f"car{n}", 40 * n, 0, 40 * n + 30, 40) for n in range(1, 9)]
    names = [n.label for n in nearby(subject, [*reversed(others), subject])]
    assert names == [f"car{n}" for n in range(1, NEAREST + 1)][: len(names)]
    assert all(distance(subject.box, other.box) <= REACH for other in others[: len(names)])
    assert len(names) == sum(distance(subject.box, o.box) <= REACH for o in others)
    crowd = [found("dog", 30, n, 40, n + 10) for n in range(8)]
    assert len(nearby(subject, [subject, *crowd])) == NEAREST


def test_alone():
    subject = found("person", 0, 0, 30, 40)
    assert nearby(subject, [subject]) == ()
    assert nearby(subject, [subject, found("car", 1000, 0, 1030, 40)]) == ()


def test_equal_distances_do_not_hang_on_the_order_of_the_boxes():
    subject = found("person", 100, 100, 130, 140)
    left, right = found("car", 60, 100, 90, 140), found("bus", 140, 100, 170, 140)
    large = found("van", 50, 90, 90, 140)
    answers = {
        nearby(subject, order) for order in itertools.permutations((subject, left, right, large))
    }
    assert len(answers) == 1
    assert [n.label for n in answers.pop()] == ["van", "car", "bus"]


def test_one_box_with_two_labels():
    subject = found("person", 0, 0, 30, 40)
    twins = [
        found("truck", 40, 0, 80, 40),
        found("car", 40, 0, 80, 40),
        found("car", 40, 0, 80, 40),
    ]
    answers = {nearby(subject, random.Random(n).sample(twins, 3)) for n in range(9)}
    assert len(answers) == 1
    assert [n.label for n in answers.pop()] == ["car", "car", "truck"]
