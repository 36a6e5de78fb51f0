"""The four cameras of the site: where they look, the ways through their views, their zones.

Ground coordinates are metres seen from the camera's foot: x to the right, z away from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
FRAME = (640, 360)  # pixels of the rendered footage


@dataclass(frozen=True, slots=True)
class Zone:
    """A named area: a polygon on the ground."""

    name: str
    ground: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SiteCamera:
    """One camera. `focal` is in pixels of `FRAME`, `pitch_deg` downwards; no roll.

    `props` are fixed things, hiding but never reported: a kind and its line on the ground.
    `routes` are polylines that things move along, `spots` places where they stand, with the
    direction (dx, dz) that a vehicle standing there faces.
    """

    id: str
    name: str
    site: str
    timezone: str
    looks_at: str
    vendor: str
    height_m: float
    pitch_deg: float
    focal_px: float
    place: str
    routes: Mapping[str, tuple[Point, ...]]
    spots: Mapping[str, tuple[Point, Point]]
    zones: tuple[Zone, ...]
    props: tuple[tuple[str, tuple[Point, ...]], ...] = ()

    def relative(self, ground: Sequence[Point]) -> list[list[float]]:
        """Project a ground polygon to relative frame coordinates, kept within the frame."""
        return [[round(v, 3) for v in self._project(x, z)] for x, z in ground]

    def sees(self, x: float, z: float) -> bool:
        """Whether a ground point lies within the frame, a little off its edge."""
        u, v = self._project(x, z)
        return 0.02 < u < 0.98 and v < 0.98

    def _project(self, x: float, z: float) -> tuple[float, float]:
        pitch = math.radians(self.pitch_deg)
        depth = z * math.cos(pitch) + self.height_m * math.sin(pitch)
        down = self.height_m * math.cos(pitch) - z * math.sin(pitch)
        u = 0.5 + self.focal_px * x / depth / FRAME[0]
        v = 0.5 + self.focal_px * down / depth / FRAME[1]
        return min(1.0, max(0.0, u)), min(1.0, max(0.0, v))


TO_CAMERA: Point = (0.0, -1.0)
AWAY: Point = (0.0, 1.0)
RIGHT: Point = (1.0, 0.0)
LEFT: Point = (-1.0, 0.0)


def _box(left: float, near: float, right: float, far: float) -> tuple[Point, ...]:
    return ((left, near), (right, near), (right, far), (left, far))


GATE = SiteCamera(
    id="gate",
    name="Gate camera 1",
    site="Rotterdam",
    timezone="Europe/Amsterdam",
    looks_at="the main gate with its entry and exit barrier, the guard booth and the public road",
    vendor="Reolink",
    height_m=4.6,
    pitch_deg=14.0,
    focal_px=470.0,
    place="gate",
    routes={
        "in": ((-2.5, 36.0), (-2.5, 15.5), (-2.3, 2.0)),
        "out": ((3.2, 2.0), (3.2, 13.0), (3.0, 37.0)),
        "street_right": ((-27.0, 29.0), (27.0, 29.0)),
        "street_left": ((27.0, 32.5), (-27.0, 32.5)),
        "footpath_in": ((-7.6, 27.0), (-6.6, 12.5), (-5.2, 5.0)),
        "footpath_out": ((-5.6, 5.0), (-7.0, 12.0), (-8.2, 27.0)),
        "kerb_out": ((6.4, 6.0), (7.4, 12.0), (9.5, 26.0)),
        "kerb_in": ((10.5, 27.0), (8.2, 13.0), (7.2, 6.0)),
        "across": ((-8.0, 9.6), (0.2, 9.6), (9.0, 9.6)),
        "across_back": ((9.5, 8.0), (0.2, 8.0), (-8.5, 8.0)),
    },
    spots={
        "booth": ((-5.0, 11.0), RIGHT),
        "kerb": ((6.2, 14.0), LEFT),
        "bench": ((7.0, 10.6), LEFT),
        "lay-by": ((11.0, 21.0), AWAY),
        "signpost": ((-9.3, 16.0), RIGHT),
        "island": ((0.3, 15.0), TO_CAMERA),
    },
    zones=(
        Zone("entry lane", _box(-4.2, 6.6, -0.8, 25.0)),
        Zone("exit lane", _box(1.5, 6.6, 5.0, 25.0)),
        Zone("footpath", _box(-10.0, 8.0, -4.4, 25.0)),
        Zone("public road", _box(-20.0, 27.0, 20.0, 35.0)),
    ),
    props=(
        ("guard booth", ((-5.6, 12.6), (-4.6, 14.4))),
        ("barrier", ((-4.4, 11.0), (-0.6, 11.0))),
        ("barrier", ((1.4, 18.0), (5.2, 18.0))),
        ("fence", ((-18.0, 26.0), (-8.8, 26.0))),
        ("fence", ((10.5, 26.0), (18.0, 26.0))),
    ),
)

DOCK = SiteCamera(
    id="dock",
    name="Dock camera 2",
    site="Rotterdam",
    timezone="Europe/Amsterdam",
    looks_at="loading doors 1 to 4 of the cold store and the apron in front of them",
    vendor="Frigate",
    height_m=5.0,
    pitch_deg=16.0,
    focal_px=450.0,
    place="dock",
    routes={
        "lane_right": ((-22.0, 9.9), (0.0, 9.9), (22.0, 9.9)),
        "lane_left": ((22.0, 12.7), (0.0, 12.7), (-22.0, 12.7)),
        "leave_door_1": ((-9.0, 20.2), (-9.0, 15.0), (-2.0, 12.4), (22.0, 12.4)),
        "leave_door_2": ((-3.0, 20.2), (-3.0, 15.0), (4.0, 12.4), (24.0, 12.4)),
        "leave_door_3": ((3.0, 20.2), (3.0, 15.0), (-4.0, 12.4), (-24.0, 12.4)),
        "back_door_4": ((9.0, 9.0), (9.0, 20.2)),
        "back_door_2": ((-3.0, 9.0), (-3.0, 20.2)),
        "walk_right": ((-8.0, 7.4), (0.0, 7.4), (8.0, 7.4)),
        "walk_left": ((8.5, 8.2), (0.0, 8.2), (-8.5, 8.2)),
        "apron_right": ((-15.0, 14.9), (-6.0, 14.9), (6.0, 14.9), (15.0, 14.9)),
        "apron_left": ((15.0, 15.4), (6.0, 15.4), (-6.0, 15.4), (-15.0, 15.4)),
        "steps": ((-6.0, 24.0), (-6.0, 16.2), (-11.0, 9.0)),
    },
    spots={
        "door 1": ((-9.0, 20.2), TO_CAMERA),
        "door 2": ((-3.0, 20.2), TO_CAMERA),
        "door 3": ((3.0, 20.2), TO_CAMERA),
        "door 4": ((9.0, 20.2), TO_CAMERA),
        "steps": ((-6.0, 15.6), TO_CAMERA),
        "pallets": ((6.0, 16.6), LEFT),
        "hydrant": ((3.4, 6.9), TO_CAMERA),
        "smoking area": ((5.4, 8.4), LEFT),
        "bay mark": ((-6.2, 8.8), RIGHT),
    },
    zones=(
        Zone("dock door 1", _box(-11.6, 15.4, -6.5, 24.4)),
        Zone("dock door 2", _box(-5.6, 15.4, -0.5, 24.4)),
        Zone("dock door 3", _box(0.5, 15.4, 5.5, 24.4)),
        Zone("dock door 4", _box(6.5, 15.4, 11.6, 24.4)),
        Zone("apron", _box(-11.0, 6.9, 11.0, 15.2)),
    ),
    props=(
        ("wall with doors", ((-18.0, 24.8), (18.0, 24.8))),
        ("steps", ((-6.6, 24.4), (-5.4, 24.4))),
        ("pallets", ((7.2, 17.4), (7.6, 18.4))),
    ),
)

YARD = SiteCamera(
    id="yard",
    name="Yard camera 3",
    site="Rotterdam",
    timezone="Europe/Amsterdam",
    looks_at="the staff car park, the bicycle rack and the east fence",
    vendor="Dahua",
    height_m=5.5,
    pitch_deg=17.0,
    focal_px=440.0,
    place="yard",
    routes={
        "lane_right": ((-24.0, 15.6), (0.0, 15.6), (24.0, 15.6)),
        "lane_left": ((24.0, 12.4), (0.0, 12.4), (-24.0, 12.4)),
        "leave_bay_3": ((-4.0, 22.0), (-4.0, 17.0), (2.0, 15.6), (24.0, 15.6)),
        "leave_bay_5": ((4.0, 22.0), (4.0, 17.0), (-2.0, 15.6), (-24.0, 15.6)),
        "path_right": ((-8.0, 8.4), (0.0, 8.4), (8.0, 8.4)),
        "path_left": ((9.0, 9.4), (0.0, 9.4), (-9.0, 9.4)),
        "fence_right": ((6.8, 18.4), (10.0, 19.2), (16.0, 19.2)),
        "fence_left": ((15.5, 20.0), (8.5, 19.2), (7.2, 18.2)),
        "to_car": ((7.5, 7.6), (6.6, 13.0), (6.4, 20.0)),
        "from_car": ((-6.0, 20.0), (-6.0, 14.0), (-3.0, 7.4)),
        "to_rack": ((6.5, 7.4), (0.0, 10.6), (-6.2, 10.8)),
    },
    spots={
        "bay 1": ((-12.0, 22.0), TO_CAMERA),
        "bay 2": ((-8.0, 22.0), TO_CAMERA),
        "bay 3": ((-4.0, 22.0), TO_CAMERA),
        "bay 4": ((0.0, 22.0), TO_CAMERA),
        "bay 5": ((4.0, 22.0), TO_CAMERA),
        "rack": ((-7.4, 10.9), AWAY),
        "rack left": ((-8.6, 11.2), AWAY),
        "lamp post": ((7.2, 10.9), LEFT),
        "fence hole": ((9.6, 18.8), LEFT),
        "bins": ((8.6, 12.9), LEFT),
    },
    zones=(
        Zone("staff parking", _box(-14.0, 18.5, 6.0, 25.0)),
        Zone("bicycle rack", _box(-9.4, 9.9, -5.4, 12.3)),
        Zone("east fence", _box(6.2, 17.4, 15.0, 22.0)),
        Zone("yard lane", _box(-16.0, 11.0, 16.0, 17.2)),
    ),
    props=(
        ("fence", ((-20.0, 25.4), (6.0, 25.4))),
        ("fence", ((6.0, 21.0), (20.0, 21.0))),
        ("bicycle rack", ((-9.2, 12.2), (-6.6, 12.2))),
        ("lamp post", ((7.8, 11.4), (7.8, 11.4))),
        ("bins", ((9.4, 13.6), (10.6, 13.6))),
    ),
)

LOBBY = SiteCamera(
    id="lobby",
    name="Lobby camera 4",
    site="Porto",
    timezone="Europe/Lisbon",
    looks_at="the lobby of the Porto office: street door, reception desk, waiting area and lift",
    vendor="Blue Iris",
    height_m=2.9,
    pitch_deg=18.0,
    focal_px=400.0,
    place="lobby",
    routes={
        "enter": ((1.2, 13.6), (1.8, 9.0), (3.2, 7.2)),
        "leave": ((2.6, 6.6), (1.0, 9.0), (0.4, 13.6)),
        "to_lift": ((0.6, 13.6), (-1.4, 10.4), (-6.6, 12.4)),
        "from_lift": ((-7.0, 13.0), (-2.2, 8.8), (-0.4, 4.2)),
        "to_sofa": ((1.6, 13.6), (-0.6, 9.6), (-3.6, 7.0)),
        "cross_right": ((-6.4, 6.2), (0.0, 6.0), (6.4, 5.8)),
        "cross_left": ((5.8, 5.0), (0.0, 5.0), (-5.8, 5.2)),
        "near_right": ((-4.4, 4.3), (4.4, 4.3)),
        "back_left": ((7.8, 11.2), (3.0, 11.4), (-4.0, 11.2)),
    },
    spots={
        "desk": ((3.4, 7.0), RIGHT),
        "behind desk": ((5.7, 8.6), LEFT),
        "sofa": ((-4.0, 7.4), RIGHT),
        "sofa end": ((-4.6, 8.8), RIGHT),
        "window": ((5.6, 11.4), LEFT),
        "pillar": ((-1.0, 7.6), TO_CAMERA),
        "door mat": ((1.2, 11.6), TO_CAMERA),
        "lift door": ((-5.8, 11.2), AWAY),
        "plant": ((-2.6, 5.6), RIGHT),
    },
    zones=(
        Zone("reception", _box(2.4, 5.8, 6.6, 9.4)),
        Zone("waiting area", _box(-6.2, 5.6, -2.8, 9.8)),
        Zone("street door", _box(-0.6, 10.4, 3.0, 13.8)),
        Zone("lift", _box(-7.6, 10.2, -4.4, 13.2)),
    ),
    props=(
        ("desk", ((4.4, 6.4), (4.4, 9.4))),
        ("sofa", ((-5.6, 6.4), (-5.6, 8.4))),
        ("plant", ((-3.4, 5.2), (-3.4, 5.2))),
        ("glass door", ((-0.4, 14.0), (2.6, 14.0))),
        ("lift door", ((-7.4, 13.6), (-5.4, 13.6))),
        ("wall", ((-12.0, 14.2), (12.0, 14.2))),
    ),
)

CAMERAS = {camera.id: camera for camera in (GATE, DOCK, YARD, LOBBY)}
