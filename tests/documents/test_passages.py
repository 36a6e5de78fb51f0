from reportlab.pdfgen import canvas

from vision_ctx.documents.passages import passages
from vision_ctx.documents.situate import HeadingContextualizer
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.fingerprint import read_source

TEXT = "# Night log\n\nIntro.\n\n## Gate\n\nOpen at 07:05.\n"


def run(*sources):
    return list(passages(sources, HeadingContextualizer()))


def source(path, text=TEXT):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return read_source(path, "document")


def test_every_field_of_a_record(tmp_path):
    first, second, done = run(source(tmp_path / "log.md"))
    record = second.record
    assert (record.kind, record.document, record.title) == ("chunk", "log.md", "Night log")
    assert record.body == "## Gate\n\nOpen at 07:05."
    assert TEXT[slice(*record.span)] == record.body
    assert record.headings == ("Night log", "Gate")
    assert record.context == 'From "Night log" (log.md), section Gate.'
    assert second.text_to_embed == record.text == f"{record.context}\n{record.body}"
    assert first.record.context == 'From "Night log" (log.md).'
    assert (record.source, record.page) == (str(tmp_path / "log.md"), None)
    assert second.image is None
    assert (done.error, done.readable) == (None, True)


def test_ids_are_stable_and_unique_over_folders(tmp_path):
    sources = [source(tmp_path / folder / "log.md") for folder in ("a", "b")]
    ids = [draft.record.id for draft in run(*sources) if not isinstance(draft, SourceDone)]
    assert len(set(ids)) == 4
    assert ids == [d.record.id for d in run(*sources) if not isinstance(d, SourceDone)]


def test_equal_passages_have_ids_of_their_own(tmp_path):
    twice = source(tmp_path / "log.md", "# A\n\nOpen.\n\n# A\n\nOpen.\n")
    first, second, _ = run(twice)
    assert first.record.body == second.record.body
    assert first.record.id != second.record.id


def test_one_bad_document_does_not_stop_the_others(tmp_path):
    bad = source(tmp_path / "bad.pdf", "no pdf")
    good = source(tmp_path / "good.md")
    marked = SourceDone(good, "permission denied", readable=False)
    out = run(bad, marked, good)
    assert isinstance(out[0], SourceDone)
    assert not out[0].readable
    assert "PDF cannot be read" in out[0].error
    assert out[1] is marked
    assert out[-1] == SourceDone(good)


def test_notes_of_a_document_reach_the_report(tmp_path):
    sheet = canvas.Canvas(str(tmp_path / "e.pdf"))
    sheet.showPage()
    sheet.drawString(60, 700, "The gate was open.")
    sheet.save()
    draft, done = run(read_source(tmp_path / "e.pdf", "document"))
    assert draft.record.page == 2
    assert draft.record.context == 'From "e" (e.pdf), page 2 of 2.'
    assert (done.error, done.readable) == ("no text found in 1 of 2 pages: 1", True)
