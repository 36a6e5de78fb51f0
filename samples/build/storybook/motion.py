"""Turns cues ("a red truck on the way out, halting six seconds") into timed waypoints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .cameras import Point, SiteCamera

# Metres a second of things seen at a site where ten kilometres an hour are allowed.
SPEED = {
    "person": 1.35,
    "bicycle": 3.6,
    "motorcycle": 5.0,
    "car": 4.6,
    "truck": 3.8,
    "bus": 3.6,
    "dog": 1.9,
    "cat": 1.1,
}
# Length and width on the ground in metres, with the room that is kept around each.
FOOTPRINT = {
    "person": (0.7, 0.7),
    "bicycle": (1.9, 0.8),
    "motorcycle": (2.2, 0.9),
    "car": (4.7, 2.0),
    "truck": (8.6, 2.7),
    "bus": (10.5, 2.8),
    "dog": (1.0, 0.5),
    "cat": (0.6, 0.4),
    "backpack": (0.5, 0.5),
    "suitcase": (0.6, 0.5),
    "umbrella": (1.2, 1.2),
}
SHORT_TRUCKS = {"van": 6.0, "pickup": 5.4, "tipper": 7.6}
Waypoint = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Cue:
    """One actor of a scene. `way` is a route, or `@` and a spot to stand at.

    `at` is the second of the clip in which it sets out, `stop` holds it at a point of the route:
    (number of the point, seconds). `rear` moves it backwards. `note` is what reports call it.
    """

    label: str
    colour: str
    way: str
    at: float = 0.0
    stop: tuple[int, float] | None = None
    speed: float | None = None
    shift: Point = (0.0, 0.0)
    lower: str | None = None
    carrying: tuple[tuple[str, str], ...] = ()
    rider: tuple[str, str] | None = None
    model: str | None = None
    rear: bool = False
    until: float | None = None
    note: str = ""
    lit: bool = False
    open_umbrella: bool = True


def waypoints(cue: Cue, camera: SiteCamera, duration_s: float) -> list[Waypoint]:
    """The cue's way as (seconds into the clip, x, z); it is absent before and after."""
    dx, dz = cue.shift
    if cue.way.startswith("@"):
        (x, z), _ = camera.spots[cue.way[1:]]
        end = duration_s if cue.until is None else cue.until
        return [(cue.at, x + dx, z + dz), (end, x + dx, z + dz)]
    speed = cue.speed or SPEED[cue.label]
    time, last = cue.at, None
    found: list[Waypoint] = []
    for number, (x, z) in enumerate(camera.routes[cue.way]):
        place = (x + dx, z + dz)
        time += math.dist(place, last) / speed if last else 0.0
        found.append((round(time, 2), round(place[0], 2), round(place[1], 2)))
        if cue.stop and cue.stop[0] == number:
            time += cue.stop[1]
            found.append((round(time, 2), round(place[0], 2), round(place[1], 2)))
        last = place
    return found


def facing(cue: Cue, camera: SiteCamera) -> Point | None:
    """The direction a standing cue looks; moving ones look where they go."""
    return camera.spots[cue.way[1:]][1] if cue.way.startswith("@") else None


def place_at(points: Sequence[Waypoint], time: float) -> tuple[Point, Point] | None:
    """Position and direction of travel at a time; direction (0, 0) while standing."""
    if not points[0][0] <= time <= points[-1][0]:
        return None
    for (t0, x0, z0), (t1, x1, z1) in pairwise(points):
        if t0 <= time <= t1:
            share = (time - t0) / (t1 - t0) if t1 > t0 else 0.0
            return (x0 + (x1 - x0) * share, z0 + (z1 - z0) * share), (x1 - x0, z1 - z0)
    return None


@dataclass(frozen=True, slots=True)
class Moving:
    """A cue with its waypoints, ready to be compared with others."""

    cue: Cue
    points: Sequence[Waypoint]
    looks: Point | None

    def rectangle(self, time: float) -> list[Point] | None:
        """The corners of the ground that it covers at a time, `None` while absent."""
        placed = place_at(self.points, time)
        if placed is None:
            return None
        (x, z), (dx, dz) = placed
        if dx == dz == 0.0:
            dx, dz = self.looks or self._direction_after(time)
        size = math.hypot(dx, dz) or 1.0
        dx, dz = dx / size, dz / size
        length, width = FOOTPRINT[self.cue.label]
        length = SHORT_TRUCKS.get(self.cue.model or "", length)
        along, across = (dx * length / 2, dz * length / 2), (-dz * width / 2, dx * width / 2)
        return [
            (x + a * along[0] + b * across[0], z + a * along[1] + b * across[1])
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ]

    def _direction_after(self, time: float) -> Point:
        for (t0, x0, z0), (_, x1, z1) in pairwise(self.points):
            if t0 >= time and (x0, z0) != (x1, z1):
                return x1 - x0, z1 - z0
        return (1.0, 0.0)


def collision(one: Moving, other: Moving, duration_s: float) -> float | None:
    """The first time (s) at which two cover the same ground, checked every 0.4 s."""
    for step in range(int(duration_s / 0.4) + 1):
        time = step * 0.4
        first, second = one.rectangle(time), other.rectangle(time)
        if first and second and _overlap(first, second):
            return time
    return None


def seconds_seen(item: Moving, camera: SiteCamera, duration_s: float) -> float:
    """How long the actor's foot is within the frame; of a still, endless if it is."""
    step = 0.25
    count = sum(
        1
        for number in range(int(duration_s / step) + 1)
        if (placed := place_at(item.points, number * step)) and camera.sees(*placed[0])
    )
    return count * step if duration_s else math.inf * count if count else 0.0


def _overlap(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Separating axes of two rectangles."""
    for corners in (first, second):
        for (x0, z0), (x1, z1) in ((corners[0], corners[1]), (corners[1], corners[2])):
            axis = (z0 - z1, x1 - x0)
            low, high = _span(first, axis)
            other_low, other_high = _span(second, axis)
            if high <= other_low or other_high <= low:
                return False
    return True


def _span(corners: Iterable[Point], axis: Point) -> Point:
    values = [x * axis[0] + z * axis[1] for x, z in corners]
    return min(values), max(values)
