"""Shift logs: what the story tells of a day, between entries drawn from the word lists.

Every shift has its handover, rounds, occurrences and open points. Figures in the entries are drawn
by seed; occurrences and their hours come from the story.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from facts import Facts, day_words

SEED = 20260401
# Days on which logs were asked for: all with events of the story and some quiet ones between.
QUIET = (
    *("2026-02-24", "2026-02-26", "2026-03-04", "2026-03-10", "2026-03-11", "2026-03-13"),
    *("2026-03-16", "2026-03-18", "2026-03-23", "2026-03-26", "2026-03-27", "2026-03-28"),
)
_DAY_FROM, _DAY_UNTIL = time(6), time(18)
Words = dict[str, Any]


def sources(facts: Facts, words: Path) -> Iterator[str]:
    """The day log and the night log as source texts."""
    followups = tomllib.loads((words / "followups.toml").read_text(encoding="utf-8"))
    for name in ("day", "night"):
        bank = tomllib.loads((words / f"{name}.toml").read_text(encoding="utf-8"))
        yield _log(facts, bank, followups, night=name == "night")


def _log(facts: Facts, bank: Words, followups: Words, *, night: bool) -> str:
    by_day = events_by_day(facts, night=night)
    days = sorted({*by_day, *(date.fromisoformat(day) for day in QUIET)})
    drawn = {key: _Deck(bank[key], f"{SEED}/{night}/{key}") for key in _SECTIONS}
    lines = [
        f"---\nfile: {bank['file']}\ntitle: {bank['title']}\nlanguage: en\ndate: 2026-03-31\n---",
        f"# {bank['title']}",
        bank["intro"],
    ]
    for day in days:
        rng = random.Random(f"{SEED}/{night}/{day}")
        lead = bank["lead"][day.toordinal() % len(bank["lead"])]
        lines += [f"## {day_words(day)}", f"Lead: {lead}."]
        lines += ["### Handover", _entries(drawn["handover"], 2, rng)]
        lines += ["### Rounds", _entries(drawn["rounds"], 3 + day.day % 2, rng)]
        lines.append("### Occurrences")
        events = by_day.get(day, ())
        lines += [_occurrence(facts, event, followups) for event in events]
        if not events:
            lines.append(_entries(drawn["quiet"], 1, rng))
        lines += ["### Open points", _entries(drawn["open"], 2, rng)]
    return "\n\n".join(lines) + "\n"


_SECTIONS = ("handover", "rounds", "quiet", "open")


class _Deck:
    """Deals a list in shuffled order and starts again when it is used up."""

    def __init__(self, entries: Sequence[str], seed: str) -> None:
        self._entries = list(entries)
        self._rng = random.Random(seed)
        self._left: list[str] = []

    def deal(self) -> str:
        if not self._left:
            self._left = self._rng.sample(self._entries, len(self._entries))
        return self._left.pop()


def _entries(deck: _Deck, count: int, rng: random.Random) -> str:
    return " ".join(deck.deal().format(**_figures(rng)) for _ in range(count))


def _occurrence(facts: Facts, event: Words, followups: Words) -> str:
    camera = facts.cameras[event["camera"]]
    place = f"{camera['name']}, {event['zone']}" if event["zone"] else camera["name"]
    hour = f"{facts.started(event['id']):%H:%M}"
    where = f"{place} (Porto)" if camera["site"] == "Porto" else place
    summary = event["summary"][0].upper() + event["summary"][1:]
    return f"**{hour}, {where}, {event['id']}.** {summary}. {followups[event['id']]}"


def events_by_day(facts: Facts, *, night: bool) -> dict[date, list[Words]]:
    """The events of the day shifts or the night shifts, under the day on which the shift began."""
    found: dict[date, list[Words]] = {}
    for event in facts.events.values():
        started = facts.started(event["id"])
        if (_DAY_FROM <= started.time() < _DAY_UNTIL) == night:
            continue
        found.setdefault(_shift_day(started), []).append(event)
    return found


def _shift_day(started: datetime) -> date:
    before_dawn = started.time() < _DAY_FROM
    return started.date() - timedelta(days=1) if before_dawn else started.date()


def _figures(rng: random.Random) -> dict[str, object]:
    """Figures for the holes of an entry; ranges are those of a site of this size."""

    def clock(first: int, last: int) -> str:
        return f"{rng.randint(first, last) % 24:02d}:{rng.randrange(0, 60):02d}"

    frost = rng.randint(18, 22)
    return {
        "keys": rng.choice((21, 22, 22, 23)), "radio": rng.randint(1, 6), "bar": rng.randint(3, 6),
        "cold": rng.choice(("minus 3", "minus 1", "0", "plus 1", "plus 2", "minus 4")),
        "badge": rng.randint(31, 96), "badge2": rng.randint(11, 29), "pages": rng.randint(180, 240),
        "minutes": rng.randint(4, 19), "seconds": rng.randint(3, 12), "bikes": rng.randint(6, 19),
        "door": rng.randint(1, 4), "room": rng.randint(1, 3), "post": rng.randint(3, 48),
        "litres": rng.randint(12, 60), "frost": frost, "frost2": frost + 1,
        "ticket": f"FM-{rng.randint(2100, 2990)}", "cars": rng.randint(9, 44),
        "speed": rng.randint(11, 24), "counts": rng.randint(112, 498), "wind": rng.randint(4, 19),
        "month": rng.choice(("June", "September", "December")),
        "weekday": rng.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
        "early": clock(5, 5), "morning": clock(6, 9), "noon": clock(11, 13),
        "afternoon": clock(14, 17), "evening": clock(17, 18), "night": clock(19, 23),
        "late": clock(24, 27),
    }  # fmt: skip
