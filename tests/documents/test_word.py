"""Word documents: order of blocks, tables and nested tables, headings, tracked changes, margins."""

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from vision_ctx.documents.word import read_word
from vision_ctx.errors import SourceError


@pytest.fixture
def document():
    return docx.Document()


@pytest.fixture
def read(tmp_path, document):
    def save_and_read():
        path = tmp_path / "report.docx"
        document.save(path)
        title, text = read_word(path)
        for heading in text.headings:
            assert text.text[heading.start : heading.end] == heading.title
        return title, text

    return save_and_read


def test_tables_stand_in_their_place_with_whole_rows(document, read):
    document.add_paragraph("Before the table")
    table = document.add_table(2, 2)
    for row, values in zip(table.rows, (("Camera", "Fault"), ("Gate 4", "lens")), strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    table.rows[1].cells[1].add_table(1, 1).rows[0].cells[0].text = "nested cell: fungus"
    document.add_paragraph("After the table")
    _, text = read()
    assert text.text.split("\n\n")[:3] == [
        "Before the table",
        "Camera | Fault\nGate 4 | lens\nnested cell: fungus",
        "After the table",
    ]


def test_a_document_that_is_all_tables(document, read):
    document.add_table(1, 1).rows[0].cells[0].text = "only this"
    assert read()[1].text.strip() == "only this"


def test_merged_cells_count_once(document, read):
    table = document.add_table(1, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).text = "narrow"
    assert read()[1].text.strip() == "wide | narrow"


def test_headings_and_lists(document, read):
    document.core_properties.title = "Handbook"
    document.add_heading("Safety", 1)
    document.add_heading("Dock", 2)
    document.add_paragraph("close the gate", style="List Bullet")
    title, text = read()
    assert title == "Handbook"
    assert [(h.level, h.title) for h in text.headings] == [(1, "Safety"), (2, "Dock")]
    assert "- close the gate" in text.text


def test_tracked_changes_count_as_accepted(document, read):
    paragraph = document.add_paragraph("The gate was ")
    for xml in (
        '<w:ins {} w:id="1"><w:r><w:t>open</w:t></w:r></w:ins>',
        '<w:del {} w:id="2"><w:r><w:delText>closed</w:delText></w:r></w:del>',
    ):
        paragraph._p.append(parse_xml(xml.format(nsdecls("w"))))
    assert read()[1].text.strip() == "The gate was open"


def test_headers_and_footers_stand_once(document, read):
    document.sections[0].header.paragraphs[0].text = "Site Rotterdam"
    document.sections[0].footer.paragraphs[0].text = "Confidential"
    document.add_section().header.is_linked_to_previous = True
    document.add_paragraph("body")
    assert read()[1].text.split("\n\n")[:3] == ["Site Rotterdam", "body", "Confidential"]


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_no_word_document(tmp_path, content):
    path = tmp_path / "bad.docx"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"bad\.docx"):
        read_word(path)


CONTROL = f"<w:sdt {nsdecls('w')}><w:sdtContent>{{}}</w:sdtContent></w:sdt>"
PARAGRAPH = f"<w:p {nsdecls('w')}><w:r><w:t>{{}}</w:t></w:r></w:p>"


def test_content_controls_are_read_in_their_place(document, read):
    document.add_paragraph("Before")
    document.add_paragraph("After")
    inner = CONTROL.format(PARAGRAPH.format("Incident number 7"))
    document.element.body.insert(1, parse_xml(CONTROL.format(inner)))
    assert read()[1].text.split("\n\n")[:3] == ["Before", "Incident number 7", "After"]


def test_a_text_box_is_read_once_and_apart_from_its_paragraph(document, read):
    box = f"<w:txbxContent>{PARAGRAPH.format('In the box')}</w:txbxContent>"
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    document.element.body.insert(
        0,
        parse_xml(
            f"<w:p {nsdecls('w')} {mc}><w:r><mc:AlternateContent>"
            f'<mc:Choice Requires="wps"><w:drawing>{box}</w:drawing></mc:Choice>'
            f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
            "</mc:AlternateContent></w:r><w:r><w:t>Beside it</w:t></w:r></w:p>"
        ),
    )
    assert read()[1].text.split("\n\n")[0] == "In the box\nBeside it"


def test_a_header_that_is_not_in_the_file_is_named(document, read):
    document.sections[0].header.paragraphs[0].text = "Confidential"
    reference = document.element.body.sectPr[0]
    reference.set(qn("r:id"), "rId99")
    with pytest.raises(SourceError, match="Word document cannot be read"):
        read()
