"""What the yard camera saw."""

from __future__ import annotations

from .motion import Cue
from .scene import Event, Scene

SCENES = (
    Scene("yard", "2026-02-25T08:05:00", 14, "day", "clear", (
        Event("INC-2026-02-018", "bicycle theft",
              "person in a black jacket stands at the rack by a red bicycle and a blue one",
              (Cue("bicycle", "red", "@rack", note="red bicycle"),
               Cue("bicycle", "blue", "@rack left", note="blue bicycle"),
               Cue("person", "black", "to_rack", -3.0, (2, 9.0), lower="grey",
                   note="person in a black jacket")), "bicycle rack"),
    ), everyday=7),
    Scene("yard", "2026-03-02T17:45:00", 15, "dusk", "clear", (
        Event("INC-2026-03-005", "parking damage",
              "grey car leaves bay 3 past a parked red car in bay 4",
              (Cue("car", "grey", "leave_bay_3", 2.0, note="grey car"),
               Cue("car", "red", "@bay 4", note="red car")), "staff parking"),
        Event("VIS-2026-03-003", "visit", "green bus waits to collect the late shift",
              (Cue("bus", "green", "lane_left", 0.0, (1, 4.0), note="green bus"),), "yard lane"),
    ), everyday=6),
    Scene("yard", "2026-03-03T07:15:00", 15, "day", "overcast", (
        Event("INC-2026-03-010", "misparked truck",
              "red pickup stands in bay 2 of the staff parking",
              (Cue("truck", "red", "@bay 2", model="pickup", note="red pickup"),
               Cue("person", "blue", "from_car", 1.0, lower="black",
                   note="person in a blue jacket")), "staff parking"),
        Event("INC-2026-03-014", "loose animal", "brown dog runs through the yard in front of the cars",
              (Cue("dog", "brown", "path_right", 2.0, speed=2.4, note="brown dog"),)),
    ), everyday=6),
    Scene("yard", "2026-03-05T21:10:00", 14, "night", "rain", (
        Event("INC-2026-03-018", "person at the fence",
              "person in dark blue with a white umbrella walks along the east fence",
              (Cue("person", "blue", "fence_left", 0.0, speed=0.8, lower="black",
                   carrying=(("umbrella", "white"),), note="person with a white umbrella"),),
              "east fence"),
        Event("INC-2026-03-019", "car left overnight", "white car remains alone in bay 5",
              (Cue("car", "white", "@bay 5", note="white car"),), "staff parking"),
    ), everyday=4, filler=0),
    Scene("yard", "2026-03-14T13:30:00", 15, "day", "clear", (
        Event("INC-2026-03-032", "reckless riding",
              "yellow motorcycle races through the yard lane past a person with a brown dog",
              (Cue("motorcycle", "yellow", "lane_right", 3.0, speed=8.0,
                   rider=("black", "black"), note="yellow motorcycle"),
               Cue("person", "white", "path_right", 0.0, lower="blue",
                   note="person in white"),
               Cue("dog", "brown", "path_right", 0.8, speed=1.35, shift=(0.0, -0.7),
                   note="brown dog")),
              "yard lane"),
        Event("VIS-2026-03-013", "visit", "contractor's white van in bay 2",
              (Cue("truck", "white", "@bay 2", model="van", note="white van"),
               Cue("person", "orange", "@lamp post", lower="black",
                   note="electrician in an orange vest")), "staff parking"),
    ), everyday=6),
    Scene("yard", "2026-03-17T18:05:00", 14, "dusk", "overcast", (
        Event("INC-2026-03-038", "blocked lane",
              "green car and grey car meet in the yard lane; the green one gives way",
              (Cue("car", "green", "lane_right", 0.0, (1, 5.0), note="green car"),
               Cue("car", "grey", "lane_left", 3.0, note="grey car")), "yard lane"),
        Event("INC-2026-03-039", "bicycle left",
              "purple bicycle left at the lamp post for a week",
              (Cue("bicycle", "purple", "@lamp post", note="purple bicycle"),)),
    ), everyday=7),
    Scene("yard", "2026-03-29T03:20:00", 14, "night", "clear", (
        Event("INC-2026-03-053", "person at night",
              "person in a grey jacket with a black backpack stands at the hole in the east "
              "fence twenty minutes after the clocks went forward",
              (Cue("person", "grey", "@fence hole", lower="black",
                   carrying=(("backpack", "black"),), note="person in a grey jacket"),),
              "east fence"),
    ), everyday=5, filler=0),
    Scene("yard", "2026-03-31T12:30:00", 15, "day", "clear", (
        Event("INC-2026-03-057", "unattended item", "blue suitcase stands at the bins",
              (Cue("suitcase", "blue", "@bins", note="blue suitcase"),)),
        Event("VIS-2026-03-021", "visit",
              "auditor in a red jacket leaves with a brown backpack to a black car in bay 5",
              (Cue("person", "red", "to_car", 0.0, lower="black",
                   carrying=(("backpack", "brown"),), note="auditor in a red jacket"),
               Cue("car", "black", "@bay 5", note="black car")), "staff parking"),
    ), everyday=6),
)  # fmt: skip
