"""The write path: discover → decode → detect → crop → context → embed → store."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from vision_ctx.documents.passages import passages
from vision_ctx.embedding import Draft, EmbeddingStage
from vision_ctx.footage.crops import Seen, cut
from vision_ctx.footage.describe import describe
from vision_ctx.footage.detecting import MAX_BATCH_BYTES, DetectionStage, frame_weight
from vision_ctx.footage.tracks import TrackStage
from vision_ctx.pipeline import SourceDone, Stopwatch, prefetch
from vision_ctx.plan import Given, Plan, make_plan, picture_plan
from vision_ctx.protocols import Contextualizer, Detector, Embedder, Tracker
from vision_ctx.sources.clock import moment_of
from vision_ctx.sources.decode import decode
from vision_ctx.sources.fingerprint import picture_source
from vision_ctx.store.manifest import Settings
from vision_ctx.store.store import FLUSH_ROWS, Entry, Store
from vision_ctx.types import RGB, Failure, Frame, Record, Report


@dataclass(frozen=True, slots=True)
class Step:
    """What a run is doing: sources done of those to do, the one at hand and its video time."""

    done: int
    total: int
    source: str
    time_s: float | None = None


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a run. Each is made when it is first needed; a tracker for a frame rate."""

    detector: Callable[[], Detector]
    tracker: Callable[[float], Tracker]
    embedder: Callable[[], Embedder]
    contextualizer: Contextualizer


@dataclass(slots=True)
class Run:
    """One run of indexing: what it works with and what it has done."""

    store: Store
    models: Models
    settings: Settings
    progress: Callable[[Step], None] = lambda step: None
    report: Report = field(default_factory=Report)
    watch: Stopwatch = field(default_factory=Stopwatch)
    total: int = 0
    done: int = 0

    def step(self, source: str, time_s: float | None = None) -> None:
        """Tells who watches what is going on."""
        self.progress(Step(self.done, self.total, source, time_s))


def ingest(run: Run, paths: Sequence[str | os.PathLike[str]], given: Given) -> Report:
    """Indexes what is new or changed under the paths and forgets what is gone.

    Raises:
        ConfigError: A configuration file cannot be followed; nothing was changed.
        ArgumentError: A start time was given for more than one recording; nothing was changed.
    """
    began = time.perf_counter()
    plan = make_plan(paths, run.store.known, run.settings, given, run.models.contextualizer.id)
    crops = footage_drafts(run, decode(plan.recordings(), run.settings.fps))
    chunks = passages(plan.documents(), run.models.contextualizer)
    return _follow(run, plan, chain(crops, chunks), began)


def ingest_picture(run: Run, image: RGB, name: str, given: Given) -> Report:
    """Indexes a picture that is in memory; the same name again replaces it.

    Raises:
        ConfigError: The given zone is none.
    """
    began = time.perf_counter()
    source = picture_source(name, image)
    plan, camera = picture_plan(source, run.store.known, run.settings, given)
    frames: list[Frame | SourceDone] = []
    if plan.candidates:
        moment = moment_of(given.start_time, camera.timezone)
        frames = [Frame(source, camera, moment, image), SourceDone(source, frames=1)]
    return _follow(run, plan, footage_drafts(run, iter(frames)), began)


def _follow(run: Run, plan: Plan, drafts: Iterable[Draft | SourceDone], began: float) -> Report:
    """Embeds and stores what the stages before give, shows it to readers and sums up."""
    run.total = len(plan.candidates)
    try:
        write(run, plan, embed(run, drafts))
        run.store.remove(plan.vanished)
    finally:
        with run.watch.time("publish"):
            run.store.publish()
    _conclude(run, plan, time.perf_counter() - began)
    return run.report


def footage_drafts(run: Run, frames: Iterator[Frame | SourceDone]) -> Iterator[Draft | SourceDone]:
    """The stages from frames to described crops; decoding runs in a thread of its own."""
    timed = run.watch.each("decode", frames)
    ahead = _announced(run, prefetch(timed, frame_weight, MAX_BATCH_BYTES))
    seen = _detected(run, ahead)
    run.store.pictures.watch = run.watch
    if run.settings.track:
        crops = TrackStage(partial(run.models.tracker, run.settings.fps)).run(seen)
    else:
        crops = cut(seen)
    return describe(crops, run.store.pictures.save)


def embed(run: Run, drafts: Iterable[Draft | SourceDone]) -> Iterator[Record | SourceDone]:
    """Gives drafts their vectors; without any draft no model is made."""
    items = iter(drafts)
    for item in items:
        if isinstance(item, SourceDone):
            yield item
            continue
        stage = EmbeddingStage(run.models.embedder(), run.watch)
        yield from stage.run(chain([item], items))


def write(run: Run, plan: Plan, items: Iterable[Record | SourceDone]) -> None:
    """Stores records in large writes; a source counts as done when its end mark was written."""
    rows: list[Record] = []
    finished: list[Entry] = []
    counts: dict[str, list[int]] = {}

    def flush() -> None:
        # Taken out first: what a failing write may have stored must not be written again.
        taken = rows[:], finished[:]
        rows.clear()
        finished.clear()
        with run.watch.time("store"):
            run.store.write(*taken)

    try:
        for item in items:
            if isinstance(item, Record):
                counts.setdefault(item.source_id, [0, 0])[item.kind == "chunk"] += 1
                rows.append(item)
            else:
                crops, chunks = counts.pop(item.source.id, (0, 0))
                _finish(run, plan, item, finished, crops, chunks)
            if len(rows) + len(finished) >= FLUSH_ROWS:
                flush()
    finally:
        flush()  # an interrupted run keeps what it has done


def _finish(
    run: Run, plan: Plan, done: SourceDone, finished: list[Entry], crops: int, chunks: int
) -> None:
    report = run.report
    run.done += 1
    run.step(done.source.path)
    report.frames += done.frames
    if done.error is not None:
        report.failures.append(Failure(done.source.path, done.error))
    if not done.readable:
        run.store.note([plan.failed_entry(done)])
        return
    report.crops += crops
    report.chunks += chunks
    if plan.is_new(done):
        report.added += 1
    else:
        report.updated += 1
    finished.append(plan.entry(done, crops, chunks))


def _detected(run: Run, items: Iterator[Frame | SourceDone]) -> Iterator[Seen | SourceDone]:
    """Detections of frames; without any frame no model is made."""
    for item in items:
        if isinstance(item, SourceDone):
            yield item
            continue
        stage = DetectionStage(run.models.detector(), run.settings.min_confidence, run.watch)
        yield from stage.run(chain([item], items))


def _announced(run: Run, items: Iterable[Frame | SourceDone]) -> Iterator[Frame | SourceDone]:
    for item in items:
        if isinstance(item, Frame):
            run.step(item.source.path, item.time_s)
        yield item


def _conclude(run: Run, plan: Plan, elapsed_s: float) -> None:
    report = run.report
    run.store.note(plan.touched)
    report.unchanged = len(plan.unchanged) + len(plan.touched)
    report.removed = len(plan.vanished)
    report.failures[:0] = plan.failures
    # A file that is cut off stays cut off: it is named again, though it is not read again.
    report.failures.extend(
        Failure(entry.source.path, entry.error)
        for entry in (*plan.unchanged, *plan.touched)
        if entry.error is not None
    )
    report.skipped.extend(plan.skipped)
    report.notes.extend(plan.notes)
    report.stage_s = dict(run.watch.seconds)
    report.elapsed_s = elapsed_s
