"""The unreported traffic of a scene, drawn by seed so that reported things have look-alikes."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .cameras import SiteCamera
from .motion import Cue, Moving, collision, facing, seconds_seen, waypoints
from .scene import Scene

# What passes each camera on an ordinary day: kind of cue and how often, in parts of 100.
_TRAFFIC = {
    "gate": (("walker", 34), ("cyclist", 16), ("car", 26), ("truck", 12), ("motorcycle", 6),
             ("dog", 3), ("bus", 3)),
    "dock": (("loader", 34), ("docked", 26), ("truck", 10), ("car", 10), ("cyclist", 12),
             ("motorcycle", 4), ("cat", 4)),
    "yard": (("walker", 26), ("parked", 40), ("car", 10), ("cyclist", 12), ("motorcycle", 6),
             ("dog", 3), ("cat", 3)),
    "lobby": (("guest", 74), ("waiting", 26)),
}  # fmt: skip
_WALKWAYS = {
    "gate": ("footpath_in", "footpath_out", "kerb_out", "kerb_in", "across", "across_back"),
    "dock": ("walk_right", "walk_left", "apron_right", "apron_left", "steps"),
    "yard": ("path_right", "path_left", "to_car", "from_car", "to_rack", "fence_right"),
    "lobby": ("enter", "leave", "to_lift", "from_lift", "to_sofa", "cross_right", "cross_left",
              "back_left"),
}  # fmt: skip
_ROADS = {
    "gate": ("street_right", "street_left", "in", "out"),
    "dock": ("lane_right", "lane_left"),
    "yard": ("lane_right", "lane_left"),
}
# Small animals only show near the camera.
_NEAR = {
    "gate": ("across", "across_back"),
    "dock": ("walk_right", "walk_left"),
    "yard": ("path_right", "path_left"),
}
_STANDS = {
    "dock": ("door 1", "door 2", "door 3", "door 4"),
    "yard": tuple(f"bay {number}" for number in range(1, 6)),
    "lobby": ("sofa", "sofa end", "behind desk", "window", "door mat"),
}
SEEN_AT_LEAST_S = 2.0  # less leaves a tracker no chance
_CLOTHES = ("blue", "black", "grey", "red", "blue", "white", "green", "orange", "yellow", "brown")
_PAINT = ("white", "grey", "black", "red", "blue", "red", "green", "orange", "brown")
_LEGS = ("black", "blue", "grey", "brown")
_BAGS = ("black", "red", "blue", "green", "grey", "brown", "purple")
_FUR = ("black", "white", "brown", "grey", "orange")
_MODELS = ("box", "van", "tipper", "pickup")


def fill(
    scene: Scene, camera: SiteCamera, taken: Sequence[Moving], rng: random.Random
) -> list[Moving]:
    """Everyday cues that collide with nothing; fewer than wanted where the view is full."""
    moving = list(taken)
    seen = {(m.cue.label, m.cue.colour) for m in taken}
    for _ in range(scene.everyday * 60):
        if len(moving) - len(taken) >= scene.everyday:
            break
        cue = _draw(scene, camera, rng)
        # A second one of the same kind and colour as in a report would spoil its "the".
        if (cue.label, cue.colour) in seen and rng.random() < 0.8:
            continue
        candidate = Moving(cue, waypoints(cue, camera, scene.duration_s), facing(cue, camera))
        if seconds_seen(candidate, camera, scene.duration_s) < SEEN_AT_LEAST_S:
            continue
        if all(collision(candidate, other, scene.duration_s) is None for other in moving):
            moving.append(candidate)
    return moving[len(taken) :]


def _draw(scene: Scene, camera: SiteCamera, rng: random.Random) -> Cue:
    kinds, weights = zip(*_TRAFFIC[camera.id], strict=True)
    kind = rng.choices(kinds, weights)[0]
    at = rng.uniform(-4.0, scene.duration_s * 0.55) if scene.duration_s else -rng.uniform(2, 5)
    lit = scene.light in ("night", "dusk", "dawn")
    at = round(at, 1)
    if kind in ("walker", "loader", "guest"):
        return _walker(kind, scene, camera.id, at, rng)
    if kind == "waiting":
        spot = rng.choice(_STANDS["lobby"])
        return Cue("person", rng.choice(_CLOTHES), f"@{spot}", lower=rng.choice(_LEGS))
    if kind in ("parked", "docked"):
        label = "car" if kind == "parked" else "truck"
        model = "box" if kind == "docked" else None
        return Cue(label, rng.choice(_PAINT), f"@{rng.choice(_STANDS[camera.id])}", model=model)
    if kind == "cyclist":
        way = rng.choice(_WALKWAYS[camera.id][:4])
        return Cue("bicycle", rng.choice(_PAINT), way, at, rider=_dress(rng), speed=3.0)
    if kind in ("dog", "cat"):
        return Cue(kind, rng.choice(_FUR), rng.choice(_NEAR[camera.id]), at)
    rider = _dress(rng) if kind == "motorcycle" else None
    model = rng.choice(_MODELS) if kind == "truck" else None
    way = rng.choice(_ROADS[camera.id])
    return Cue(kind, rng.choice(_PAINT), way, at, rider=rider, model=model, lit=lit)


def _walker(kind: str, scene: Scene, camera: str, at: float, rng: random.Random) -> Cue:
    carrying: tuple[tuple[str, str], ...] = ()
    if scene.weather == "rain" and kind != "guest" and rng.random() < 0.6:
        carrying = (("umbrella", rng.choice(_BAGS)),)
    elif rng.random() < 0.4:
        label = "suitcase" if kind == "guest" and rng.random() < 0.5 else "backpack"
        carrying = ((label, rng.choice(_BAGS)),)
    colour = "orange" if kind == "loader" and rng.random() < 0.3 else rng.choice(_CLOTHES)
    return Cue("person", colour, rng.choice(_WALKWAYS[camera]), at, lower=rng.choice(_LEGS),
               carrying=carrying)  # fmt: skip


def _dress(rng: random.Random) -> tuple[str, str]:
    return rng.choice(_CLOTHES), rng.choice(_LEGS)
