"""Finds the headings of Markdown, by CommonMark's rules where they matter to headings.

Nothing is a heading in fenced or indented code or in front matter (a block of ``key: value`` lines
between ``---`` lines at the very top).
"""

from __future__ import annotations

import re

from vision_ctx.documents.document import Heading

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
# Lines that no underline turns into a heading: lists, quotes, tables, indented code, rules.
_NO_TITLE = re.compile(
    r"[ \t]*$| {4}|\t| {0,3}(?:[>|]|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|(?:[-*_][ \t]*){3,}$)"
)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
# Marks of emphasis; an underscore inside a word (gate_02) is part of the word.
_EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
_KEY = re.compile(r"[\w-]+[ \t]*:|#")
_TITLE_KEY = re.compile(r"title[ \t]*:[ \t]*(\S.*)", re.IGNORECASE)


def markdown_headings(text: str) -> tuple[Heading, ...]:
    """The ATX and setext headings of a text."""
    found: list[Heading] = []
    offset = _front_matter_end(text)
    fence = ""
    above: tuple[str, int] | None = None  # the line before, with its offset, if it may be a title
    for line in text[offset:].split("\n"):
        end = offset + len(line)
        title = None
        if fence or _opens(line):
            fence = "" if fence and _closes(line, fence) else fence or _opens(line)
        elif atx := _ATX.match(line):
            found.append(Heading(len(atx[1]), _atx_title(line[atx.end() :]), offset, end))
        elif above and (under := _UNDERLINE.match(line)):
            level = 1 if under[1][0] == "=" else 2
            found.append(Heading(level, _plain(above[0]), above[1], end))
        elif not _NO_TITLE.match(line):
            title = (line, offset)
        above = title
        offset = end + 1
    return tuple(heading for heading in found if heading.title)


def front_matter_title(text: str) -> str | None:
    """The title that the front matter gives, if it gives one."""
    for line in text[: _front_matter_end(text)].split("\n"):
        if key := _TITLE_KEY.match(line):
            return key[1].strip().strip("\"'").strip() or None
    return None


def _front_matter_end(text: str) -> int:
    """Where the text begins after its front matter; 0 without one."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---" or len(lines) < 2 or not _KEY.match(lines[1]):
        return 0
    offset = len(lines[0]) + 1
    for line in lines[1:]:
        offset += len(line) + 1
        if line.rstrip() in ("---", "..."):
            return min(offset, len(text))
    return 0


def _opens(line: str) -> str:
    """The mark of a code fence that the line opens, or nothing."""
    mark = _FENCE.match(line)
    # A backtick after backticks: code within a line of text, not a fence.
    return mark[1] if mark and not (mark[1][0] == "`" and "`" in mark[2]) else ""


def _closes(line: str, fence: str) -> bool:
    mark = _FENCE.match(line)
    return mark is not None and mark[1].startswith(fence) and not mark[2].strip()


def _atx_title(rest: str) -> str:
    title = rest.strip()
    bare = title.rstrip("#")
    return _plain(bare if not bare or bare[-1] in " \t" else title)


def _plain(title: str) -> str:
    return _EMPHASIS.sub("", _LINK.sub(r"\1", title)).strip()
