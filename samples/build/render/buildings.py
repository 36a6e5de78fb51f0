"""Walls, facades, fences and markings that stand behind everything else."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike as Image
from numpy.typing import NDArray

from . import raster
from .camera import Camera
from .light import Light
from .mesh import GLOW, MATT, Builder
from .palette import DARK, GLASS, METAL, WHITE, Bgr, mix, tint
from .raster import OVERSAMPLING, Placed

Rng = np.random.Generator
GROUND, UPRIGHT = 1, 255  # marks of what was painted over the ground and what stands on it
LIT_WINDOW: Bgr = (150, 205, 235)


def bake(
    picture: Image, pieces: Sequence[Placed], camera: Camera, light: Light, rng: Rng | None = None
) -> Image:
    """Return the picture with pieces drawn in the order given; `rng` adds stains to surfaces."""
    height, width = picture.shape[:2]
    size = (width * OVERSAMPLING, height * OVERSAMPLING)
    canvas = cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), size, interpolation=cv2.INTER_NEAREST
    )
    canvas[:, :, 3] = 0
    large = camera.scaled(OVERSAMPLING)
    for piece in pieces:
        is_flat = (
            not len(piece.mesh.limb_ends) and piece.mesh.vertices[:, 1].max(initial=0.0) < 0.05
        )
        number = GROUND if is_flat else UPRIGHT
        numbered = Placed(piece.mesh, piece.x, piece.z, piece.heading, piece.lift, (number,))
        raster.draw(canvas, raster.flatten(numbered, large, light))
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    baked = np.ascontiguousarray(small[:, :, :3])
    return baked if rng is None else _weathered(baked, small[:, :, 3], rng)


def _weathered(picture: Image, covered: Image, rng: Rng) -> Image:
    """Make what was drawn uneven: soft stains everywhere, streaks down on what is upright."""
    height, width = picture.shape[:2]

    def noise(down: int, across: int) -> NDArray[np.float32]:
        cells = rng.standard_normal((height // down + 2, width // across + 2), dtype=np.float32)
        full = cv2.resize(cells, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(full, dtype=np.float32)

    stains = (noise(20, 20) * 0.04 + noise(1, 1) * 0.03) * (covered > 0)
    streaks = noise(60, 3) * 0.022 * (covered > 200)
    factor = (stains + streaks) * np.float32(200.0) + np.float32(200.0)
    one = cv2.convertScaleAbs(factor)
    return cv2.multiply(picture, cv2.merge((one, one, one)), scale=1 / 200.0)


def facade(
    builder: Builder,
    rng: Rng,
    span: tuple[float, float],
    height: float,
    colour: Bgr,
    kind: str,
    lit_share: float = 0.0,
) -> None:
    """Add a building whose front is at object z = 0 and faces -z, x from span[0] to span[1].

    `kind` is "office", "warehouse", "house" or "blank".
    """
    left, right = span
    builder.box((left, 0.0, 0.0), (right, height, 8.0), colour)
    _front(builder, (left, right), (0.0, 0.35), tint(colour, 0.65), 0.02)
    _front(builder, (left, right), (height - 0.3, height), tint(colour, 0.75), 0.02)
    if kind == "warehouse":
        _ribs(builder, span, height, colour)
        _bays(builder, rng, span, height, colour)
    elif kind in ("office", "house"):
        step = rng.uniform(1.6, 3.2) if kind == "office" else rng.uniform(2.5, 4.0)
        wide = step * (rng.uniform(0.6, 0.88) if kind == "office" else 0.4)
        for y in np.arange(0.9, height - 1.4, 3.0):
            for x in np.arange(left + 0.5, right - wide, step):
                lit = rng.random() < lit_share
                # drawn even if unused: the same building by day and by night
                dark = tint(GLASS, rng.uniform(0.8, 1.5))
                glass = LIT_WINDOW if lit else dark
                _front(builder, (x - 0.07, x + wide + 0.07), (y - 0.07, y + 1.57), WHITE, 0.03)
                _front(builder, (x, x + wide), (y, y + 1.5), glass, 0.06, GLOW if lit else 0.3)
        door = rng.uniform(left + 1, max(left + 1.1, right - 2))
        _front(builder, (door, door + 1.0), (0.0, 2.1), tint(colour, 0.4), 0.08)


def _ribs(builder: Builder, span: tuple[float, float], height: float, colour: Bgr) -> None:
    for x in np.arange(span[0] + 0.4, span[1], 0.9):
        _front(builder, (x, x + 0.06), (0.3, height - 0.3), tint(colour, 0.88), 0.02)


def _bays(
    builder: Builder, rng: Rng, span: tuple[float, float], height: float, colour: Bgr
) -> None:
    door = mix(colour, WHITE, 0.5) if rng.random() < 0.5 else tint(METAL, 0.9)
    wide, step = 2.9, rng.uniform(4.0, 5.5)
    for x in np.arange(span[0] + 1.0, span[1] - wide, step):
        bay(builder, x, wide, min(3.4, height - 0.6), door, 0.0, rng.random() < 0.2)


def bay(
    builder: Builder,
    x: float,
    wide: float,
    high: float,
    door: Bgr,
    floor: float = 1.1,
    is_open: bool = False,
) -> None:
    """Add a loading bay's door to a front at z = 0, its sill `floor` metres up."""
    _front(builder, (x - 0.25, x + wide + 0.25), (0.0, floor + high + 0.3), DARK, 0.04)
    _front(builder, (x, x + wide), (floor, floor + high), (28, 28, 30) if is_open else door, 0.07)
    if not is_open:
        for y in np.arange(floor + 0.4, floor + high, 0.5):
            _front(builder, (x, x + wide), (y, y + 0.04), tint(door, 0.75), 0.09)
    for side in (x - 0.25, x + wide + 0.05):
        for y in np.arange(0.2, 1.8, 0.4):
            _front(builder, (side, side + 0.2), (y, y + 0.2), (30, 200, 235), 0.1)


def _front(
    builder: Builder,
    across: tuple[float, float],
    up: tuple[float, float],
    colour: Bgr,
    bias: float,
    finish: float = MATT,
) -> None:
    (x0, x1), (y0, y1) = across, up
    points = [(x0, y0, -0.01), (x1, y0, -0.01), (x1, y1, -0.01), (x0, y1, -0.01)]
    # bias grows with order: on one plane only it decides what is drawn last
    builder.face(points, colour, ((x0 + x1) / 2, (y0 + y1) / 2, 4.0), finish, bias * 60)


def fence(builder: Builder, length: float, height: float, colour: Bgr, mesh: bool = True) -> None:
    """Add a fence along object x from 0 to length."""
    for x in np.arange(0.0, length + 0.01, 2.5):
        builder.limb((x, 0, 0), (x, height, 0), (0.035, 0.035), colour)
    for y in (0.1, height * 0.5, height * 0.98):
        builder.limb((0, y, 0), (length, y, 0), (0.015, 0.015), colour)
    if mesh:
        for x in np.arange(0.25, length, 0.25):
            builder.limb((x, 0.1, 0), (x, height, 0), (0.006, 0.006), colour)


def wall(builder: Builder, length: float, height: float, colour: Bgr, thick: float = 0.25) -> None:
    """Add a wall along object x from 0 to length."""
    builder.box((0, 0, 0), (length, height, thick), colour)
    builder.box(
        (0, height, -0.04), (length, height + 0.08, thick + 0.04), tint(colour, 0.8), bias=0.1
    )


def stripe(
    builder: Builder,
    start: tuple[float, float],
    end: tuple[float, float],
    width: float,
    colour: Bgr,
) -> None:
    """Add a line painted on the ground from (x, z) to (x, z)."""
    a, b = np.array(start), np.array(end)
    along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    side = np.array([-along[1], along[0]]) * width / 2
    corners = [a - side, b - side, b + side, a + side]
    builder.face([(c[0], 0.0, c[1]) for c in corners], colour, (a[0], -1.0, a[1]))


def ground_patch(
    builder: Builder, x: tuple[float, float], z: tuple[float, float], colour: Bgr
) -> None:
    """Add a rectangle of another ground."""
    points = [(x[0], 0.0, z[0]), (x[1], 0.0, z[0]), (x[1], 0.0, z[1]), (x[0], 0.0, z[1])]
    builder.face(points, colour, (x[0], -1.0, z[0]))


def room(
    builder: Builder, half: float, depth: float, height: float, walls: Bgr, ceiling: Bgr
) -> None:
    """Add a room's back wall, side walls and ceiling around the camera, as seen from inside."""
    near, top = -1.0, height
    back = [(-half, 0, depth), (half, 0, depth), (half, top, depth), (-half, top, depth)]
    builder.face(back, walls, (0.0, 1.0, depth + 5))
    for side in (-half, half):
        points = [(side, 0, near), (side, 0, depth), (side, top, depth), (side, top, near)]
        builder.face(points, tint(walls, 0.93), (side * 2, 1.0, depth / 2))
    lid = [(-half, top, near), (half, top, near), (half, top, depth), (-half, top, depth)]
    builder.face(lid, ceiling, (0.0, top + 5, depth / 2))
    for x in np.linspace(-half * 0.7, half * 0.7, 3):
        for z in np.arange(2.0, depth, 3.0):
            panel = [(x - 0.5, top - 0.01, z), (x + 0.5, top - 0.01, z),
                     (x + 0.5, top - 0.01, z + 0.5), (x - 0.5, top - 0.01, z + 0.5)]  # fmt: skip
            builder.face(panel, (250, 250, 250), (x, top + 5, z), GLOW, 20.0)
    skirting = [(-half, 0, depth - 0.02), (half, 0, depth - 0.02), (half, 0.12, depth - 0.02),
                (-half, 0.12, depth - 0.02)]  # fmt: skip
    builder.face(skirting, tint(walls, 0.5), (0.0, 0.0, depth + 5), MATT, 1.0)


def on_back_wall(
    builder: Builder,
    across: tuple[float, float],
    up: tuple[float, float],
    depth: float,
    colour: Bgr,
    layer: int = 1,
    finish: float = MATT,
) -> None:
    """Add a door, poster or window to the back wall of a room."""
    (x0, x1), (y0, y1) = across, up
    z = depth - 0.03
    points = [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
    builder.face(points, colour, ((x0 + x1) / 2, (y0 + y1) / 2, depth + 5), finish, 2.0 * layer)
