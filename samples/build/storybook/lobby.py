"""What the lobby camera saw."""

from __future__ import annotations

from .motion import Cue
from .scene import Event, Scene

SCENES = (
    Scene("lobby", "2026-02-25T09:10:00", 14, "indoors", "clear", (
        Event("VIS-2026-02-020", "visit",
              "visitor in a blue jacket with a red suitcase reports at the desk",
              (Cue("person", "blue", "enter", 0.0, (2, 5.0), lower="grey",
                   carrying=(("suitcase", "red"),), note="visitor with a red suitcase"),),
              "reception"),
        Event("INC-2026-02-019", "unattended item", "yellow backpack lies beside the sofa",
              (Cue("backpack", "yellow", "@sofa end", note="yellow backpack"),),
              "waiting area"),
    ), everyday=6),
    Scene("lobby", "2026-03-03T08:50:00", 14, "indoors", "clear", (
        Event("INC-2026-03-015", "badge misuse",
              "person in black lets a second one in purple through to the lift",
              (Cue("person", "black", "to_lift", 0.0, lower="grey", note="person in black"),
               Cue("person", "purple", "to_lift", 1.6, lower="black",
                   note="person in purple")), "lift"),
        Event("VIS-2026-03-004", "visit", "two visitors in red wait at the sofa",
              (Cue("person", "red", "@sofa", lower="black", note="first visitor in red"),
               Cue("person", "red", "@sofa end", lower="blue",
                   note="second visitor in red")), "waiting area"),
    ), everyday=5),
    Scene("lobby", "2026-03-05T18:05:00", 15, "indoors", "rain", (
        Event("INC-2026-03-022", "wet floor",
              "open green umbrella left to dry by the pillar; a person in yellow walks round it",
              (Cue("umbrella", "green", "@pillar", note="green umbrella"),
               Cue("person", "yellow", "cross_left", 2.0, lower="black",
                   note="person in yellow")), ""),
        Event("VIS-2026-03-006", "visit",
              "courier in brown with a blue umbrella brings a parcel",
              (Cue("person", "brown", "enter", 0.0, (2, 4.0), lower="brown",
                   carrying=(("umbrella", "blue"),), note="courier in brown"),), "reception"),
    ), everyday=6),
    Scene("lobby", "2026-03-12T10:30:00", 14, "indoors", "clear", (
        Event("INC-2026-03-030", "animal in the building",
              "white dog waits at the desk beside its owner in a green jacket",
              (Cue("dog", "white", "@desk", shift=(-1.0, -0.4), note="white dog"),
               Cue("person", "green", "@desk", shift=(0.2, 0.0), lower="black",
                   note="owner in a green jacket")), "reception"),
        Event("VIS-2026-03-012", "visit", "person in white with a black suitcase goes to the lift",
              (Cue("person", "white", "to_lift", 1.0, lower="black",
                   carrying=(("suitcase", "black"),), note="visitor in white"),), "lift"),
    ), everyday=6),
    Scene("lobby", "2026-03-20T14:15:00", 14, "indoors", "clear", (
        Event("INC-2026-03-041", "lost luggage",
              "grey suitcase stands by the street door after its owner in orange has left",
              (Cue("suitcase", "grey", "@door mat", shift=(0.9, 0.2), note="grey suitcase"),
               Cue("person", "orange", "leave", 1.0, shift=(-0.4, 0.0), lower="blue",
                   note="owner in orange")), "street door"),
    ), everyday=7),
    Scene("lobby", "2026-03-24T19:40:00", 14, "indoors", "clear", (
        Event("INC-2026-03-046", "after hours",
              "cleaner in green finds a person in black with a white backpack at the lift",
              (Cue("person", "green", "cross_right", 0.0, lower="green",
                   note="cleaner in green"),
               Cue("person", "black", "@lift door", lower="black",
                   carrying=(("backpack", "white"),), note="person in black")), "lift"),
        Event("INC-2026-03-047", "animal in the building", "black cat crosses the lobby",
              (Cue("cat", "black", "near_right", 2.0, speed=1.3, note="black cat"),)),
    ), everyday=5),
    Scene("lobby", "2026-03-30T09:00:00", 15, "indoors", "clear", (
        Event("VIS-2026-03-020", "visit",
              "delegation of three in blue, one with an orange suitcase",
              (Cue("person", "blue", "enter", 0.0, (2, 4.0), lower="black",
                   carrying=(("suitcase", "orange"),), note="first delegate"),
               Cue("person", "blue", "to_sofa", 2.5, lower="grey", note="second delegate"),
               Cue("person", "blue", "to_lift", 5.0, lower="blue", note="third delegate")),
              "reception"),
    ), everyday=6),
)  # fmt: skip
