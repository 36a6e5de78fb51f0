"""Facts of the story as words, so that a document cannot disagree with the footage.

A source text writes `[[INC-2026-03-011 time]]`; the fields are `time`, `date`, `day`, `camera`,
`zone`, `summary`, and `date.fr`, `day.ko` and so on in the languages of `MONTHS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
}
WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "ko": "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
}
_MARK = re.compile(
    r"\[\[(?P<id>[A-Z]{3}-[\d-]+) (?P<field>[a-z]+)(?:\.(?P<language>[a-z]{2}))?\]\]"
)


class Facts:
    """The events of a story by id."""

    def __init__(self, story: Mapping[str, Any]) -> None:
        self.events: dict[str, Any] = {event["id"]: event for event in story["events"]}
        self.cameras: dict[str, Any] = story["cameras"]
        recordings = [*story["clips"], *story["stills"]]
        self.recordings: dict[str, Any] = {item["id"]: item for item in recordings}

    @classmethod
    def read(cls, path: Path) -> Facts:
        """The facts of a `story.json`."""
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def started(self, event_id: str) -> datetime:
        """When the recording of an event starts, in the camera's own time.

        Raises:
            KeyError: the story has no such event.
        """
        recording = self.recordings[self.events[event_id]["recording"]]
        return datetime.fromisoformat(recording["start"])

    def fill(self, text: str) -> str:
        """The text with every mark replaced by its fact."""
        return _MARK.sub(lambda m: self._field(m["id"], m["field"], m["language"] or "en"), text)

    def _field(self, event_id: str, field: str, language: str) -> str:
        event, started = self.events[event_id], self.started(event_id)
        if field == "time":
            return f"{started:%H:%M}"
        if field == "date":
            return date_words(started.date(), language)
        if field == "day":
            return day_words(started.date(), language)
        if field == "camera":
            return str(self.cameras[event["camera"]]["name"])
        if field in ("zone", "summary"):
            return str(event[field])
        raise ValueError(f"{event_id} has no field {field!r}")


def date_words(day: date, language: str = "en") -> str:
    """A date as people write it: 3 March 2026, 2026년 3월 3일."""
    if language == "ko":
        return f"{day.year}년 {day.month}월 {day.day}일"
    month = MONTHS[language].split()[day.month - 1]
    if language == "es":
        return f"{day.day} de {month} de {day.year}"
    return f"{day.day} {month} {day.year}"


def day_words(day: date, language: str = "en") -> str:
    """A date with its weekday."""
    weekday = WEEKDAYS[language].split()[day.weekday()]
    if language == "ko":
        return f"{date_words(day, language)} {weekday}"
    return f"{weekday}{',' if language == 'es' else ''} {date_words(day, language)}"
