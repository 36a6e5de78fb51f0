"""What moves in front of and around the objects of a recording: lamp light and barriers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike as Image

from . import furniture
from .camera import Camera
from .choreography import Performer
from .mesh import Builder
from .raster import Placed

# pivot x, z, length of the arm, arm points right, lane from x to x
BARRIERS = ((-4.4, 11.0, 3.8, True, (-4.6, -0.4)), (5.2, 18.0, 3.8, False, (1.2, 5.4)))
VEHICLES = ("car", "truck", "bus", "motorcycle", "bicycle")
BEAM_REACH = 9.0  # metres of road that headlights light


def barriers(cast: Sequence[Performer], t: float) -> list[Placed]:
    """Return the gate's two arms: up shortly before, while and shortly after something passes."""
    arms = []
    for x, z, length, to_right, lane in BARRIERS:
        busy = sum(
            any(_passes(p, t + float(shift), z, lane) for p in cast)
            for shift in np.linspace(-0.5, 1.3, 10)
        )
        builder = Builder()
        furniture.barrier(builder, length, min(1.0, busy / 4), to_right)
        arms.append(Placed(builder.freeze(), x, z))
    return arms


def _passes(performer: Performer, t: float, z: float, lane: tuple[float, float]) -> bool:
    if performer.actor.label not in VEHICLES or not performer.is_present(t):
        return False
    px, pz = performer.place(t)
    return lane[0] < px < lane[1] and abs(pz - z) < performer.nose()


def _shines(performer: Performer, t: float) -> bool:
    actor = performer.actor
    return actor.label in VEHICLES and actor.lit and performer.is_present(t)


def beams(ground: Image, cast: Sequence[Performer], camera: Camera, t: float) -> Image:
    """Return the ground brightened before vehicles with lit lamps."""
    mask = np.zeros(ground.shape[:2], dtype=np.uint8)
    for performer in cast:
        if not _shines(performer, t):
            continue
        half = performer.nose()
        x, z = performer.place(t)
        angle = math.radians(performer.heading(t))
        ahead, side = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
        corners = [
            (x + ahead[0] * d + side[0] * w, 0.0, z + ahead[1] * d + side[1] * w)
            for d, w in ((half, -0.7), (half, 0.7), (half + BEAM_REACH, 2.3),
                         (half + BEAM_REACH, -2.3))
        ]  # fmt: skip
        view = camera.to_view(np.array(corners))
        if view[:, 2].min() > 0.5:
            pixels = np.rint(np.clip(camera.to_pixels(view), -4000, 4000)).astype(np.int32)
            cv2.fillConvexPoly(mask, cv2.convexHull(pixels), 255)
    if not mask.any():
        return ground
    soft = cv2.GaussianBlur(mask, (0, 0), 7).astype(np.float32)[..., None] / 255.0
    lit: Image = ground * (1 + 0.4 * soft) + soft * np.array([8.0, 13.0, 16.0], dtype=np.float32)
    return np.clip(lit, 0, 255).astype(np.uint8)


def headlamps(
    cast: Sequence[Performer], camera: Camera, t: float
) -> list[tuple[float, float, float]]:
    """Return (x, y, radius) in pixels of lit head lamps that look towards the camera."""
    spots = []
    for performer in cast:
        if not _shines(performer, t):
            continue
        half = performer.nose()
        x, z = performer.place(t)
        angle = math.radians(performer.heading(t))
        towards = -(x * math.cos(angle) + z * math.sin(angle)) / max(math.hypot(x, z), 1e-6)
        if towards < 0.15:
            continue
        sides = (0.0,) if performer.actor.label in ("motorcycle", "bicycle") else (-0.7, 0.7)
        for side in sides:
            lamp = (x + half * math.cos(angle) - side * math.sin(angle), 0.75,
                    z + half * math.sin(angle) + side * math.cos(angle))  # fmt: skip
            view = camera.to_view(np.array([lamp]))
            if view[0, 2] > 2.0:
                u, v = camera.to_pixels(view)[0]
                radius = camera.focal * 0.16 * towards / float(view[0, 2])
                spots.append((float(u), float(v), radius))
    return spots
