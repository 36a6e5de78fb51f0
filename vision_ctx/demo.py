"""Indexes the sample site with the sample models and asks it the questions of ``demo.json``."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision_ctx.index import Index
from vision_ctx.ingest import Step
from vision_ctx.models.catalog import SAMPLES, samples_folder
from vision_ctx.sources.discover import INDEX_MARK
from vision_ctx.types import Hit, Report, SearchResult

HITS = 5
SHEET = "contact-sheet.html"


@dataclass(frozen=True, slots=True)
class Search:
    """A question of the demonstration and what it is meant to show."""

    title: str
    query: str


def searches() -> list[Search]:
    """The questions that come with the sample site."""
    path = samples_folder() / "demo.json"
    return [Search(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]


def build(folder: Path, on_progress: Callable[[Step], None] | None = None) -> tuple[Index, Report]:
    """Indexes the sample site into a folder, or brings that up to date.

    Raises:
        ModelUnavailableError: The sample site or its models are not there.
    """
    site = samples_folder()
    if (folder / INDEX_MARK).exists():
        index = Index.open(folder)
    else:
        index = Index.create(folder, detector=SAMPLES, embedder=SAMPLES)
    parts = [site / name for name in ("footage", "documents") if (site / name).is_dir()]
    return index, index.add(*parts, on_progress=on_progress)


def write_contact_sheet(index: Index, answers: Sequence[tuple[Search, SearchResult]]) -> Path:
    """Writes one page with the pictures and passages of all answers; needs nothing beside it."""
    sections = "".join(_section(index, search, result) for search, result in answers)
    page = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>vision-ctx: contact sheet</title>
<style>
body {{ font: 16px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
  color-scheme: light dark; }}
.hits {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; }}
figure {{ margin: 0; border: 1px solid #8886; border-radius: 8px; padding: .6rem; }}
img {{ width: 100%; height: 9rem; object-fit: contain; background: #8882; border-radius: 4px; }}
.passage {{ height: 9rem; overflow: auto; margin: 0; font-size: .85rem; }}
figcaption {{ font-size: .85rem; margin-top: .4rem; }} small {{ opacity: .75; }}
</style>
<h1>Ask your cameras and your reports</h1>{sections}</html>"""
    path = index.folder / SHEET
    path.write_text(page, encoding="utf-8")
    return path


def _section(index: Index, search: Search, result: SearchResult) -> str:
    figures = "".join(_figure(index, hit) for hit in result.hits)
    title, query = html.escape(search.title), html.escape(search.query)
    return f'<h2>{title}</h2><p>“{query}”</p><div class="hits">{figures}</div>'


def _figure(index: Index, hit: Hit) -> str:
    record = hit.record
    if record.crop_path is not None:
        data = base64.b64encode((index.folder / record.crop_path).read_bytes()).decode()
        what = f'<img alt="{html.escape(record.label or "")}" src="data:image/jpeg;base64,{data}">'
    else:
        what = f'<p class="passage">{html.escape(record.body)}</p>'
    caption = f"{hit.rank}. {html.escape(record.context)}<br><small>{html.escape(hit.why)}</small>"
    return f"<figure>{what}<figcaption>{caption}</figcaption></figure>"
