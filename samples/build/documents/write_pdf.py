"""PDF by reportlab, byte for byte the same at each run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from blocks import Block
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    ListFlowable,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

PageHook = Callable[[Canvas, BaseDocTemplate], None]
_PAPER = {"A4": (A4, 22 * mm), "A5": (A5, 15 * mm)}  # size and margin
# Letter sizes fall clearly from level to level: readers of PDFs tell headings by them.
_SIZES = {1: 19.0, 2: 15.0, 3: 12.5, 4: 11.5}


class _Styles:
    """Paragraph styles at a scale; 1 is ordinary print, booklets for the pocket use more."""

    def __init__(self, scale: float) -> None:
        self.body = ParagraphStyle("body", fontName="Helvetica", fontSize=10 * scale,
                                   leading=14 * scale, spaceAfter=6 * scale)  # fmt: skip
        self.cell = ParagraphStyle("cell", parent=self.body, fontSize=9, leading=11, spaceAfter=0)
        self.headings = {
            level: ParagraphStyle(
                f"h{level}", fontName="Helvetica-Bold", fontSize=size * scale,
                leading=size * scale * 1.25, spaceBefore=size * scale * 0.8,
                spaceAfter=size * scale * 0.4, keepWithNext=1,
            )
            for level, size in _SIZES.items()
        }  # fmt: skip


def write(path: Path, meta: Mapping[str, str], parts: Sequence[Block]) -> None:
    """Writes the blocks; `paper`, `scale`, `columns` and `chapters: page` shape the pages."""
    size, margin = _PAPER[meta.get("paper", "A4")]
    document = BaseDocTemplate(
        str(path), pagesize=size, title=meta["title"], author=meta.get("by", ""),
        subject=meta.get("subject", ""), lang=meta.get("language", "en"), invariant=1,
        leftMargin=margin, rightMargin=margin, topMargin=margin, bottomMargin=margin,
    )  # fmt: skip
    frames = _frames(int(meta.get("columns", "1")), size, margin)
    document.addPageTemplates(PageTemplate("page", frames, onPage=_footer(meta, size, margin)))
    styles = _Styles(float(meta.get("scale", "1")))
    document.build(_flow(parts, styles, new_page=meta.get("chapters") == "page"))


def _frames(columns: int, size: tuple[float, float], margin: float) -> list[Frame]:
    width, height = size[0] - 2 * margin, size[1] - 2 * margin
    gap = 8 * mm if columns > 1 else 0
    each = (width - gap * (columns - 1)) / columns
    return [
        Frame(margin + number * (each + gap), margin, each, height, 0, 0, 0, 0)
        for number in range(columns)
    ]


def _footer(meta: Mapping[str, str], size: tuple[float, float], margin: float) -> PageHook:
    def draw(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 7.5)
        canvas.drawString(margin, margin * 0.55, meta.get("footer", meta["title"]))
        canvas.drawRightString(size[0] - margin, margin * 0.55, str(document.page))

    return draw


def _flow(parts: Sequence[Block], styles: _Styles, *, new_page: bool) -> list[Flowable]:
    flow: list[Flowable] = []
    chapters = 0
    for part in parts:
        if part.kind == "heading":
            chapters += part.level == 2
            if new_page and part.level == 2 and chapters > 1:
                flow.append(PageBreak())
            flow.append(Paragraph(_inline(part.lines[0]), styles.headings[min(part.level, 4)]))
        elif part.kind == "list":
            items = [Paragraph(_inline(line), styles.body) for line in part.lines]
            kind = "1" if part.ordered else "bullet"
            flow.append(ListFlowable(items, bulletType=kind, leftIndent=14))
        elif part.kind == "table":
            flow.extend((_table(part, styles), Spacer(1, 8)))
        else:
            flow.append(Paragraph(_inline(part.lines[0]), styles.body))
    return flow


def _table(part: Block, styles: _Styles) -> Table:
    rows = [[Paragraph(_inline(cell), styles.cell) for cell in row] for row in part.cells]
    table = Table(rows, repeatRows=1, hAlign="LEFT")
    table.setStyle(TableStyle([
        ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]))  # fmt: skip
    return table


def _inline(text: str) -> str:
    """Bold and code of Markdown as reportlab's mark-up."""
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))
    return re.sub(r"`(.+?)`", r'<font face="Courier">\1</font>', text)
