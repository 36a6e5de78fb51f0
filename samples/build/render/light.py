"""The light of a place at an hour: sun, sky, lamps, haze.

All strengths are factors on paint colours in display space, not physical units; they were chosen
by looking at pictures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp at (x, y, z) metres; `reach` is the distance in metres where half is left."""

    place: tuple[float, float, float]
    colour: tuple[float, float, float]  # BGR factors at the lamp's best
    reach: float


@dataclass(frozen=True, slots=True)
class Light:
    """Everything that shades a surface; colours are BGR factors, sky colours BGR 0..255."""

    name: str
    sun: tuple[float, float, float]  # unit vector towards the sun
    sun_colour: tuple[float, float, float]
    sky_colour: tuple[float, float, float]  # ambient from above
    bounce: tuple[float, float, float]  # ambient from below
    shadow: float  # how much a cast shadow takes away, 0..1
    sky_top: tuple[float, float, float]
    sky_low: tuple[float, float, float]
    haze: float = 0.0  # share of sky_low mixed in at 100 m
    lamps: tuple[Lamp, ...] = ()

    def shade(self, normals: Array, place: Array, finish: Array) -> Array:
        """Return BGR factors (f, 3) for unit normals (f, 3) of an object at `place`."""
        up = (normals[:, 1:2] + 1.0) / 2.0
        ambient = np.array(self.bounce) * (1 - up) + np.array(self.sky_colour) * up
        direct = np.clip(normals @ np.array(self.sun), 0.0, None)[:, None]
        total = ambient + direct * np.array(self.sun_colour)
        for lamp in self.lamps:
            total += self._lamp(lamp, normals, place)
        mirrored = np.clip(finish, 0.0, None)[:, None] * np.clip(up - 0.45, 0.0, 1.0)
        factors: Array = total * (1.0 + 1.2 * mirrored)
        return factors

    @staticmethod
    def _lamp(lamp: Lamp, normals: Array, place: Array) -> Array:
        towards = np.array(lamp.place) - place
        distance = float(np.sqrt(towards @ towards))
        fall = 1.0 / (1.0 + (distance / lamp.reach) ** 2)
        facing = 0.35 + 0.65 * np.clip(normals @ (towards / max(distance, 1e-6)), 0.0, None)
        share: Array = (facing * fall)[:, None] * np.array(lamp.colour)
        return share

    def on_ground(self, x: Array, z: Array) -> Array:
        """Return BGR factors (..., 3) of the lit ground at (x, z)."""
        flat = self.sun[1] * np.array(self.sun_colour) + np.array(self.sky_colour)
        total = np.broadcast_to(flat, (*x.shape, 3)).copy()
        for lamp in self.lamps:
            height = lamp.place[1]
            square = (x - lamp.place[0]) ** 2 + (z - lamp.place[2]) ** 2 + height**2
            fall = 1.0 / (1.0 + square / lamp.reach**2)
            steep = 0.35 + 0.65 * height / np.sqrt(square)
            total += (fall * steep)[..., None] * np.array(lamp.colour)
        return total


def sun_vector(bearing: float, elevation: float) -> tuple[float, float, float]:
    """Return the unit vector towards a sun at angles in degrees; bearing 0 is along +z."""
    b, e = math.radians(bearing), math.radians(elevation)
    return (math.sin(b) * math.cos(e), math.sin(e), math.cos(b) * math.cos(e))


def daylight(bearing: float = 140.0, elevation: float = 50.0, cloud: float = 0.0) -> Light:
    """Light of a day; cloud 0 is clear, 1 is overcast without shadows."""
    sun = 0.66 * (1 - 0.85 * cloud)
    warm = max(0.0, 1.0 - elevation / 35.0)
    sky = 0.56 + 0.28 * cloud
    return Light(
        name="overcast" if cloud > 0.7 else "day",
        sun=sun_vector(bearing, elevation),
        sun_colour=(sun * (1 - 0.45 * warm), sun * (1 - 0.15 * warm), sun),
        sky_colour=(sky * 1.06, sky, sky * 0.96),
        bounce=(0.36 + 0.2 * cloud,) * 3,
        shadow=0.55 * (1 - 0.85 * cloud),
        sky_top=_blend((214, 158, 104), (206, 200, 196), cloud),
        sky_low=_blend((240, 226, 208), (222, 218, 214), cloud),
        haze=0.25 + 0.25 * cloud,
    )


def twilight(bearing: float, morning: bool) -> Light:
    """Light of dawn (cool) or dusk (warm), sun near the horizon."""
    warm = (0.2, 0.32, 0.46) if not morning else (0.3, 0.32, 0.36)
    return Light(
        name="dawn" if morning else "dusk",
        sun=sun_vector(bearing, 9.0),
        sun_colour=warm,
        sky_colour=(0.52, 0.46, 0.42) if morning else (0.44, 0.38, 0.4),
        bounce=(0.26, 0.24, 0.24),
        shadow=0.3,
        sky_top=(172, 132, 104) if morning else (120, 84, 72),
        sky_low=(206, 204, 220) if morning else (104, 140, 216),
        haze=0.5,
    )


def night(lamps: tuple[Lamp, ...], glow: float = 0.16) -> Light:
    """Light of a night with lamps; `glow` is what the sky of a town leaves."""
    return Light(
        name="night",
        sun=(0.0, 1.0, 0.0),
        sun_colour=(0.0, 0.0, 0.0),
        sky_colour=(glow * 1.15, glow, glow * 0.95),
        bounce=(glow * 0.6,) * 3,
        shadow=0.25,
        sky_top=(34, 24, 20),
        sky_low=(54, 44, 44),
        haze=0.2,
        lamps=lamps,
    )


def indoors(lamps: tuple[Lamp, ...], level: float = 0.55) -> Light:
    """Light of a room: soft from above, no sun."""
    return Light(
        name="indoors",
        sun=sun_vector(200.0, 65.0),
        sun_colour=(0.16, 0.18, 0.19),
        sky_colour=(level, level * 1.02, level * 1.04),
        bounce=(level * 0.62,) * 3,
        shadow=0.28,
        sky_top=(210, 214, 216),
        sky_low=(222, 224, 226),
        lamps=lamps,
    )


def with_lamps(light: Light, *lamps: Lamp) -> Light:
    """Return the light with more lamps, such as the headlights of a car."""
    return replace(light, lamps=(*light.lamps, *lamps))


def _blend(
    first: tuple[float, float, float], second: tuple[float, float, float], share: float
) -> tuple[float, float, float]:
    b, g, r = (a + (z - a) * share for a, z in zip(first, second, strict=True))
    return (b, g, r)
