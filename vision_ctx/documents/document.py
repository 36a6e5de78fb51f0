"""A read document as data: its text, and where its pages and headings begin in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from vision_ctx.types import Source


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at ``start`` (characters from the beginning of the text); level 1 is the highest."""

    level: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document. ``page_starts`` holds the offset of each page, empty where pages do not exist."""

    source: Source
    title: str
    text: str
    headings: tuple[Heading, ...] = ()
    page_starts: tuple[int, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def page_at(self, offset: int) -> int | None:
        """The page, counted from 1, on which a character stands."""
        return bisect_right(self.page_starts, offset) if self.page_starts else None

    def headings_at(self, offset: int) -> tuple[str, ...]:
        """The path of headings above a character, highest level first."""
        path: list[Heading] = []
        for heading in self.headings:
            if heading.start > offset:
                break
            while path and path[-1].level >= heading.level:
                path.pop()
            path.append(heading)
        return tuple(heading.title for heading in path)
