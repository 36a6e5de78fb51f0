"""The context prefix of a crop, by rule. Pure functions; the grammar, in order:

    prefix    = place " " clock " " object [" " stay] [" " company]
    place     = camera name ["," site] "."
    clock     = weekday day month year "," hour ":" minute "," part of day "."
    object    = [size] named "," place in frame ["," "in" zone] ["," movement] "."
    named     = [colour] label | "person" ["in" colour]
    stay      = "In view for" duration "."
    company   = "Nearby:" neighbour {"," neighbour} "."
    neighbour = ["beside"] [count] named "(" relation ")"

    Gate camera 1, Rotterdam. Tuesday 3 March 2026, 07:15, early morning. Large red truck, centre,
    in exit lane, moving left. In view for 12 s. Nearby: beside white bus (touching), 2 persons (left
    of it).

Weekdays and months are English words whatever the computer's locale.  Sizes and places are those of
the box in the frame.  A neighbour that is the larger one is introduced by "beside"; neighbours with
the same label, colour, relation and size are counted together.  The words that `scene_words` returns
are the prefix without clock and stay, so that equal scenes at different hours share one text vector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from vision_ctx.types import SCENE, Box, Camera, Nearby

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
# Hours at which a part of the day begins, as people say it; before the first it is night.
_PARTS = ((5, "early morning"), (8, "morning"), (12, "midday"), (14, "afternoon"), (18, "evening"))
_NIGHT_FROM = 22
# Share of the frame's area from which a box counts as large, and below which as small: COCO calls
# objects under 32² of 640 × 480 pixels small (0.3 %) and over 96² large (3 %); a camera that looks at
# a scene sees most things smaller than a photographer, and a tenth of the picture strikes as large.
_LARGE, _SMALL = 0.10, 0.003
_THIRD = 1 / 3
# An object seen in one frame only, or two, says nothing of how long it stayed.
_GLIMPSE_S = 2.0
# Words among the labels of common detectors (COCO, Open Images, wildlife) with plurals of their own.
_IRREGULAR = {
    **{
        word: word for word in ("aircraft", "broccoli", "deer", "fish", "sheep", "skis", "scissors")
    },
    **{"calf": "calves", "goose": "geese", "knife": "knives", "mouse": "mice", "wolf": "wolves"},
    **{"child": "children", "man": "men", "woman": "women"},
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What the prefix says of an object besides its camera and clock.

    ``movement`` is a direction in words; ``stay_s`` says for how long the object was in view.
    """

    label: str
    box: Box
    frame_size: tuple[int, int]
    neighbours: tuple[Nearby, ...] = ()
    colour: str | None = None
    zone: str | None = None
    movement: str | None = None
    stay_s: float = 0.0


def prefix(camera: Camera, local: datetime, subject: Subject) -> str:
    """The whole prefix; ``local`` is the instant in the camera's own zone."""
    parts = (
        place_words(camera),
        clock_words(local),
        object_words(subject),
        stay_words(subject.stay_s),
        company_words(subject.neighbours),
    )
    return " ".join(part for part in parts if part)


def scene_words(camera: Camera, subject: Subject) -> str:
    """The prefix without its clock and its stay."""
    parts = (place_words(camera), object_words(subject), company_words(subject.neighbours))
    return " ".join(part for part in parts if part)


def place_words(camera: Camera) -> str:
    """``Gate camera 1, Rotterdam.``; a bare id is introduced by the word camera."""
    name = camera.name if "camera" in camera.name.lower() else f"Camera {camera.name}"
    return f"{name}, {camera.site}." if camera.site else f"{name}."


def clock_words(local: datetime) -> str:
    """``Tuesday 3 March 2026, 07:15, early morning.``"""
    day = f"{_WEEKDAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]} {local.year}"
    return f"{day}, {local:%H:%M}, {part_of_day(local.hour)}."


def part_of_day(hour: int) -> str:
    """The part of the day of an hour from 0 to 23."""
    if hour >= _NIGHT_FROM or hour < _PARTS[0][0]:
        return "night"
    return next(name for start, name in reversed(_PARTS) if hour >= start)


def object_words(subject: Subject) -> str:
    """``Large red bus, centre, in dock door 2, moving left.``; of a whole frame that it is empty."""
    if subject.label == SCENE:
        return "Scene without detected objects."
    size = size_word(subject.box, subject.frame_size)
    words = f"{size} {coloured(subject.label, subject.colour)}".strip()
    place = place_in_frame(subject.box, subject.frame_size)
    where = f"in {subject.zone}" if subject.zone else ""
    parts = (f"{words[0].upper()}{words[1:]}", place, where, subject.movement)
    return f"{', '.join(part for part in parts if part)}."


def stay_words(seconds: float) -> str:
    """``In view for 12 s.``; nothing for a glimpse."""
    if seconds < _GLIMPSE_S:
        return ""
    if seconds < 120:
        return f"In view for {round(seconds)} s."
    return f"In view for {round(seconds / 60)} min."


def size_word(box: Box, frame_size: tuple[int, int]) -> str:
    """``large``, ``small`` or nothing, by the box's share of the frame."""
    share = box.area / (frame_size[0] * frame_size[1])
    return "large" if share >= _LARGE else "small" if share < _SMALL else ""


def place_in_frame(box: Box, frame_size: tuple[int, int]) -> str:
    """The ninth of the frame in which the box's centre lies: ``top left`` … ``centre``."""
    x, y = box.centre[0] / frame_size[0], box.centre[1] / frame_size[1]
    column = "left" if x < _THIRD else "right" if x > 1 - _THIRD else ""
    row = "top" if y < _THIRD else "bottom" if y > 1 - _THIRD else ""
    return f"{row} {column}".strip() or "centre"


def company_words(neighbours: Sequence[Nearby]) -> str:
    """``Nearby: beside bus (touching), 2 persons (left of it).``; nothing without neighbours."""
    if not neighbours:
        return ""
    counted = Counter(neighbours)  # keeps the order of the first of each, nearest first
    return f"Nearby: {', '.join(_neighbour(n, count) for n, count in counted.items())}."


def _neighbour(neighbour: Nearby, count: int) -> str:
    relation = neighbour.relation
    where = relation if relation == "touching" else f"{relation} it"
    what = neighbour.label if count == 1 else plural(neighbour.label)
    name = f"{count if count > 1 else ''} {coloured(what, neighbour.colour)}".strip()
    return f"{'beside ' if neighbour.larger else ''}{name} ({where})"


def coloured(name: str, colour: str | None) -> str:
    """``red truck``, but ``person in red``: of people it is the clothes."""
    if not colour:
        return name
    return f"{name} in {colour}" if name in ("person", "persons") else f"{colour} {name}"


def plural(label: str) -> str:
    """The English plural of a detector's label: persons, buses, wine glasses, knives, sheep."""
    last = label.split(" ")[-1]
    if last.lower() in _IRREGULAR:
        return label[: len(label) - len(last)] + _IRREGULAR[last.lower()]
    if label.endswith(("s", "x", "z", "ch", "sh")):
        return f"{label}es"
    if label.endswith("y") and label[-2:-1] not in "aeiou":
        return f"{label[:-1]}ies"
    return f"{label}s"
