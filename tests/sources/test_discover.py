"""Every file is found once, or named with the reason why not; nothing stops the walk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from vision_ctx.sources.discover import Discovery, discover, kind_of

NOBODY = 65534


def touch(path: Path, content: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def found(*paths: Path) -> list[str]:
    return [str(file.path) for file in discover(paths).files]


def reasons(items: list) -> dict[str, str]:
    return {Path(item.source).name: item.error for item in items}


@contextmanager
def normal_user() -> Iterator[None]:
    """Root may read everything: tests of permissions step down for a moment."""
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no permissions as Unix has them")
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder below which a normal user may go: pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        for closed in (folder / "site").rglob("*"):
            if not closed.is_symlink() and not closed.is_fifo():
                closed.chmod(0o755)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *[(f"a{s}", "image") for s in (".jpg", ".PNG", ".JpEg", ".TIF", ".webp", ".BMP")],
        *[(f"a{s}", "video") for s in (".mp4", ".MOV", ".mKv", ".AVI", ".dav", ".TS", ".H264")],
        *[(f"a{s}", "document") for s in (".md", ".TXT", ".Pdf")],
        ("im.jpg.jpg", "image"),
        ("a.b.c.MP4", "video"),
        ("jpg", None),
        (".jpg", None),
        ("a.jpg~", None),
        ("a.bvr", None),
        ("a", None),
        ("a.", None),
    ],
)
def test_kind_by_extension(name: str, kind: str | None) -> None:  # S06
    assert kind_of(Path(name)) == kind


def test_every_file_is_found_or_listed(tmp_path: Path) -> None:  # S06
    names = [
        "IMG_1.PNG",
        "IMG_2.JPG",
        "b/IMG_3.JpEg",
        "IMG_4.TIF",
        "notes.DOC",
        "b/c/x.bin",
        "LICENSE",
    ]
    for name in names:
        touch(tmp_path / name)
    result = discover([tmp_path])
    assert len(result.files) == 4
    assert set(reasons(result.skipped)) == {"notes.DOC", "x.bin", "LICENSE"}
    assert len(result.files) + len(result.skipped) == len(names)
    assert not result.failures


def test_the_order_is_stable(tmp_path: Path) -> None:
    for name in ("b.jpg", "a/z.jpg", "a/b/y.jpg", "a.jpg", "c/1.jpg", "a.a/q.jpg"):
        touch(tmp_path / name)
    names = [str(file.path.relative_to(tmp_path)) for file in discover([tmp_path]).files]
    assert names == ["a/b/y.jpg", "a/z.jpg", "a.a/q.jpg", "a.jpg", "b.jpg", "c/1.jpg"]
    assert found(tmp_path) == found(tmp_path)


def test_overlapping_sources_give_each_file_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = touch(tmp_path / "site" / "gate" / "a.jpg")
    monkeypatch.chdir(tmp_path)
    given = (tmp_path / "site", file, Path("site/gate"), Path("site/../site/gate/./a.jpg"))
    assert found(*given) == [str(file)]


def test_names_as_people_write_them(tmp_path: Path) -> None:  # S08
    folder = tmp_path / "מצלמה 1" / "客厅"
    names = ["א.jpg", "é.jpg", "Ünï & cõdé.jpg", "😀.jpg", "a  b.jpg", "50%25.jpg", "#1?.jpg"]
    names += ["[M][0@0].jpg", "*.jpg", 'it\'s "x".jpg', "line\nbreak.jpg", "-rf.jpg", "$HOME.jpg"]
    for name in names:
        touch(folder / name)
    assert {file.path.name for file in discover([tmp_path]).files} == set(names)


def test_names_that_are_no_text(tmp_path: Path) -> None:
    touch(tmp_path / "ok.jpg")
    try:
        for name in (b"bad\xff.mp4", b"folder\xfe"):
            target = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
            target.mkdir() if b"folder" in name else target.touch()
    except OSError as error:
        pytest.skip(f"this file system holds text only: {error}")
    touch(Path(os.fsdecode(os.fsencode(tmp_path) + b"/folder\xfe/inside.jpg")))
    result = discover([tmp_path])
    assert [file.path.name for file in result.files] == ["ok.jpg"]
    assert len(result.failures) == 2
    for failure in result.failures:
        assert "UTF-8" in failure.error
        failure.source.encode("utf-8")  # can be printed and stored
    assert "bad\\udcff.mp4" in reasons(result.failures)


def test_shadows_and_system_files_are_passed_over(tmp_path: Path) -> None:  # S12
    touch(tmp_path / "gate.jpg")
    shadows = ["._gate.jpg", "._clip.mp4", "Thumbs.db", "thumbs.DB", "desktop.ini", ".DS_Store"]
    shadows += [
        ".Trashes/a.jpg",
        "@eaDir/gate.jpg",
        "$RECYCLE.BIN/b.jpg",
        ".git/c.jpg",
        "__MACOSX/d.jpg",
    ]
    shadows += ["2021-01-07/.01-41-28.mp4"]  # a recorder is still writing it
    for name in shadows:
        touch(tmp_path / name)
    result = discover([tmp_path])
    assert [file.path.name for file in result.files] == ["gate.jpg"]
    assert not result.skipped and not result.failures
    assert result.ignored == len(shadows)


def test_a_hidden_folder_named_by_hand_is_walked(tmp_path: Path) -> None:
    file = touch(tmp_path / ".camera" / "a.jpg")
    assert found(file.parent) == [str(file)]


def test_an_index_inside_the_source_is_no_source(tmp_path: Path) -> None:
    touch(tmp_path / "a.jpg")
    touch(tmp_path / "my index" / "vision-ctx.json")
    touch(tmp_path / "my index" / "crops" / "b.jpg")
    result = discover([tmp_path])
    assert [file.path.name for file in result.files] == ["a.jpg"]
    assert reasons(result.skipped) == {"my index": "an index of vision-ctx, not a source"}


def test_links(tmp_path: Path) -> None:  # S40
    file = touch(tmp_path / "site" / "a.jpg")
    try:
        (tmp_path / "site" / "sub").mkdir()
        (tmp_path / "site" / "sub" / "loop").symlink_to(tmp_path / "site")
        (tmp_path / "site" / "self").symlink_to("self")
        (tmp_path / "site" / "dangling.jpg").symlink_to("missing")
        (tmp_path / "site" / "linked.jpg").symlink_to(touch(tmp_path / "elsewhere.jpg"))
        (tmp_path / "door").symlink_to(tmp_path / "site")
    except OSError as error:
        pytest.skip(f"links cannot be made here: {error}")
    result = discover([tmp_path / "site"])
    assert [f.path.name for f in result.files] == ["a.jpg", "linked.jpg"]
    assert set(reasons(result.skipped)) == {"loop"}
    assert set(reasons(result.failures)) == {"dangling.jpg", "self"}
    assert reasons(result.failures)["dangling.jpg"] == "the link points to nothing"
    # A link named by hand is followed, and files keep the path that was used.
    assert found(tmp_path / "door")[0] == str(tmp_path / "door" / file.name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no fifos")
def test_pipes_do_not_hang_the_walk(tmp_path: Path) -> None:  # S40
    touch(tmp_path / "a.jpg")
    for name in ("pipe.jpg", "pipe.mp4", "vision-ctx.json.jpg"):
        os.mkfifo(tmp_path / name)
    result = discover([tmp_path, tmp_path / "pipe.jpg"])
    assert [file.path.name for file in result.files] == ["a.jpg"]
    assert set(reasons(result.skipped).values()) == {"not a regular file"}


def test_what_a_normal_user_may_not_read(open_folder: Path) -> None:  # S40
    site = open_folder / "site"
    touch(site / "ok" / "a.jpg")
    for name, mode in (("System Volume Information", 0), ("no entry", 0o644), ("no list", 0o311)):
        touch(site / name / "inside.jpg")
        (site / name).chmod(mode)
    with normal_user():
        result = discover([site, site / "System Volume Information"])
        inside = discover([site / "System Volume Information" / "inside.jpg"])
    assert [file.path.name for file in result.files] == ["a.jpg"]
    named = reasons(result.failures)
    assert set(named) == {"System Volume Information", "inside.jpg", "no list"}
    assert all("permission denied" in reason for reason in named.values())
    blind = {path.relative_to(site).as_posix() for path in result.blind}
    assert blind == {"System Volume Information", "no entry/inside.jpg", "no list"}
    assert not inside.files and len(inside.failures) == 1


def test_paths_named_by_hand(tmp_path: Path) -> None:
    odd = touch(tmp_path / "odd.xyz")
    result = discover([tmp_path / "gone", odd, tmp_path / ("x" * 300)])
    named = reasons(result.failures)
    assert named["gone"] == "there is no such file or folder"
    assert named["odd.xyz"] == "files of type '.xyz' are not read"
    assert len(named) == 3
    assert not result.files and not result.skipped


def test_nothing_and_an_empty_folder(tmp_path: Path) -> None:
    assert discover([]) == Discovery()
    result = discover([tmp_path])
    assert (result.files, result.failures, result.roots) == ([], [], [tmp_path])


def test_folders_deeper_than_the_stack_of_python(tmp_path: Path) -> None:
    folder = tmp_path
    start = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(600):
            Path("d").mkdir()
            os.chdir("d")
        Path("a.jpg").touch()
    except OSError as error:
        pytest.skip(f"so many folders cannot be nested here: {error}")
    finally:
        os.chdir(start)
    (path,) = found(folder)
    assert path.endswith("d/d/a.jpg")
    # Removed here from the inside: some tools that clear temporary folders recurse.
    for depth in range(600, 0, -1):
        level = Path(folder, *["d"] * depth)
        (level / "a.jpg").unlink(missing_ok=True)
        level.rmdir()
