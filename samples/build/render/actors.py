"""From a description ("woman in a red coat pulling a blue suitcase") to a mesh with named parts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from . import animals, cycles, people, things, vehicles
from .mesh import Builder, Mesh
from .palette import shade

Rng = np.random.Generator

LABELS = (
    "person", "bicycle", "car", "motorcycle", "bus", "truck",
    "dog", "cat", "backpack", "suitcase", "umbrella",
)  # fmt: skip
CARRIED = ("backpack", "suitcase", "umbrella")
STEP = 0.76  # metres of a step of a grown person


@dataclass(frozen=True, slots=True)
class Actor:
    """Who or what is seen; the same seed always looks the same.

    `colour` names a person's upper clothing. `carrying` are (label, colour) of things that a
    person carries. `model` fixes the kind of a truck: "box", "tipper", "van" or "pickup". A
    bicycle or motorcycle with `rider` colours (upper, lower) is ridden.
    """

    label: str
    colour: str
    seed: int
    lower: str | None = None  # trousers of a person
    carrying: tuple[tuple[str, str], ...] = ()
    rider: tuple[str, str | None] | None = None
    model: str | None = None
    open_umbrella: bool = True
    lit: bool = False  # lamps of a vehicle


@dataclass(frozen=True, slots=True)
class Part:
    """One labelled object of an actor's mesh; its place in the list is the mesh's tag."""

    label: str
    colour: str
    carrying: tuple[tuple[str, str], ...] = ()
    upper: str | None = None
    lower: str | None = None
    riding: str | None = None
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A mesh and what its tags mean."""

    mesh: Mesh
    parts: tuple[Part, ...] = field(default=())


def figure(actor: Actor, walked: float = 0.0, moving: bool = True) -> Figure:
    """Return the actor's mesh after it has walked or driven so many metres.

    Raises:
        ValueError: the label is not one of `LABELS`.
    """
    if actor.label in ("car", "truck", "bus"):
        return _vehicle(actor)
    if actor.label == "person":
        return _person(actor, walked, moving)
    if actor.label in ("bicycle", "motorcycle"):
        return _cycle(actor, walked, moving)
    if actor.label in ("dog", "cat"):
        return _animal(actor, walked, moving)
    if actor.label in CARRIED:
        return _thing(actor)
    raise ValueError(f"label must be one of {', '.join(LABELS)}, not {actor.label!r}")


@lru_cache(maxsize=64)
def _vehicle(actor: Actor) -> Figure:
    rng = np.random.default_rng(actor.seed)
    builder = Builder()
    paint = shade(actor.colour, rng)
    if actor.label == "car":
        vehicles.car(builder, paint, rng, actor.lit)
    elif actor.label == "bus":
        vehicles.bus(builder, paint, rng, actor.lit)
    else:
        named = dict(zip(("box", "tipper", "van", "pickup"), vehicles.TRUCKS, strict=True))
        names = tuple(named)
        model = actor.model or names[int(rng.choice(4, p=[0.4, 0.2, 0.25, 0.15]))]
        named[model](builder, paint, rng, actor.lit)
    return Figure(builder.freeze(), (Part(actor.label, actor.colour),))


@lru_cache(maxsize=64)
def _thing(actor: Actor) -> Figure:
    rng = np.random.default_rng(actor.seed)
    builder = Builder()
    paint = shade(actor.colour, rng)
    if actor.label == "backpack":
        things.backpack(builder, paint, rng)
    elif actor.label == "suitcase":
        things.suitcase(builder, paint, rng)
    elif actor.open_umbrella:  # lying open on its rim
        things.umbrella_open(builder, paint, rng, (-0.3, 0.28, 0.0), rng.uniform(0.6, 1.3))
    else:
        things.umbrella_closed(builder, paint, (0.0, 0.0, 0.0), rng.uniform(0.2, 0.5))
    return Figure(builder.freeze(), (Part(actor.label, actor.colour),))


def _animal(actor: Actor, walked: float, moving: bool) -> Figure:
    rng = np.random.default_rng(actor.seed)
    builder = Builder()
    paint = shade(actor.colour, rng)
    still = str(rng.choice(["stand", "sit", "lie"]))
    step = 0.45 if actor.label == "dog" else 0.26
    phase = math.pi * walked / step
    draw = animals.dog if actor.label == "dog" else animals.cat
    draw(builder, paint, rng, phase, "trot" if moving else still)
    return Figure(builder.freeze(), (Part(actor.label, actor.colour),))


def _cycle(actor: Actor, walked: float, moving: bool) -> Figure:
    rng = np.random.default_rng(actor.seed)
    builder = Builder()
    paint = shade(actor.colour, rng)
    is_bicycle = actor.label == "bicycle"
    phase = walked / 0.9 if is_bicycle else walked
    if is_bicycle:
        cycles.bicycle(builder, paint, rng, phase)
    else:
        cycles.motorcycle(builder, paint, rng, phase, actor.lit)
    parts = [Part(actor.label, actor.colour)]
    if actor.rider is not None:
        upper, lower = actor.rider
        builder.tag = 1
        body = _body(rng, upper, lower)
        seat = cycles.BICYCLE_SEAT if is_bicycle else cycles.MOTORCYCLE_SEAT
        pose = people.riding(
            phase if moving else 0.5, 0.38 if is_bicycle else 0.3, seat + 0.06, is_bicycle
        )
        if not is_bicycle:
            body = replace(body, head="helmet", scale=1.0)
        people.person(builder, body, pose, (-0.24, 0.0, 0.0))
        parts.append(Part("person", upper, (), upper, lower, actor.label))
    return Figure(builder.freeze(), tuple(parts))


def _person(actor: Actor, walked: float, moving: bool) -> Figure:
    rng = np.random.default_rng(actor.seed)
    builder = Builder()
    body = _body(rng, actor.colour, actor.lower)
    pose = people.walking(math.pi * walked / (STEP * body.scale) + actor.seed % 7)
    if not moving:
        pose = people.standing(rng)
    pose = _with_load(pose, actor.carrying)
    hands = people.person(builder, body, pose)
    person = Part("person", actor.colour, actor.carrying, actor.colour, actor.lower)
    parts = [person]
    for label, colour in actor.carrying:
        builder.tag = len(parts)
        _load(builder, label, colour, hands, body, rng, actor.open_umbrella)
        parts.append(Part(label, colour, carried=True))
    return Figure(builder.freeze(), tuple(parts))


def _body(rng: Rng, upper: str, lower: str | None) -> people.Body:
    legs = shade(lower, rng) if lower else people.trousers(rng)
    return people.Body.random(rng, shade(upper, rng), legs)


def _with_load(pose: people.Pose, carrying: tuple[tuple[str, str], ...]) -> people.Pose:
    """Return the pose with the left arm on a suitcase and the right arm holding an umbrella."""
    labels = [label for label, _ in carrying]
    arms, elbows = list(pose.arms), list(pose.elbows)
    if "suitcase" in labels:
        arms[0], elbows[0] = -0.4, 0.1
    if "umbrella" in labels:
        arms[1], elbows[1] = 0.5, 1.75
    return replace(pose, arms=(arms[0], arms[1]), elbows=(elbows[0], elbows[1]))


def _load(
    builder: Builder,
    label: str,
    colour: str,
    hands: list[people.Point],
    body: people.Body,
    rng: Rng,
    is_open: bool,
) -> None:
    paint = shade(colour, rng)
    s = body.scale
    left, right = hands
    if label == "backpack":
        bottom = (people.SHOULDER_HEIGHT - 0.52) * s
        things.backpack(builder, paint, rng, (-0.24 * s * body.breadth, bottom, 0.0))
    elif label == "suitcase":
        things.suitcase(builder, paint, rng, (left[0] - 0.12, 0.0, left[2] + 0.06), pulled=True)
    elif is_open:
        things.umbrella_open(builder, paint, rng, right, rng.uniform(-0.08, 0.2))
    else:
        foot = (right[0], right[1] - 0.8, right[2])
        things.umbrella_closed(builder, paint, foot, 0.05)
