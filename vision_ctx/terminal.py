"""What a person sees in the terminal: progress, reports, hits, status. Reads well without colour.

Text from files and documents is shown as it is: it is never taken for markup, and control
characters, which could steer a terminal, are made visible.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from vision_ctx.ingest import Step
from vision_ctx.types import Failure, Hit, Record, Report, SearchResult

_KIND_STYLE = {"crop": "bold cyan", "chunk": "bold magenta"}
_STEERING = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_PASSAGE = 240
"""Characters of a passage that are shown with a hit."""
_LISTED = 20
"""Failures and skipped files that are listed before the rest is only counted."""


class _Console(Console):
    """Lets the command decide what it means that nobody reads any more; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        """Passes the error on."""
        raise BrokenPipeError


def _console(*, err: bool = False) -> Console:
    return _Console(stderr=err, highlight=False, soft_wrap=True, emoji=False, markup=False)


@contextmanager
def progress_bar() -> Iterator[Callable[[Step], None]]:
    """A progress bar on stderr; gives the function that moves it."""
    bar = Progress(
        TextColumn("{task.completed:.0f}/{task.total:.0f}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=_console(err=True),
        transient=True,
        disable=not Console(stderr=True).is_terminal,
    )
    with bar:
        task = bar.add_task("loading models", total=1)

        def move(step: Step) -> None:
            at = "" if step.time_s is None else f" at {_minutes(step.time_s)}"
            name = visible(Path(step.source).name)
            bar.update(
                task, completed=step.done, total=max(step.total, 1), description=f"{name}{at}"
            )

        yield move


def show_report(report: Report, folder: Path) -> None:
    """A summary of a run on stdout, its failures and skipped files on stderr."""
    console = _console()
    counts = (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, "
        f"{report.removed} removed"
    )
    console.print(Text(f"Sources: {counts}"))
    console.print(
        Text(f"Records: {report.crops} crops from {report.frames} frames, {report.chunks} chunks")
    )
    speed = report.to_dict()
    stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in report.stage_s.items())
    console.print(
        Text(
            f"Time:    {report.elapsed_s:.1f} s ({speed['frames_per_s']:.1f} frames/s, "
            f"{speed['crops_per_s']:.1f} crops/s): {stages}"
        )
    )
    console.print(Text(f"Index:   {visible(str(folder))}"))
    for note in report.notes:
        _console(err=True).print(Text(f"Note:    {visible(note)}"))
    _list("Skipped", report.skipped, "yellow")
    _list("Failed", report.failures, "red")


def _list(title: str, entries: list[Failure], style: str) -> None:
    if not entries:
        return
    console = _console(err=True)
    console.print(Text(f"{title}: {len(entries)}", style=style))
    for entry in entries[:_LISTED]:
        console.print(Text(f"  {visible(entry.source)}: {visible(entry.error)}"))
    if len(entries) > _LISTED:
        console.print(Text(f"  … and {len(entries) - _LISTED} more (all are in --json)"))


def show_result(result: SearchResult, folder: Path) -> None:
    """The hits of a search, best first."""
    console = _console()
    eligible = ", ".join(f"{count} {kind}" for kind, count in result.eligible.items())
    if not result.hits:
        console.print(Text(f"Nothing found among {eligible}."))
        return
    if not result.confident:
        console.print(Text("No confident match: no word of the question occurs.", style="yellow"))
    for hit in result.hits:
        _show_hit(console, hit, folder)
    console.print(
        Text(f"{len(result.hits)} hits among {eligible}, {result.elapsed_ms:.0f} ms", style="dim")
    )


def _show_hit(console: Console, hit: Hit, folder: Path) -> None:
    record = hit.record
    line = Text(f"{hit.rank:>3}. ")
    line.append(f"{record.kind:<5}", style=_KIND_STYLE[record.kind])
    line.append("  ")
    line.append(visible(_headline(record)), style="bold")
    console.print(line)
    for text in (visible(_what(record)), hit.why, visible(_where(record, folder))):
        console.print(Text(f"            {text}"))


def _headline(record: Record) -> str:
    if record.kind == "chunk":
        page = f", page {record.page}" if record.page is not None else ""
        return f"{record.title} ({record.document}{page})"
    when = ""
    if record.captured_at is not None and record.timezone is not None:
        local = record.captured_at.astimezone(ZoneInfo(record.timezone))
        when = f"{local:%a %d %b %Y %H:%M:%S}"
        when += f" (by {record.clock})" if record.clock_weak else ""
    place = f"{record.camera}, {record.site}" if record.site else f"{record.camera}"
    return f"{record.label} · {place} · {when}"


def _what(record: Record) -> str:
    if record.kind == "crop":
        return record.context
    body = " ".join(record.body.split())
    return body if len(body) <= _PASSAGE else f"{body[:_PASSAGE]}…"


def _where(record: Record, folder: Path) -> str:
    if record.kind == "chunk":
        return record.source
    at = "" if record.source_time_s is None else f" at {_minutes(record.source_time_s)}"
    return f"{record.source}{at}  crop: {folder / (record.crop_path or '')}"


def show_status(state: dict[str, Any]) -> None:
    """The state of an index."""
    console = _console()
    sources = ", ".join(f"{count} {kind}s" for kind, count in sorted(state["sources"].items()))
    console.print(Text(f"Index:    {visible(state['index'])}"))
    console.print(Text(f"Records:  {state['crops']} crops, {state['chunks']} chunks"))
    console.print(Text(f"Sources:  {sources or 'none'}; {state['frames']} frames looked at"))
    for role in ("detector", "embedder"):
        model = visible(f"{state[role]['spec']} ({state[role]['id']})")
        console.print(Text(f"{role.capitalize()}: {model}"))
    for camera in state["cameras"]:
        site = f", {camera['site']}" if camera["site"] else ""
        console.print(
            Text(
                f"Camera:   {visible(camera['camera'] + site)}: {camera['crops']} crops, "
                f"{camera['first']} to {camera['last']} ({camera['timezone']})"
            )
        )
    console.print(Text(f"Disk:     {state['disk_bytes'] / 2**20:.1f} MiB"))
    _list("Failed", [Failure(f["source"], f["error"]) for f in state["failures"]], "red")


def show_evaluation(measured: dict[str, Any]) -> None:
    """The measures of an evaluation as a table, then by kind of question."""
    console = _console()
    head = f"{'':<16}{'failure@20':>11}{'recall@5':>10}{'recall@20':>11}{'MRR':>7}{'nDCG@10':>9}"
    console.print(Text(f"{head}{'p50 ms':>8}{'p95 ms':>8}", style="bold"))
    for row in measured["rows"]:
        recall = row["recall_at"]
        console.print(
            Text(
                f"{row['name']:<16}{row['failure_at_20']:>11.1%}{recall['5']:>10.1%}"
                f"{recall['20']:>11.1%}{row['mrr']:>7.2f}{row['ndcg_at_10']:>9.2f}"
                f"{row['p50_ms']:>8.1f}{row['p95_ms']:>8.1f}"
            )
        )
    for kind, entry in measured["by_kind"].items():
        last = entry["rows"][-1]
        console.print(
            Text(f"{kind:<16}{last['failure_at_20']:>11.1%}  of {entry['queries']} questions")
        )
    nothing = measured["nothing"]
    console.print(
        Text(
            f"{measured['answerable']} questions with an answer; of {nothing['queries']} without "
            f"one, {nothing['recognised']} were recognised"
        )
    )


def visible(text: str) -> str:
    """The text with signs that steer a terminal replaced by visible ones.

    These are control characters, broken file-name bytes, line separators, and the marks that turn
    the direction of what follows ("gpj.exe" read backwards); marks that letters need are kept.
    """
    return "".join(_named(char) if _steers(char) else char for char in text)


def _steers(char: str) -> bool:
    return unicodedata.category(char) in _STEERING or unicodedata.bidirectional(char) in _TURNING


def _named(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
