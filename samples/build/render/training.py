"""Endless random scenes to train and measure models on, with fair shares of classes and colours.

A scene depends on its seed and size alone. Seeds of the committed site never come here: it is
rendered by its own script from its own story.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from cv2.typing import MatLike as Image

from .actors import CARRIED, Actor, figure
from .camera import Camera
from .lens import Lens, expose, glare
from .light import Light
from .palette import COLOURS, FUR
from .places import Place, random_place
from .scene import RenderedObject, Scene, Standing, compose
from .streaks import rain

Rng = np.random.Generator

HEIGHTS = {  # metres; only to choose a distance for a wanted size
    "person": 1.75, "bicycle": 1.05, "car": 1.5, "motorcycle": 1.15, "bus": 3.1, "truck": 3.0,
    "dog": 0.65, "cat": 0.36, "backpack": 0.5, "suitcase": 0.75, "umbrella": 0.75,
}  # fmt: skip
RADII = {  # metres of ground that an object keeps free
    "person": 0.4, "bicycle": 0.8, "car": 2.1, "motorcycle": 0.9, "bus": 4.5, "truck": 3.4,
    "dog": 0.4, "cat": 0.25, "backpack": 0.25, "suitcase": 0.25, "umbrella": 0.6,
}  # fmt: skip
# How often each label is drawn. Persons also come as riders and carry things, so they and the
# things they carry are drawn less often themselves.
SHARES = {
    "person": 0.15, "bicycle": 0.11, "car": 0.17, "motorcycle": 0.11, "bus": 0.15, "truck": 0.2,
    "dog": 0.12, "cat": 0.12, "backpack": 0.08, "suitcase": 0.1, "umbrella": 0.08,
}  # fmt: skip
# Neighbouring seeds share an empty place, which costs more to draw than what stands in it.
SCENES_PER_PLACE = 3
RAINY = 0.1  # share of outdoor scenes
LEAST_SIDE = 5  # pixels; smaller boxes carry nothing to learn
LEAST_VISIBLE = 0.18


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop (h, w, 3) BGR around one object, with what a caption may say about it."""

    image: Image = field(repr=False, compare=False)
    truth: RenderedObject
    light: str
    place: str


def random_scene(seed: int, size: tuple[int, int] = (640, 360)) -> Scene:
    """Return the scene of this seed as a picture of `size` (width, height) and its objects."""
    rng = np.random.default_rng((seed, 20_26))
    place = _place(seed // SCENES_PER_PLACE, size)
    standing = _population(rng, place)
    picture, objects = compose(place.picture, standing, place.camera, place.light, place.props)
    if place.light.name == "night":
        picture = glare(picture, _lamps(place.camera, place.light), rng.uniform(0.5, 1.0))
    if place.name != "indoors" and rng.random() < RAINY:
        picture = rain(picture, rng, int(rng.integers(50, 260)))
    kept = [o for o in objects if _worth_learning(o)]
    return Scene(expose(picture, _lens(rng, place), rng), kept, place.light.name, place.name)


@lru_cache(maxsize=4)
def _place(seed: int, size: tuple[int, int]) -> Place:
    return random_place(np.random.default_rng((seed, 3)), size)


def random_crops(
    seed: int, size: tuple[int, int] = (480, 360), least_side: int = 20, least_visible: float = 0.45
) -> Iterator[Crop]:
    """Yield a padded crop of every object of a scene that is large and visible enough."""
    scene = random_scene(seed, size)
    rng = np.random.default_rng((seed, 7))
    for found in scene.objects:
        x0, y0, x1, y1 = found.box
        if min(x1 - x0, y1 - y0) < least_side * 0.6 or max(x1 - x0, y1 - y0) < least_side:
            continue
        if found.visible < least_visible:
            continue
        pad = rng.uniform(0.02, 0.18) * max(x1 - x0, y1 - y0)
        left, top = max(0, round(x0 - pad)), max(0, round(y0 - pad))
        cut = scene.image[top : round(y1 + pad), left : round(x1 + pad)]
        yield Crop(cut.copy(), found, scene.light, scene.place)


def caption_facts(found: RenderedObject) -> dict[str, object]:
    """Return label, colour, upper, lower, carrying and riding as a plain dictionary."""
    return {
        "label": found.label,
        "colour": found.colour,
        "upper": found.upper,
        "lower": found.lower,
        "carrying": list(found.carrying),
        "riding": found.riding,
        "carried": found.carried,
    }


def _worth_learning(found: RenderedObject) -> bool:
    x0, y0, x1, y1 = found.box
    return min(x1 - x0, y1 - y0) >= LEAST_SIDE and found.visible >= LEAST_VISIBLE


def _population(rng: Rng, place: Place) -> list[Standing]:
    crowd = rng.random()
    fewest, most = (1, 6) if crowd < 0.3 else (5, 13) if crowd < 0.85 else (12, 24)
    wanted = int(rng.integers(fewest, most))
    labels = list(SHARES)
    weights = np.array([SHARES[label] for label in labels])
    standing: list[Standing] = []
    taken = [(p.x, p.z, 0.7) for p in place.props]
    for label in rng.choice(labels, wanted, p=weights / weights.sum()):
        spot = _spot(rng, place, str(label), taken)
        if spot is None:
            continue
        x, z = spot
        taken.append((x, z, RADII[label]))
        moving = bool(rng.random() < 0.6)
        shown = figure(random_actor(rng, str(label)), rng.uniform(0, 4), moving)
        standing.append(Standing(shown, x, z, _heading(rng)))
    return standing


def _heading(rng: Rng) -> float:
    """Return a heading; side views are seen more often than by pure chance."""
    if rng.random() < 0.35:
        return float(rng.choice([0.0, 180.0]) + rng.normal(0, 14))
    return float(rng.uniform(0, 360))


def random_actor(rng: Rng, label: str) -> Actor:
    """Return an actor of the label in a random colour, with or without load and rider."""
    colours = FUR if label in ("dog", "cat") else COLOURS
    colour = str(rng.choice(colours))
    seed = int(rng.integers(1 << 31))
    lower = str(rng.choice(COLOURS)) if rng.random() < 0.75 else None
    lit = bool(rng.random() < 0.2)
    if label == "person":
        return Actor(
            label, colour, seed, lower, _load(rng), open_umbrella=bool(rng.random() < 0.85)
        )
    if label in ("bicycle", "motorcycle") and rng.random() < 0.35:
        return Actor(label, colour, seed, rider=(str(rng.choice(COLOURS)), lower), lit=lit)
    return Actor(label, colour, seed, lit=lit, open_umbrella=bool(rng.random() < 0.6))


def _load(rng: Rng) -> tuple[tuple[str, str], ...]:
    if rng.random() < 0.3:
        return ()
    count = 1 if rng.random() < 0.8 else 2
    things = rng.choice(CARRIED, count, replace=False)
    return tuple((str(thing), str(rng.choice(COLOURS))) for thing in things)


def _spot(
    rng: Rng, place: Place, label: str, taken: list[tuple[float, float, float]]
) -> tuple[float, float] | None:
    """Return a free place on the ground where the object has a wanted height in the picture."""
    camera = place.camera
    width, height = camera.size
    share = 0.5 if RADII[label] > 2.0 else 0.75  # a near bus would hide everything else
    smallest, largest = math.log(0.04 * height), math.log(share * height)
    for _ in range(20):
        pixels = math.exp(rng.uniform(smallest, largest))
        depth = HEIGHTS[label] * camera.focal / pixels
        z = depth / math.cos(camera.pitch) - camera.height * math.tan(camera.pitch)
        if not 0.8 < z < place.reach[1] - 0.6 * RADII[label]:
            continue
        x = rng.uniform(-0.52, 0.52) * width * depth / camera.focal
        if abs(x) > place.reach[0]:
            continue
        foot = camera.project(np.array([[x, 0.0, z]]))[0]
        if not 0.08 * height < foot[1] < 1.06 * height:
            continue
        radius = RADII[label]
        if all((x - a) ** 2 + (z - b) ** 2 > (0.75 * (radius + r)) ** 2 for a, b, r in taken):
            return float(x), float(z)
    return None


def _lamps(camera: Camera, light: Light) -> list[tuple[float, float, float]]:
    spots = []
    for lamp in light.lamps:
        view = camera.to_view(np.array([lamp.place]))
        if view[0, 2] > 1.0:
            x, y = camera.to_pixels(view)[0]
            spots.append((float(x), float(y), camera.focal * 0.25 / float(view[0, 2])))
    return spots


def _lens(rng: Rng, place: Place) -> Lens:
    dark = place.light.name == "night"
    gain = tuple(float(g) for g in rng.normal(1.0, 0.035, 3))
    return Lens(
        blur=float(rng.choice([0.0, 0.0, rng.uniform(0.3, 1.3)])),
        noise=float(rng.uniform(3, 11) if dark else rng.uniform(0.5, 6)),
        gain=(gain[0], gain[1], gain[2]),
        contrast=float(rng.uniform(0.8, 1.15)),
        vignette=float(rng.uniform(0, 0.25)),
        jpeg=int(rng.integers(35, 92)),
    )
