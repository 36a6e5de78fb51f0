"""DOCX by python-docx, with fixed dates inside and in the archive."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import docx
from blocks import Block

_ARCHIVED = (2026, 4, 1, 8, 0, 0)


def write(path: Path, meta: Mapping[str, str], parts: Sequence[Block]) -> None:
    """Writes the blocks with Word's own heading, list and table styles."""
    document = docx.Document()
    about = document.core_properties
    about.title, about.author = meta["title"], meta.get("by", "")
    about.language = meta.get("language", "en")
    about.created = about.modified = datetime.fromisoformat(meta["date"])
    document.sections[0].footer.paragraphs[0].text = meta.get("footer", meta["title"])
    for part in parts:
        if part.kind == "heading":
            document.add_heading(_plain(part.lines[0]), level=min(part.level, 4))
        elif part.kind == "list":
            style = "List Number" if part.ordered else "List Bullet"
            for line in part.lines:
                document.add_paragraph(_plain(line), style=style)
        elif part.kind == "table":
            rows = part.cells
            table = document.add_table(len(rows), len(rows[0]), style="Table Grid")
            for number, row in enumerate(rows):
                for cell, text in zip(table.rows[number].cells, row, strict=True):
                    cell.text = _plain(text)
        else:
            document.add_paragraph(_plain(part.lines[0]))
    buffer = io.BytesIO()
    document.save(buffer)
    _repack(buffer, path)


def _repack(buffer: io.BytesIO, path: Path) -> None:
    """An archive holds the time of its making; give every member the same one."""
    with zipfile.ZipFile(buffer) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name, _ARCHIVED)
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, old.read(name))


def _plain(text: str) -> str:
    return re.sub(r"\*\*|`", "", text)
