"""The arrows of the design hold: who may import whom, what may be heavy, how large a file may be."""

import ast
import importlib
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest

import vision_ctx
from vision_ctx.cli import main

PACKAGE = Path(vision_ctx.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = {"torch", "torchvision", "ultralytics", "open_clip", "anthropic", "transformers"}
# Not needed to answer --help; together they take longer to import than a person waits.
SLOW_TO_IMPORT = HEAVY | {
    *("lancedb", "pyarrow", "bm25s", "Stemmer", "cv2", "numpy", "PIL", "pymupdf"),
    *("rich", "pandas", "scipy", "matplotlib", "onnxruntime"),
}
# The one way that data flows.  A module may import its own part and the parts named here; parts are
# first-level modules and packages of vision_ctx.
BASE = {"errors", "types", "protocols", "pipeline"}
ALLOWED = {
    "errors": set(),
    "types": set(),
    "protocols": set(),
    "pipeline": {"types"},
    "embedding": BASE,
    "sources": BASE,
    "footage": BASE | {"sources", "embedding"},
    "documents": BASE | {"sources", "embedding"},
    "models": BASE,
    "store": BASE | {"sources", "footage"},
    "search": BASE | {"store", "sources"},
    "plan": BASE | {"sources", "store"},
    "ingest": BASE | {"sources", "footage", "documents", "embedding", "plan", "store"},
    "status": BASE | {"store"},
    "index": BASE
    | {"sources", "documents", "models", "store", "search", "plan", "ingest", "status"},
    "evaluate": BASE | {"sources", "store", "search"},
    "plot": BASE,
    "terminal": BASE | {"ingest"},
    "demo": BASE | {"index", "ingest", "models", "sources"},
    "cli": BASE | {"index", "terminal", "evaluate", "plot", "demo", "search", "sources"},
    "__init__": BASE | {"index"},
}
# A result knows its own JSON form, which lives beside the search; imported where it is called.
EXCEPTIONS = {("types", "search")}


def name_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def part_of(module):
    return module.split(".")[0]


@cache
def trees():
    return {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def only_for_types(tree):
    """Nodes below ``if TYPE_CHECKING``, which are never run."""
    return {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }


def imports(tree):
    """Dotted names that a module imports, at its top or later; names from a package included."""
    skipped = only_for_types(tree)
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def inner(names):
    """The parts of vision_ctx among dotted names; names that the package itself offers are its own."""
    for name in names:
        first, _, rest = name.partition(".")
        if first == "vision_ctx" and rest:
            part = part_of(rest)
            yield "__init__" if part in vision_ctx.__all__ else part


@pytest.mark.parametrize("module", sorted(trees()))
def test_arrows(module):
    part = part_of(module)
    assert part in ALLOWED, f"{part} is new: say in ALLOWED what it may import"
    used = set(inner(imports(trees()[module]))) - {part, "__init__"}
    wrong = {other for other in used - ALLOWED[part] if (part, other) not in EXCEPTIONS}
    assert wrong == set()


def test_allowed_imports_make_no_circle():
    done = set()
    while len(done) < len(ALLOWED):
        ready = {
            part for part, needs in ALLOWED.items() if part not in done and needs - {part} <= done
        }
        assert ready, f"a circle among {sorted(set(ALLOWED) - done)}"
        done |= ready


def test_nobody_imports_the_command_line():
    for module, tree in trees().items():
        if module not in ("cli", "__main__"):
            assert "cli" not in set(inner(imports(tree))), module


def test_only_models_import_model_packages():
    for module, tree in trees().items():
        used = {name.partition(".")[0] for name in imports(tree)} & HEAVY
        assert not used or part_of(module) == "models", f"{module} imports {used}"


def test_model_packages_are_imported_where_they_are_used():
    for module, tree in trees().items():
        skipped = only_for_types(tree)
        at_top = {
            name
            for node in tree.body
            if id(node) not in skipped
            for name in imports(ast.Module([node], []))
            if not isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        assert not {name.partition(".")[0] for name in at_top} & HEAVY, module


def loaded_by(code):
    """Names in ``sys.modules`` after a fresh interpreter ran the code."""
    ending = "\nimport sys; print('\\n'.join(sorted(sys.modules)))"
    path = os.pathsep.join([str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run(
        [sys.executable, "-c", code + ending],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    return {line.partition(".")[0] for line in ran.stdout.splitlines()}


def test_import_loads_nothing_heavy():
    assert loaded_by("import vision_ctx, vision_ctx.cli") & SLOW_TO_IMPORT == set()


def test_help_loads_nothing_heavy():
    questions = [["--help"], ["--version"], *([verb, "--help"] for verb in main.commands)]
    code = f"""
from vision_ctx.cli import main
for arguments in {questions!r}:
    try:
        main(arguments)
    except SystemExit as end:
        assert end.code == 0
"""
    assert loaded_by(code) & SLOW_TO_IMPORT == set()


def test_the_read_path_loads_no_model_package():
    assert loaded_by("import vision_ctx.index, vision_ctx.status") & HEAVY == set()


def test_files_say_what_they_are():
    vague = re.compile(r"utils?|helpers?|common|misc|stuff|tools?", re.IGNORECASE)
    for path in MODULES:
        assert not any(vague.fullmatch(part) for part in path.with_suffix("").parts), path


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_files_and_functions_are_short(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert length(node) <= 50, f"{node.name} has {length(node)} lines"


def length(function):
    """Lines of a function without its docstring, decorators and signature: what one has to follow."""
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_every_module_says_what_it_does():
    for module, tree in trees().items():
        assert ast.get_docstring(tree), module


def test_only_the_command_line_prints():
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                *("print", "click.echo", "sys.exit", "sys.stdout.write", "sys.stderr.write"),
            ):
                assert module in ("cli", "terminal"), f"{module}:{node.lineno}"


def test_all_is_what_can_be_imported():
    public = {
        name
        for name in vision_ctx.__all__
        if getattr(importlib.import_module("vision_ctx"), name) is not None
    }
    assert public == set(vision_ctx.__all__) == {"Hit", "Index", "VisionCtxError", "__version__"}
    assert vision_ctx.__all__ == sorted(vision_ctx.__all__)
    visible = {
        name
        for name, value in vars(vision_ctx).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("vision_ctx")
    }
    assert visible <= set(vision_ctx.__all__)
    with pytest.raises(AttributeError, match="nothing_like_this"):
        _ = vision_ctx.nothing_like_this


def verbs():
    return sorted(main.commands.items())


def test_the_verbs_of_the_contract_are_there():
    assert {"index", "search", "status"} <= set(main.commands)


@pytest.mark.parametrize(("name", "verb"), verbs(), ids=[name for name, _ in verbs()])
def test_every_verb_and_option_has_help_and_an_example(name, verb):
    assert verb.help and f"vision-ctx {name}" in verb.help
    for parameter in verb.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts}"


def test_the_index_folder_has_one_name_everywhere():
    for name in ("index", "search", "status"):
        (option,) = (p for p in main.commands[name].params if "--index" in p.opts)
        assert option.envvar == "VISION_CTX_INDEX"
        assert option.default == Path("vision-ctx-index")
