"""What the dock camera saw."""

from __future__ import annotations

from .motion import Cue
from .scene import Event, Scene

SCENES = (
    Scene("dock", "2026-02-23T10:20:00", 14, "day", "clear", (
        Event("DEL-2026-02-033", "delivery", "red box truck unloads at door 2",
              (Cue("truck", "red", "@door 2", model="box", note="red box truck"),
               Cue("person", "orange", "apron_right", 0.0, lower="blue",
                   note="loader in an orange vest")), "dock door 2"),
        Event("INC-2026-02-016", "damage", "blue truck at door 4 with a torn curtain",
              (Cue("truck", "blue", "@door 4", model="box", note="blue truck"),
               Cue("person", "yellow", "@pallets", lower="black",
                   note="foreman in a yellow jacket")), "dock door 4"),
    ), everyday=6),
    Scene("dock", "2026-03-03T07:25:00", 14, "day", "overcast", (
        Event("INC-2026-03-013", "early departure",
              "blue truck leaves door 2 while the dock light is still red",
              (Cue("truck", "blue", "leave_door_2", 3.0, model="box", note="blue truck"),
               Cue("person", "orange", "@steps", shift=(-2.4, 0.6), lower="black",
                   note="loader in an orange vest")), "dock door 2"),
        Event("DEL-2026-03-007", "delivery", "white truck stands at door 4",
              (Cue("truck", "white", "@door 4", model="box", note="white truck"),),
              "dock door 4"),
    ), everyday=6),
    Scene("dock", "2026-03-05T14:05:00", 15, "day", "rain", (
        Event("INC-2026-03-016", "slip on wet apron",
              "person in a green jacket stands still on the apron after slipping; another with a "
              "yellow umbrella comes to help",
              (Cue("person", "green", "@bay mark", lower="grey", note="person in green"),
               Cue("person", "red", "walk_left", 0.0, shift=(0.0, -0.9), lower="black",
                   carrying=(("umbrella", "yellow"),), note="helper with a yellow umbrella")),
              "apron"),
        Event("DEL-2026-03-008", "delivery", "green truck with vegetables at door 1",
              (Cue("truck", "green", "@door 1", model="box", note="green truck"),),
              "dock door 1"),
    ), everyday=6),
    Scene("dock", "2026-03-06T00:20:00", 14, "night", "clear", (
        Event("INC-2026-03-020", "door left open",
              "nobody at door 3; a grey cat walks across the apron and sets off the alarm",
              (Cue("cat", "grey", "walk_right", 0.0, speed=1.2,
                   note="grey cat"),), "apron"),
        Event("INC-2026-03-021", "night visit",
              "black car without lights crosses the apron from right to left",
              (Cue("car", "black", "lane_left", 2.0, note="black car"),), "apron"),
    ), everyday=4, filler=0),
    Scene("dock", "2026-03-12T09:40:00", 15, "day", "clear", (
        Event("DEL-2026-03-014", "delivery", "red tipper at door 1, red box truck at door 3",
              (Cue("truck", "red", "@door 1", model="tipper", note="red tipper"),
               Cue("truck", "red", "@door 3", model="box", note="red box truck")), "dock door 3"),
        Event("INC-2026-03-028", "smoking",
              "two persons, one in white and one in black, stand in the smoking area beyond "
              "their break",
              (Cue("person", "white", "@smoking area", lower="black", note="person in white"),
               Cue("person", "black", "@smoking area", shift=(1.1, 0.3), lower="blue",
                   note="person in black")), "apron"),
    ), everyday=6),
    Scene("dock", "2026-03-17T15:30:00", 14, "day", "clear", (
        Event("INC-2026-03-037", "wrong side",
              "blue van drives against the marked direction along the doors",
              (Cue("truck", "blue", "lane_left", 0.0, model="van", note="blue van"),), "apron"),
        Event("DEL-2026-03-019", "delivery", "yellow truck unloads flour at door 2",
              (Cue("truck", "yellow", "@door 2", model="box", note="yellow truck"),
               Cue("person", "blue", "apron_left", 1.0, lower="grey",
                   note="loader in a blue jacket")), "dock door 2"),
    ), everyday=7),
    Scene("dock", "2026-03-24T06:10:00", 14, "dawn", "fog", (
        Event("INC-2026-03-043", "forgotten bag",
              "red backpack lies by the hydrant at the edge of the apron",
              (Cue("backpack", "red", "@hydrant", note="red backpack"),), "apron"),
        Event("DEL-2026-03-026", "delivery", "brown truck backs up to door 4",
              (Cue("truck", "brown", "back_door_4", 1.0, (1, 3.0), model="box", rear=True,
                   speed=1.6, note="brown truck"),), "dock door 4"),
    ), everyday=6),
    Scene("dock", "2026-03-30T11:00:00", 15, "day", "clear", (
        Event("DEL-2026-03-034", "delivery", "red box truck unloads fish at door 2",
              (Cue("truck", "red", "@door 2", model="box", note="red box truck"),
               Cue("person", "orange", "apron_right", 0.0, lower="blue",
                   note="loader in an orange vest")), "dock door 2"),
        Event("INC-2026-03-055", "crossing traffic",
              "person in purple pushes past in front of a yellow car on the apron",
              (Cue("person", "purple", "walk_right", 0.0, lower="grey",
                   note="person in purple"),
               Cue("car", "yellow", "lane_right", 2.5, shift=(0.0, 0.4),
                   note="yellow car")), "apron"),
    ), everyday=6),
)  # fmt: skip
