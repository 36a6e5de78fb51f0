"""What a scene consists of: a clip or still, its events, and the people and things in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .motion import Cue


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a report speaks of. `zone` names a zone of the camera or is empty."""

    id: str
    kind: str
    summary: str
    cues: Sequence[Cue]
    zone: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """One recording. `start` is local time without offset; `duration_s` 0 means a still.

    `everyday` is how many further, unreported things pass by; `lively` says which.
    """

    camera: str
    start: str
    duration_s: float
    light: str
    weather: str
    events: Sequence[Event] = ()
    everyday: int = 4
    filler: int = 1
    fps: int = 12
