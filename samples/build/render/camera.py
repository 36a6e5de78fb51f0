"""A pinhole camera above a ground plane.

World: x to the right, y up, z away from the camera, metres; the camera stands at (0, height, 0).
View: x right, y down, z along the optical axis. No lens distortion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera stands and how it looks.

    `size` is (width, height) in pixels, `focal` in pixels of that size, `pitch` in radians
    downwards, `roll` in radians clockwise.
    """

    size: tuple[int, int]
    focal: float
    height: float
    pitch: float
    roll: float = 0.0

    def rotation(self) -> Array:
        """Return the 3x3 matrix whose rows are the view axes in world coordinates."""
        cos_p, sin_p = math.cos(self.pitch), math.sin(self.pitch)
        cos_r, sin_r = math.cos(self.roll), math.sin(self.roll)
        right = np.array([1.0, 0.0, 0.0])
        down = np.array([0.0, -cos_p, -sin_p])
        ahead = np.array([0.0, -sin_p, cos_p])
        return np.stack((cos_r * right - sin_r * down, sin_r * right + cos_r * down, ahead))

    def to_view(self, points: Array) -> Array:
        """Turn world points (n, 3) into view coordinates (n, 3)."""
        view: Array = (points - np.array([0.0, self.height, 0.0])) @ self.rotation().T
        return view

    def to_pixels(self, view: Array) -> Array:
        """Project view points (n, 3) with z > 0 to pixels (n, 2)."""
        width, height = self.size
        centre = np.array([width / 2.0, height / 2.0])
        pixels: Array = view[:, :2] * (self.focal / view[:, 2:3]) + centre
        return pixels

    def project(self, points: Array) -> Array:
        """Project world points (n, 3) to pixels (n, 2); points behind come out far away."""
        view = self.to_view(points)
        view[:, 2] = np.maximum(view[:, 2], 1e-3)
        return self.to_pixels(view)

    def rays(self) -> NDArray[np.float32]:
        """Return the world direction through every pixel, (3, height, width), not unit length."""
        width, height = self.size
        u = (np.arange(width) + 0.5 - width / 2.0)[None, :]
        v = (np.arange(height) + 0.5 - height / 2.0)[:, None]
        right, down, ahead = self.rotation()
        axes = [
            (u * right[i]).astype(np.float32)
            + (v * down[i] + self.focal * ahead[i]).astype(np.float32)
            for i in range(3)
        ]
        return np.stack(axes)

    def ground(self, u: float, v: float) -> tuple[float, float] | None:
        """Return the ground point (x, z) seen at a pixel, or None above the horizon."""
        width, height = self.size
        ray = np.array([u - width / 2.0, v - height / 2.0, self.focal]) @ self.rotation()
        if ray[1] > -1e-6 * self.focal:
            return None
        scale = -self.height / ray[1]
        return float(ray[0] * scale), float(ray[2] * scale)

    def scaled(self, factor: float) -> Camera:
        """Return the same view on a canvas `factor` times as large."""
        width, height = self.size
        size = (round(width * factor), round(height * factor))
        return Camera(size, self.focal * factor, self.height, self.pitch, self.roll)
