"""Draws placed meshes onto a canvas, far to near, and remembers whose each pixel is.

The canvas is twice the picture's size and drawn without anti-aliasing: shrinking it smooths the
edges without seams between neighbouring faces, and its fourth channel stays an exact map of
objects.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike as Image
from numpy.typing import NDArray

from .camera import Camera
from .light import Light
from .mesh import GLOW, Mesh

Array = NDArray[np.float64]

OVERSAMPLING = 2
NEAR = 0.4  # metres; nothing nearer is drawn
SUBPIXEL_BITS = 4
_ARC = np.linspace(-math.pi / 2, math.pi / 2, 6)  # half a circle of a capsule's end
_FAR = 60_000.0  # pixels; keeps shifted coordinates within 32 bits


@dataclass(frozen=True, slots=True)
class Placed:
    """A mesh standing at (x, z), `lift` metres up; heading in degrees, 0 = to the right, 90 = away.

    `tags` maps the mesh's own tags to object numbers of the picture (1..255, 0 = scenery).
    """

    mesh: Mesh
    x: float
    z: float
    heading: float = 0.0
    lift: float = 0.0
    tags: tuple[int, ...] = (0,)

    def to_world(self, points: Array) -> Array:
        """Turn object coordinates (..., 3) into world coordinates."""
        c, s = math.cos(math.radians(self.heading)), math.sin(math.radians(self.heading))
        turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        world: Array = points @ turn + np.array([self.x, self.lift, self.z])
        return world

    def footprint(self) -> tuple[float, float, float, float]:
        """Return (x0, z0, x1, z1) in object coordinates."""
        flat = np.concatenate((self.mesh.vertices, self.mesh.limb_ends.reshape(-1, 3)))
        low, high = flat.min(axis=0), flat.max(axis=0)
        return float(low[0]), float(low[2]), float(high[0]), float(high[2])


@dataclass(frozen=True, slots=True)
class Polygons:
    """Screen polygons of a placed mesh in drawing order, in 1/16 pixels.

    `windows` holds the box (x0, y0, x1, y1) in pixels of everything drawn for an object number,
    whether hidden later or not.
    """

    points: list[NDArray[np.int32]]
    colours: list[tuple[float, float, float, float]]
    windows: dict[int, tuple[float, float, float, float]]


Colour = tuple[float, float, float, float]  # blue, green, red, object number
Item = tuple[float, NDArray[np.int32], Colour]


def flatten(placed: Placed, camera: Camera, light: Light) -> Polygons:
    """Project a placed mesh to shaded polygons sorted far to near."""
    windows: dict[int, tuple[float, float, float, float]] = {}
    items = _faces(placed, camera, light, windows) + _limbs(placed, camera, light, windows)
    items.sort(key=lambda item: -item[0])
    return Polygons([i[1] for i in items], [i[2] for i in items], windows)


def draw(canvas: Image, polygons: Polygons) -> None:
    """Fill the polygons into a canvas (h, w, 4) whose fourth channel is the object number."""
    for points, colour in zip(polygons.points, polygons.colours, strict=True):
        cv2.fillConvexPoly(canvas, points, colour, cv2.LINE_8, SUBPIXEL_BITS)


def _fixed(pixels: Array) -> NDArray[np.int32]:
    near = np.minimum(np.maximum(pixels, -_FAR), _FAR)
    return np.asarray(np.rint(near * (1 << SUBPIXEL_BITS)), dtype=np.int32)


def _widen(
    windows: dict[int, tuple[float, float, float, float]],
    numbers: NDArray[np.int64],
    low: Array,
    high: Array,
) -> None:
    """Let the windows of the numbers (n,) include boxes from low (n, 2) to high (n, 2)."""
    for number in np.unique(numbers).tolist():
        mine = numbers == number
        x0, y0 = low[mine].min(axis=0).tolist()
        x1, y1 = high[mine].max(axis=0).tolist()
        if number in windows:
            a, b, c, d = windows[number]
            x0, y0, x1, y1 = min(a, x0), min(b, y0), max(c, x1), max(d, y1)
        windows[number] = (x0, y0, x1, y1)


def _faces(
    placed: Placed,
    camera: Camera,
    light: Light,
    windows: dict[int, tuple[float, float, float, float]],
) -> list[Item]:
    mesh = placed.mesh
    if len(mesh.starts) < 2:
        return []
    world = placed.to_world(mesh.vertices)
    view = camera.to_view(world)
    starts = mesh.starts[:-1]
    normals, facing = _normals(world, starts, mesh, camera)
    middle = np.add.reduceat(view, starts) / np.diff(mesh.starts)[:, None]
    nearest = np.minimum.reduceat(view[:, 2], starts)
    farthest = np.maximum.reduceat(view[:, 2], starts)
    drawn = np.flatnonzero(facing & (farthest > NEAR))
    if not len(drawn):
        return []
    colours = _colours(mesh.colours, mesh.finish, normals, placed, middle[:, 2], light)
    depth = np.sqrt((middle * middle).sum(axis=1)) - mesh.bias
    view[:, 2] = np.maximum(view[:, 2], 1e-3) if nearest.min() < NEAR else view[:, 2]
    pixels = camera.to_pixels(view)
    numbers = np.array(placed.tags)[mesh.tags]
    whole = drawn[nearest[drawn] >= NEAR]
    _widen(
        windows,
        numbers[whole],
        np.minimum.reduceat(pixels, starts)[whole],
        np.maximum.reduceat(pixels, starts)[whole],
    )
    fixed = _fixed(pixels)
    painted = np.column_stack((colours, numbers)).tolist()
    edges, far = mesh.starts.tolist(), depth.tolist()
    items: list[Item] = [
        (far[i], fixed[edges[i] : edges[i + 1]], painted[i]) for i in whole.tolist()
    ]
    for i in drawn[nearest[drawn] < NEAR].tolist():
        corners = camera.to_pixels(_cut_near(camera.to_view(world[edges[i] : edges[i + 1]])))
        _widen(windows, numbers[i : i + 1], corners.min(axis=0)[None], corners.max(axis=0)[None])
        items.append((far[i], _fixed(corners), painted[i]))
    return items


def _normals(
    world: Array, starts: NDArray[np.int64], mesh: Mesh, camera: Camera
) -> tuple[Array, NDArray[np.bool_]]:
    """Return unit normals (f, 3) turned to the camera where both sides show, and what is seen."""
    first = world[starts]
    a, b = world[starts + 1] - first, world[starts + 2] - first
    normals = a[:, [1, 2, 0]] * b[:, [2, 0, 1]] - a[:, [2, 0, 1]] * b[:, [1, 2, 0]]
    normals /= np.sqrt((normals * normals).sum(axis=1, keepdims=True)) + 1e-12
    towards = np.array([0.0, camera.height, 0.0]) - first
    facing = (normals * towards).sum(axis=1) > 0
    flip = ~facing & mesh.open_sides
    normals[flip] *= -1
    return normals, facing | mesh.open_sides


def _colours(
    paint: Array, finish: Array, normals: Array, placed: Placed, depth: Array, light: Light
) -> Array:
    place = np.array([placed.x, placed.lift + 1.0, placed.z])
    shaded = paint * light.shade(normals, place, finish)
    shaded = np.where((finish == GLOW)[:, None], paint, shaded)
    veil = np.minimum(np.maximum(depth, 0.0) * (light.haze / 100.0), 0.7)[:, None]
    hazy = shaded + (np.array(light.sky_low) - shaded) * veil
    return np.minimum(np.maximum(hazy, 0.0), 255.0)


def _cut_near(view: Array) -> Array:
    """Cut a polygon (n, 3) at the near plane."""
    kept = []
    for here, there in zip(view, np.roll(view, -1, axis=0), strict=True):
        if here[2] >= NEAR:
            kept.append(here)
        if (here[2] >= NEAR) != (there[2] >= NEAR):
            share = (NEAR - here[2]) / (there[2] - here[2])
            kept.append(here + (there - here) * share)
    return np.array(kept)


def _limbs(
    placed: Placed,
    camera: Camera,
    light: Light,
    windows: dict[int, tuple[float, float, float, float]],
) -> list[Item]:
    mesh = placed.mesh
    count = len(mesh.limb_bias)
    if count == 0:
        return []
    view = camera.to_view(placed.to_world(mesh.limb_ends.reshape(-1, 3)))
    depth = np.maximum(view[:, 2], NEAR)
    pixels = camera.to_pixels(np.column_stack((view[:, :2], depth))).reshape(count, 2, 2)
    depth = depth.reshape(count, 2)
    radii = mesh.limb_radii * camera.focal / depth
    along = pixels[:, 1] - pixels[:, 0]
    angles = np.arctan2(along[:, 1], along[:, 0])
    far_end = _arc(pixels[:, 1], radii[:, 1], angles)
    near_end = _arc(pixels[:, 0], radii[:, 0], angles + math.pi)
    outline = np.concatenate((far_end, near_end), axis=1)
    middle = view.reshape(count, 2, 3).mean(axis=1)
    distance = (np.sqrt((middle * middle).sum(axis=1)) - mesh.limb_bias).tolist()
    seen = np.flatnonzero(depth.min(axis=1) > NEAR)
    if not len(seen):
        return []
    numbers = np.array(placed.tags)[mesh.limb_tags]
    _widen(windows, numbers[seen], outline.min(axis=1)[seen], outline.max(axis=1)[seen])
    lit, dim = (
        np.column_stack((side, numbers)).tolist()
        for side in _limb_colours(placed, camera, light, middle)
    )
    outer, inner = _fixed(outline), _fixed(_highlight(outline, camera, light))
    items: list[Item] = []
    for i in seen.tolist():
        items.append((distance[i], outer[i], dim[i]))
        # the lit part is the same capsule, narrower and moved towards the light
        items.append((distance[i] - 1e-3, inner[i], lit[i]))
    return items


def _arc(centres: Array, radii: Array, angles: Array) -> Array:
    turn = angles[:, None] + _ARC[None]
    ring = np.stack((np.cos(turn), np.sin(turn)), axis=2)
    return centres[:, None] + ring * radii[:, None, None]


def _limb_colours(
    placed: Placed, camera: Camera, light: Light, middle: Array
) -> tuple[Array, Array]:
    mesh = placed.mesh
    count = len(mesh.limb_bias)
    back = -camera.rotation()[2] * np.array([1.0, 0.0, 1.0])
    bright = back * 0.6 + np.array(light.sun) * 0.8 + np.array([0.0, 0.35, 0.0])
    dull = back * 0.8 - np.array(light.sun) * 0.4 - np.array([0.0, 0.35, 0.0])
    matt = np.zeros(count)
    sides = []
    for normal in (bright, dull):
        normals = np.tile(normal / np.linalg.norm(normal), (count, 1))
        sides.append(_colours(mesh.limb_colours, matt, normals, placed, middle[:, 2], light))
    # limbs are round: their dark side is never as dark as a flat face turned away
    return sides[0], sides[0] * 0.62 + sides[1] * 0.38 * 0.8


def _highlight(outline: Array, camera: Camera, light: Light) -> Array:
    centre = outline.mean(axis=1, keepdims=True)
    towards = camera.rotation() @ np.array(light.sun)
    spread = np.ptp(outline, axis=1).min(axis=1)[:, None, None]
    moved = centre + (outline - centre) * 0.78
    lit: Array = moved + towards[None, None, :2] * spread * np.array([0.1, 0.06])
    return lit
