import os
import subprocess
import sys

import numpy as np
import pytest

from vision_ctx.errors import MissingDependencyError, ModelUnavailableError
from vision_ctx.models.catalog import LEAST_CONFIDENCE
from vision_ctx.models.yolo import UltralyticsDetector
from vision_ctx.sources.image import read_image


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No network, and an empty cache."""
    monkeypatch.setenv("VISION_CTX_CACHE", str(tmp_path / "cache"))

    def no_route(*args, **kwargs):
        raise ConnectionError("no route to host")

    monkeypatch.setattr("socket.create_connection", no_route)
    monkeypatch.setattr("ultralytics.utils.downloads.safe_download", no_route)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("spec", ["yolo26n.pt", "yolo26n", "no-such-model.pt", "nonsense"])
def test_a_name_without_network_says_the_ways_out(offline, spec):
    with pytest.raises(
        ModelUnavailableError, match=r"cannot be downloaded.*--models samples"
    ) as info:
        UltralyticsDetector(spec)
    assert "--detector FILE" in str(info.value)
    assert spec in str(info.value)


@pytest.mark.parametrize(
    "spec", ["/no/such/model.pt", "./model.onnx", "model.onnx", "~/no/model.pt"]
)
def test_a_path_that_is_not_there(offline, spec):
    with pytest.raises(ModelUnavailableError, match=r"there is no detector at .*--models samples"):
        UltralyticsDetector(spec)


@pytest.mark.parametrize("name", ["model.pt", "model.onnx", "model.txt"])
@pytest.mark.parametrize("data", [b"", b"no weights at all"])
def test_a_file_that_is_no_detector(offline, name, data):
    path = offline / name
    path.write_bytes(data)
    with pytest.raises(ModelUnavailableError, match=f"{name}: no detector can be read"):
        UltralyticsDetector(str(path))


def test_a_missing_runtime_names_its_extra(offline, monkeypatch):
    path = offline / "model.onnx"
    path.touch()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'vision-ctx\[onnx\]'"):
        UltralyticsDetector(str(path))


def test_a_model_of_another_task_is_refused(offline):
    from ultralytics import YOLO

    YOLO("yolo26n-cls.yaml").save("cls.pt")
    with pytest.raises(ModelUnavailableError, match=r"classify"):
        UltralyticsDetector("cls.pt")


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """A real but untrained network as a ``.pt`` file."""
    from ultralytics import YOLO

    path = tmp_path_factory.mktemp("weights") / "blank.pt"
    YOLO("yolo26n.yaml").save(str(path))
    return path


def test_a_pt_file_loads_and_finds_nothing_in_noise(untrained, offline):
    detector = UltralyticsDetector(str(untrained))
    pictures = [np.full(shape, 90, np.uint8) for shape in ((48, 64, 3), (64, 48, 3), (48, 64, 3))]
    found = detector.detect(pictures)
    assert len(found) == 3
    assert all(d.confidence >= LEAST_CONFIDENCE for each in found for d in each)
    assert detector.detect([]) == []
    assert detector.id.startswith("ultralytics:blank:")
    assert list(offline.iterdir()) == []  # no "runs" folder, no download


@pytest.mark.slow
@pytest.mark.parametrize("first", ["", "import ultralytics\n"])
def test_neither_installs_packages_nor_reports_usage(untrained, first):
    """In a process of its own, since ultralytics reads its settings when it is imported."""
    code = (
        f"{first}import sys, socket\n"
        "def refuse(*args, **kwargs): sys.exit('a connection was opened')\n"
        "socket.socket.connect = socket.create_connection = refuse\n"
        "import numpy as np\n"
        "from vision_ctx.models.yolo import UltralyticsDetector\n"
        "UltralyticsDetector(sys.argv[1]).detect([np.zeros((32, 32, 3), np.uint8)])\n"
        "from ultralytics.utils import events, checks\n"
        "assert checks.AUTOINSTALL is False\n"
        "assert events.events.enabled is False\n"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("YOLO_")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(untrained)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


@pytest.mark.slow
def test_real_weights_on_a_real_picture(yolo26n, bus_jpg, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    detector = UltralyticsDetector(str(yolo26n))
    image = read_image(bus_jpg)
    (found,) = detector.detect([image])
    good = [d for d in found if d.confidence >= 0.25]
    labels = [d.label for d in good]
    assert labels.count("bus") == 1
    assert labels.count("person") >= 3
    (bus,) = (d for d in good if d.label == "bus")
    assert bus.box.width > 700
    assert all(0 <= d.box.x0 < d.box.x1 <= 810 and 0 <= d.box.y0 < d.box.y1 <= 1080 for d in good)
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().out == ""  # standard output belongs to results


@pytest.mark.slow
def test_detections_do_not_hang_on_the_batch(yolo26n, bus_jpg):
    detector = UltralyticsDetector(str(yolo26n))
    image = read_image(bus_jpg)
    small = np.ascontiguousarray(image[::2, ::2])
    together = detector.detect([image, small, image])
    alone = [detector.detect([each])[0] for each in (image, small, image)]
    assert together == alone
    assert together[0] == together[2] != together[1]


def test_sizes_are_not_mixed_and_the_network_gets_blue_first(untrained, monkeypatch):
    detector = UltralyticsDetector(str(untrained))
    seen = []

    def predict(pictures, **options):
        seen.append([picture.shape for picture in pictures])
        assert all(tuple(picture[0, 0]) == (3, 2, 1) for picture in pictures)
        assert all(picture.flags.c_contiguous for picture in pictures)
        return original(pictures, **options)

    original = detector._model.predict
    monkeypatch.setattr(detector._model, "predict", predict)
    wide, tall = ((32, 64, 3), (64, 32, 3))
    red_first = [np.full(shape, (1, 2, 3), np.uint8) for shape in (wide, tall, wide)]
    assert len(detector.detect(red_first)) == 3
    assert seen == [[wide, wide], [tall]]
