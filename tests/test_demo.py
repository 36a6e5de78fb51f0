"""The demonstration: its questions, its page, and what it finds on the sample site."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from vision_ctx import demo
from vision_ctx.cli import main
from vision_ctx.evaluate import evaluate, first_hits, read_queries
from vision_ctx.models.catalog import _SAMPLE_FILES

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def test_five_questions():
    searches = demo.searches()
    assert len(searches) == 5
    assert len({search.title for search in searches}) == 5


def test_the_page_shows_hostile_text_as_text(index, tmp_path, save):
    save(tmp_path / "in" / '"><img src=x onerror=alert(1)>' / "a.jpg", person=(10, 20, 40, 100))
    (tmp_path / "in" / "a.md").write_text("# <script>alert(2)</script> person\n")
    index.add(tmp_path / "in")
    search = demo.Search("<b>", "person <i>")
    page = demo.write_contact_sheet(index, [(search, index.search("person"))]).read_text()
    assert re.findall(r"<script|<img src=x|<b>|<i>", page) == []
    assert page.count("data:image/jpeg;base64,") == 1


@pytest.mark.slow
def test_the_demonstration_from_end_to_end(tmp_path):
    """Every question has its right answer among the five hits; the figures are printed."""
    missing = [path for path in _SAMPLE_FILES.values() if not (SAMPLES / path).exists()]
    if missing:
        pytest.skip(f"the sample models are not there: {missing}")
    folder = tmp_path / "demo"
    ran = CliRunner().invoke(main, ["demo", "--index", str(folder)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    index = demo.Index.open(folder)
    known = {query.text: query for query in read_queries(SAMPLES / "queries.jsonl")}
    for search in demo.searches():
        assert search.title in ran.output
        query = known[search.query]  # the demonstration asks what the sample site has answers for
        found = first_hits(query, index.search(query.text, k=demo.HITS).hits)
        assert found, f"{search.query}: no right answer among the first {demo.HITS} hits"
        assert query.kind != "mixed" or len(found) == 2
    assert (folder / demo.SHEET).stat().st_size > 10_000
    measured = evaluate(
        index.snapshot(), index.embedder, read_queries(SAMPLES / "queries.jsonl", "test")
    )
    rows = {row["name"]: row["recall_at"]["20"] for row in measured["rows"]}
    print(rows)  # noqa: T201 - the figure of this run, shown with -s
    assert max(rows["plain"], rows["context"]) < rows["context+bm25"]
