"""Soft shadows on the ground: one from the sun per solid, one where a solid touches the ground."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike as Image
from numpy.typing import NDArray

from .camera import Camera
from .light import Light
from .raster import Placed

Array = NDArray[np.float64]

CONTACT = 0.5  # darkness directly under an object
CONTACT_HEIGHT = 0.42  # metres; parts below it darken the ground beneath them
MAX_STRETCH = 3.0  # metres of shadow per metre of height, so that a low sun stays readable


def cast(background: Image, solids: Sequence[Placed], camera: Camera, light: Light) -> Image:
    """Return the background (h, w, 3) darkened by the shadows of the solids."""
    height, width = background.shape[:2]
    sun = np.zeros((height, width), dtype=np.uint8)
    contact = np.zeros((height, width), dtype=np.uint8)
    for solid in solids:
        if solid.lift < 0.5:
            _fill_contact(contact, solid, camera)
        if light.shadow > 0.02:
            _fill_sun(sun, solid, camera, light)
    sun = cv2.GaussianBlur(sun, (5, 5), 0)
    contact = cv2.GaussianBlur(contact, (7, 7), 0)
    dark = cv2.max(
        cv2.convertScaleAbs(sun, alpha=light.shadow), cv2.convertScaleAbs(contact, alpha=CONTACT)
    )
    keep = cv2.cvtColor(cv2.bitwise_not(dark), cv2.COLOR_GRAY2BGR)
    return cv2.multiply(background, keep, scale=1 / 255.0)


def _fill_contact(mask: Image, solid: Placed, camera: Camera) -> None:
    points = np.concatenate((solid.mesh.vertices, solid.mesh.limb_ends.reshape(-1, 3)))
    low = points[points[:, 1] < CONTACT_HEIGHT]
    if len(low) < 3:
        return
    world = solid.to_world(low * np.array([1.06, 0.0, 1.12]))
    world[:, 1] = 0.0
    _fill_hull(mask, world, camera)


def _fill_sun(mask: Image, solid: Placed, camera: Camera, light: Light) -> None:
    across, up, along = light.sun
    stretch = min(MAX_STRETCH, 1.0 / max(up, 1e-3))
    shift = np.array([-across * stretch, -1.0, -along * stretch])
    mesh = solid.mesh
    for tag in np.unique(mesh.tags):
        owner = np.repeat(mesh.tags, np.diff(mesh.starts)) == tag
        world = solid.to_world(mesh.vertices[owner])
        _fill_hull(mask, world + world[:, 1:2] * shift, camera)
    if not len(mesh.limb_bias):
        return
    ends = solid.to_world(mesh.limb_ends.reshape(-1, 3))
    view = camera.to_view(ends + ends[:, 1:2] * shift)
    depth = view[:, 2].reshape(-1, 2).min(axis=1)
    view[:, 2] = np.maximum(view[:, 2], 0.5)
    pixels = np.clip(camera.to_pixels(view), -4000, 4000).reshape(-1, 2, 2)
    widths = mesh.limb_radii.max(axis=1) * camera.focal * 1.6 / np.maximum(depth, 0.5)
    for line, width, near in zip(pixels, widths, depth, strict=True):
        if near > 0.5:
            start, end = (tuple(np.rint(p).astype(int).tolist()) for p in line)
            cv2.line(mask, start, end, 255, max(1, min(60, round(width))))


def _fill_hull(mask: Image, world: Array, camera: Camera) -> None:
    view = camera.to_view(world)
    if view[:, 2].max() < 0.5:
        return
    view[:, 2] = np.maximum(view[:, 2], 0.5)
    pixels = np.clip(camera.to_pixels(view), -8000, 8000).astype(np.float32)
    hull = cv2.convexHull(pixels)
    cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_8, 4)
