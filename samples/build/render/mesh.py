"""Solids made of flat faces and limbs, in an object's own coordinates.

Object coordinates: x forward, y up, z to the left, metres, standing on y = 0. Faces are
convex; a face knows its outward side from a point inside the solid. Limbs are capsules with two
radii. What to draw first is decided later, by distance and `bias`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .palette import Bgr

Array = NDArray[np.float64]
Point = Sequence[float] | NDArray[np.float64]

MATT, GLOSS, GLOW = 0.0, 0.35, -1.0  # share of sky mirrored; GLOW shines by itself


@dataclass(frozen=True, slots=True)
class Mesh:
    """Faces and limbs ready for transforming; arrays over faces (f) and limbs (c).

    `tags` say which object of a group a part belongs to; 0 is scenery.
    """

    vertices: Array  # (n, 3)
    starts: NDArray[np.int64]  # (f + 1,) offsets into vertices
    colours: Array  # (f, 3)
    finish: Array  # (f,) MATT..GLOSS or GLOW
    bias: Array  # (f,) metres nearer than it is, when sorting
    open_sides: NDArray[np.bool_]  # (f,) seen from both sides
    tags: NDArray[np.int64]  # (f,)
    limb_ends: Array  # (c, 2, 3)
    limb_radii: Array  # (c, 2)
    limb_colours: Array  # (c, 3)
    limb_bias: Array  # (c,)
    limb_tags: NDArray[np.int64]  # (c,)


class Builder:
    """Collects faces and limbs; `freeze` turns them into a `Mesh`."""

    def __init__(self, tag: int = 0) -> None:
        self.tag = tag
        self._faces: list[Array] = []
        self._paint: list[tuple[Bgr, float, float, bool, int]] = []
        self._limbs: list[tuple[Point, Point, float, float, Bgr, float, int]] = []

    def face(
        self,
        points: Sequence[Point] | Array,
        colour: Bgr,
        inside: Point | None = None,
        finish: float = MATT,
        bias: float = 0.0,
    ) -> None:
        """Add a convex polygon; without a point `inside` the solid it is seen from both sides."""
        corners = np.asarray(points, dtype=np.float64)
        if inside is not None:
            normal = _cross(corners[1] - corners[0], corners[2] - corners[0])
            if float(normal @ (corners[0] - np.asarray(inside))) < 0:
                corners = corners[::-1]
        self._faces.append(corners)
        self._paint.append((colour, finish, bias, inside is None, self.tag))

    def limb(
        self,
        start: Point,
        end: Point,
        radii: tuple[float, float],
        colour: Bgr,
        bias: float = 0.0,
    ) -> None:
        """Add a capsule from start to end."""
        self._limbs.append((start, end, radii[0], radii[1], colour, bias, self.tag))

    def ball(self, centre: Point, radius: float, colour: Bgr, bias: float = 0.0) -> None:
        """Add a ball."""
        self.limb(centre, centre, (radius, radius), colour, bias)

    def box(
        self,
        low: Point,
        high: Point,
        colour: Bgr,
        finish: float = MATT,
        bias: float = 0.0,
        taper: float = 1.0,
    ) -> None:
        """Add an upright box between two corners; `taper` shrinks its top."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        mid = ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)
        self.loft(
            [
                _rectangle(mid[0], mid[2], x1 - x0, z1 - z0, y0),
                _rectangle(mid[0], mid[2], (x1 - x0) * taper, (z1 - z0) * taper, y1),
            ],
            colour,
            finish,
            bias,
        )

    def loft(
        self, rings: Sequence[Array], colour: Bgr, finish: float = MATT, bias: float = 0.0
    ) -> None:
        """Join rings of equally many points by quads and close the first and last ring."""
        whole = np.concatenate(rings).mean(axis=0)
        for below, above in pairwise(rings):
            inside = (below.mean(axis=0) + above.mean(axis=0)) / 2
            for i in range(len(below)):
                j = (i + 1) % len(below)
                quad = np.stack((below[i], below[j], above[j], above[i]))
                self.face(quad, colour, inside, finish, bias)
        self.face(rings[0], colour, whole, finish, bias)
        self.face(rings[-1], colour, whole, finish, bias)

    def disc(
        self,
        centre: Point,
        radius: float,
        colour: Bgr,
        axis: str = "z",
        inside: Point | None = None,
        bias: float = 0.0,
        corners: int = 14,
    ) -> None:
        """Add a flat disc across the axis; wheels lie across z."""
        angles = np.arange(corners) * (2 * math.pi / corners)
        a, b = radius * np.cos(angles), radius * np.sin(angles)
        zero = np.zeros(corners)
        flat = {"x": (zero, a, b), "y": (a, zero, b), "z": (a, b, zero)}[axis]
        points = np.stack(flat, axis=1) + np.asarray(centre, dtype=np.float64)
        self.face(points, colour, inside, MATT, bias)

    def freeze(self) -> Mesh:
        """Return everything added so far as arrays."""
        lengths = [0, *(len(f) for f in self._faces)]
        paint, limbs = self._paint, self._limbs
        return Mesh(
            vertices=np.concatenate(self._faces) if self._faces else np.zeros((0, 3)),
            starts=np.cumsum(lengths),
            colours=np.array([p[0] for p in paint], dtype=np.float64).reshape(-1, 3),
            finish=np.array([p[1] for p in paint], dtype=np.float64),
            bias=np.array([p[2] for p in paint], dtype=np.float64),
            open_sides=np.array([p[3] for p in paint], dtype=bool),
            tags=np.array([p[4] for p in paint], dtype=np.int64),
            limb_ends=np.array([[c[0], c[1]] for c in limbs], dtype=np.float64).reshape(-1, 2, 3),
            limb_radii=np.array([[c[2], c[3]] for c in limbs], dtype=np.float64).reshape(-1, 2),
            limb_colours=np.array([c[4] for c in limbs], dtype=np.float64).reshape(-1, 3),
            limb_bias=np.array([c[5] for c in limbs], dtype=np.float64),
            limb_tags=np.array([c[6] for c in limbs], dtype=np.int64),
        )


def ring(
    centre: Point, across: tuple[float, float], corners: int = 8, squareness: float = 0.0
) -> Array:
    """Return a horizontal ring of points (corners, 3) with half-axes `across` along x and z.

    `squareness` 0 gives an ellipse, 1 nearly a rectangle.
    """
    angles = (np.arange(corners) + 0.5) * (2 * math.pi / corners)
    power = 1.0 - 0.75 * squareness
    x = np.sign(np.cos(angles)) * np.abs(np.cos(angles)) ** power * across[0]
    z = np.sign(np.sin(angles)) * np.abs(np.sin(angles)) ** power * across[1]
    flat = np.stack((x, np.zeros(corners), z), axis=1)
    points: Array = flat + np.asarray(centre, dtype=np.float64)
    return points


def moved(point: Array, x: float, y: float, z: float) -> Array:
    """Return the point moved by so many metres."""
    place: Array = point + np.array([x, y, z])
    return place


def _cross(a: Array, b: Array) -> Array:
    # np.cross costs twenty times as much on two single vectors
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def _rectangle(x: float, z: float, length: float, width: float, y: float) -> Array:
    a, b = length / 2, width / 2
    return np.array([[x - a, y, z - b], [x + a, y, z - b], [x + a, y, z + b], [x - a, y, z + b]])
