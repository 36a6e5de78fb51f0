"""The delivery register and the visitor list: one table a day, the story's entries among others.

Entries without a story are drawn by seed; they bear waybill numbers or none, never an event's.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from facts import Facts, day_words

SEED = 20260402
FIRST, LAST = date(2026, 2, 23), date(2026, 3, 31)
_SUNDAY, _SATURDAY = 6, 5
Words = Mapping[str, Any]


def sources(facts: Facts, words: Path) -> Iterator[str]:
    """Both lists as source texts."""
    bank = tomllib.loads((words / "registers.toml").read_text(encoding="utf-8"))
    followups = tomllib.loads((words / "followups.toml").read_text(encoding="utf-8"))
    yield _deliveries(facts, bank, followups)
    yield _visitors(facts, bank, followups)


def _days() -> Iterator[date]:
    day = FIRST
    while day <= LAST:
        yield day
        day += timedelta(days=1)


def _events(facts: Facts, prefix: str, day: date) -> list[Words]:
    return [
        event
        for event in facts.events.values()
        if event["id"].startswith(prefix) and facts.started(event["id"]).date() == day
    ]


def _deliveries(facts: Facts, bank: Words, followups: Words) -> str:
    title = "Delivery register, 23 February to 31 March 2026"
    lines = [
        "---\nfile: delivery-register-2026.md\n"
        f"title: {title}\nlanguage: en\ndate: 2026-03-31\n---",
        f"# {title}",
        "Kept by the dispatch desk in Rotterdam. Deliveries with a DEL number were filmed and are "
        "also in the shift logs; the others bear the number of their waybill. Temperatures are the "
        "highest of three, in degrees Celsius.",
    ]
    remarks = iter(_shuffled(bank["day_remarks"], "days", 40))
    for day in _days():
        rows = _delivery_rows(facts, bank, followups, day)
        if not rows:
            continue
        lines += [f"## {day_words(day)}", f"{next(remarks)} {len(rows)} deliveries."]
        head = "| Time | Number | Carrier or vehicle | Plate | Goods | Temp. | Remark |"
        lines.append("\n".join((head, "|---|---|---|---|---|---|---|", *rows)))
    return "\n\n".join(lines) + "\n"


def _delivery_rows(facts: Facts, bank: Words, followups: Words, day: date) -> list[str]:
    rng = random.Random(f"{SEED}/deliveries/{day}")
    rows = []
    for event in _events(facts, "DEL", day):
        camera = facts.cameras[event["camera"]]["name"]
        place = f"{camera}, {event['zone']}"
        hour = f"{facts.started(event['id']):%H:%M}"
        summary = event["summary"]
        rows.append(f"| {hour} | {event['id']} | {summary} | {_plate(rng)} | see note | "
                    f"see slip | {place}. {followups[event['id']]} |")  # fmt: skip
    count = {_SUNDAY: 0, _SATURDAY: 2}.get(day.weekday(), 4 + day.day % 3)
    for carrier, vehicle, goods, degrees in rng.sample(bank["carriers"], count):
        hour = f"{rng.randint(5, 16):02d}:{rng.choice(range(0, 60, 5)):02d}"
        remark = rng.choice(bank["delivery_remarks"])
        rows.append(f"| {hour} | W{rng.randint(40000, 69999)} | {carrier}, {vehicle} | "
                    f"{_plate(rng)} | {goods}, {rng.randint(3, 26)} pallets | "
                    f"{rng.choice(degrees)} | {remark} |")  # fmt: skip
    return sorted(rows)


def _visitors(facts: Facts, bank: Words, followups: Words) -> str:
    title = "Visitor list, 23 February to 31 March 2026"
    lines = [
        f"---\nfile: visitor-list-2026.docx\ntitle: {title}\nlanguage: en\ndate: 2026-03-31\n---",
        f"# {title}",
        "Both houses in one list. Hours are those of the house. Announced visits carry a VIS "
        "number; walk-ins have none. Names of pupils are not listed.",
    ]
    remarks = iter(_shuffled(bank["visit_remarks"], "visits", 40))
    for day in _days():
        rows = _visitor_rows(facts, bank, followups, day)
        if not rows:
            continue
        lines += [f"## {day_words(day)}", next(remarks)]
        head = "| Time | Number | Visitor | House | Host | Reason or note |"
        lines.append("\n".join((head, "|---|---|---|---|---|---|", *rows)))
    return "\n\n".join(lines) + "\n"


def _visitor_rows(facts: Facts, bank: Words, followups: Words, day: date) -> list[str]:
    rng = random.Random(f"{SEED}/visitors/{day}")
    rows = []
    for event in _events(facts, "VIS", day):
        hour = f"{facts.started(event['id']):%H:%M}"
        house = facts.cameras[event["camera"]]["site"]
        rows.append(f"| {hour} | {event['id']} | {event['summary']} | {house} | "
                    f"{rng.choice(bank['hosts'])} | {followups[event['id']]} |")  # fmt: skip
    count = {_SUNDAY: 0, _SATURDAY: 1}.get(day.weekday(), 3 + day.day % 2)
    for name, company in rng.sample(bank["visitors"], count):
        hour = f"{rng.randint(8, 16):02d}:{rng.choice(range(0, 60, 5)):02d}"
        reason, house = rng.choice(bank["visit_reasons"]), rng.choice(("Rotterdam", "Porto"))
        rows.append(f"| {hour} | - | {name}, {company} | {house} | {rng.choice(bank['hosts'])} | "
                    f"{reason}, badge {rng.randint(1, 24):02d} |")  # fmt: skip
    return sorted(rows)


def _shuffled(entries: list[str], name: str, count: int) -> list[str]:
    rng = random.Random(f"{SEED}/{name}")
    found: list[str] = []
    while len(found) < count:
        found += rng.sample(entries, len(entries))
    return found


def _plate(rng: random.Random) -> str:
    letters = "BDFGHJKLNPRSTVXZ"
    pair = "".join(rng.choice(letters) for _ in range(3))
    return f"{rng.randint(10, 99)}-{pair}-{rng.randint(1, 9)}"
