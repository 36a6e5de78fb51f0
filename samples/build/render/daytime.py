"""The light of the sample site's recordings, from a word for the light, the weather and the hour."""

from __future__ import annotations

import math
from dataclasses import replace

from .light import Lamp, Light, daylight, indoors, night, twilight

# Lamps that burn at night (x, height, z) in metres; warm sodium light at gate and yard.
WARM, COOL = (0.5, 0.74, 0.86), (0.84, 0.86, 0.82)
LAMPS: dict[str, tuple[Lamp, ...]] = {
    "gate": (
        Lamp((-5.0, 4.5, 12.0), COOL, 8.0),
        Lamp((9.6, 6.0, 16.5), WARM, 9.0),
        Lamp((0.3, 6.5, 29.0), WARM, 9.0),
        Lamp((-20.0, 6.5, 30.0), WARM, 9.0),
    ),
    "dock": (
        Lamp((-9.0, 6.0, 21.0), COOL, 8.5),
        Lamp((3.0, 6.0, 21.0), COOL, 8.5),
        Lamp((0.0, 7.0, 8.0), COOL, 8.0),
    ),
    "yard": (
        Lamp((7.8, 6.0, 11.4), WARM, 9.0),
        Lamp((-8.0, 6.0, 13.0), WARM, 8.5),
        Lamp((-2.0, 6.5, 25.0), WARM, 9.0),
    ),
    "lobby": (),
}


def light_of(place: str, kind: str, weather: str, hour: float) -> Light:
    """Return the light of a view; `kind` is "day", "dawn", "dusk", "night" or "indoors".

    Raises:
        ValueError: the kind is another word.
    """
    if kind == "indoors":
        dark_outside = hour < 7.5 or hour > 18.5
        return indoors((), 0.6 if dark_outside else 0.7)
    if kind == "night":
        return _weathered(night(LAMPS[place], 0.2), weather)
    if kind in ("dawn", "dusk"):
        light = twilight(80.0 if kind == "dawn" else -70.0, kind == "dawn")
        return _weathered(replace(light, lamps=_dimmed(LAMPS[place], 0.35)), weather)
    if kind != "day":
        raise ValueError(f"no such light: {kind!r}")
    # the sun of March at 52 degrees north: up at 7, 36 degrees high at 13
    height = max(9.0, 36.0 * math.sin(math.pi * (hour - 6.5) / 12.5))
    bearing = 110.0 + (hour - 7.0) * 15.0
    return _weathered(daylight(bearing, height, 0.0 if weather == "clear" else 0.9), weather)


def _weathered(light: Light, weather: str) -> Light:
    if weather == "fog":
        pale = tuple(0.6 * c + 0.4 * 200 for c in light.sky_low)
        fog = (pale[0], pale[1], pale[2])
        return replace(light, haze=2.4, sky_low=fog, sky_top=fog, shadow=0.05)
    if weather == "rain":
        sky = tuple(c * 0.86 for c in light.sky_colour)
        low = tuple(c * 0.86 for c in light.sky_low)
        top = tuple(c * 0.8 for c in light.sky_top)
        return replace(light, haze=max(light.haze, 0.7), shadow=min(light.shadow, 0.08),
                       sky_colour=(sky[0], sky[1], sky[2]), sky_low=(low[0], low[1], low[2]),
                       sky_top=(top[0], top[1], top[2]))  # fmt: skip
    return light


def _dimmed(lamps: tuple[Lamp, ...], factor: float) -> tuple[Lamp, ...]:
    return tuple(
        Lamp(
            lamp.place,
            (lamp.colour[0] * factor, lamp.colour[1] * factor, lamp.colour[2] * factor),
            lamp.reach,
        )
        for lamp in lamps
    )
