"""The command line as scripts see it: JSON field by field, exit codes, what goes to which stream."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import vision_ctx.index
import vision_ctx.models.loading
from vision_ctx.cli import main

HIT = {"rank", "id", "kind", "score", "channels", "context", "text", "source"}
CROP = HIT | {
    *("label", "confidence", "camera", "site", "captured_at", "clock", "box", "frame_size"),
    *("crop_path", "frame_path", "source_time_s", "track", "nearby", "zone", "colour"),
}
CHUNK = HIT | {"document", "title", "page", "headings", "span", "language"}
REPORT = {
    *("added", "updated", "unchanged", "removed", "crops", "chunks", "frames", "failures"),
    *("elapsed_s", "usage"),
}


class Command:
    """Runs the program in this process, with fakes for models."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, code=0, index=None):
        words = [str(argument) for argument in arguments]
        words += ["--index", str(index or self.folder)]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == code, (result.output, result.exception)
        assert "Traceback" not in result.output
        return result

    def json(self, *arguments, code=0, index=None):
        return json.loads(self(*arguments, "--json", code=code, index=index).stdout)


@pytest.fixture
def command(tmp_path, monkeypatch, detector, embedder):
    monkeypatch.setattr(vision_ctx.models.loading, "load_detector", lambda spec: detector)
    monkeypatch.setattr(vision_ctx.models.loading, "load_embedder", lambda spec: embedder)
    return Command(tmp_path / "index")


@pytest.fixture
def site(tmp_path, save):
    """A folder of a camera with two pictures, and a report."""
    folder = tmp_path / "site"
    save(folder / "gate" / "20260303_071500.png", person=(20, 30, 50, 100), bus=(60, 20, 150, 110))
    save(folder / "gate" / "20260303_181000.png", dog=(20, 30, 50, 60))
    (folder / "report.md").write_text(
        "# Night shift\n\n## Gate\n\nA red truck broke the barrier.\n"
    )
    return folder


def test_index_json(command, site):
    (site / "empty.jpg").touch()
    report = command.json("index", site, "--timezone", "Europe/Amsterdam", code=1)
    assert report.keys() >= REPORT
    numbers = ("added", "updated", "unchanged", "removed", "crops", "chunks", "frames")
    assert [report[name] for name in numbers] == [3, 0, 0, 0, 3, 1, 2]
    assert report["failures"] == [
        {"source": str(site / "empty.jpg"), "error": "the file is empty"},
    ]
    assert report["elapsed_s"] > 0
    assert isinstance(report["usage"], dict)
    assert report["stages_s"].keys() >= {"decode", "detect", "embed images", "embed texts", "store"}
    assert report["frames_per_s"] > 0 and report["crops_per_s"] > 0


def test_search_json(command, site):
    command("index", site, "--timezone", "Europe/Amsterdam")
    answer = command.json("search", "person beside a bus at the gate")
    assert answer.keys() >= {"query", "interpreted", "eligible", "confident", "elapsed_ms", "hits"}
    assert answer["query"] == "person beside a bus at the gate"
    assert answer["interpreted"] == {}
    assert answer["eligible"] == {"crops": 3, "chunks": 1}
    assert answer["confident"] is True
    assert answer["elapsed_ms"] >= 0
    assert [hit["rank"] for hit in answer["hits"]] == [1, 2, 3, 4]
    scores = [hit["score"] for hit in answer["hits"]]
    assert scores == sorted(scores, reverse=True)
    assert {hit["kind"] for hit in answer["hits"]} == {"crop", "chunk"}


def test_search_json_of_a_crop(command, site):
    command("index", site, "--timezone", "Europe/Amsterdam")
    (hit,) = command.json("search", "person", "--label", "person")["hits"]
    assert hit.keys() >= CROP
    assert hit["kind"] == "crop" and hit["label"] == "person" and hit["camera"] == "gate"
    assert hit["source"] == str(site / "gate" / "20260303_071500.png")
    assert hit["captured_at"] == "2026-03-03T07:15:00+01:00"
    assert hit["clock"].startswith("file name")
    assert hit["box"] == [20, 30, 50, 100]
    assert hit["frame_size"] == [160, 120]
    assert hit["confidence"] == 0.9
    assert hit["source_time_s"] is None and hit["track"] is None
    assert {"label": "bus", "relation": "touching"} not in hit["nearby"]
    assert hit["nearby"] == [{"label": "bus", "relation": "right of"}]
    assert hit["text"] == f"{hit['context']}\nperson in red"
    assert hit["colour"] == "red"
    assert "Tuesday 3 March 2026, 07:15" in hit["context"]
    for name in ("crop_path", "frame_path"):
        assert (command.folder / hit[name]).is_file()
    assert hit["channels"].keys() == {"image", "text", "bm25"}
    for place in hit["channels"].values():
        assert place.keys() == {"rank", "score"} and place["rank"] >= 1


def test_search_json_of_a_chunk(command, site):
    command("index", site)
    (hit,) = command.json("search", "red truck", "--kind", "chunks")["hits"]
    assert hit.keys() >= CHUNK
    assert hit["kind"] == "chunk"
    assert hit["document"] == "report.md" and hit["title"] == "Night shift"
    assert hit["page"] is None and hit["headings"] == ["Night shift", "Gate"]
    start, end = hit["span"]
    body = (site / "report.md").read_text()[start:end]
    assert hit["text"] == f"{hit['context']}\n{body}"
    assert "red truck" in body


def test_status_json(command, site):
    (site / "empty.jpg").touch()
    command("index", site, "--timezone", "Europe/Amsterdam", code=1)
    state = command.json("status")
    assert state["index"] == str(command.folder)
    assert (state["crops"], state["chunks"], state["frames"]) == (3, 1, 2)
    assert state["cameras"] == [
        {
            "camera": "gate",
            "site": None,
            "timezone": "Europe/Amsterdam",
            "crops": 3,
            "first": "2026-03-03T07:15:00+01:00",
            "last": "2026-03-03T18:10:00+01:00",
        }
    ]
    assert state["first"] == "2026-03-03T07:15:00+01:00"
    assert state["last"] == "2026-03-03T18:10:00+01:00"
    assert state["detector"]["id"] == "fake:colours" and state["embedder"]["dim"] == 32
    assert state["failures"] == [
        {"source": str(site / "empty.jpg"), "error": "the file is empty"},
    ]
    assert state["disk_bytes"] > 1000


def test_a_person_reads_the_same_facts(command, site):
    (site / "empty.jpg").touch()
    (site / "notes.xyz").touch()
    ran = command("index", site, "--timezone", "Europe/Amsterdam", code=1)
    assert "3 added" in ran.stdout and "3 crops" in ran.stdout and "1 chunks" in ran.stdout
    assert "empty.jpg: the file is empty" in ran.stderr and "empty.jpg" not in ran.stdout
    assert "notes.xyz" in ran.stderr
    found = command("search", "person beside a bus")
    first = found.stdout.splitlines()[:4]
    assert "crop" in first[0] and "person" in first[0] and "Tue 03 Mar 2026 07:15:00" in first[0]
    assert "Nearby: beside green bus (right of it)" in first[1]
    assert first[2].strip().startswith("words: person, beside, bus (rank 1)")
    assert str(site / "gate" / "20260303_071500.png") in first[3] and "crops/" in first[3]
    assert found.stderr == ""
    state = command("status")
    assert "3 crops, 1 chunks" in state.stdout and "gate" in state.stdout


def test_stdout_holds_only_the_object(command, site):
    for arguments in (("index", site), ("search", "bus"), ("status",)):
        result = command(*arguments, "--json")
        json.loads(result.stdout)
        assert result.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("index",),
        ("index", "--no-such-option", "x"),
        ("index", ".", "--fps", "0"),
        ("index", ".", "--fps", "nan"),
        ("index", ".", "--min-confidence", "2"),
        ("index", ".", "--start-time", "yesterday"),
        ("search",),
        ("search", ""),
        ("search", " \t"),
        ("search", "x", "-k", "0"),
        ("search", "x", "-k", "-3"),
        ("search", "x", "-k", "1000000"),
        ("search", "x", "-k", "ten"),
        ("search", "x", "--kind", "videos"),
        ("search", "x", "--after", "tomorrow"),
        ("search", "x", "--before", "2026-13-01"),
        ("no-such-verb",),
    ],
)
def test_wrong_usage_is_code_2(command, site, arguments):
    command("index", site)
    result = command(*arguments, code=2)
    assert result.stdout == ""
    assert "Error:" in result.stderr or "Usage:" in result.stderr


@pytest.mark.parametrize("verb", [("search", "x"), ("status",)])
def test_no_index_is_code_1_and_names_the_way_out(command, tmp_path, verb):
    result = command(*verb, code=1, index=tmp_path / "nothing")
    assert result.stdout == ""
    assert f"vision-ctx index SOURCE --index {tmp_path / 'nothing'}" in result.stderr


def test_a_source_that_is_not_there_is_code_1(command, tmp_path, site):
    report = command.json("index", site, tmp_path / "nowhere", code=1)
    assert report["added"] == 3
    assert [failure["source"] for failure in report["failures"]] == [str(tmp_path / "nowhere")]


@pytest.mark.parametrize("made", ["file", "folder in a file", "other folder"])
def test_an_index_folder_that_cannot_be_one(command, tmp_path, site, made):
    place = tmp_path / "taken"
    if made == "other folder":
        place.mkdir()
        (place / "letter.txt").write_text("mine")
    else:
        place.write_text("mine")
    folder = place / "below" if made == "folder in a file" else place
    result = command("index", site, index=folder, code=1)
    assert str(folder) in result.stderr
    assert result.stdout == ""


def test_models_are_not_needed_again(command, site, monkeypatch, detector, embedder):
    command("index", site)
    calls = (list(detector.batches), embedder.images, len(embedder.texts))

    def refuse(spec):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr(vision_ctx.models.loading, "load_detector", refuse)
    monkeypatch.setattr(vision_ctx.models.loading, "load_embedder", refuse)
    report = command.json("index", site)
    assert (report["added"], report["updated"], report["unchanged"]) == (0, 0, 3)
    assert (report["crops"], report["chunks"], report["frames"]) == (0, 0, 0)
    assert calls == (detector.batches, embedder.images, len(embedder.texts))
    command("status")


def test_other_models_are_refused_with_the_way_out(command, site):
    command("index", site)

    class Other:
        id = "fake:other"
        dim = 32

        def detect(self, images):
            raise AssertionError

        embed_images = embed_texts = detect

    for option in ("detector", "embedder"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(vision_ctx.models.loading, f"load_{option}", lambda spec: Other())
            result = command("index", site, f"--{option}", "other", code=1)
        assert "'fake:other'" in result.stderr and "another folder (--index)" in result.stderr


@pytest.mark.parametrize(
    "query",
    [
        "x" * 10_000,
        "person " * 2_000,
        "🚌🚶‍♀️",
        "\x1b[31mred\x1b[0m \x07 \x00 bus",
        "' OR 1=1 --",
        "*:*",
        "\u202egnirts",
        "\udcff\udcfe",
        "客厅 בית דלת",
    ],
    ids=range(9),
)
def test_any_words_are_answered(command, site, query):
    command("index", site)
    answer = command.json("search", query)
    assert answer["query"] == query.encode("utf-8", "replace").decode()
    assert answer["eligible"] == {"crops": 3, "chunks": 1}
    shown = command("search", query)
    assert not any(sign in shown.stdout for sign in "\x1b\x07\x00\u202e")


@pytest.mark.parametrize("value", ["' OR '1'='1", 'gate"; DROP TABLE records; --', "%", "gate' --"])
def test_filters_are_data(command, site, value):
    command("index", site)
    for option in ("--camera", "--label"):
        answer = command.json("search", "person", option, value)
        assert answer["hits"] == [] and answer["eligible"] == {"crops": 0, "chunks": 0}
    assert command.json("status")["crops"] == 3


def test_filters_narrow(command, site):
    command("index", site, "--timezone", "Europe/Amsterdam")

    def eligible(*options):
        return command.json("search", "anything", *options)["eligible"]

    assert eligible("--kind", "crops") == {"crops": 3, "chunks": 0}
    assert eligible("--kind", "chunks") == {"crops": 0, "chunks": 1}
    assert eligible("--camera", "gate") == {"crops": 3, "chunks": 0}
    assert eligible("--label", "dog") == {"crops": 1, "chunks": 0}
    assert eligible("--after", "2026-03-03T12:00") == {"crops": 1, "chunks": 0}
    assert eligible("--before", "2026-03-03T18:10") == {"crops": 2, "chunks": 0}
    assert eligible("--before", "2026-03-03T17:10:01Z") == {"crops": 3, "chunks": 0}


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut off"])
def test_an_image_that_is_none(command, site, tmp_path, content):
    command("index", site)
    path = tmp_path / "\x1b[31mred.jpg"
    path.write_bytes(content)
    result = command("search", "--image", path, code=1)
    assert "red.jpg" in result.stderr and "picture" in result.stderr
    assert "\x1b" not in result.stderr
    assert result.stdout == ""


def test_an_image_alone_and_with_words(command, site, tmp_path, save):
    command("index", site)
    picture = save(tmp_path / "query.png", size=(60, 60), bus=(0, 0, 60, 60))
    (first, *_) = command.json("search", "--image", picture)["hits"]
    assert first["label"] == "bus"
    assert command.json("search", "bus", "--image", picture)["hits"][0]["label"] == "bus"
    missing = command("search", "--image", tmp_path / "none.jpg", code=1)
    assert "none.jpg" in missing.stderr


def test_nothing_to_search_in(command, tmp_path):
    folder = tmp_path / "none"
    folder.mkdir()
    (folder / "empty.txt").touch()
    report = command.json("index", folder, code=1)
    assert [failure["error"] for failure in report["failures"]] == ["the file is empty"]
    answer = command.json("search", "cat")
    assert answer["hits"] == [] and answer["confident"] is False
    assert "Nothing found" in command("search", "cat").stdout


# S08 and S39: names as their owners write them, names that would do harm elsewhere.
NAMES = [
    "א.jpg",
    "é.jpg",
    "Ünï & cõdé.jpg",
    "😀.jpg",
    "a  b.jpg",
    "50%25.jpg",
    "#1?.jpg",
    "%02d.jpg",
    "a&lt;b&quot;.jpg",
    '"><svg onload=alert(1)>.jpg',
    "[red]alarm[bold].jpg",
    "[link=http:x]y.jpg",
    ":smile: 'quoted'.jpg",
    "back\\slash.jpg",
    "-k.jpg",
]
HARMFUL = [
    "\x1b[31mred\x1b[0m.jpg",
    "bell\x07.jpg",
    "new\nline.jpg",
    "\x9b31mcsi.jpg",
    "a\u202egpj.exe.jpg",
    "del\x7f.jpg",
]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows forbids some of these names")
def test_any_name_is_indexed_and_shown_as_it_is(command, tmp_path, save):
    folder = tmp_path / "מצלמה 1" / "客厅"
    for name in NAMES:
        save(folder / name, person=(20, 30, 50, 100))
    report = command.json("index", tmp_path / "מצלמה 1")
    assert (report["added"], report["failures"]) == (len(NAMES), [])
    answer = command.json("search", "person", "-k", "100")
    assert {hit["source"] for hit in answer["hits"]} == {str(folder / name) for name in NAMES}
    assert {hit["camera"] for hit in answer["hits"]} == {"客厅"}
    for hit in answer["hits"]:
        assert (command.folder / hit["crop_path"]).is_file()
    shown = command("search", "person", "-k", "100").stdout
    assert [name for name in NAMES if str(folder / name) not in shown] == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows forbids these names")
def test_names_cannot_steer_the_terminal(command, tmp_path, save):
    folder = tmp_path / "\x1b]0;title\x07cam"
    for name in HARMFUL:
        save(folder / name, person=(20, 30, 50, 100))
        (folder / f"{name}.empty.jpg").touch()
        (folder / f"{name}.xyz").touch()
    (folder / "log.txt").write_text("The \x1b[2Jgate\x9b1m was \u202eopen\x07.\n")
    ran = command("index", folder, code=1)
    texts = [
        ran.stdout,
        ran.stderr,
        command("search", "person gate", "-k", "100").stdout,
        command("status").stdout,
        command("status").stderr,
        command("search", "--image", folder / f"{HARMFUL[0]}.empty.jpg", code=1).stderr,
        *(command(verb, "x", "--json").stdout for verb in ("search",)),
    ]
    for text in texts:
        assert not set(text) & set("\x1b\x07\x9b\x7f\u202e")
    assert "\\x1b[31mred\\x1b[0m.jpg" in texts[2]
    answer = command.json("search", "person", "-k", "100", "--kind", "crops")
    assert {hit["source"] for hit in answer["hits"]} == {str(folder / name) for name in HARMFUL}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep names as Unicode")
def test_a_name_that_is_no_utf8_stops_nothing(command, tmp_path, site, save):
    odd = os.fsencode(site) + b"/gate/caf\xe9.png"
    save(tmp_path / "x.png", person=(20, 30, 50, 100)).rename(os.fsdecode(odd))
    (site / os.fsdecode(b"\xff.xyz")).touch()
    result = command("index", site, "--json", code=1)
    report = json.loads(result.stdout)
    assert report["added"] == 3
    named = {Path(failure["source"]).name for failure in report["failures"]}
    assert named == {r"caf\udce9.png", r"\udcff.xyz"}
    command("index", site, code=1).stdout.encode()
    assert command.json("search", "person")["eligible"]["crops"] == 3


def test_html_in_documents_stays_text(command, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(
        "# <b>Gate</b>\n\n<script>alert(2)</script> [red]x[/red]\n"
    )
    command("index", tmp_path / "docs")
    shown = command("search", "gate").stdout
    assert "<b>Gate</b>" in shown and "<script>alert(2)</script> [red]x[/red]" in shown


def test_the_index_may_lie_in_the_indexed_folder(command, site):
    inside = site / "vision-ctx-index"
    first = command.json("index", site, index=inside)
    second = command.json("index", site, index=inside)
    assert (first["added"], second["added"], second["unchanged"]) == (3, 0, 3)
    assert any(entry["source"] == str(inside) for entry in second["skipped"])


def test_the_index_by_environment_variable(command, site, monkeypatch):
    command("index", site)
    monkeypatch.setenv("VISION_CTX_INDEX", str(command.folder))
    result = CliRunner().invoke(main, ["status", "--json"])
    assert json.loads(result.stdout)["crops"] == 3


def test_a_start_time_fits_one_recording(command, site):
    refused = command("index", site, "--start-time", "2026-03-03T07:15", code=2)
    assert "2 were found" in refused.stderr
    one = site / "gate" / "20260303_071500.png"
    command("index", one, "--start-time", "2020-01-02T03:04", "--timezone", "UTC", "--camera", "x")
    (hit, *_) = command.json("search", "person", "--kind", "crops")["hits"]
    assert hit["captured_at"] == "2020-01-02T03:04:00+00:00"
    assert hit["clock"] == "given" and hit["camera"] == "x"


def test_a_zone_that_is_none(command, site):
    result = command("index", site, "--timezone", "Mars/Olympus", code=1)
    assert "Mars/Olympus" in result.stderr


def test_a_reader_that_has_seen_enough_is_no_failure(command, site):
    command("index", site)
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "-m", "vision_ctx.cli", "status", "--index", str(command.folder)],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_version():
    result = CliRunner().invoke(main, ["--version"])
    assert re.fullmatch(r"vision-ctx, version \d+\.\d+\.\d+\n", result.stdout)


RUN = """
import importlib.util, sys, time
spec = importlib.util.spec_from_file_location("fakes", sys.argv[1])
fakes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fakes)
import vision_ctx.models.loading as loading
from vision_ctx.cli import main

class Slow(fakes.ColourDetector):
    def detect(self, images):
        print("detecting", file=sys.stderr, flush=True)
        time.sleep(0.1)
        return super().detect(images)

loading.load_detector = lambda spec: Slow()
loading.load_embedder = lambda spec: fakes.HashEmbedder()
main(sys.argv[2:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_stopped_from_outside_and_run_again(command, tmp_path, save, how):
    """Ctrl-C, a service manager and the kernel's killer: the next run completes the index."""
    site = tmp_path / "site"
    for number in range(60):
        save(site / f"20260303_07{number // 60:02}{number % 60:02}.png", person=(20, 30, 50, 100))
    fakes = str(Path(__file__).with_name("conftest.py"))
    arguments = [sys.executable, "-c", RUN, fakes, "index", str(site), "--json"]
    index = tmp_path / "stopped"
    with subprocess.Popen(
        [*arguments, "--index", str(index)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    ) as running:
        for _ in range(5):
            assert running.stderr.readline() == "detecting\n"
        running.send_signal(how)
        out, err = running.communicate(timeout=60)
    assert "Traceback" not in err and out == ""
    if how == signal.SIGINT:
        assert running.returncode == 130
        assert "run again to go on" in err
        kept = command.json("status", index=index)["crops"]
        assert 8 <= kept < 60
    report = command.json("index", site, index=index)
    assert report["added"] + report["unchanged"] + report["updated"] == 60
    command("index", site)
    questions = [command.json("search", "person", "-k", "500", index=i) for i in (index, None)]
    ids = [sorted(hit["id"] for hit in answer["hits"]) for answer in questions]
    assert ids[0] == ids[1] and len(ids[0]) == 60
    pictures = [{p.name for p in f.rglob("*.jpg")} for f in (index, command.folder)]
    assert pictures[0] == pictures[1]
