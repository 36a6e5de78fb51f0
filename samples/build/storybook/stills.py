"""The still pictures: one instant each."""

from __future__ import annotations

from .motion import Cue
from .scene import Event, Scene

SCENES = (
    Scene("yard", "2026-03-03T07:16:29", 0, "day", "overcast", (
        Event("INC-2026-03-058", "misparked truck",
              "the red pickup of bay 2 photographed with a white car in bay 3",
              (Cue("truck", "red", "@bay 2", model="pickup", note="red pickup"),
               Cue("car", "white", "@bay 3", note="white car")), "staff parking"),
    ), everyday=5, filler=0),
    Scene("yard", "2026-03-09T16:32:40", 0, "day", "clear", (
        Event("INC-2026-03-023", "oil stain", "orange car in bay 4 above an oil stain",
              (Cue("car", "orange", "@bay 4", note="orange car"),), "staff parking"),
    ), everyday=7, filler=0),
    Scene("yard", "2026-03-20T08:12:05", 0, "day", "overcast", (
        Event("INC-2026-03-040", "bicycle rack full",
              "two bicycles, green and white, at the rack",
              (Cue("bicycle", "green", "@rack", note="green bicycle"),
               Cue("bicycle", "white", "@rack left", note="white bicycle")), "bicycle rack"),
    ), everyday=6, filler=0),
    Scene("dock", "2026-03-02T13:05:12", 0, "day", "clear", (
        Event("INC-2026-03-006", "damaged door frame", "purple truck at door 3",
              (Cue("truck", "purple", "@door 3", model="box", note="purple truck"),
               Cue("person", "yellow", "@pallets", lower="black",
                   note="foreman in a yellow jacket")), "dock door 3"),
    ), everyday=6, filler=0),
    Scene("dock", "2026-03-20T05:48:30", 0, "dawn", "clear", (
        Event("DEL-2026-03-022", "delivery", "black truck early at door 1",
              (Cue("truck", "black", "@door 1", model="box", lit=True, note="black truck"),),
              "dock door 1"),
    ), everyday=6, filler=0),
    Scene("lobby", "2026-03-04T12:02:15", 0, "indoors", "clear", (
        Event("INC-2026-03-059", "unattended item", "black suitcase at the window",
              (Cue("suitcase", "black", "@window", note="black suitcase"),)),
    ), everyday=6, filler=0),
    Scene("lobby", "2026-03-17T16:45:50", 0, "indoors", "clear", (
        Event("VIS-2026-03-016", "visit",
              "technician in orange with a yellow backpack at the desk",
              (Cue("person", "orange", "@desk", lower="black",
                   carrying=(("backpack", "yellow"),), note="technician in orange"),),
              "reception"),
    ), everyday=6, filler=0),
    Scene("lobby", "2026-03-31T08:20:30", 0, "indoors", "rain", (
        Event("INC-2026-03-060", "wet floor", "red umbrella open on the floor by the plant",
              (Cue("umbrella", "red", "@plant", note="red umbrella"),)),
    ), everyday=6, filler=0),
)  # fmt: skip
