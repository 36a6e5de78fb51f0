"""Which camera a file belongs to: option, configuration, path, in that order."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision_ctx.errors import ConfigError
from vision_ctx.sources.cameras import CameraBook, Hints, find_config, load_config
from vision_ctx.types import Camera

CONFIG = """
[cameras.gate]
name = "Gate camera 1"
site = "Rotterdam"
timezone = "Europe/Amsterdam"
looks_at = "main gate"
paths = ["footage/gate/**", "other/*.jpg"]

[cameras.yard]
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "vision_ctx.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def camera(path: Path, root: Path, hints: Hints | None = None) -> Camera:
    return CameraBook().of(path, root, hints or Hints())


GATE = Camera("gate", "Gate camera 1", "Europe/Amsterdam", "Rotterdam", "main gate")


@pytest.mark.parametrize("name", ["footage/gate/a.jpg", "footage/gate/2024/b/c.mp4", "other/x.jpg"])
def test_patterns_of_the_configuration(site: Path, name: str) -> None:
    assert camera(site / name, site) == GATE


def test_the_configuration_lies_above_too(site: Path) -> None:
    folder = site / "footage" / "gate"
    assert camera(folder / "a.jpg", folder) == GATE
    assert camera(folder / "a.jpg", folder / "a.jpg") == GATE
    assert find_config(folder) == site / "vision_ctx.toml"


def test_a_folder_named_like_a_camera_is_that_camera(site: Path) -> None:
    assert camera(site / "clips" / "gate" / "a.jpg", site) == GATE
    assert camera(site / "yard" / "a.jpg", site) == Camera("yard", "yard", "UTC")


def test_the_option_wins(site: Path) -> None:
    path = site / "footage" / "gate" / "a.jpg"
    assert camera(path, site, Hints(camera="yard")).id == "yard"
    assert camera(path, site, Hints(camera="new")) == Camera("new", "new", "UTC")
    assert camera(site / "elsewhere.jpg", site, Hints(camera="gate")) == GATE
    assert camera(path, site, Hints(timezone="Asia/Tokyo")).timezone == "Asia/Tokyo"


def test_zones_in_their_order(site: Path) -> None:
    gate, yard = site / "footage/gate/a.jpg", site / "yard/a.jpg"
    assumed = Hints(assumed_timezone="Asia/Tokyo")
    assert camera(gate, site, assumed).timezone == "Europe/Amsterdam"
    assert camera(yard, site, assumed).timezone == "Asia/Tokyo"


def test_a_path_without_a_camera() -> None:
    assert camera(Path("/footage/20240105_101500.jpg"), Path("/footage")).id == "unknown"
    reolink = Path("/x/Mp4Record/2023-04-26/RecS02_DST20230426_145918_150032_2B14808_32F1DF.mp4")
    assert camera(reolink, Path("/x/Mp4Record")).id == "unknown"  # S16: never "RecS02"
    frigate = Path("/x/recordings/2023-04-26/17/front_door/06.56.mp4")
    assert camera(frigate, Path("/x")).id == "front_door"  # S14: neither "17" nor "recordings"


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "vision_ctx.toml"
    path.write_bytes(b"\xef\xbb\xbf" + CONFIG.encode())
    assert [entry.camera.id for entry in load_config(path)] == ["gate", "yard"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[cameras.gate", "vision_ctx.toml"),
        ("cameras = 3", "must be tables"),
        ("[cameras]\ngate = 3", r"\[cameras.gate\] must be a table"),
        ("[cameras.gate]\nname = 3", "name must be text"),
        ("[cameras.gate]\ntimezone = 'Mars/Olympus'", "timezone: 'Mars/Olympus' is no time zone"),
        ("[cameras.gate]\npaths = 'footage/**'", "paths must be a list"),
        ("[cameras.gate]\npaths = [3]", "paths must be a list"),
        ("[camera.gate]", r"vision_ctx.toml 'camera' is unknown; known are cameras"),
        ("[cameras.gate]\ntime_zone = 'UTC'", r"\[cameras.gate\] 'time_zone' is unknown"),
        ("[[cameras.gate.masks]]\npolygon = []", r"\[cameras.gate\] 'masks' is unknown"),
        ("[[cameras.gate.zones]]\nname = 'a'\nsides = 3", "zone 'a': 'sides' is unknown"),
        ("\xff", "vision_ctx.toml"),
    ],
)
def test_what_cannot_be_followed(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "vision_ctx.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=complaint):
        camera(tmp_path / "a.jpg", tmp_path)


def test_an_empty_configuration(tmp_path: Path) -> None:
    (tmp_path / "vision_ctx.toml").touch()
    assert camera(tmp_path / "gate" / "a.jpg", tmp_path).id == "gate"


def test_a_folder_named_like_the_configuration_is_none(tmp_path: Path) -> None:
    (tmp_path / "site" / "vision_ctx.toml").mkdir(parents=True)
    (tmp_path / "vision_ctx.toml").write_text(CONFIG)
    assert find_config(tmp_path / "site") == tmp_path / "vision_ctx.toml"
