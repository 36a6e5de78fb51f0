"""Splits a source text into front matter and blocks that every writer understands.

Knows as much Markdown as the sources use: headings, paragraphs of one line, lists, tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LIST = re.compile(r"^(?:[-*]|\d+\.) +")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading (level 1 to 4), paragraph, list or table.

    `lines` holds its text: one item for headings and paragraphs, one an item of a list, one a row
    of a table with cells joined by `|`.
    """

    kind: str
    lines: tuple[str, ...]
    level: int = 0
    ordered: bool = False

    @property
    def cells(self) -> list[list[str]]:
        """The rows of a table."""
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in self.lines]


def front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """The `key: value` lines between `---` and the rest."""
    _, head, body = text.split("---\n", 2)
    pairs = (line.split(":", 1) for line in head.splitlines() if line.strip())
    return {key.strip(): value.strip() for key, value in pairs}, body.strip() + "\n"


def blocks(body: str) -> Iterator[Block]:
    """The blocks of a body in order."""
    for piece in re.split(r"\n\s*\n", body.strip()):
        lines = piece.splitlines()
        while lines and lines[0].startswith("#"):
            marks, title = lines.pop(0).split(" ", 1)
            yield Block("heading", (title.strip(),), len(marks))
        if not lines:
            continue
        if lines[0].startswith("|"):
            rows = tuple(line for line in lines if not re.fullmatch(r"[|\s:-]+", line))
            yield Block("table", rows)
        elif _LIST.match(lines[0]):
            items = tuple(_LIST.sub("", line) for line in lines)
            yield Block("list", items, ordered=lines[0][0].isdigit())
        else:
            yield Block("paragraph", (" ".join(lines),))
