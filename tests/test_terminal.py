"""What a person sees: readable without colour, nothing taken for markup, nothing that steers."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

import vision_ctx.terminal as terminal
from vision_ctx.ingest import Step
from vision_ctx.types import ChannelRank, Failure, Hit, Record, Report, SearchResult


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 客厅 😀 👩‍👧 नमस्ते می‌خواهم", None),
        ("a&lt;b [red]x[/red] <b>", None),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\tc\r", "a\\x0ab\\x09c\\x0d"),
        ("\x00\x07\x7f\x9b", "\\x00\\x07\\x7f\\x9b"),
        ("\u202egpj\u2066x", "\\u202egpj\\u2066x"),
        ("a\u2028b\u2029", "a\\u2028b\\u2029"),
        ("caf\udce9", "caf\\udce9"),
    ],
)
def test_visible(text, shown):
    assert terminal.visible(text) == (text if shown is None else shown)


def crop(**changes):
    fields = {"label": "person", "camera": "gate", "crop_path": "crops/aa/a.jpg"} | changes
    return Record("a", "crop", "s", "/site/gate/a.mp4", "Camera gate. Person.", "person", **fields)


def result(*records, confident=True):
    hits = tuple(
        Hit(rank, 0.1, record, {"bm25": ChannelRank(1, 1.0)}, "words: person (rank 1)")
        for rank, record in enumerate(records, 1)
    )
    return SearchResult("person", {}, {"crops": 9, "chunks": 2}, confident, 12.3, hits)


def test_a_crop_says_what_where_when_and_why(capsys):
    from datetime import UTC, datetime

    record = crop(
        site="Rotterdam",
        captured_at=datetime(2026, 3, 3, 6, 15, tzinfo=UTC),
        timezone="Europe/Amsterdam",
        clock="file time",
        clock_weak=True,
        source_time_s=3725.0,
    )
    terminal.show_result(result(record), Path("/index"))
    first, context, why, where, summary = capsys.readouterr().out.splitlines()
    assert first.split() == [
        *("1.", "crop", "person", "·", "gate,", "Rotterdam", "·"),
        *("Tue", "03", "Mar", "2026", "07:15:00", "(by", "file", "time)"),
    ]
    assert context.strip() == "Camera gate. Person."
    assert why.strip() == "words: person (rank 1)"
    assert where.strip() == "/site/gate/a.mp4 at 1:02:05  crop: /index/crops/aa/a.jpg"
    assert summary == "1 hits among 9 crops, 2 chunks, 12 ms"


def test_a_long_passage_is_shortened_a_short_one_is_whole(capsys):
    chunks = [
        Record("b", "chunk", "s", "/r.pdf", "c", body, document="r.pdf", title="Log", page=page)
        for body, page in (("word " * 200, 3), ("All\nquiet.", None))
    ]
    terminal.show_result(result(*chunks), Path("/index"))
    out = capsys.readouterr().out
    assert "Log (r.pdf, page 3)" in out and "Log (r.pdf)" in out
    assert "All quiet." in out and "word…" in out.replace(" …", "…")
    assert max(map(len, out.splitlines())) < 300


def test_no_match_is_said(capsys):
    terminal.show_result(result(), Path("/index"))
    assert capsys.readouterr().out == "Nothing found among 9 crops, 2 chunks.\n"
    terminal.show_result(result(crop(), confident=False), Path("/index"))
    assert capsys.readouterr().out.startswith("No confident match")


def test_long_lists_are_cut_and_counted(capsys):
    report = Report(failures=[Failure(f"/site/{n}.jpg", "bad") for n in range(25)])
    terminal.show_report(report, Path("/index"))
    err = capsys.readouterr().err
    assert "Failed: 25" in err and "/site/19.jpg: bad" in err and "/site/20.jpg" not in err
    assert "… and 5 more (all are in --json)" in err


def test_lines_are_not_wrapped_in_a_narrow_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    terminal.show_result(result(crop()), Path("/index/with/a/long/path"))
    assert "crop: /index/with/a/long/path/crops/aa/a.jpg" in capsys.readouterr().out


def test_progress_is_silent_where_nobody_watches(capsys):
    with terminal.progress_bar() as move:
        move(Step(0, 3, "/site/a.mp4", 75.0))
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_progress_shows_source_and_time_where_somebody_does(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(
        terminal,
        "Console",
        lambda **options: Console(file=stream, force_terminal=True, width=100),
    )
    monkeypatch.setattr(
        terminal, "_console", lambda **options: Console(file=stream, force_terminal=True, width=100)
    )
    bars = []
    original = Progress.update
    monkeypatch.setattr(
        Progress,
        "update",
        lambda self, *args, **kw: (bars.append(kw["description"]), original(self, *args, **kw)),
    )
    with terminal.progress_bar() as move:
        move(Step(1, 3, "/site/[red]\x1b[31ma.mp4", 75.0))
        move(Step(2, 3, "/site/b.jpg"))
    assert bars == ["[red]\\x1b[31ma.mp4 at 1:15", "b.jpg"]
    assert "1/3" in stream.getvalue() or "2/3" in stream.getvalue()
