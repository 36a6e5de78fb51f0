"""What the gate camera saw."""

from __future__ import annotations

from .motion import Cue
from .scene import Event, Scene

SCENES = (
    Scene("gate", "2026-02-23T06:42:10", 14, "dawn", "clear", (
        Event("DEL-2026-02-031", "delivery", "red box truck with fish halts at the entry barrier",
              (Cue("truck", "red", "in", 0.0, (1, 6.0), model="box", note="red box truck"),),
              "entry lane"),
        Event("INC-2026-02-014", "unregistered entry",
              "cyclist in a yellow jacket on a green bicycle passes the booth without stopping",
              (Cue("bicycle", "green", "footpath_in", 3.0, rider=("yellow", "black"),
                   note="cyclist in a yellow jacket"),), "footpath"),
    ), everyday=6),
    Scene("gate", "2026-03-02T07:58:30", 16, "day", "clear", (
        Event("DEL-2026-03-004", "delivery", "white van with spare parts enters",
              (Cue("truck", "white", "in", 1.0, (1, 3.0), model="van", note="white van"),),
              "entry lane"),
        Event("VIS-2026-03-002", "visit",
              "visitor in a red jacket with a black backpack walks in on the footpath",
              (Cue("person", "red", "footpath_in", 0.5, lower="black",
                   carrying=(("backpack", "black"),), note="visitor in a red jacket"),),
              "footpath"),
        Event("INC-2026-03-003", "loose animal", "black dog without owner runs across the gate",
              (Cue("dog", "black", "across", 4.0, speed=2.4, note="black dog"),)),
    ), everyday=6),
    Scene("gate", "2026-03-03T07:15:00", 15, "day", "overcast", (
        Event("INC-2026-03-011", "blocked exit",
              "red box truck stands before the closed exit barrier while a person in a blue "
              "jacket walks round it",
              (Cue("truck", "red", "out", -2.0, (1, 20.0), model="box", note="red box truck"),
               Cue("person", "blue", "kerb_out", 1.0, lower="grey",
                   note="person in a blue jacket")), "exit lane"),
        Event("DEL-2026-03-006", "delivery", "white van waits at the entry barrier",
              (Cue("truck", "white", "in", -3.0, (1, 20.0), model="van", note="white van"),),
              "entry lane"),
    ), everyday=6),
    Scene("gate", "2026-03-03T07:26:00", 12, "day", "overcast", (
        Event("INC-2026-03-012", "blocked exit",
              "white van, the second vehicle of the morning, leaves eleven minutes later",
              (Cue("truck", "white", "out", 1.0, (1, 1.5), model="van", note="white van"),
               Cue("person", "blue", "@kerb", lower="grey",
                   note="person in a blue jacket at the kerb")), "exit lane"),
    ), everyday=6),
    Scene("gate", "2026-03-05T16:40:20", 15, "day", "rain", (
        Event("INC-2026-03-017", "taxi pick-up",
              "person with a red umbrella and a purple suitcase waits at the kerb; a yellow car "
              "stops in the exit lane",
              (Cue("person", "black", "@kerb", lower="grey",
                   carrying=(("umbrella", "red"), ("suitcase", "purple")),
                   note="person with a red umbrella"),
               Cue("car", "yellow", "out", 1.0, (1, 5.0), note="yellow taxi")), "exit lane"),
        Event("DEL-2026-03-009", "delivery", "orange tipper with de-icing salt enters",
              (Cue("truck", "orange", "in", 0.5, (1, 2.0), model="tipper",
                   note="orange tipper"),), "entry lane"),
    ), everyday=7),
    Scene("gate", "2026-03-09T22:47:05", 16, "night", "clear", (
        Event("INC-2026-03-024", "night entry",
              "black motorcycle halts at the entry barrier; its rider in red has no badge",
              (Cue("motorcycle", "black", "in", 1.0, (1, 6.0), rider=("red", "black"),
                   lit=True, note="black motorcycle"),), "entry lane"),
        Event("INC-2026-03-025", "false alarm", "orange cat sits at the guard booth",
              (Cue("cat", "orange", "@booth", note="orange cat"),), "footpath"),
    ), everyday=5, filler=0),
    Scene("gate", "2026-03-12T12:05:00", 16, "day", "clear", (
        Event("VIS-2026-03-011", "visit", "blue bus with a school class enters",
              (Cue("bus", "blue", "in", 0.0, (1, 4.0), note="blue bus"),), "entry lane"),
        Event("INC-2026-03-029", "unattended item", "brown suitcase stands alone at the bench",
              (Cue("suitcase", "brown", "@bench", note="brown suitcase"),)),
    ), everyday=7),
    Scene("gate", "2026-03-17T07:14:50", 15, "day", "overcast", (
        Event("INC-2026-03-036", "blocked exit",
              "red box truck stands before the exit barrier; a person in a blue jacket crosses "
              "behind it with a green backpack",
              (Cue("truck", "red", "out", -2.0, (1, 20.0), model="box", note="red box truck"),
               Cue("person", "blue", "across_back", -2.0, lower="black",
                   carrying=(("backpack", "green"),), note="person in a blue jacket")),
              "exit lane"),
        Event("DEL-2026-03-018", "delivery", "green truck with pallets waits at the entry",
              (Cue("truck", "green", "in", -3.0, (1, 20.0), model="box", note="green truck"),),
              "entry lane"),
    ), everyday=6),
    Scene("gate", "2026-03-24T18:20:00", 14, "dusk", "clear", (
        Event("INC-2026-03-045", "tailgating",
              "white car follows a green truck through the raised exit barrier",
              (Cue("truck", "green", "out", -1.0, model="box", note="green truck", lit=True),
               Cue("car", "white", "out", 3.0, speed=4.0, note="white car", lit=True)),
              "exit lane"),
    ), everyday=7),
    Scene("gate", "2026-03-29T01:59:52", 16, "night", "clear", (
        Event("INC-2026-03-052", "person at night",
              "person in a grey jacket with a black backpack stands at the entry while the "
              "clocks go forward",
              (Cue("person", "grey", "@signpost", lower="black",
                   carrying=(("backpack", "black"),), note="person in a grey jacket"),),
              "footpath"),
        Event("DEL-2026-03-031", "delivery", "white refrigerated truck leaves in the night",
              (Cue("truck", "white", "out", 2.0, (1, 3.0), model="box", lit=True,
                   note="white refrigerated truck"),), "exit lane"),
    ), everyday=4, filler=0),
    Scene("gate", "2026-03-30T07:15:10", 15, "day", "clear", (
        Event("DEL-2026-03-033", "delivery", "red box truck with fish enters",
              (Cue("truck", "red", "in", 0.0, (1, 5.0), model="box", note="red box truck"),),
              "entry lane"),
        Event("INC-2026-03-054", "near miss",
              "orange bicycle overtakes a walker with a white dog on the footpath",
              (Cue("bicycle", "orange", "footpath_in", 6.0, rider=("green", "black"),
                   note="cyclist in green"),
               Cue("dog", "white", "footpath_out", 0.0, shift=(-1.2, 0.0), note="white dog"),
               Cue("person", "purple", "footpath_out", 0.0, shift=(-2.2, 0.0),
                   note="walker in purple")), "footpath"),
    ), everyday=6),
)  # fmt: skip
