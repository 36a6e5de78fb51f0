"""Captions from what is known about an object: many ways to say the same thing.

A caption comes with what it claims (label, colour, ...), so that a loss can tell which other
crops it describes as well. Pure functions of a random generator; no images here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from vocabulary import (
    COLOURS,
    FOREIGN,
    GROUPS,
    LABELS,
    LOWER_GARMENTS,
    NOUN_FIRST,
    PLACES,
    UPPER_GARMENTS,
)

CARRIED = ("backpack", "suitcase", "umbrella", "bag", "box")
FOREIGN_SHARE = 0.12  # of captions; enough for the few hundred words of this vocabulary


@dataclass(slots=True)
class Caption:
    """A text about one object.

    Attributes:
        text: the words.
        labels: classes that it allows.
        claims: facts it states beyond the class, such as {"colour": "red"}.
        english: the plain English meaning, for a teacher that knows only English.
    """

    text: str
    labels: tuple[str, ...]
    claims: dict[str, str] = field(default_factory=dict)
    english: str = ""


def _article(words: str) -> str:
    return f"{'an' if words[0] in 'aeio' else 'a'} {words}"


def _noun(rng: random.Random, label: str) -> str:
    names = LABELS[label]["en"]
    return names[0] if rng.random() < 0.6 else rng.choice(names)


def _colour(rng: random.Random, colour: str) -> str:
    names = COLOURS[colour]["en"]
    return names[0] if rng.random() < 0.8 else rng.choice(names)


def foreign_caption(rng: random.Random, label: str, colour: str | None) -> Caption:
    """Return noun and colour in one of the foreign languages, in its word order."""
    language = rng.choice(FOREIGN)
    noun = rng.choice(LABELS[label][language])
    if not colour or rng.random() < 0.15:
        return Caption(noun, (label,), {}, label)
    word = rng.choice(COLOURS[colour][language])
    text = f"{noun} {word}" if language in NOUN_FIRST else f"{word} {noun}"
    return Caption(text, (label,), {"colour": colour}, f"{colour} {label}")


def group_caption(rng: random.Random, label: str, colour: str | None) -> Caption | None:
    """Return a caption by a wider word ("a red vehicle"), or None where there is none."""
    words = [word for word, members in GROUPS.items() if label in members]
    if not words:
        return None
    word = rng.choice(words)
    claims = {"colour": colour} if colour and rng.random() < 0.7 else {}
    noun = f"{_colour(rng, colour)} {word}" if colour and claims else word
    return Caption(rng.choice((noun, _article(noun))), GROUPS[word], claims)


def thing_caption(rng: random.Random, label: str, colour: str | None) -> Caption:
    """Return a caption of an object with its colour: "a red truck", "truck, red", ..."""
    noun = _noun(rng, label)
    if not colour or rng.random() < 0.08:
        text = rng.choice((noun, _article(noun), f"a photo of {_article(noun)}"))
        return Caption(text, (label,))
    shade = _colour(rng, colour)
    whole = _article(f"{shade} {noun}")
    forms = (
        whole,
        f"{shade} {noun}",
        f"{noun}, {shade}",
        f"{noun} in {shade}",
        f"the {shade} {noun}",
        f"{_article(noun)} that is {shade}",
        f"a picture of {whole}",
        f"{whole} at {rng.choice(PLACES)}",
    )
    text = rng.choice(forms[:2] if rng.random() < 0.5 else forms)
    return Caption(text, (label,), {"colour": colour})


def person_caption(rng: random.Random, facts: Mapping[str, str]) -> Caption:
    """Return a caption of a person: clothing colours and what is carried, some or all of it."""
    who = rng.choice(("person", "person", "someone", "man", "woman", "pedestrian"))
    upper, lower, carrying = facts.get("colour"), facts.get("lower_colour"), facts.get("carrying")
    if upper and rng.random() < 0.25:
        shade = _colour(rng, upper)
        text = rng.choice(
            (f"{who} wearing {shade}", _article(f"{shade} {who}"), f"{who} in {shade}")
        )
        return Caption(text, ("person",), {"colour": upper})
    parts, claims = [], {}
    if upper and rng.random() < 0.85:
        parts.append(f"in {_article(f'{_colour(rng, upper)} {rng.choice(UPPER_GARMENTS)}')}")
        claims["colour"] = upper
    if lower and rng.random() < 0.3:
        word = "and" if parts else "in"
        parts.append(f"{word} {_colour(rng, lower)} {rng.choice(LOWER_GARMENTS)}")
        claims["lower_colour"] = lower
    if carrying and rng.random() < 0.6:
        verb = rng.choice(("carrying", "with", "holding"))
        parts.append(f"{verb} {_article(carrying)}")
        claims["carrying"] = carrying
    subject = who if who == "someone" or rng.random() < 0.4 else _article(who)
    return Caption(" ".join([subject, *parts]), ("person",), claims)


def caption(rng: random.Random, facts: Mapping[str, str]) -> Caption:
    """Return one caption of an object.

    Args:
        rng: source of every choice.
        facts: "label" and, where known, "colour" (of a person: the upper body),
            "lower_colour", "carrying".
    """
    label, colour = facts["label"], facts.get("colour")
    if rng.random() < FOREIGN_SHARE:
        return foreign_caption(rng, label, None if label == "person" else colour)
    if label == "person":
        return person_caption(rng, facts)
    wide = group_caption(rng, label, colour) if rng.random() < 0.08 else None
    return wide or thing_caption(rng, label, colour)


def describes(words: Caption, facts: Mapping[str, str]) -> int:
    """Return 1 if the caption is true of the object, 0 if false, -1 if nobody can tell."""
    if facts["label"] not in words.labels:
        return 0
    known = [facts.get(key) for key in words.claims]
    if any(have and have != want for have, want in zip(known, words.claims.values(), strict=True)):
        return 0
    return 1 if all(known) else -1


def random_facts(rng: random.Random) -> dict[str, str]:
    """Return facts of an object that nobody drew, for texts without images."""
    facts = {"label": rng.choice(list(LABELS)), "colour": rng.choice(list(COLOURS))}
    if facts["label"] == "person":
        facts["lower_colour"] = rng.choice(list(COLOURS))
        if rng.random() < 0.4:
            facts["carrying"] = rng.choice(CARRIED)
    return facts


def random_caption_pair(rng: random.Random) -> tuple[str, str]:
    """Return (caption, English meaning); the two differ where the caption is foreign."""
    made = caption(rng, random_facts(rng))
    return made.text, made.english or made.text
