"""Where everything of a recording is at a time: from the story's waypoints to figures on the ground.

Knows the story's format (see story.py) and nothing of pictures.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .actors import LABELS, Actor, figure
from .raster import Placed
from .scene import Standing
from .training import RADII

Waypoint = tuple[float, float, float]  # t in seconds, x, z in metres

TURN_S = 0.6  # seconds over which a change of direction is spread
SLOWEST = 0.12  # m/s; below it something stands
SPEEDS = {  # m/s of fillers
    "person": 1.35, "bicycle": 3.6, "car": 5.0, "motorcycle": 5.0, "bus": 4.5, "truck": 4.2,
    "dog": 1.5, "cat": 0.9,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Performer:
    """One actor of a recording with its way; `tracks` names its parts in their order."""

    actor: Actor
    tracks: tuple[str, ...]
    waypoints: tuple[Waypoint, ...]
    facing: float | None  # degrees, for what only stands
    rear: bool
    event: str | None

    def is_present(self, t: float) -> bool:
        """Tell whether it is there at t seconds."""
        return self.waypoints[0][0] <= t <= self.waypoints[-1][0]

    def place(self, t: float) -> tuple[float, float]:
        """Return (x, z) at t, held at the first and last waypoint outside its time."""
        points = self.waypoints
        i = bisect.bisect_right(points, t, key=lambda p: p[0])
        if i == 0:
            return points[0][1:]
        if i == len(points):
            return points[-1][1:]
        (t0, x0, z0), (t1, x1, z1) = points[i - 1], points[i]
        share = (t - t0) / max(t1 - t0, 1e-9)
        return x0 + (x1 - x0) * share, z0 + (z1 - z0) * share

    def walked(self, t: float) -> float:
        """Return the metres covered since the first waypoint."""
        total = 0.0
        for (t0, x0, z0), (t1, x1, z1) in pairwise(self.waypoints):
            if t <= t0:
                break
            share = min(1.0, (t - t0) / max(t1 - t0, 1e-9))
            total += math.hypot(x1 - x0, z1 - z0) * share
        return total

    def speed(self, t: float) -> float:
        """Return m/s at t."""
        return (self.walked(t + 0.1) - self.walked(t - 0.1)) / 0.2

    def heading(self, t: float) -> float:
        """Return the direction it looks to in degrees (0 right, 90 away), turned smoothly."""
        if self.facing is not None and self.walked(math.inf) < 0.05:
            return self.facing
        sines = cosines = 0.0
        for shift in np.linspace(-TURN_S / 2, TURN_S / 2, 7):
            angle = self._course(t + float(shift))
            sines, cosines = sines + math.sin(angle), cosines + math.cos(angle)
        return math.degrees(math.atan2(sines, cosines)) + (180.0 if self.rear else 0.0)

    def _course(self, t: float) -> float:
        """Return the angle of the last leg with any length before t, else of the first one."""
        course = None
        for (t0, x0, z0), (_, x1, z1) in pairwise(self.waypoints):
            if math.hypot(x1 - x0, z1 - z0) < 0.02:
                continue
            if course is None or t0 <= t:
                course = math.atan2(z1 - z0, x1 - x0)
        return course if course is not None else math.radians(self.facing or 0.0)

    def nose(self) -> float:
        """Return the metres from its middle to its front end."""
        return Placed(figure(self.actor).mesh, 0.0, 0.0).footprint()[2]

    def standing(self, t: float) -> Standing:
        """Return its figure at t."""
        x, z = self.place(t)
        moving = self.speed(t) > SLOWEST
        shown = figure(self.actor, self.walked(t), moving)
        return Standing(shown, x, z, self.heading(t))


def performers(recording: Mapping[str, Any]) -> list[Performer]:
    """Return the story's own objects of a recording."""
    return [_performer(item) for item in recording["objects"]]


def _performer(item: Mapping[str, Any]) -> Performer:
    rider = item["rider"]
    carrying = tuple((c["label"], c["colour"]) for c in item["carrying"])
    actor = Actor(
        label=item["label"],
        colour=item["colour"],
        seed=item["seed"],
        lower=item["lower"],
        carrying=carrying,
        rider=(rider["upper"], rider["lower"]) if rider else None,
        model=item["model"],
        open_umbrella=item["open_umbrella"],
        lit=item["lit"],
    )
    tracks = [item["track"], *(c["track"] for c in item["carrying"])]
    if rider:
        tracks.append(rider["track"])
    facing = item["facing"]
    return Performer(
        actor,
        tuple(tracks),
        tuple((float(t), float(x), float(z)) for t, x, z in item["waypoints"]),
        math.degrees(math.atan2(facing[1], facing[0])) if facing else None,
        item["rear"],
        item["event"],
    )


def fillers(
    recording: Mapping[str, Any],
    routes: Mapping[str, Sequence[Sequence[float]]],
    cast: Sequence[Performer],
    rng: np.random.Generator,
) -> list[Performer]:
    """Return the further actors a recording asks for; one that would collide is left out."""
    wish = recording["filler"]
    found: list[Performer] = []
    for number in range(1, (wish["count"] if wish else 0) + 1):
        track = f"{recording['id']}-f{number:02d}"
        for _ in range(12):
            extra = _filler(track, wish, routes, recording["duration_s"], rng)
            if not any(collide(extra, other) for other in (*cast, *found)):
                found.append(extra)
                break
    return found


def _filler(
    track: str,
    wish: Mapping[str, Any],
    routes: Mapping[str, Sequence[Sequence[float]]],
    duration: float,
    rng: np.random.Generator,
) -> Performer:
    label = str(rng.choice([w for w in wish["labels"] if w in LABELS]))
    route = routes[str(rng.choice(wish["routes"]))]
    speed = SPEEDS.get(label, 1.3) * rng.uniform(0.85, 1.15)
    t = rng.uniform(-2.0, duration * 0.6)
    way: list[Waypoint] = [(t, route[0][0], route[0][1])]
    for (x0, z0), (x1, z1) in pairwise(route):
        t += math.hypot(x1 - x0, z1 - z0) / speed
        way.append((t, x1, z1))
    actor = Actor(label, str(rng.choice(wish["colours"])), int(rng.integers(1 << 31)))
    return Performer(actor, (track,), tuple(way), None, False, None)


def collide(first: Performer, second: Performer) -> bool:
    """Tell whether two performers come too near each other while both are there."""
    start = max(first.waypoints[0][0], second.waypoints[0][0])
    end = min(first.waypoints[-1][0], second.waypoints[-1][0])
    free = 0.8 * (RADII[first.actor.label] + RADII[second.actor.label])
    for t in np.arange(start, end, 0.25):
        (x0, z0), (x1, z1) = first.place(float(t)), second.place(float(t))
        if math.hypot(x0 - x1, z0 - z1) < free:
            return True
    return False
