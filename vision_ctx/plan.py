"""Decides what a run has to do: which files are new or changed, which are gone, which stay.

A file stays if its content and everything that decides about its records (camera, zone, sampling,
method) are as before.  Size and time are compared first; a file is read only where they do not
settle it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from vision_ctx.errors import ArgumentError, SourceError
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.cameras import CameraBook, Hints
from vision_ctx.sources.clock import check_timezone, local_timezone
from vision_ctx.sources.decode import Recording
from vision_ctx.sources.discover import Discovery, Found, discover
from vision_ctx.sources.fingerprint import RACY_NS, digest, make_source, mtime_ns, read_source
from vision_ctx.store.manifest import Settings
from vision_ctx.store.store import Entry, now_ns
from vision_ctx.types import Camera, Failure, Source

# Raised when a change of method makes records that an earlier run would not have made.
FOOTAGE_METHOD = "footage/1"
DOCUMENT_METHOD = "document/1"


@dataclass(frozen=True, slots=True)
class Given:
    """What the user says of the sources of a run; ``None`` keeps what was said before."""

    camera: str | None = None
    timezone: str | None = None
    start_time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may have changed, with what decides about its records."""

    found: Found
    settings: str
    options: dict[str, Any]
    known: Entry | None = None
    camera: Camera | None = None

    @property
    def start_time(self) -> datetime | None:
        """The start that the user gave, now or earlier."""
        text = self.options.get("start_time")
        return datetime.fromisoformat(text) if text else None


@dataclass(slots=True)
class Plan:
    """What a run has to do. Files are read, and found to be the same, while the plan is followed."""

    candidates: list[Candidate] = field(default_factory=list)
    unchanged: list[Entry] = field(default_factory=list)
    touched: list[Entry] = field(default_factory=list)
    vanished: list[Entry] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    skipped: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _read: dict[str, tuple[Candidate, int]] = field(default_factory=dict)

    def recordings(self) -> Iterator[Recording | SourceDone]:
        """Footage to index, each file fingerprinted when its turn comes."""
        for candidate in self.candidates:
            if candidate.camera is None:
                continue
            source = self._changed(candidate)
            if isinstance(source, SourceDone):
                yield source
            elif source is not None:
                yield Recording(source, candidate.camera, candidate.start_time)

    def documents(self) -> Iterator[Source | SourceDone]:
        """Documents to index, each file fingerprinted when its turn comes."""
        for candidate in self.candidates:
            if candidate.camera is None:
                source = self._changed(candidate)
                if source is not None:
                    yield source

    def entry(self, done: SourceDone, crops: int, chunks: int) -> Entry:
        """What to remember of a source that was indexed, wholly or in part."""
        candidate, read_at = self._read[done.source.path]
        return Entry(
            done.source,
            read_at,
            "" if done.retry else candidate.settings,
            candidate.options,
            "done" if done.error is None else "incomplete",
            done.error,
            crops,
            chunks,
            done.frames,
        )

    def failed_entry(self, done: SourceDone) -> Entry:
        """What to remember of a source that could not be read; what it had before is kept."""
        candidate, read_at = self._read[done.source.path]
        known = candidate.known or Entry(done.source, read_at, "", candidate.options)
        return replace(known, settings="", status="failed", error=done.error)

    def is_new(self, done: SourceDone) -> bool:
        """Whether nothing of the source was indexed before."""
        known = self._read[done.source.path][0].known
        return known is None or (known.status == "failed" and not known.crops + known.chunks)

    def _changed(self, candidate: Candidate) -> Source | SourceDone | None:
        """The source if it has to be indexed, ``None`` if its content is the same."""
        path, kind = candidate.found.path, candidate.found.kind
        self._read[str(path)] = (candidate, now_ns())
        try:
            source = read_source(path, kind)
        except SourceError as error:
            unread = make_source(str(path), kind, 0, 0, "")
            return SourceDone(unread, error.reason, readable=False)
        known = candidate.known
        if known is not None and _same(known, candidate) and known.source.id == source.id:
            self.touched.append(replace(known, source=source, read_at_ns=now_ns()))
            return None
        return source


def make_plan(
    paths: Sequence[str | os.PathLike[str]],
    known: Mapping[str, Entry],
    settings: Settings,
    given: Given,
    contextualizer_id: str,
) -> Plan:
    """Compares what lies under the paths with what the index knows of them.

    Raises:
        ConfigError: A configuration file or the given zone cannot be followed.
        ArgumentError: A start time was given for more than one recording.
    """
    if given.timezone is not None:
        check_timezone(given.timezone)
    found = discover(paths)
    footage = [file for file in found.files if file.kind != "document"]
    if given.start_time is not None and len(footage) != 1:
        raise ArgumentError(
            f"a start time fits one recording, but {len(footage)} were found; name one file"
        )
    plan = Plan(failures=list(found.failures), skipped=list(found.skipped))
    if found.ignored:
        plan.notes.append(
            f"passed over: {found.ignored} hidden or system files and folders; name one to index it"
        )
    book, zone = CameraBook(), local_timezone()
    for file in found.files:
        entry = known.get(str(file.path))
        candidate = _candidate(file, entry, settings, given, book, zone, contextualizer_id)
        if entry is not None and _same(entry, candidate) and _looks_same(entry, file.path):
            plan.unchanged.append(entry)
        else:
            plan.candidates.append(candidate)
    _find_vanished(plan, found, known)
    return plan


def picture_plan(
    source: Source, known: Mapping[str, Entry], settings: Settings, given: Given
) -> tuple[Plan, Camera]:
    """The plan for a picture that is in memory, and its camera.

    Raises:
        ConfigError: The given zone is none.
    """
    if given.timezone is not None:
        check_timezone(given.timezone)
    path = Path(source.path)
    entry = known.get(source.path)
    found = Found(path, "image", path)
    candidate = _candidate(found, entry, settings, given, CameraBook(), local_timezone(), "")
    plan = Plan()
    if entry is not None and _same(entry, candidate) and entry.source.id == source.id:
        plan.unchanged.append(entry)
    else:
        plan.candidates.append(candidate)
        plan._read[source.path] = (candidate, now_ns())
    assert candidate.camera is not None
    return plan, candidate.camera


def _candidate(
    file: Found,
    known: Entry | None,
    settings: Settings,
    given: Given,
    book: CameraBook,
    zone: str,
    contextualizer_id: str,
) -> Candidate:
    if file.kind == "document":
        return Candidate(file, digest(DOCUMENT_METHOD, contextualizer_id), {}, known)
    options = _options(given, known, zone)
    hints = Hints(options["camera"], options["timezone"], options["assumed_timezone"])
    camera = book.of(file.path, file.root, hints)
    deciding = asdict(settings)
    if file.kind == "image":
        del deciding["fps"]  # decides about recordings only
    decisive = json.dumps([deciding, asdict(camera), options["start_time"]])
    return Candidate(file, digest(FOOTAGE_METHOD, decisive), options, known, camera)


def _options(given: Given, known: Entry | None, zone: str) -> dict[str, Any]:
    before = known.options if known is not None else {}
    start = given.start_time.isoformat() if given.start_time else before.get("start_time")
    return {
        "camera": given.camera or before.get("camera"),
        "timezone": given.timezone or before.get("timezone"),
        "start_time": start,
        "assumed_timezone": before.get("assumed_timezone") or zone,
    }


def _same(known: Entry, candidate: Candidate) -> bool:
    return known.settings == candidate.settings and known.status in ("done", "incomplete")


def _looks_same(known: Entry, path: Path) -> bool:
    """Whether size and time settle that a file did not change."""
    try:
        stat = path.stat()
    except OSError:
        return False
    unmoved = (stat.st_size, mtime_ns(stat)) == (known.source.size, known.source.mtime_ns)
    return unmoved and known.read_at_ns - known.source.mtime_ns > RACY_NS


def _find_vanished(plan: Plan, found: Discovery, known: Mapping[str, Entry]) -> None:
    """Known files under the named folders that are no longer there.

    What lies where the walk could not look is not gone.  Nor is a whole folder that turns up empty:
    most likely its drive is not mounted.
    """
    there = {str(file.path) for file in found.files}
    for root in found.roots:
        if not os.path.isdir(root):  # noqa: PTH112 - Path.is_dir raises where it may not look
            continue
        below = [e for path, e in known.items() if Path(path).is_relative_to(root)]
        gone = [
            entry
            for entry in below
            if entry.source.path not in there
            and not any(Path(entry.source.path).is_relative_to(blind) for blind in found.blind)
            and entry not in plan.vanished
        ]
        if gone and len(gone) == len(below) and not any(root.iterdir()):
            reason = f"the folder is empty, but {len(gone)} of its files are indexed; they are kept"
            plan.failures.append(Failure(str(root), f"{reason} (is the drive mounted?)"))
        else:
            plan.vanished.extend(gone)
