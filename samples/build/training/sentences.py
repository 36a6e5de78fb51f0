"""Sentences after the manner of shift logs, incident reports, policies and crop contexts.

They teach the text tower the register of the documents and questions it will meet. Only words
of general use; the sample site's own reports are never read here.
"""

from __future__ import annotations

import random

from captions import random_facts, thing_caption
from vocabulary import COLOURS, LABELS, PLACES

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PARTS = ("morning", "afternoon", "evening", "night", "noon", "dawn")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August")
DOINGS = (
    "was parked",
    "stopped",
    "left",
    "arrived",
    "waited",
    "turned around",
    "was unloaded",
    "hit a post",
    "blocked the way",
    "drove off without lights",
    "was seen twice",
    "entered",
    "passed slowly",
    "was towed away",
)
PERSON_DOINGS = (
    "climbed over the fence",
    "asked for directions",
    "left a bag unattended",
    "signed in at reception",
    "walked a dog",
    "opened the side door with a badge",
    "was picked up",
    "fell on the ice",
    "carried boxes into the building",
    "stood under an umbrella",
    "ran across the yard",
    "returned a key",
    "reported a leak",
    "took photographs",
)
THINGS = (
    "fire door",
    "barrier arm",
    "alarm panel",
    "camera lens",
    "battery",
    "forklift",
    "pallet",
    "visitor badge",
    "key cabinet",
    "generator",
    "conveyor",
    "lift",
    "sprinkler",
    "roller shutter",
    "network switch",
    "first-aid kit",
    "heater",
    "drain",
)
RULES = (
    "must be checked every month",
    "was replaced by the technician",
    "is out of order",
    "should be kept locked at night",
    "was tested without finding a fault",
    "needs a new filter",
    "may only be used by trained staff",
    "gave a false alarm",
    "was cleaned and adjusted",
    "has been reported to maintenance",
)
QUESTIONS = (
    "who {verb}?",
    "when did the {thing} break?",
    "which vehicle {doing} at {place}?",
    "what happened on {day} {part}?",
    "where is the {thing}?",
    "what are the rules for the {thing}?",
    "report about {caption}",
    "incident with {caption}",
    "{caption} on {day} {part}",
    "{caption} beside {other}",
    "{caption} near {place}",
)
TEMPLATES = (
    "At {time} {caption} {doing} at {place}.",
    "{Caption} {doing} near {place} on {day} {part}.",
    "On {day} at {time} someone {verb} at {place}.",
    "The {thing} at {place} {rule}.",
    "The {thing} {rule}; see incident {number}.",
    "Incident {number}: {caption} {doing} at {time}, {place}.",
    "The guard noted that {caption} {doing}, and {minutes} minutes later {other} {doing2}.",
    "Visitors must sign in at {place} before {time}.",
    "Shift log, {date}: quiet until {time}, when a visitor {verb}.",
    "Camera {place2}, {day} {date}, {time}, {part}. {label}, {colour}; beside it {label2}.",
    "{label}, {size}, in the {where} of the frame, {colour}; {label2} touching, {label3} left of it.",
    "Handed over {number} keys to the next shift; the {thing} {rule}.",
    "{Caption} was beside {other} at {place} for {minutes} minutes.",
    "The second vehicle left {minutes} minutes later.",
    "Report {number} of {date}, {place}: damage to the {thing}.",
    "Delivery of {minutes} pallets to {place} by {caption} at {time}.",
    "Policy: the {thing} {rule}.",
)


def _slots(rng: random.Random) -> dict[str, str]:
    labels = list(LABELS)
    facts, other = random_facts(rng), random_facts(rng)
    caption = thing_caption(rng, facts["label"], facts["colour"]).text
    hour, minute = rng.randrange(24), rng.randrange(60)
    return {
        "caption": caption,
        "Caption": caption[0].upper() + caption[1:],
        "other": thing_caption(rng, other["label"], other["colour"]).text,
        "doing": rng.choice(DOINGS),
        "doing2": rng.choice(DOINGS),
        "verb": rng.choice(PERSON_DOINGS),
        "thing": rng.choice(THINGS),
        "rule": rng.choice(RULES),
        "place": rng.choice(PLACES),
        "place2": rng.choice(PLACES).removeprefix("the "),
        "day": rng.choice(DAYS),
        "part": rng.choice(PARTS),
        "time": f"{hour:02d}:{minute:02d}",
        "date": f"{rng.randrange(1, 29)} {rng.choice(MONTHS)}",
        "number": str(rng.randrange(2, 999)),
        "minutes": str(rng.randrange(2, 60)),
        "label": rng.choice(labels),
        "label2": rng.choice(labels),
        "label3": rng.choice(labels),
        "colour": rng.choice(list(COLOURS)),
        "size": rng.choice(("small", "medium", "large")),
        "where": rng.choice(("left", "right", "centre", "top", "bottom")),
    }


def site_sentence(rng: random.Random) -> str:
    """Return one sentence, or one short question, of the kind that a site's papers have."""
    forms = QUESTIONS if rng.random() < 0.25 else TEMPLATES
    text = rng.choice(forms).format(**_slots(rng))
    if rng.random() < 0.3:
        text += " " + rng.choice(TEMPLATES).format(**_slots(rng))
    return text
