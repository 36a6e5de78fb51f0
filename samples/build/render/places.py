"""Random places to train in: far more varied than any real site, so that nothing is learnt from
the background."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from cv2.typing import MatLike as Image

from . import buildings, furniture, props, surfaces
from .camera import Camera
from .light import Lamp, Light, daylight, indoors, night, twilight
from .mesh import Builder
from .palette import GLASS, WHITE, Bgr, mix, tint
from .raster import Placed

Rng = np.random.Generator


Maker = Callable[[Builder, Rng], None]


def _plain(build: Callable[[Builder], None]) -> Maker:
    return lambda builder, _: build(builder)


OUTDOOR: tuple[Maker, ...] = (
    *props.OUTDOOR,
    *map(_plain, (furniture.booth, furniture.barrier_closed, furniture.hydrant, furniture.hydrant,
                  furniture.ashtray, furniture.bicycle_rack, furniture.steps)),
)  # fmt: skip
INDOOR: tuple[Maker, ...] = (
    *props.INDOOR, *map(_plain, (furniture.reception, furniture.sofa, furniture.ashtray)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """An empty place: its picture, camera, light and the solids that may hide objects.

    `reach` is the free ground: half its width and its depth, metres.
    """

    picture: Image = field(repr=False)
    camera: Camera
    light: Light
    props: tuple[Placed, ...]
    name: str
    reach: tuple[float, float]


def random_place(rng: Rng, size: tuple[int, int]) -> Place:
    """Return a random empty place for a picture of `size` (width, height)."""
    camera = _camera(rng, size)
    name = str(
        rng.choice(
            ["yard", "street", "park", "indoors", "collage"], p=[0.34, 0.24, 0.14, 0.2, 0.08]
        )
    )
    light = _light(rng, name)
    if name == "collage":
        return Place(_collage(rng, size), camera, light, (), name, (60.0, 60.0))
    kind, paint = _ground(rng, name)
    picture = surfaces.lay(
        camera, light, kind, paint, int(rng.integers(8)), rng.uniform(0, math.pi)
    )
    if light.name in ("day", "overcast", "dawn", "dusk") and name != "indoors":
        picture = surfaces.clouds(
            picture, camera, light, int(rng.integers(1 << 30)), rng.uniform(0, 0.8)
        )
    is_indoors = name == "indoors"
    pieces, reach = _indoor_pieces(rng) if is_indoors else _outdoor_pieces(rng, name, light)
    picture = buildings.bake(picture, pieces, camera, light, rng)
    return Place(picture, camera, light, _clutter(rng, camera, is_indoors, reach), name, reach)


def _camera(rng: Rng, size: tuple[int, int]) -> Camera:
    longest = max(size)
    focal = longest * math.exp(rng.uniform(math.log(0.58), math.log(1.8)))
    if rng.random() < 0.4:  # a person's eye or a door camera
        height, pitch = rng.uniform(1.1, 2.4), rng.uniform(-0.02, 0.24)
    else:  # a camera on a pole or a wall
        height, pitch = rng.uniform(2.5, 7.5), rng.uniform(0.1, 0.55)
    return Camera(size, focal, height, pitch, rng.normal(0, 0.015))


def _light(rng: Rng, name: str) -> Light:
    light = _clear_light(rng, name)
    if name != "indoors" and light.name != "night" and rng.random() < 0.06:  # fog
        tone = rng.uniform(150, 215)
        fog = mix(light.sky_low, (tone, tone, tone), 0.6)
        return replace(light, haze=rng.uniform(1.2, 3.0), sky_low=fog, sky_top=fog, shadow=0.05)
    return light


def _clear_light(rng: Rng, name: str) -> Light:
    if name == "indoors":
        return indoors((), rng.uniform(0.42, 0.74))
    draw = rng.random()
    if draw < 0.55:
        cloud = 0.0 if rng.random() < 0.5 else rng.uniform(0.2, 1.0)
        return daylight(rng.uniform(0, 360), rng.uniform(14, 72), cloud)
    if draw < 0.72:
        return twilight(rng.uniform(0, 360), bool(rng.random() < 0.5))
    warm = rng.random()
    colour = mix((0.62, 0.64, 0.62), (0.34, 0.58, 0.74), warm)
    lamps = tuple(
        Lamp(
            (rng.uniform(-12, 12), rng.uniform(3.5, 7), rng.uniform(3, 26)),
            tint_factor(colour, rng.uniform(0.8, 1.3)),
            rng.uniform(5, 12),
        )
        for _ in range(int(rng.integers(2, 5)))
    )
    return night(lamps, rng.uniform(0.2, 0.36))


def tint_factor(colour: Bgr, factor: float) -> Bgr:
    """Return a lamp colour (factors around 1) stronger or weaker."""
    b, g, r = (channel * factor for channel in colour)
    return (b, g, r)


def _ground(rng: Rng, name: str) -> tuple[str, Bgr]:
    kinds = {
        "yard": ("asphalt", "concrete", "gravel", "setts", "slabs"),
        "street": ("asphalt", "setts", "slabs", "concrete"),
        "park": ("grass", "gravel", "slabs", "grass"),
        "indoors": ("floor", "planks", "carpet", "concrete", "slabs"),
    }[name]
    kind = str(rng.choice(kinds))
    base: dict[str, Bgr] = {
        "asphalt": (104, 102, 100), "concrete": (160, 164, 166), "slabs": (146, 150, 154),
        "setts": (120, 124, 130), "gravel": (134, 144, 152), "grass": (70, 122, 96),
        "floor": (176, 184, 190), "planks": (92, 134, 170), "carpet": (112, 104, 104),
    }  # fmt: skip
    colour = tint(base[kind], rng.uniform(0.7, 1.25))
    b, g, r = rng.uniform(60, 200, 3)
    return kind, mix(colour, (b, g, r), rng.uniform(0, 0.3))


def _muted(rng: Rng, strength: float = 0.5) -> Bgr:
    b, g, r = rng.uniform(60, 225, 3)
    mean = (b + g + r) / 3
    return mix((mean, mean, mean), (b, g, r), rng.uniform(0, strength))


def _placed(builder: Builder, x: float, z: float, heading: float = 0.0) -> Placed:
    return Placed(builder.freeze(), x, z, heading)


def _outdoor_pieces(rng: Rng, name: str, light: Light) -> tuple[list[Placed], tuple[float, float]]:
    reach = 60.0
    pieces: list[Placed] = []
    dark = light.name in ("night", "dusk")
    if name != "park" or rng.random() < 0.5:
        pieces += _ground_works(rng, name)
    if rng.random() < 0.75:
        pieces += _trees(rng, rng.uniform(38, 70), int(rng.integers(2, 7)))
    if name != "park" or rng.random() < 0.3:
        x, depth = -45.0, rng.uniform(18, 48)
        reach = depth - 1.5
        while x < 45:
            wide, high = rng.uniform(6, 22), rng.uniform(3.5, 12)
            kind = str(rng.choice(["office", "warehouse", "house", "blank"]))
            builder = Builder()
            buildings.facade(
                builder, rng, (0, wide), high, _muted(rng, 0.8), kind, 0.35 if dark else 0.02
            )
            pieces.append(_placed(builder, x, depth + rng.uniform(0, 4)))
            x += wide + (0 if rng.random() < 0.6 else rng.uniform(2, 14))
    if rng.random() < 0.45:
        builder = Builder()
        if rng.random() < 0.6:
            buildings.fence(
                builder, 50, rng.uniform(1.0, 2.4), _muted(rng, 0.3), bool(rng.random() < 0.4)
            )
        else:
            buildings.wall(builder, 50, rng.uniform(0.6, 2.2), _muted(rng))
        depth = rng.uniform(12, 30)
        reach = min(reach, depth - 1.0)
        pieces.append(_placed(builder, -25, depth, rng.uniform(-2, 2)))
    return pieces, (60.0, reach)


def _ground_works(rng: Rng, name: str) -> list[Placed]:
    builder = Builder()
    turn = rng.uniform(-25, 25) + (90 if rng.random() < 0.4 else 0)
    if rng.random() < 0.6:
        paint = _muted(rng, 0.25)
        buildings.ground_patch(builder, (-60, 60), (rng.uniform(2, 10), rng.uniform(12, 20)), paint)
    colour = WHITE if rng.random() < 0.7 else (40, 190, 230)
    line = tint(colour, rng.uniform(0.7, 1.0))
    choice = rng.random()
    if choice < 0.4:  # parking spaces
        for x in np.arange(-18, 18, 2.6):
            buildings.stripe(builder, (x, 6), (x, 11), 0.12, line)
        buildings.stripe(builder, (-18, 11), (18, 11), 0.12, line)
    elif choice < 0.75:  # a lane
        for x in np.arange(-40, 40, 5.0):
            buildings.stripe(builder, (x, 10), (x + 2.5, 10), 0.15, line)
        for z in (6.5, 13.5):
            buildings.stripe(builder, (-40, z), (40, z), 0.12, line)
    elif choice < 0.88:  # a zebra crossing
        for x in np.arange(-3, 3, 1.0):
            buildings.stripe(builder, (x, 5), (x, 10), 0.5, line)
    return [_placed(builder, 0.0, 0.0 if abs(turn) < 45 else 12.0, turn)] if name else []


def _trees(rng: Rng, depth: float, count: int) -> list[Placed]:
    pieces = []
    for _ in range(count):
        builder = Builder()
        (props.tree if rng.random() < 0.7 else props.bush)(builder, rng)
        pieces.append(_placed(builder, rng.uniform(-30, 30), depth + rng.uniform(-6, 6)))
    return sorted(pieces, key=lambda p: -p.z)


def _indoor_pieces(rng: Rng) -> tuple[list[Placed], tuple[float, float]]:
    builder = Builder()
    half, depth, height = rng.uniform(4, 9), rng.uniform(8, 20), rng.uniform(2.8, 7.8)
    buildings.room(
        builder,
        half,
        depth,
        height,
        mix(WHITE, _muted(rng, 0.9), rng.uniform(0.1, 0.8)),
        tint(WHITE, rng.uniform(0.7, 1.0)),
    )
    x = -half + 0.6
    while x < half - 2.2:
        wide = rng.uniform(0.7, 2.2)
        choice = rng.random()
        if choice < 0.4:
            frame = _muted(rng, 0.7)
            buildings.on_back_wall(builder, (x, x + wide), (0, 2.2), depth, frame)
            leaf = GLASS if rng.random() < 0.5 else tint(frame, 0.8)
            buildings.on_back_wall(
                builder, (x + 0.08, x + wide - 0.08), (0.05, 2.1), depth, leaf, 2
            )
        elif choice < 0.7:
            buildings.on_back_wall(builder, (x, x + wide), (1.1, 2.1), depth, _muted(rng, 1.0))
            buildings.on_back_wall(
                builder, (x + 0.1, x + wide - 0.1), (1.2, 2.0), depth, _muted(rng, 1.0), 2
            )
        x += wide + rng.uniform(0.3, 1.8)
    return [_placed(builder, 0.0, 0.0)], (half - 0.4, depth - 0.4)


def _clutter(
    rng: Rng, camera: Camera, is_indoors: bool, reach: tuple[float, float]
) -> tuple[Placed, ...]:
    makers = INDOOR if is_indoors else OUTDOOR
    placed = []
    for _ in range(int(rng.poisson(2.6))):
        maker = makers[int(rng.integers(len(makers)))]
        # large things far off: near the camera they would hide everything
        nearest = 14.0 if maker in (props.container, props.skip, props.tree) else 3.5
        farthest = min(32.0, reach[1])
        if farthest <= nearest:
            continue
        builder = Builder()
        maker(builder, rng)
        z = rng.uniform(nearest, farthest)
        half = min(z * camera.size[0] / camera.focal / 2, reach[0])
        placed.append(_placed(builder, rng.uniform(-half, half), z, rng.uniform(0, 360)))
    return tuple(placed)


def _collage(rng: Rng, size: tuple[int, int]) -> Image:
    """Return shapes and gradients without meaning: hard negatives for edges and colours."""
    width, height = size
    coarse = rng.uniform(30, 225, (3, 4, 3)).astype(np.float32)
    picture = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(4, 24))):
        colour = tuple(int(c) for c in _muted(rng, 1.0))
        centre = rng.uniform((0, 0), (width, height))
        corners = centre + rng.normal(0, rng.uniform(8, 60), (int(rng.integers(3, 7)), 2))
        hull = cv2.convexHull(corners.astype(np.int32))
        cv2.fillConvexPoly(picture, hull, colour, cv2.LINE_AA)
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 3))
    return picture
