import io

import pymupdf
import pytest
from PIL import Image, ImageDraw
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from vision_ctx.documents import readers
from vision_ctx.documents.readers import read_document
from vision_ctx.errors import SourceError
from vision_ctx.sources.fingerprint import make_source

BODY = "The gate was open all night and nobody closed it."


def read(path):
    return read_document(make_source(str(path), "document", 1, 1, "aa"))


def make_pdf(path, pages, title=None):
    """``pages`` holds lists of (size, text) from the top of each page."""
    sheet = canvas.Canvas(str(path))
    if title is not None:
        sheet.setTitle(title)
    for lines in pages:
        y = 780
        for size, text in lines:
            sheet.setFont("Helvetica", size)
            sheet.drawString(60, y, text)
            y -= 3 * size
        sheet.showPage()
    sheet.save()
    return path


@pytest.mark.parametrize(
    "data",
    [
        b"# Caf\xc3\xa9\n\nOpen\n",
        b"\xef\xbb\xbf# Caf\xc3\xa9\r\n\r\nOpen\r\n",
        "# Café\r\rOpen\r".encode(),
        "# Café\n\nOpen\n".encode("utf-16"),
        b"\xfe\xff" + "# Café\n\nOpen\n".encode("utf-16-be"),
        "# Café\n\nOpen\n".encode("cp1252"),
    ],
    ids=["utf8", "bom-crlf", "cr", "utf16", "utf16be", "cp1252"],
)
def test_encodings_and_line_ends(tmp_path, data):
    path = tmp_path / "note.md"
    path.write_bytes(data)
    document = read(path)
    assert document.text == "# Café\n\nOpen\n"
    assert document.title == "Café"
    assert [(h.start, h.end) for h in document.headings] == [(0, 6)]


def test_a_file_cut_off_within_a_character_stays_utf8(tmp_path):
    path = tmp_path / "log.txt"
    path.write_bytes("Tür geöffnet, Tor geschloßen, später ö".encode()[:-1])
    assert read(path).text == "Tür geöffnet, Tor geschloßen, später \ufffd"


def test_plain_text_has_no_headings_and_is_named_by_its_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# not Markdown\n")
    document = read(path)
    assert (document.title, document.headings, document.page_starts) == ("words", (), ())


@pytest.mark.parametrize("name", ["a.md", "A.MD", "a.markdown"])
def test_markdown_by_extension(tmp_path, name):
    path = tmp_path / name
    path.write_text("## Sub\n\n# Main\n")
    assert read(path).title == "Main"


def test_the_title_of_front_matter_goes_first(tmp_path):
    path = tmp_path / "a.md"
    path.write_text('---\ntitle: "Night log"\n---\n\n# Gate\n\nOpen\n')
    document = read(path)
    assert document.title == "Night log"
    assert document.text.startswith("---\n")


@pytest.mark.parametrize("data", [b" \n\t\n", b"\xef\xbb\xbf", "\u3000\n".encode()])
def test_no_text(tmp_path, data):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(SourceError, match="no text"):
        read(path)


def test_binary_is_refused(tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes(b"\x00\x01\x02 not text")
    with pytest.raises(SourceError, match="binary"):
        read(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SourceError, match=r"gone\.txt.*no such file"):
        read(tmp_path / "gone.txt")


def test_pdf_pages_headings_and_title(tmp_path):
    pages = [
        [(24, "Shift report"), (16, "Gate"), (11, BODY), (11, "It rained.")],
        [(11, "More of the gate."), (16, "Dock"), (11, BODY)],
    ]
    document = read(make_pdf(tmp_path / "r.pdf", pages, title="Night of 3 March"))
    assert document.title == "Night of 3 March"
    assert [(h.level, h.title) for h in document.headings] == [
        (1, "Shift report"),
        (2, "Gate"),
        (2, "Dock"),
    ]
    for heading in document.headings:
        assert document.text[heading.start : heading.end] == heading.title
    assert [document.page_at(document.text.index(w)) for w in ("rained", "More", "Dock")] == [
        1,
        2,
        2,
    ]
    assert document.headings_at(document.text.index("More")) == ("Shift report", "Gate")
    assert document.notes == ()


@pytest.mark.parametrize("title", [None, "untitled", " "])
def test_a_pdf_without_title_takes_its_first_heading_or_its_name(tmp_path, title):
    headed = make_pdf(tmp_path / "a.pdf", [[(20, "Shift report"), (11, BODY)]], title)
    assert read(headed).title == "Shift report"
    assert read(make_pdf(tmp_path / "bare.pdf", [[(11, BODY)]], title)).title == "bare"


def test_ligatures_become_letters(tmp_path):  # S29
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    sheet = canvas.Canvas(str(tmp_path / "lig.pdf"))
    sheet.setFont("Vera", 12)
    sheet.drawString(60, 700, "A scienti\ufb01c of\ufb01ce on the \ufb02oor plan, con\ufb01dential")
    sheet.save()
    text = read(tmp_path / "lig.pdf").text
    assert "A scientific office on the floor plan, confidential" in text


def test_arabic_comes_in_reading_order(tmp_path):  # S32
    pdf = pymupdf.open()
    html = '<p dir="rtl">هذا تقرير البوابة محمد21 عند المدخل</p>'
    pdf.new_page().insert_htmlbox(pymupdf.Rect(50, 50, 550, 200), html)
    pdf.save(tmp_path / "ar.pdf")
    text = read(tmp_path / "ar.pdf").text
    assert "تقرير" in text
    assert "محمد21" in text
    assert text.index("تقرير") < text.index("محمد21")


def test_pages_without_text_are_named(tmp_path):
    document = read(make_pdf(tmp_path / "e.pdf", [[], [(11, BODY)], [], [(11, BODY)]]))
    assert document.notes == ("no text found in 2 of 4 pages: 1, 3",)
    assert document.page_at(document.text.rindex("gate")) == 4
    many = read(make_pdf(tmp_path / "m.pdf", [[(11, BODY)], *[[]] * 12]))
    assert many.notes == ("no text found in 12 of 13 pages: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …",)


@pytest.mark.parametrize("pages", [1, 3])
def test_a_scan_is_no_indexed_document(tmp_path, pages):  # S31
    picture = Image.new("RGB", (600, 300), "white")
    ImageDraw.Draw(picture).text((60, 60), "INVOICE 4711 from the gate", fill="black")
    picture.save(tmp_path / "scan.pdf", save_all=True, append_images=[picture] * (pages - 1))
    with pytest.raises(SourceError, match=f"no text found in {pages} of {pages} pages"):
        read(tmp_path / "scan.pdf")


def test_an_encrypted_pdf_says_what_to_do(tmp_path):
    make_pdf(tmp_path / "open.pdf", [[(11, BODY)]])
    with pymupdf.open(tmp_path / "open.pdf") as pdf:
        method = pymupdf.PDF_ENCRYPT_AES_256
        pdf.save(tmp_path / "user.pdf", encryption=method, user_pw="x", owner_pw="y")
        pdf.save(tmp_path / "owner.pdf", encryption=method, owner_pw="y")
    with pytest.raises(SourceError, match="encrypted; save it without its password"):
        read(tmp_path / "user.pdf")
    assert BODY in read(tmp_path / "owner.pdf").text  # opens without a password


def broken(path):
    make_pdf(path, [[(11, BODY)]])
    return path.read_bytes()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: b"plain text, not a PDF\n",
        lambda data: data[:20],
        lambda data: b"\x89PNG\r\n\x1a\n" + bytes(200),
        lambda data: data.replace(b"/Page", b"/Pxge"),
    ],
    ids=["empty", "text", "head", "png", "no-pages"],
)
def test_a_broken_pdf_is_a_source_error(tmp_path, spoil, capfd):
    path = tmp_path / "b.pdf"
    path.write_bytes(spoil(broken(path)))
    with pytest.raises(SourceError, match=r"b\.pdf"):
        read(path)
    assert capfd.readouterr() == ("", "")  # MuPDF does not write to the terminal


def test_a_damaged_pdf_gives_what_is_left_or_an_error(tmp_path):
    path = tmp_path / "b.pdf"
    data = broken(path)
    for length in range(100, len(data), 97):
        path.write_bytes(data[:length])
        try:
            assert read(path).text.strip()
        except SourceError:
            continue


def test_a_jpeg_named_pdf(tmp_path):
    buffer = io.BytesIO()
    Image.new("RGB", (9, 9)).save(buffer, "JPEG")
    (tmp_path / "p.pdf").write_bytes(buffer.getvalue())
    with pytest.raises(SourceError):
        read(tmp_path / "p.pdf")


def test_whatever_a_parser_raises_is_the_fault_of_the_file(tmp_path, monkeypatch):
    def broken(source, path):
        raise KeyError("rId99")

    monkeypatch.setitem(readers._READERS, ".md", broken)
    (tmp_path / "a.md").write_text("# A\n")
    with pytest.raises(SourceError, match="cannot be read: KeyError: 'rId99'"):
        read(tmp_path / "a.md")
