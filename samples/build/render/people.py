"""People: jointed figures that walk, stand, sit and ride, dressed in named colours."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .mesh import MATT, Array, Builder, moved, ring
from .palette import DARK, HAIR, SKIN, Bgr, pick, tint

Rng = np.random.Generator
Point = tuple[float, float, float]

THIGH, SHIN, UPPER_ARM, FOREARM = 0.45, 0.44, 0.3, 0.28  # metres for a body of 1.75 m
HIP_HEIGHT, SHOULDER_HEIGHT = 0.93, 1.43


@dataclass(frozen=True, slots=True)
class Body:
    """What a person looks like; drawn once per person from a seed."""

    upper: Bgr
    lower: Bgr
    skin: Bgr
    hair: Bgr
    shoes: Bgr
    scale: float  # height / 1.75 m
    breadth: float
    head: str  # "short", "long", "cap", "hood", "helmet", "bald"
    cut: str  # "jacket", "coat", "shirt", "vest", "dress"
    headgear: Bgr

    @staticmethod
    def random(rng: Rng, upper: Bgr, lower: Bgr) -> Body:
        """Return a body in the given clothes."""
        child = rng.random() < 0.07
        return Body(
            upper=upper,
            lower=lower,
            skin=pick(rng, SKIN),
            hair=pick(rng, HAIR),
            shoes=(235, 235, 235) if rng.random() < 0.25 else (38, 36, 36),
            scale=rng.uniform(0.68, 0.8) if child else rng.uniform(0.91, 1.07),
            breadth=rng.uniform(0.9, 1.18),
            head=str(
                rng.choice(
                    ["short", "short", "long", "cap", "hood", "helmet", "bald"],
                    p=[0.28, 0.12, 0.27, 0.12, 0.08, 0.08, 0.05],
                )
            ),
            cut=str(
                rng.choice(
                    ["jacket", "coat", "shirt", "vest", "dress"], p=[0.45, 0.15, 0.25, 0.1, 0.05]
                )
            ),
            headgear=(50, 190, 240) if rng.random() < 0.4 else (70, 50, 40),
        )


@dataclass(frozen=True, slots=True)
class Pose:
    """How a person holds the body; angles in radians, positive = forward."""

    thighs: tuple[float, float]  # left, right
    knees: tuple[float, float]  # bend backwards
    arms: tuple[float, float]
    elbows: tuple[float, float]
    lean: float = 0.0
    hip_lift: float = 0.0  # metres above standing
    spread: float = 0.0  # arms away from the body


def walking(phase: float, pace: float = 1.0) -> Pose:
    """Return the pose at a phase (radians) of a step cycle; pace 0 stands still."""
    swing = 0.48 * pace * math.sin(phase)
    bend = 0.6 * pace
    left = bend * max(0.0, math.cos(phase)) + 0.06
    right = bend * max(0.0, -math.cos(phase)) + 0.06
    drop = -0.025 * pace * abs(math.sin(phase))
    return Pose(
        (swing, -swing),
        (left, right),
        (-swing * 0.8, swing * 0.8),
        (0.25 + 0.2 * pace,) * 2,
        0.04 * pace,
        drop,
        0.1,
    )


def standing(rng: Rng) -> Pose:
    """Return one of several ways to stand."""
    stance = rng.uniform(-0.06, 0.06)
    ways = (
        ((0.0, 0.0), (0.15, 0.15), 0.1),
        ((0.3, 0.3), (1.7, 1.7), 0.15),  # arms folded or holding a tablet
        ((0.1, 0.6), (0.2, 1.9), 0.12),  # on the phone
        ((-0.15, -0.15), (0.9, 0.9), 0.35),  # hands on hips
    )
    arms, elbows, spread = ways[int(rng.integers(len(ways)))]
    return Pose((stance, -stance), (0.04, 0.04), arms, elbows, 0.02, 0.0, spread)


def riding(phase: float, lean: float, seat: float, pedals: bool) -> Pose:
    """Return a rider's pose on a seat `seat` metres high; `pedals` moves the legs."""
    turn = 0.32 * math.sin(phase) if pedals else 0.0
    thighs = (1.05 + turn, 1.05 - turn) if pedals else (1.2, 1.2)
    knees = (1.1 + turn * 0.9, 1.1 - turn * 0.9) if pedals else (1.5, 1.5)
    return Pose(
        thighs, knees, (0.95 - lean * 0.3,) * 2, (0.35, 0.35), lean, seat - HIP_HEIGHT, 0.12
    )


def sitting(seat: float = 0.48) -> Pose:
    """Return the pose on a chair."""
    return Pose((1.45, 1.45), (1.4, 1.4), (0.5, 0.5), (0.9, 0.9), 0.06, seat - HIP_HEIGHT, 0.1)


def person(builder: Builder, body: Body, pose: Pose, at: Point = (0.0, 0.0, 0.0)) -> list[Point]:
    """Add a person standing at `at` and return the places of the left and the right hand."""
    s = body.scale
    x0, y0, z0 = at
    hip = np.array([x0, y0 + (HIP_HEIGHT * s + pose.hip_lift), z0])
    up = np.array([math.sin(pose.lean), math.cos(pose.lean), 0.0])
    neck = hip + up * (SHOULDER_HEIGHT - HIP_HEIGHT + 0.05) * s
    _legs(builder, body, pose, hip)
    _torso(builder, body, hip, up)
    _head(builder, body, neck, up)
    return _arms(builder, body, pose, hip + up * (SHOULDER_HEIGHT - HIP_HEIGHT - 0.03) * s)


def _legs(builder: Builder, body: Body, pose: Pose, hip: Array) -> None:
    s, b = body.scale, body.breadth
    for i, side in enumerate((1.0, -1.0)):
        top = hip + np.array([0.0, -0.02, side * 0.085 * b * s])
        knee = top + _swing(pose.thighs[i]) * THIGH * s
        ankle = knee + _swing(pose.thighs[i] - pose.knees[i]) * SHIN * s
        cloth = body.lower if body.cut != "dress" else body.skin
        builder.limb(top, knee, (0.088 * b * s, 0.064 * b * s), cloth)
        builder.limb(knee, ankle, (0.064 * b * s, 0.048 * s), tint(cloth, 0.94))
        builder.limb(
            moved(ankle, -0.03 * s, -0.005, 0.0),
            moved(ankle, 0.14 * s, -0.02 * s, 0.0),
            (0.046 * s, 0.036 * s),
            body.shoes,
        )


def _torso(builder: Builder, body: Body, hip: Array, up: Array) -> None:
    s, b = body.scale, body.breadth
    rise = (SHOULDER_HEIGHT - HIP_HEIGHT) * s
    shape = (
        (-0.16, 0.118, 0.172),
        (0.22, 0.108, 0.158),
        (0.72, 0.128, 0.198),
        (0.98, 0.11, 0.196),
        (1.09, 0.06, 0.08),
    )
    rings = [
        ring(hip + up * rise * h, (deep * b * s, wide * b * s), 8, 0.15) for h, deep, wide in shape
    ]
    builder.loft(rings, body.upper, MATT, 0.03)
    if body.cut in ("coat", "dress"):
        hem = -0.95 if body.cut == "coat" else -1.05
        skirt = [
            ring(hip + up * rise * h, (deep * b * s, wide * b * s), 8, 0.15)
            for h, deep, wide in ((hem, 0.17, 0.225), (-0.1, 0.125, 0.178))
        ]
        builder.loft(skirt, body.upper, MATT, 0.02)
    if body.cut == "vest":  # a work vest has a bright band round the body
        band = [
            ring(hip + up * rise * h, (0.125 * b * s, 0.188 * b * s), 8, 0.15) for h in (0.3, 0.4)
        ]
        builder.loft(band, (205, 226, 226), MATT, 0.05)
    if body.cut == "jacket":
        waist = [
            ring(hip + up * rise * h, (0.122 * b * s, 0.178 * b * s), 8, 0.15)
            for h in (-0.17, -0.1)
        ]
        builder.loft(waist, tint(body.upper, 0.7), MATT, 0.05)


def _head(builder: Builder, body: Body, neck: Array, up: Array) -> None:
    s = body.scale
    centre = neck + up * 0.16 * s
    builder.limb(neck - up * 0.03, neck + up * 0.08 * s, (0.055 * s, 0.05 * s), body.skin)
    builder.limb(centre - up * 0.045 * s, centre + up * 0.03 * s, (0.085 * s, 0.1 * s), body.skin)
    ahead = np.array([1.0, 0.0, 0.0])
    back = centre - ahead * 0.035 * s + up * 0.035 * s
    if body.head == "bald":
        return
    colour = body.hair
    if body.head == "hood":
        colour = tint(body.upper, 0.85)
        builder.ball(back, 0.13 * s, colour, -0.04)
    elif body.head in ("cap", "helmet"):
        colour = body.headgear
        builder.ball(centre + up * 0.055 * s, 0.108 * s, colour, 0.03)
        brim = centre + ahead * 0.12 * s + up * 0.05 * s
        builder.limb(brim, brim + ahead * 0.05 * s, (0.03 * s, 0.02 * s), tint(colour, 0.7), 0.03)
        return
    builder.ball(centre + up * 0.06 * s - ahead * 0.02 * s, 0.1 * s, colour, 0.0)
    builder.ball(back, 0.104 * s, colour, 0.0)
    if body.head == "long":
        builder.limb(back, back - up * 0.2 * s - ahead * 0.03 * s, (0.095 * s, 0.07 * s), colour)


def _arms(builder: Builder, body: Body, pose: Pose, shoulders: Array) -> list[Point]:
    s, b = body.scale, body.breadth
    hands: list[Point] = []
    bare = body.cut in ("vest", "dress", "shirt")
    for i, side in enumerate((1.0, -1.0)):
        top = shoulders + np.array([0.0, 0.0, side * 0.2 * b * s])
        out = np.array([0.0, 0.0, side * math.sin(pose.spread)])
        elbow = top + (_swing(pose.arms[i]) + out) * UPPER_ARM * s
        hand = elbow + (_swing(pose.arms[i] + pose.elbows[i]) + out * 0.3) * FOREARM * s
        builder.limb(top, elbow, (0.064 * b * s, 0.05 * b * s), tint(body.upper, 0.92), 0.02)
        sleeve = body.skin if bare else tint(body.upper, 0.88)
        builder.limb(elbow, hand, (0.048 * b * s, 0.036 * s), sleeve, 0.03)
        builder.ball(hand, 0.045 * s, body.skin, 0.04)
        hands.append((float(hand[0]), float(hand[1]), float(hand[2])))
    return hands


def _swing(angle: float) -> Array:
    return np.array([math.sin(angle), -math.cos(angle), 0.0])


def trousers(rng: Rng) -> Bgr:
    """Return a usual trouser colour: denim, black, grey, khaki."""
    usual: tuple[Bgr, ...] = ((96, 66, 46), (120, 86, 60), DARK, (90, 88, 86), (96, 128, 150))
    return tint(pick(rng, usual), rng.uniform(0.8, 1.15))
