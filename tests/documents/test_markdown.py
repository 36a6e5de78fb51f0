"""Headings of Markdown: what CommonMark calls one, and nothing else."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision_ctx.documents.markdown import front_matter_title, markdown_headings


def headings(text):
    found = markdown_headings(text)
    for heading in found:
        assert 0 <= heading.start < heading.end <= len(text)
    return [(heading.level, heading.title) for heading in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Gate", [(1, "Gate")]),
        ("###### Deep\n", [(6, "Deep")]),
        ("####### Seven\n", []),
        ("   ## Indented three", [(2, "Indented three")]),
        ("    # Code, indented four", []),
        ("\t# Code, by a tab", []),
        ("#hashtag\n#42\n", []),
        ("#\tTab", [(1, "Tab")]),
        ("## Closed ##\n", [(2, "Closed")]),
        ("# C#\n# F# and C# #\n", [(1, "C#"), (1, "F# and C#")]),
        ("#\n## \n### ###\n", []),
        ("# *Gate* `gate_02` __old__ [log](x.md)", [(1, "Gate gate_02 old log")]),
        ("Title\n=====\n\nSub\n---\n", [(1, "Title"), (2, "Sub")]),
        ("**Bold**\n======\n", [(1, "Bold")]),
        ("Title\n=\n", [(1, "Title")]),
        ("text\n\n---\n\nmore", []),
        ("\n===\n", []),
        ("- item\n---\n", []),
        ("1. item\n---\n", []),
        ("> quote\n---\n", []),
        ("| a |\n---\n", []),
        ("# One\n---\n", [(1, "One")]),
        ("Title\n===\n---\n", [(1, "Title")]),
        ("---\n---\n", []),
        ("***\n---\n", []),
        ("```\ncode\n```\n---\n", []),
        ("    code\n---\n", []),
        ("a\r\n", []),
        ("", []),
    ],
)
def test_headings(text, found):
    assert headings(text) == found


@pytest.mark.parametrize(
    "code",
    [
        "```\n# no\n```",
        "~~~\n# no\n~~~",
        "```sh\n# no\n```",
        "````\n```\n# no\n```\n# no\n````",
        "~~~\n```\n# no\n~~~",
        "```\n~~~\n# no\n```",
        "```\n# no\n```python\n# no\n`````",
        "  ```\n# no\n  ```",
        "```\nNo\n==\n```",
    ],
)
def test_no_heading_in_fenced_code(code):
    assert headings(f"# Before\n{code}\n# After\n") == [(1, "Before"), (1, "After")]


def test_an_open_fence_reaches_to_the_end():
    assert headings("# Before\n```\n# no\n") == [(1, "Before")]


def test_code_within_a_line_opens_no_fence():
    assert headings("``` x ``` is code\n# After\n") == [(1, "After")]


@pytest.mark.parametrize("end", ["---", "..."])
def test_front_matter_is_no_heading(end):
    text = f"---\ntitle: 'Night log'\ndate: 2026-03-03\n{end}\n# Gate\n"
    assert headings(text) == [(1, "Gate")]
    assert markdown_headings(text)[0].start == text.index("# Gate")
    assert front_matter_title(text) == "Night log"


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA rule, then text.\n\n---\n# Gate",
        "---\nopen: but never closed\n\n# Gate\n",
        "\n---\ntitle: not at the top\n\n---\n# Gate\n",
        "---\n# Gate\n",
    ],
)
def test_what_looks_like_front_matter_but_is_none(text):
    assert (1, "Gate") in headings(text)
    assert front_matter_title(text) is None


def test_front_matter_without_title():
    assert front_matter_title("---\ndate: x\ntitle:\n---\n") is None


@settings(deadline=None, max_examples=50)
@given(st.text(alphabet="#=-`~> \t\nab[]()*_|.1\r\x0c", max_size=80))
def test_any_text_gives_headings_in_order_within_it(text):
    found = markdown_headings(text)
    assert [h.start for h in found] == sorted({h.start for h in found})
    assert all(text[h.start : h.end].strip() and "\n" not in h.title for h in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@pytest.mark.parametrize("unit", ["#", " ", "[", "(", "`", "_", "- ", "*", "[a](", "# "])
def test_no_line_takes_long(unit):
    markdown_headings(f"# {unit * 100_000}x\n{unit * 100_000}\n---\n")
