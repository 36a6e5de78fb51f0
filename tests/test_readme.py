"""The README's commands exist as written, and its Python block runs."""

import re
import shlex
from pathlib import Path

import click
import pytest

from vision_ctx.cli import main
from vision_ctx.models.catalog import _SAMPLE_FILES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands(program):
    lines = [line.split("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    inline = re.findall(rf"`({program} [^`]+)`", README)
    return [line for line in [*lines, *inline] if line.startswith(f"{program} ")]


@pytest.mark.parametrize("line", commands("make"))
def test_make_targets_exist(line):
    assert re.search(rf"^{line.split()[1]}:", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("line", commands("vision-ctx"))
def test_commands_parse(line):
    words = shlex.split(line)[1:]
    verb = main.get_command(click.Context(main), words[0])
    assert verb is not None
    verb.make_context(words[0], words[1:])


def test_both_commands_are_there():
    assert {"make demo", "make test"} <= set(commands("make"))
    assert len(commands("vision-ctx")) >= 5


def test_named_files_exist():
    names = re.findall(r"\]\(([\w./-]+)\)", README) + re.findall(r"`(samples/[\w./-]+)`", README)
    assert names
    missing = [name for name in names if not (ROOT / name).exists()]
    assert missing == []


@pytest.mark.slow
def test_python_block_runs(tmp_path, monkeypatch, capsys):
    if not all((ROOT / "samples" / path).exists() for path in _SAMPLE_FILES.values()):
        pytest.skip("the sample models are not there yet")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (code,) = blocks("python")
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "crops" in printed
    assert len(re.findall(r"^\d+ (?:crop|chunk) ", printed, re.MULTILINE)) == 5
