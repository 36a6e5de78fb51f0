import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision_ctx.documents.chunking import MAX_TOKENS, chunk
from vision_ctx.documents.document import Document, Heading
from vision_ctx.documents.markdown import markdown_headings
from vision_ctx.sources.fingerprint import make_source

SOURCE = make_source("/log.md", "document", 1, 1, "aa")


def markdown(text):
    return Document(SOURCE, "log", text, markdown_headings(text))


def plain(text, pages=()):
    return Document(SOURCE, "log", text, page_starts=tuple(pages))


def tokens(text):
    """The stated estimate, written independently: words at 1.3, more for long ones, 1 a character."""
    bare, unspaced = "", 0
    for char in text:
        alone = "\u0e00" <= char <= "\u0eff" or "\u3040" <= char <= "\u30ff" or "一" <= char <= "鿿"
        unspaced += alone
        bare += " " if alone else char
    return unspaced + sum(1.3 * max(1, len(word) / 10) for word in bare.split())


def check(document, max_tokens=MAX_TOKENS):
    """The promises that hold for every document; returns the chunks."""
    text = document.text
    chunks = chunk(document, max_tokens)
    covered = [False] * len(text)
    for piece in chunks:
        assert text[piece.start : piece.end] == piece.text == piece.text.strip() != ""
        assert tokens(piece.text) <= max_tokens + 1e-6 or len(piece.text) == 1
        covered[piece.start : piece.end] = [True] * len(piece.text)
        assert piece.page == document.page_at(piece.start) == document.page_at(piece.end - 1)
    assert all(covered[i] or char.isspace() for i, char in enumerate(text))
    assert all(a.end <= b.start for a, b in itertools.pairwise(chunks))
    return chunks


WORDS = st.text(alphabet="ab界は ไ.!。\n\t#=-`", max_size=300)


@settings(deadline=None, max_examples=50)
@given(WORDS | st.text(max_size=200), st.integers(3, 40))
def test_promises_hold_for_any_markdown(text, size):
    check(markdown(text), size)


@settings(deadline=None, max_examples=50)
@given(st.lists(WORDS, max_size=5), st.integers(3, 40))
def test_promises_hold_for_any_pages(pages, size):
    starts, text = [], ""
    for page in pages:
        starts.append(len(text))
        text += page + "\n\n"
    check(plain(text, starts), size)


def test_a_short_text_is_one_chunk():
    (piece,) = check(plain("  The gate was open.\n\nIt was closed.\n"))
    assert (piece.start, piece.end) == (2, 36)
    assert (piece.page, piece.headings) == (None, ())


def test_no_chunk_in_white_space():
    assert chunk(plain(" \n\t\n\u3000")) == []
    assert chunk(plain("")) == []


def test_every_heading_opens_a_chunk_under_its_path():
    text = "Before.\n\n# Report\n\nIntro.\n\n## Gate\n\nA.\n\n### Night\n\nB.\n\n## Dock\n\nC.\n"
    chunks = check(markdown(text))
    assert [piece.headings for piece in chunks] == [
        (),
        ("Report",),
        ("Report", "Gate"),
        ("Report", "Gate", "Night"),
        ("Report", "Dock"),
    ]
    assert chunks[2].text == "## Gate\n\nA."


def test_a_title_above_a_first_subheading_joins_its_section():
    (piece,) = check(markdown("# Report\n\n## Gate\n\nThe gate was open.\n"))
    assert piece.text.startswith("# Report")
    assert piece.headings == ("Report", "Gate")


def test_a_setext_title_joins_too_and_later_chunks_keep_the_path():
    body = "\n\n".join(f"Paragraph {n} says that the gate was open." for n in range(60))
    chunks = check(markdown(f"Report\n======\n\nGate\n----\n\n{body}"), 60)
    assert len(chunks) > 5
    assert {piece.headings for piece in chunks} == {("Report", "Gate")}


def test_a_last_heading_without_text_is_kept():
    chunks = check(markdown("# Report\n\nText.\n\n## Appendix\n"))
    assert chunks[-1].text == "## Appendix"
    assert chunks[-1].headings == ("Report", "Appendix")


def test_long_sections_break_at_paragraphs_first():
    paragraphs = [" ".join([f"word{n}"] * 20) for n in range(10)]
    chunks = check(plain("\n\n".join(paragraphs)), 60)  # two paragraphs of 26 tokens to a chunk
    assert [piece.text for piece in chunks] == [
        "\n\n".join(paragraphs[n : n + 2]) for n in range(0, 10, 2)
    ]


def test_then_at_sentences_then_at_words():
    sentence = "The gate was open all night and nobody closed it."
    chunks = check(plain(" ".join([sentence] * 30)), 50)
    assert all(piece.text.endswith("it.") for piece in chunks)
    check(plain("gate " * 2000), 100)
    one_word_lines = check(plain("gate\n" * 2000), 100)
    assert max(piece.text.count("gate") for piece in one_word_lines) == 76  # 100 / 1.3


@pytest.mark.parametrize(
    "text",
    [
        "门口有一辆白色的车停了下来。" * 100,
        "門の前に白い車が止まった" * 100,  # no sentence ends at all
        "ประตูหน้าบ้านเปิดอยู่" * 100,
        "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 300,  # base64
        "a界" * 1000,
    ],
    ids=["chinese", "japanese", "thai", "base64", "mixed"],
)
def test_text_without_spaces(text):
    chunks = check(plain(text))
    assert 1 < len(chunks) < 20
    assert "".join(piece.text for piece in chunks) == text


def test_chinese_breaks_at_sentences():
    sentence = "门口有一辆白色的车停了下来。"
    for piece in check(plain(sentence * 100), 60):
        assert piece.text.endswith("。")


def test_pages_are_never_crossed_and_headings_go_on():
    text = "Gate\nOpen at noon.\n\n\n\nClosed at one.\n"
    starts = (0, text.index("\n\nClosed"), text.index("Closed"))
    document = Document(SOURCE, "log", text, (Heading(1, "Gate", 0, 4),), starts)
    first, second = check(document)
    assert (first.page, first.headings) == (1, ("Gate",))
    assert (second.page, second.headings) == (3, ("Gate",))


def test_a_heading_at_the_foot_of_a_page_stays_on_it():
    text = "Open.\nDock\n\nClosed.\n"
    document = Document(
        SOURCE, "log", text, (Heading(1, "Dock", 6, 10),), (0, text.index("Closed"))
    )
    assert [(p.text, p.page) for p in check(document)] == [
        ("Open.", 1),
        ("Dock", 1),
        ("Closed.", 2),
    ]


def test_a_large_document_takes_no_long_time():
    section = "## Part {}\n\n" + "The gate was checked at noon by guard. " * 30 + "\n\n"
    chunks = chunk(markdown("".join(section.format(n) for n in range(2000))))
    assert len(chunks) == 2000
