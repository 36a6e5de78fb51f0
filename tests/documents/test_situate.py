from vision_ctx.documents.document import Document, Heading
from vision_ctx.documents.situate import HeadingContextualizer
from vision_ctx.sources.fingerprint import make_source
from vision_ctx.types import Chunk

SOURCE = make_source("/reports/log.pdf", "document", 1, 1, "aa")


def context(title="Night log", page=None, headings=(), pages=()):
    document = Document(SOURCE, title, "text", page_starts=pages)
    (words,) = HeadingContextualizer().contextualize(document, [Chunk("t", 0, 1, page, headings)])
    return words


def test_golden():
    assert context() == 'From "Night log" (log.pdf).'
    assert context(headings=("Night log", "Gate", "Deliveries")) == (
        'From "Night log" (log.pdf), section Gate > Deliveries.'
    )
    assert context(page=3, headings=("Gate",), pages=(0, 1, 2, 3)) == (
        'From "Night log" (log.pdf), section Gate, page 3 of 4.'
    )


def test_paths_of_headings_and_pages_of_a_document():
    headings = (Heading(1, "A", 5, 6), Heading(3, "B", 10, 11), Heading(2, "C", 20, 21))
    document = Document(SOURCE, "t", "x" * 30, headings, (0, 10, 10, 25))
    paths = [document.headings_at(offset) for offset in (0, 5, 12, 20, 29)]
    assert paths == [(), ("A",), ("A", "B"), ("A", "C"), ("A", "C")]
    assert [document.page_at(offset) for offset in (0, 9, 10, 24, 25)] == [1, 1, 3, 3, 4]
