"""One picture: a background, actors on it, and the truth about every object in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from cv2.typing import MatLike as Image

from . import raster, shadows
from .actors import Figure, Part
from .camera import Camera
from .light import Light
from .raster import OVERSAMPLING, Placed

BoxXyxy = tuple[int, int, int, int]
Window = tuple[float, float, float, float]
MOST_OBJECTS = 250  # object numbers live in one byte


@dataclass(frozen=True, slots=True)
class RenderedObject:
    """The truth about one object; boxes are pixels (x0, y0, x1, y1), x1 and y1 exclusive.

    `box` encloses the visible pixels, `full_box` everything, also behind others and beyond the
    edge. `visible` is the share of the whole object that is seen. `owner` is the actor's place in
    the list that was rendered.
    """

    label: str
    colour: str
    box: BoxXyxy
    full_box: BoxXyxy
    visible: float
    carrying: tuple[tuple[str, str], ...] = ()
    upper: str | None = None
    lower: str | None = None
    riding: str | None = None
    carried: bool = False
    distance: float = 0.0
    owner: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished picture (h, w, 3) BGR and its objects."""

    image: Image = field(repr=False, compare=False)
    objects: list[RenderedObject]
    light: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A figure at (x, z) metres, heading in degrees; see `Placed`."""

    figure: Figure
    x: float
    z: float
    heading: float = 0.0
    lift: float = 0.0


def compose(
    background: Image,
    standing: Sequence[Standing],
    camera: Camera,
    light: Light,
    props: Sequence[Placed] = (),
) -> tuple[Image, list[RenderedObject]]:
    """Draw figures and props on a background (h, w, 3); props hide but are no objects."""
    placed: list[Placed] = list(props)
    parts: list[tuple[Part, int, Standing]] = []
    for owner, item in enumerate(standing):
        first = len(parts) + 1
        parts.extend((part, owner, item) for part in item.figure.parts)
        tags = tuple(range(first, len(parts) + 1)) or (0,)
        placed.append(Placed(item.figure.mesh, item.x, item.z, item.heading, item.lift, tags))
    if len(parts) > MOST_OBJECTS:
        raise ValueError(f"at most {MOST_OBJECTS} objects in one picture, not {len(parts)}")
    ground = shadows.cast(background, placed, camera, light)
    canvas = _canvas(ground)
    large = camera.scaled(OVERSAMPLING)
    drawn = [raster.flatten(item, large, light) for item in back_to_front(placed)]
    areas: dict[int, int] = {}
    for polygons in drawn:
        raster.draw(canvas, polygons)
        _count(canvas, polygons, areas)
    width, height = camera.size
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    objects = _truth(canvas, drawn, parts, areas)
    return np.ascontiguousarray(small[:, :, :3]), objects


def back_to_front(placed: Sequence[Placed]) -> list[Placed]:
    """Sort solids so that each hides only those before it.

    Long solids make sorting by distance wrong: of two, the nearer is the one on the camera's side
    of a face of the other that separates them.
    """
    order = sorted(placed, key=lambda p: -math.hypot(p.x, p.z))
    prints = [p.footprint() for p in order]
    sorted_indices: list[int] = []
    remaining = list(range(len(order)))
    while remaining:
        chosen = next(
            (
                i
                for i in remaining
                if not any(_hides(order[i], prints[i], order[j]) for j in remaining if j != i)
            ),
            remaining[0],
        )
        remaining.remove(chosen)
        sorted_indices.append(chosen)
    return [order[i] for i in sorted_indices]


def _hides(front: Placed, footprint: tuple[float, float, float, float], other: Placed) -> bool:
    """Tell whether `front` may hide `other`: a side of its footprint has both other and camera
    on different sides."""
    eye = _local(front, 0.0, 0.0)
    place = _local(front, other.x, other.z)
    x0, z0, x1, z1 = footprint
    low, high = (x0, z0), (x1, z1)
    hidden = nearer = False
    for axis in (0, 1):
        if place[axis] < low[axis]:
            hidden |= eye[axis] >= low[axis]
            nearer |= eye[axis] < low[axis]
        elif place[axis] > high[axis]:
            hidden |= eye[axis] <= high[axis]
            nearer |= eye[axis] > high[axis]
    if (hidden and nearer) or not (hidden or nearer):
        return math.hypot(front.x, front.z) < math.hypot(other.x, other.z)
    return hidden


def _local(placed: Placed, x: float, z: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(placed.heading)), math.sin(math.radians(placed.heading))
    dx, dz = x - placed.x, z - placed.z
    return dx * c + dz * s, -dx * s + dz * c


def _canvas(ground: Image) -> Image:
    height, width = ground.shape[:2]
    size = (width * OVERSAMPLING, height * OVERSAMPLING)
    large = cv2.resize(
        cv2.cvtColor(ground, cv2.COLOR_BGR2BGRA), size, interpolation=cv2.INTER_NEAREST
    )
    large[:, :, 3] = 0
    return large


def _inside(window: Window, shape: tuple[int, ...]) -> tuple[slice, slice]:
    height, width = shape[:2]
    x0, y0 = (max(0, math.floor(v) - 1) for v in window[:2])
    x1, y1 = min(width, math.ceil(window[2]) + 2), min(height, math.ceil(window[3]) + 2)
    return slice(y0, max(y0, y1)), slice(x0, max(x0, x1))


def _count(canvas: Image, polygons: raster.Polygons, areas: dict[int, int]) -> None:
    for number, window in polygons.windows.items():
        if number:
            part = canvas[(*_inside(window, canvas.shape), 3)]
            areas[number] = cv2.countNonZero(cv2.inRange(part, number, number)) if part.size else 0


def _truth(
    canvas: Image,
    drawn: Sequence[raster.Polygons],
    parts: Sequence[tuple[Part, int, Standing]],
    areas: dict[int, int],
) -> list[RenderedObject]:
    objects = []
    windows = {number: w for polygons in drawn for number, w in polygons.windows.items()}
    for number, (part, owner, item) in enumerate(parts, start=1):
        window = windows.get(number)
        if window is None or not areas.get(number):
            continue
        rows, columns = _inside(window, canvas.shape)
        mask = cv2.inRange(canvas[rows, columns, 3], number, number)
        x, y, width, height = cv2.boundingRect(mask)
        if width == 0:
            continue
        left, top = columns.start + x, rows.start + y
        box = _shrink(left, top, left + width, top + height)
        seen = cv2.countNonZero(mask) / areas[number]
        objects.append(
            RenderedObject(
                part.label, part.colour, box, _shrink(*window),
                round(seen * _share_in_frame(window, canvas.shape), 3), part.carrying, part.upper,
                part.lower, part.riding, part.carried, round(math.hypot(item.x, item.z), 2), owner,
            )
        )  # fmt: skip
    return objects


def _shrink(x0: float, y0: float, x1: float, y1: float) -> BoxXyxy:
    k = OVERSAMPLING
    return math.floor(x0 / k), math.floor(y0 / k), math.ceil(x1 / k), math.ceil(y1 / k)


def _share_in_frame(window: Window, shape: tuple[int, ...]) -> float:
    height, width = shape[:2]
    x0, y0, x1, y1 = window
    whole = (x1 - x0) * (y1 - y0)
    inner = (min(width, x1) - max(0.0, x0)) * (min(height, y1) - max(0.0, y0))
    return float(min(1.0, max(0.0, inner) / max(whole, 1e-9)))
