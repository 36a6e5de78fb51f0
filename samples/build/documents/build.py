"""Makes every document of the sample site in `samples/documents`.

    python samples/build/documents/build.py

Texts written by hand lie in `text/`; shift logs and registers are put together from `words/` and
the story. Dates, cameras, zones and vehicles all come from `story.json`. Needs reportlab and
python-docx; two runs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import registers
import shifts
import write_docx
import write_html
import write_pdf
from blocks import blocks, front_matter
from facts import Facts

HERE = Path(__file__).parent
STORY = HERE.parent / "story.json"
TARGET = HERE.parent.parent / "documents"
_WRITERS = {".pdf": write_pdf.write, ".docx": write_docx.write, ".html": write_html.write}


def sources(facts: Facts) -> Iterator[str]:
    """Every source text with its front matter, facts still as marks."""
    for path in sorted((HERE / "text").glob("*.md")):
        yield path.read_text(encoding="utf-8")
    yield from shifts.sources(facts, HERE / "words")
    yield from registers.sources(facts, HERE / "words")


def main() -> None:
    """Writes the documents and says how large they are."""
    TARGET.mkdir(exist_ok=True)
    facts = Facts.read(STORY)
    words = 0
    for source in sources(facts):
        meta, body = front_matter(facts.fill(source))
        target = TARGET / meta["file"]
        if target.suffix == ".md":
            target.write_text(body, encoding="utf-8", newline="\n")
        else:
            _WRITERS[target.suffix](target, meta, list(blocks(body)))
        words += len(body.split())
        print(f"{target.name}: {len(body.split())} words, {target.stat().st_size} bytes")
    print(f"{words} words in all")


if __name__ == "__main__":
    main()
