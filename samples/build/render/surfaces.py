"""What the ground is made of: seamless tiles, laid out in perspective."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike as Image
from numpy.typing import NDArray

from .camera import Camera
from .light import Light
from .palette import Bgr

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

TILE = 256  # pixels of a tile
KINDS = {  # metres that a tile covers
    "asphalt": 5.0,
    "concrete": 6.0,
    "slabs": 3.2,
    "setts": 1.6,
    "gravel": 2.5,
    "grass": 4.0,
    "floor": 2.4,
    "planks": 2.0,
    "carpet": 2.0,
}
FAR = 130.0  # metres; beyond it the ground is haze
FINE_PIXELS = 0.1  # metres per pixel at which a tile has faded to its mean by half


@lru_cache(maxsize=64)
def tile(kind: str, seed: int) -> Floats:
    """Return a seamless tile (TILE, TILE) of brightness factors around 1."""
    rng = np.random.default_rng(seed)
    rough = {"asphalt": 0.11, "gravel": 0.2, "grass": 0.2, "carpet": 0.07}.get(kind, 0.05)
    fine = _cloud(rng, TILE, 4) * rough + _cloud(rng, TILE, 1) * rough * 0.5
    broad = _cloud(rng, TILE, 64) * 0.08
    faces = 1.0 + fine + broad
    if kind in ("slabs", "concrete", "floor", "setts", "planks"):
        faces *= _joints(kind, rng)
    elif kind == "asphalt":
        faces *= _cracks(rng)
    even: Floats = np.clip(faces / faces.mean(), 0.3, 1.7).astype(np.float32)
    return even


def _cloud(rng: np.random.Generator, size: int, grain: int) -> Array:
    """Return seamless noise of unit deviation whose spots are about `grain` pixels wide."""
    cells = max(2, size // grain)
    noise = np.pad(rng.standard_normal((cells, cells)), 2, mode="wrap")
    scale = size // cells
    soft = cv2.resize(noise, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    cut = np.asarray(soft, dtype=np.float64)[2 * scale :, 2 * scale :][:size, :size]
    return cut / max(float(cut.std()), 1e-9)


def _joints(kind: str, rng: np.random.Generator) -> Array:
    rows, columns = {"slabs": (4, 4), "concrete": (1, 2), "floor": (4, 4), "setts": (8, 8),
                     "planks": (10, 2)}[kind]  # fmt: skip
    joints = np.ones((TILE, TILE))
    high, wide = TILE // rows, TILE // columns
    width = 3 if kind == "setts" else 2
    spread = 0.03 if kind in ("floor", "concrete") else 0.09
    for row in range(rows):
        shift = (row % 2) * wide // 2 if kind in ("setts", "planks", "slabs") else 0
        strip = joints[row * high : (row + 1) * high]
        for column in range(columns):
            part = np.arange(column * wide, (column + 1) * wide) + shift
            strip[:, part % TILE] *= 1.0 + rng.normal(0, spread)
            strip[:, part[:width] % TILE] *= 0.72
        strip[:width] *= 0.72
    return joints


def _cracks(rng: np.random.Generator) -> Array:
    sheet = np.full((TILE, TILE), 255, dtype=np.uint8)
    for _ in range(int(rng.integers(0, 4))):
        steps = rng.normal(0, 14, (12, 2)) + rng.normal(0, 9, 2)
        path = np.cumsum(steps, axis=0) + rng.uniform(0, TILE, 2)
        cv2.polylines(sheet, [path.astype(np.int32)], False, 170, 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 3))):  # oil stains and repairs
        centre = tuple(rng.integers(20, TILE - 20, 2).tolist())
        axes = tuple(rng.integers(6, 26, 2).tolist())
        cv2.ellipse(sheet, centre, axes, float(rng.uniform(0, 180)), 0, 360, 214, -1)
    return sheet / 255.0


def lay(camera: Camera, light: Light, kind: str, paint: Bgr, seed: int, turn: float = 0.0) -> Image:
    """Return a picture (h, w, 3) of textured ground under an empty sky.

    `turn` rotates the texture on the ground, in radians.
    """
    x, z, distance = _ground_map(camera)
    factors = _texture(kind, seed, (x, z, distance), camera, turn)
    veil = distance * np.float32(light.haze / 100.0)
    veil = np.maximum(veil, distance * np.float32(2.5 / FAR) - np.float32(1.5))
    veil = np.minimum(veil, np.float32(1.0))
    lamps = _ground_light(light, x, z)
    sky = _sky(camera, light)
    channels = []
    for i in range(3):
        lit = factors * (np.float32(paint[i]) * lamps[..., i])
        lit += (sky[:, i : i + 1] - lit) * veil
        channels.append(cv2.convertScaleAbs(lit))
    return cv2.merge(channels)


def _ground_map(camera: Camera) -> tuple[Floats, Floats, Floats]:
    """Return the ground's x and z and its distance for every pixel; the sky is at `FAR`."""
    rays = camera.rays()
    down = np.maximum(-rays[1], np.float32(1e-6))
    scale = np.float32(camera.height) / down
    x, z = rays[0] * scale, rays[2] * scale
    distance = np.minimum(cv2.magnitude(x, z), np.float32(FAR))
    return np.clip(x, -FAR, FAR), np.clip(z, -FAR, FAR), distance


def _texture(
    kind: str, seed: int, ground: tuple[Floats, Floats, Floats], camera: Camera, turn: float
) -> Floats:
    x, z, distance = ground
    per_metre = TILE / KINDS[kind]
    # remap keeps whole pixels in 16 bits: nothing beyond 32,767 can be looked up
    c, s = (
        np.float32(f * min(per_metre, 32_000 / FAR / 1.5)) for f in (np.cos(turn), np.sin(turn))
    )
    sample = cv2.remap(
        tile(kind, seed), x * c - z * s, x * s + z * c, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    fade = np.float32(1.0 / (camera.focal * max(camera.height, 0.5) * FINE_PIXELS))
    return (sample - 1) / (1 + distance * distance * fade) + 1


def _ground_light(light: Light, x: Floats, z: Floats) -> Floats:
    if not light.lamps:
        return light.on_ground(np.zeros((1, 1)), np.zeros((1, 1))).astype(np.float32)
    coarse = light.on_ground(x[::6, ::6].astype(np.float64), z[::6, ::6].astype(np.float64))
    full = cv2.resize(coarse, (x.shape[1], x.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full, dtype=np.float32)


def _sky(camera: Camera, light: Light) -> Floats:
    """Return the sky's colour per row (h, 3); roll is too small to matter here."""
    height = camera.size[1]
    slope = np.arctan2(height / 2 - np.arange(height), camera.focal) - camera.pitch
    rise = np.clip(slope / 0.45, 0.0, 1.0)[:, None]
    sky = np.array(light.sky_low) * (1 - rise) + np.array(light.sky_top) * rise
    return np.asarray(sky, dtype=np.float32)


def clouds(picture: Image, camera: Camera, light: Light, seed: int, amount: float) -> Image:
    """Return the picture with soft clouds above the horizon."""
    rng = np.random.default_rng(seed)
    height, width = picture.shape[:2]
    horizon = int(np.clip(camera.project(np.array([[0.0, camera.height, 1e4]]))[0, 1], 0, height))
    if horizon < 8:
        return picture
    noise = rng.standard_normal((max(2, horizon // 8), max(2, width // 24))).astype(np.float32)
    soft = cv2.resize(noise, (width, horizon), interpolation=cv2.INTER_CUBIC)
    share = np.clip(soft * 0.35 + amount - 0.2, 0, 0.75)[..., None]
    bright = np.clip(np.array(light.sky_low) * 1.08, 0, 255).astype(np.float32)
    sky = picture[:horizon]
    picture[:horizon] = sky + (bright - sky) * share
    return picture
