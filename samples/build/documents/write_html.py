"""HTML as an intranet page shows it: menu, cookie notice and footer around the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from blocks import Block

_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="date" content="{date}">
<style>body{{font-family:sans-serif;max-width:60em;margin:auto}}nav li{{display:inline}}</style>
</head>
<body>
<header><a href="/">Noorderkade intranet</a>
<nav><ul><li><a href="/news">News</a></li><li><a href="/rota">Rota</a></li>
<li><a href="/canteen">Canteen</a></li><li><a href="/it">IT help</a></li></ul></nav></header>
<aside class="cookie">This intranet uses cookies to keep you signed in. <button>OK</button></aside>
<main>
<article>
{body}
</article>
</main>
<aside class="related"><h2>Related pages</h2><ul><li><a href="/parking">Parking rules</a></li>
<li><a href="/lost">Lost and found</a></li></ul></aside>
<footer>Noorderkade Cold Logistics. For internal use. <a href="/imprint">Imprint</a></footer>
</body>
</html>
"""


def write(path: Path, meta: Mapping[str, str], parts: Sequence[Block]) -> None:
    """Writes the blocks into the page."""
    page = _PAGE.format(
        language=meta.get("language", "en"),
        title=escape(meta["title"]),
        date=meta["date"],
        body="\n".join(_elements(parts)),
    )
    path.write_text(page, encoding="utf-8", newline="\n")


def _elements(parts: Sequence[Block]) -> Iterator[str]:
    for part in parts:
        if part.kind == "heading":
            yield f"<h{part.level}>{_inline(part.lines[0])}</h{part.level}>"
        elif part.kind == "list":
            tag = "ol" if part.ordered else "ul"
            items = "".join(f"<li>{_inline(line)}</li>\n" for line in part.lines)
            yield f"<{tag}>\n{items}</{tag}>"
        elif part.kind == "table":
            yield _table(part)
        else:
            yield f"<p>{_inline(part.lines[0])}</p>"


def _table(part: Block) -> str:
    rows = []
    for number, row in enumerate(part.cells):
        tag = "td" if number else "th"
        rows.append("<tr>" + "".join(f"<{tag}>{_inline(c)}</{tag}>" for c in row) + "</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _inline(text: str) -> str:
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text, quote=False))
    return re.sub(r"`(.+?)`", r"<code>\1</code>", text)
