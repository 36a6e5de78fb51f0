"""Dogs and cats of several breeds, trotting, standing, sitting and lying."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .mesh import Array, Builder, moved
from .palette import DARK, WHITE, Bgr, mix, tint

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Breed:
    """Measures in metres."""

    shoulder: float  # height of the back
    length: float  # chest to rump
    girth: float  # radius of the chest
    leg: float  # radius of a leg
    head: float  # radius of the skull
    muzzle: float
    ear: str  # "pointed", "hanging"
    tail: float


DOGS = (
    Breed(0.58, 0.62, 0.15, 0.04, 0.1, 0.13, "pointed", 0.36),  # shepherd
    Breed(0.56, 0.58, 0.15, 0.04, 0.1, 0.11, "hanging", 0.34),  # retriever
    Breed(0.34, 0.4, 0.1, 0.03, 0.085, 0.08, "hanging", 0.18),  # terrier
    Breed(0.26, 0.52, 0.1, 0.03, 0.075, 0.1, "hanging", 0.2),  # dachshund
    Breed(0.66, 0.6, 0.14, 0.035, 0.09, 0.15, "hanging", 0.4),  # pointer
)
CATS = (
    Breed(0.25, 0.3, 0.075, 0.02, 0.066, 0.018, "pointed", 0.3),
    Breed(0.27, 0.33, 0.095, 0.025, 0.074, 0.016, "pointed", 0.28),
    Breed(0.24, 0.31, 0.065, 0.018, 0.06, 0.02, "pointed", 0.33),
)


def dog(builder: Builder, colour: Bgr, rng: Rng, phase: float, pose: str) -> None:
    """Add a dog; `pose` is "trot", "stand", "sit" or "lie"; `phase` moves the legs."""
    breed = DOGS[int(rng.integers(len(DOGS)))]
    second = _second(colour, rng)
    _animal(builder, breed, (colour, second), rng, phase, pose, is_cat=False)


def cat(builder: Builder, colour: Bgr, rng: Rng, phase: float, pose: str) -> None:
    """Add a cat; poses as for dogs."""
    breed = CATS[int(rng.integers(len(CATS)))]
    second = _second(colour, rng)
    _animal(builder, breed, (colour, second), rng, phase, pose, is_cat=True)


def _second(colour: Bgr, rng: Rng) -> Bgr:
    """Return the colour of chest, paws and muzzle."""
    if rng.random() < 0.35:
        return mix(colour, WHITE, 0.75)
    return tint(colour, rng.uniform(0.75, 1.15))


def _animal(
    builder: Builder,
    breed: Breed,
    coat: tuple[Bgr, Bgr],
    rng: Rng,
    phase: float,
    pose: str,
    is_cat: bool,
) -> None:
    back, half, g = breed.shoulder, breed.length / 2, breed.girth
    drop = {"lie": back - g * 1.1, "sit": 0.0}.get(pose, 0.0)
    chest = np.array([half, back - g - drop, 0.0])
    rump = np.array([-half, back - g * 1.05 - drop, 0.0])
    if pose == "sit":
        chest = np.array([half * 0.55, back - g * 0.8, 0.0])
        rump = np.array([-half * 0.55, g * 0.9, 0.0])
    colour = coat[0]
    builder.limb(rump, chest, (g * 0.86, g), colour)
    builder.limb(
        moved((chest + rump) / 2, 0.0, -g * 0.1, 0.0), chest, (g * 0.85, g * 1.02), colour, 0.01
    )
    if is_cat and rng.random() < 0.5:  # tabby stripes
        for share in (0.2, 0.4, 0.6, 0.8):
            at = moved(rump + (chest - rump) * share, 0.0, g * 0.55, 0.0)
            builder.limb(
                moved(at, 0, 0, -g * 0.6),
                moved(at, 0, 0, g * 0.6),
                (0.014, 0.014),
                tint(colour, 0.6),
                0.08,
            )
    _legs(builder, breed, coat, phase, pose, (chest, rump))
    _tail(builder, breed, colour, phase, rump, is_cat)
    lift = breed.shoulder * (0.2 if is_cat else 0.3)
    reach = breed.head * (1.0 if is_cat else 1.3)
    head = moved(chest, g * 0.5 + reach, lift + g * 0.3, 0.0)
    builder.limb(
        moved(chest, 0, g * 0.2, 0),
        moved(head, -breed.head * 0.4, -0.02, -0),
        (g * 0.72, breed.head * 0.72),
        colour,
    )
    _head(builder, breed, coat, head, is_cat)


def _legs(
    builder: Builder,
    breed: Breed,
    coat: tuple[Bgr, Bgr],
    phase: float,
    pose: str,
    ends: tuple[Array, Array],
) -> None:
    chest, rump = ends
    colour, second = coat
    swing = 0.5 if pose == "trot" else 0.04
    for i, (top, side) in enumerate(((chest, 1), (chest, -1), (rump, -1), (rump, 1))):
        hip = moved(top, 0.0, -breed.girth * 0.3, side * breed.girth * 0.6)
        if pose == "lie" or (pose == "sit" and i >= 2):
            paw = np.array([hip[0] + breed.shoulder * 0.34, breed.leg, hip[2]])
            builder.limb(
                [hip[0], max(hip[1], breed.leg), hip[2]], paw, (breed.leg * 1.5, breed.leg), colour
            )
            continue
        angle = swing * math.sin(phase + (math.pi if i % 2 else 0.0))
        length = max(0.02, hip[1] - breed.leg)
        paw = hip + np.array([math.sin(angle), -math.cos(angle), 0.0]) * length
        bend = -0.08 * breed.shoulder if i >= 2 else 0.04 * breed.shoulder
        knee = moved((hip + paw) / 2, bend, 0.0, 0.0)
        builder.limb(hip, knee, (breed.leg * 1.6, breed.leg * 1.1), tint(colour, 0.92))
        builder.limb(knee, paw, (breed.leg * 1.05, breed.leg * 0.9), second)
        builder.limb(paw, moved(paw, breed.leg, 0.0, 0.0), (breed.leg, breed.leg * 0.8), second)


def _tail(
    builder: Builder, breed: Breed, colour: Bgr, phase: float, rump: Array, is_cat: bool
) -> None:
    root = moved(rump, -breed.girth * 0.7, breed.girth * 0.4, 0.0)
    sway = 0.06 * math.sin(phase * 1.3)
    if is_cat:
        mid = moved(root, -breed.tail * 0.4, breed.tail * 0.25, sway)
        tip = moved(mid, -breed.tail * 0.15, breed.tail * 0.6, sway)
        width = breed.girth * 0.24
    else:
        mid = moved(root, -breed.tail * 0.4, breed.tail * 0.35, sway)
        tip = moved(mid, -breed.tail * 0.4, breed.tail * 0.3, sway)
        width = breed.girth * 0.28
    builder.limb(root, mid, (width, width * 0.9), colour)
    builder.limb(mid, tip, (width * 0.9, width * 0.6), tint(colour, 0.9))


def _head(builder: Builder, breed: Breed, coat: tuple[Bgr, Bgr], head: Array, is_cat: bool) -> None:
    colour, second = coat
    r = breed.head
    builder.ball(head, r, colour, 0.02)
    nose = moved(head, r * 0.6 + breed.muzzle, -r * 0.3, 0.0)
    builder.limb(moved(head, r * 0.4, -r * 0.28, 0.0), nose, (r * 0.62, r * 0.4), second, 0.03)
    builder.ball(moved(nose, r * 0.25, r * 0.12, 0.0), r * 0.2, DARK, 0.05)
    for side in (-1.0, 1.0):
        eye = moved(head, r * 0.72, r * 0.28, side * r * 0.42)
        builder.ball(eye, r * 0.14, (60, 190, 190) if is_cat else (24, 24, 28), 0.06)
        root = moved(head, -r * 0.1, r * 0.6, side * r * 0.6)
        if breed.ear == "pointed":
            tall = r * (0.95 if is_cat else 1.1)
            points = [
                moved(root, 0.0, 0.0, -r * 0.36),
                moved(root, 0.0, 0.0, r * 0.36),
                moved(root, -r * 0.1, tall, side * r * 0.18),
            ]
            builder.face(np.stack(points), tint(colour, 0.8), None, bias=0.03)
            builder.limb(
                root,
                moved(root, -0.1 * r, tall * 0.8, side * r * 0.14),
                (r * 0.3, r * 0.06),
                tint(colour, 0.85),
                0.02,
            )
        else:
            builder.limb(
                moved(root, 0, 0, side * r * 0.1),
                moved(root, r * 0.1, -r * 1.0, side * r * 0.4),
                (r * 0.26, r * 0.36),
                tint(colour, 0.75),
                0.05,
            )
