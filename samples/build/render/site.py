"""The four views of the sample site: gate, dock, yard and lobby, empty, in any light.

Their ground lines (fences, lanes, doors) are those of story.json, where routes and zones refer to
them; what stands behind is invented here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import buildings, furniture, props, surfaces
from .camera import Camera
from .light import Light
from .mesh import GLOSS, GLOW, Builder
from .palette import DARK, METAL, WHITE, Bgr, mix, tint
from .places import Place
from .raster import Placed

Rng = np.random.Generator

KERB: Bgr = (176, 178, 178)
PAINT: Bgr = (214, 218, 218)
YELLOW: Bgr = (52, 178, 218)
GRASS: Bgr = (72, 124, 102)
ASPHALT: Bgr = (118, 115, 112)
SLABS: Bgr = (158, 164, 170)


def view(name: str, camera: Camera, light: Light, weather: str, seed: int) -> Place:
    """Return the empty place of a view: "gate", "dock", "yard" or "lobby".

    The scenery depends on the name alone; `seed` moves only clouds. Raises `KeyError` for another
    name.
    """
    ground, paint, pieces, solids = VIEWS[name]
    if weather == "rain" and name != "lobby":
        paint = mix(tint(paint, 0.72), light.sky_low, 0.08)
    picture = surfaces.lay(camera, light, ground, paint, 3)
    if name != "lobby" and light.name != "night":
        amount = {"clear": 0.35, "overcast": 0.9}.get(weather, 1.0)
        picture = surfaces.clouds(picture, camera, light, seed, amount)
    scenery = pieces(np.random.default_rng(5), light)
    picture = buildings.bake(picture, scenery, camera, light, np.random.default_rng(6))
    return Place(picture, camera, light, tuple(solids(np.random.default_rng(7))), name, (40, 40))


def _one(build: Callable[[Builder], None], x: float = 0.0, z: float = 0.0) -> Placed:
    builder = Builder()
    build(builder)
    return Placed(builder.freeze(), x, z)


def _skyline(rng: Rng, light: Light, depth: float) -> list[Placed]:
    pieces = []
    x = -60.0
    lit = 0.4 if light.name in ("night", "dusk", "dawn") else 0.0
    while x < 60:
        wide, high = rng.uniform(8, 20), rng.uniform(5, 11)
        tone = mix((120, 128, 150), (170, 172, 170), rng.random())
        kind = str(rng.choice(["office", "house", "warehouse"]))
        builder = Builder()
        buildings.facade(builder, rng, (0, wide), high, tone, kind, lit)
        pieces.append(Placed(builder.freeze(), x, depth + rng.uniform(0, 5)))
        x += wide + rng.choice([0.0, 3.0, 7.0])
    return sorted(pieces, key=lambda p: -p.z)


def _trees(rng: Rng, span: tuple[float, float], depth: float, count: int) -> list[Placed]:
    pieces = []
    for x in np.linspace(*span, count):
        builder = Builder()
        (props.tree if rng.random() < 0.7 else props.bush)(builder, rng)
        pieces.append(Placed(builder.freeze(), x + rng.uniform(-1, 1), depth + rng.uniform(-1, 1)))
    return sorted(pieces, key=lambda p: -p.z)


def _gate_pieces(rng: Rng, light: Light) -> list[Placed]:
    def ground(b: Builder) -> None:
        buildings.ground_patch(b, (-70, -10.2), (5, 26), GRASS)
        buildings.ground_patch(b, (10.8, 70), (5, 26), GRASS)
        buildings.ground_patch(b, (-10.2, -4.6), (2, 26.5), SLABS)
        buildings.ground_patch(b, (5.5, 10.8), (2, 26.5), SLABS)
        for x in (-4.6, 5.4):
            buildings.ground_patch(b, (x - 0.1, x + 0.15), (2, 26.5), KERB)
        buildings.ground_patch(b, (-70, 70), (27, 35.4), tint(ASPHALT, 0.92))
        buildings.ground_patch(b, (-70, 70), (35.4, 38), SLABS)
        for x in np.arange(-45, 45, 5.0):
            buildings.stripe(b, (x, 31), (x + 2.4, 31), 0.16, PAINT)
        buildings.ground_patch(b, (-0.5, 1.1), (9.6, 20.5), KERB)
        buildings.ground_patch(b, (-0.38, 0.98), (9.75, 20.3), (120, 150, 140))
        for z in np.arange(4.5, 9.0, 2.2):
            buildings.stripe(b, (0.3, z), (0.3, z + 1.2), 0.14, PAINT)
        buildings.stripe(b, (-4.3, 11.8), (-0.7, 11.8), 0.3, PAINT)
        buildings.stripe(b, (1.4, 17.2), (5.2, 17.2), 0.3, PAINT)

    fences = [
        _one(lambda b: buildings.fence(b, 30.0, 2.1, (88, 96, 84)), x, 26.0) for x in (-38.8, 10.5)
    ]
    return [
        *_skyline(rng, light, 50.0), *_trees(rng, (-34, 34), 40.0, 13), _one(ground), *fences,
        *_trees(rng, (-22, -12), 24.0, 3), *_trees(rng, (13, 22), 23.0, 3),
    ]  # fmt: skip


def _gate_solids(rng: Rng) -> list[Placed]:
    return [
        _one(furniture.booth, -5.1, 13.5),
        _one(lambda b: furniture.post_box(b, (40, 150, 230)), -4.5, 11.0),
        _one(lambda b: furniture.post_box(b, (40, 150, 230)), 5.3, 18.0),
        _one(lambda b: props.sign(b, np.random.default_rng(12)), -9.6, 16.4),
        _one(lambda b: props.lamp_post(b, np.random.default_rng(3)), 9.6, 16.5),
        _one(lambda b: props.bollard(b, np.random.default_rng(4)), -0.1, 9.9),
    ]


def _dock_pieces(rng: Rng, light: Light) -> list[Placed]:
    del rng, light

    def ground(b: Builder) -> None:
        for x in (-12.0, -6.2, -5.8, -0.2, 0.2, 5.8, 6.2, 12.0):
            buildings.stripe(b, (x, 15.5), (x, 24.4), 0.14, YELLOW)
        for x in np.arange(-30, 30, 4.0):
            buildings.stripe(b, (x, 11.3), (x + 2.0, 11.3), 0.14, PAINT)
        buildings.stripe(b, (-30, 8.9), (30, 8.9), 0.1, PAINT)
        buildings.stripe(b, (-30, 6.7), (30, 6.7), 0.1, YELLOW)

    def store(b: Builder) -> None:
        wall: Bgr = (196, 190, 178)
        b.box((-26, 0, 0), (26, 7.5, 6), wall)
        front = furniture.Front(b)
        front.panel((-26, 26), (0, 1.0), tint(wall, 0.6))
        front.panel((-26, 26), (5.4, 6.0), (150, 96, 40))
        for x in np.arange(-25.6, 26, 1.2):
            front.panel((x, x + 0.05), (1.0, 5.4), tint(wall, 0.9))
        for number, x in enumerate((-9.0, -3.0, 3.0, 9.0)):
            buildings.bay(b, x - 1.5, 3.0, 3.0, (206, 206, 204), 1.1)
            front.panel((x - 0.45, x + 0.45), (4.55, 5.25), WHITE, 12)
            furniture.digit(front, number + 1, x, 4.65)
        for x in (-6.6, 14.2):
            front.panel((x, x + 1.1), (1.0 if x < 0 else 0.0, 3.1), (84, 100, 60), 10)

    return [_one(ground), _one(store, 0.0, 24.8)]


def _dock_solids(rng: Rng) -> list[Placed]:
    solids = [
        _one(furniture.steps, -6.0, 24.2),
        _one(lambda b: props.crate(b, np.random.default_rng(5)), 7.6, 17.9),
        _one(furniture.hydrant, 4.6, 7.2),
        _one(furniture.ashtray, 6.1, 8.9),
    ]
    for x in (-12.0, -6.9, -0.0, 6.0, 12.0):
        solids.append(_one(lambda b: props.bollard(b, np.random.default_rng(4)), x, 24.0))
    return solids


def _yard_pieces(rng: Rng, light: Light) -> list[Placed]:
    def ground(b: Builder) -> None:
        buildings.ground_patch(b, (-70, 70), (25.8, 60), GRASS)
        buildings.ground_patch(b, (6.3, 70), (21.2, 60), GRASS)
        buildings.ground_patch(b, (-40, 40), (4, 9.9), SLABS)
        buildings.ground_patch(b, (-40, 40), (9.9, 10.1), KERB)
        for x in np.arange(-14.0, 6.1, 4.0):
            buildings.stripe(b, (x, 18.8), (x, 25.0), 0.13, PAINT)
        buildings.stripe(b, (-14, 25.0), (6, 25.0), 0.13, PAINT)
        for x in np.arange(-30, 30, 4.0):
            buildings.stripe(b, (x, 14.0), (x + 2.0, 14.0), 0.13, PAINT)

    fences = [
        _one(lambda b: buildings.fence(b, 46.0, 2.0, (96, 104, 92)), -40.0, 25.4),
        _one(lambda b: buildings.fence(b, 4.4, 2.0, (96, 104, 92), False), 6.0, 21.0),
        _one(lambda b: buildings.fence(b, 30.0, 2.0, (96, 104, 92)), 10.4, 21.0),
    ]
    return [
        *_skyline(rng, light, 46.0), *_trees(rng, (-32, 32), 33.0, 12), _one(ground), *fences,
    ]  # fmt: skip


def _yard_solids(rng: Rng) -> list[Placed]:
    return [
        _one(furniture.bicycle_rack, -7.9, 12.2),
        _one(lambda b: props.lamp_post(b, np.random.default_rng(8)), 7.8, 11.4),
        _one(lambda b: props.bin_on_wheels(b, np.random.default_rng(21)), 9.6, 13.7),
        _one(lambda b: props.bin_on_wheels(b, np.random.default_rng(9)), 10.5, 13.6),
    ]


def _lobby_pieces(rng: Rng, light: Light) -> list[Placed]:
    del rng, light
    depth = 14.2

    def shell(b: Builder) -> None:
        buildings.room(b, 9.0, depth, 3.9, (206, 212, 214), (226, 228, 228))
        wall = buildings.on_back_wall
        wall(b, (-0.55, 2.75), (0.0, 2.75), depth, (84, 80, 78))
        for x in (-0.4, 1.15):
            wall(b, (x, x + 1.45), (0.06, 2.62), depth, (214, 208, 196), 2, GLOW)
            wall(b, (x, x + 1.45), (0.06, 0.9), depth, (168, 172, 168), 3, GLOW)
        wall(b, (-7.6, -5.2), (0.0, 2.5), depth, tint(METAL, 0.6))
        for x in (-7.4, -6.38):
            wall(b, (x, x + 0.98), (0.0, 2.35), depth, METAL, 2, GLOSS)
        wall(b, (-4.9, -4.7), (1.1, 1.4), depth, DARK)
        wall(b, (-3.8, -1.6), (1.2, 2.5), depth, (140, 96, 50))
        wall(b, (-3.6, -1.8), (1.35, 2.35), depth, (206, 180, 150), 2)
        wall(b, (3.8, 8.4), (1.0, 2.7), depth, (90, 88, 86))
        for x in (3.95, 5.5, 7.05):
            wall(b, (x, x + 1.35), (1.1, 2.6), depth, (220, 212, 198), 2, GLOW)
        buildings.ground_patch(b, (-0.2, 2.4), (11.4, 13.4), (84, 84, 96))
        buildings.ground_patch(b, (-6.6, -2.6), (5.4, 9.6), (132, 112, 96))

    return [_one(shell)]


def _lobby_solids(rng: Rng) -> list[Placed]:
    return [
        _one(furniture.reception, 4.5, 7.9),
        _one(furniture.sofa, -5.7, 7.4),
        _one(lambda b: props.plant(b, np.random.default_rng(2)), -3.4, 5.2),
        _one(lambda b: props.plant(b, np.random.default_rng(6)), 8.0, 13.0),
    ]


Pieces = Callable[[Rng, Light], list[Placed]]
Solids = Callable[[Rng], list[Placed]]
VIEWS: dict[str, tuple[str, Bgr, Pieces, Solids]] = {
    "gate": ("asphalt", ASPHALT, _gate_pieces, _gate_solids),
    "dock": ("concrete", (152, 156, 158), _dock_pieces, _dock_solids),
    "yard": ("asphalt", tint(ASPHALT, 1.08), _yard_pieces, _yard_solids),
    "lobby": ("floor", (176, 184, 190), _lobby_pieces, _lobby_solids),
}
