"""Collects the text of a document block by block and notes where its headings lie."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision_ctx.documents.document import Heading

PARAGRAPH = "\n\n"


@dataclass(slots=True)
class TextBuilder:
    """A text that grows; blocks are separated by an empty line."""

    text: str = ""
    headings: list[Heading] = field(default_factory=list)

    def add(self, block: str) -> None:
        """Adds a paragraph, a list item or the rows of a table; an empty one is nothing."""
        block = block.strip()
        if block:
            self.text += f"{block}{PARAGRAPH}"

    def add_heading(self, level: int, title: str) -> None:
        """Adds a heading; level 1 is the highest."""
        title = " ".join(title.split())
        if title:
            self.headings.append(Heading(level, title, len(self.text), len(self.text) + len(title)))
            self.text += f"{title}{PARAGRAPH}"
