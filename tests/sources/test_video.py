"""Recordings as cameras, phones and recorders write them: rates, clocks, turns, damage."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision_ctx.errors import SourceError
from vision_ctx.sources.video import VideoInfo, _sample, probe, read_frames

Make = Callable[..., Path]


@pytest.fixture
def film(tmp_path: Path) -> Make:
    """Writes frames whose grey level is their number: ``film(name, frames=20, fps=10)``."""

    def write(name: str = "a.mp4", frames: int = 20, fps: float = 10.0, code: str = "mp4v") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), fps, (64, 48))
        for number in range(frames):
            writer.write(np.full((48, 64, 3), 20 + 10 * (number % 20), np.uint8))
        writer.release()
        return path

    return write


@pytest.fixture
def ffmpeg(tmp_path: Path) -> Callable[..., Path]:
    """Runs ffmpeg in ``tmp_path``; the last argument is the file that it writes."""
    program = shutil.which("ffmpeg")
    if program is None:
        pytest.skip("the program ffmpeg is not installed")

    def run(*arguments: str | Path) -> Path:
        command = [program, "-y", "-v", "error", "-threads", "1", *map(str, arguments)]
        subprocess.run(command, cwd=tmp_path, check=True)
        return tmp_path / arguments[-1]

    return run


def source(rate: int, seconds: float, size: str = "64x48") -> tuple[str, ...]:
    return ("-f", "lavfi", "-i", f"testsrc2=s={size}:r={rate}:d={seconds}")


H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")


def times(path: Path, fps: float = 1000.0, info: VideoInfo | None = None) -> list[float]:
    return [frame.time_s for frame in read_frames(path, fps, info)]


def every_frame(path: Path) -> tuple[list[float], VideoInfo]:
    info = VideoInfo()
    return times(path, info=info), info


def test_sampling_keeps_to_a_grid_of_seconds(film: Make) -> None:
    path = film(frames=40, fps=10)
    assert times(path, 2) == pytest.approx([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5])
    quarter = [0, 0.3, 0.5, 0.8]  # the first frame at or after each of 0, 0.25, 0.5, 0.75
    assert times(path, 4) == pytest.approx([s + t for s in range(4) for t in quarter])
    assert times(path, 0.5) == pytest.approx([0, 2])
    assert len(times(path, 10)) == len(times(path, 120)) == 40


def test_pixels_are_those_of_the_frame_at_that_time(film: Make) -> None:
    frames = list(read_frames(film(frames=20), 2))
    levels = [float(frame.image.mean()) for frame in frames]
    assert levels == pytest.approx([20 + 100 * frame.time_s for frame in frames], abs=4)
    assert {frame.image.shape for frame in frames} == {(48, 64, 3)}


def test_colours_are_red_first(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(
        str(tmp_path / "red.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48)
    )
    writer.write(np.full((48, 64, 3), (0, 0, 250), np.uint8))
    writer.release()
    red, green, blue = next(read_frames(tmp_path / "red.avi", 1)).image[24, 32]
    assert red > 200 and green < 50 and blue < 50


@pytest.mark.parametrize("fps", [2, 10, 60])
def test_times_of_a_varying_rate(ffmpeg: Make, fps: int) -> None:  # S09
    chosen = "select='if(lt(t,2),not(mod(n,3)),1)'"  # 10 frames/s for 2 s, then 30
    path = ffmpeg(*source(30, 4), "-vf", chosen, "-fps_mode", "vfr", *H264, "vfr.mp4")
    found = times(path, fps)
    assert found[0] == 0
    if fps == 60:
        assert len(found) == 80
        assert found[10] == pytest.approx(1.0) and found[50] == pytest.approx(3.0)
    else:
        # Never denser than asked, and no further apart than grid and gaps allow.
        gaps = np.diff(found)
        assert len(found) == 4 * fps
        assert gaps.max() <= 1 / fps + 0.1 and gaps.mean() == pytest.approx(1 / fps, rel=0.05)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turned_recordings_stand_upright(tmp_path: Path, turn: int) -> None:  # S10
    upright = np.zeros((128, 64, 3), np.uint8)
    upright[:32], upright[32:] = (0, 0, 250), (250, 0, 0)  # red above blue, as OpenCV orders them
    lying = np.ascontiguousarray(np.rot90(upright, turn // 90))
    path = tmp_path / "phone.mp4"
    writer = cv2.VideoWriter(
        str(path), cv2.VideoWriter.fourcc(*"mp4v"), 5, (lying.shape[1], lying.shape[0])
    )
    writer.write(lying)
    writer.release()
    _write_turn(path, turn)
    image = next(read_frames(path, 1)).image
    assert image.shape == (128, 64, 3)
    top, bottom = image[8, 32].astype(int), image[120, 32].astype(int)
    assert top[0] > 150 > top[2], "red stands above"
    assert bottom[2] > 150 > bottom[0], "blue stands below"


def _write_turn(path: Path, degrees: int) -> None:
    """Sets the display matrix of the track header, as phones do, to a turn clockwise."""
    cosine, sine = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees]
    one = 1 << 16
    turn = (cosine * one, sine * one, 0, -sine * one, cosine * one, 0, 0, 0, 1 << 30)
    data = bytearray(path.read_bytes())
    start = data.index(b"tkhd") + 44
    assert data[start + 32 : start + 36] == (1 << 30).to_bytes(4, "big")
    data[start : start + 36] = struct.pack(">9i", *turn)
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["late.mp4", "late.mkv", "late.ts"])
def test_timestamps_that_do_not_start_at_zero(ffmpeg: Make, name: str) -> None:
    whole = ffmpeg(*source(10, 3), *H264, "whole.mp4")
    path = ffmpeg("-i", whole, "-c", "copy", "-output_ts_offset", "100", name)
    found, info = every_frame(path)
    assert found == pytest.approx(np.arange(30) / 10, abs=0.002)
    assert info.shortfall() is None


def test_timestamps_that_start_over(ffmpeg: Make, tmp_path: Path) -> None:
    part = ffmpeg(*source(10, 2), *H264, "-muxdelay", "0", "part.ts")
    path = tmp_path / "joined.ts"
    path.write_bytes(part.read_bytes() * 3)
    found, info = every_frame(path)
    assert found == pytest.approx(np.arange(60) / 10, abs=0.002)
    assert info.shortfall() is None
    assert times(path, 1) == pytest.approx([0, 1, 2, 3, 4, 5], abs=0.002)


@pytest.mark.parametrize("name", ["bare.h264", "bare.264"])
def test_streams_without_timestamps_are_counted_and_say_so(ffmpeg: Make, name: str) -> None:
    path = ffmpeg(*source(25, 3), *H264, "-f", "h264", name)
    frames = list(read_frames(path, 2))
    assert [frame.time_s for frame in frames] == pytest.approx([0, 0.52, 1, 1.52, 2, 2.52])
    assert all(frame.counted for frame in frames[1:])


def test_streams_with_timestamps_are_never_counted(ffmpeg: Make) -> None:
    ffmpeg(*source(25, 1), "-bf", "2", *H264, "a.mp4")
    for name in ("a.mkv", "a.avi", "a.ts", "a.flv", "a.mov"):
        path = ffmpeg("-i", "a.mp4", "-c", "copy", name)
        assert not any(frame.counted for frame in read_frames(path, 1000)), name


def test_a_long_gap_starts_the_grid_anew(ffmpeg: Make) -> None:
    shift = "setpts='PTS+if(gte(T,1),10/TB,0)'"
    path = ffmpeg(*source(10, 2), "-vf", shift, "-fps_mode", "vfr", *H264, "gap.mp4")
    assert times(path, 2) == pytest.approx([0, 0.5, 11, 11.5])


def test_a_whole_recording_lacks_nothing(film: Make) -> None:
    found, info = every_frame(film(frames=30))
    assert (len(found), info.promised_frames, info.read_frames) == (30, 30, 30)
    assert info.shortfall() is None
    assert info.promised_s == pytest.approx(3.0)


@pytest.mark.parametrize("share", [0.9, 0.7, 0.4])
def test_a_cut_off_recording_says_what_is_missing(ffmpeg: Make, share: float) -> None:  # S11
    path = ffmpeg(*source(25, 8, "320x240"), *H264, "-movflags", "+faststart", "cut.mp4")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    found, info = every_frame(path)
    assert 0 < len(found) < 200 * (share + 0.1)
    assert info.shortfall() == f"incomplete: {len(found)} of 200 frames could be read"


def test_a_header_that_counts_fields_is_no_shortfall(ffmpeg: Make) -> None:
    weave = ("-vf", "tinterlace=interleave_top", "-flags", "+ilme+ildct")
    path = ffmpeg(
        *source(25, 8), *weave, *H264, "-preset", "fast", "-x264opts", "tff=1", "fields.ts"
    )
    copy = ffmpeg("-i", path, "-c", "copy", "fields.avi")
    _, info = every_frame(copy)
    assert info.promised_frames == 2 * info.read_frames == 200
    assert info.shortfall() is None
    half = VideoInfo(promised_frames=200, read_frames=100, fps=25.0, read_s=4.0)
    assert half.shortfall() == "incomplete: 100 of 200 frames could be read"


def test_no_moov_atom(film: Make) -> None:
    path = film(frames=30)
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"moov") - 4])
    for read in (probe, times):
        with pytest.raises(SourceError, match="not a recording that can be opened"):
            read(path)


def test_sound_without_a_picture(ffmpeg: Make) -> None:
    path = ffmpeg("-f", "lavfi", "-i", "sine=d=1", "sound.mp4")
    with pytest.raises(SourceError, match="not a recording"):
        times(path)


@pytest.mark.parametrize(
    "content",
    [
        b"\0\5\26\7\0\2\0\0Mac OS X",
        b"just text\n",
        b"#EXTM3U\n#EXTINF:3,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
        b"ffconcat version 1.0\nfile other.mp4\n",
        bytes(4096),
    ],
    ids=["shadow", "text", "playlist", "concat", "zeros"],
)
@pytest.mark.parametrize("suffix", [".mp4", ".ts", ".avi", ".mkv"])
def test_what_is_no_recording(
    tmp_path: Path, content: bytes, suffix: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"clip{suffix}"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        times(path)
    assert caught.value.source == str(path)


def test_header_without_frames(tmp_path: Path) -> None:
    path = tmp_path / "empty.avi"
    cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48)).release()
    with pytest.raises(SourceError):
        times(path)


def test_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        probe(tmp_path / "gone.mp4")


@pytest.mark.parametrize(
    "name", ["א.mp4", "😀 a  b.mp4", "50%25.mp4", "#1?.mp4", "shot_%02d.mp4", "é&'\"[M][0@0].mp4"]
)
def test_names_are_taken_as_they_are(film: Make, name: str) -> None:  # S08
    made = film("plain.mp4", frames=3)
    path = made.rename(made.with_name(name))
    assert len(times(path)) == 3


def test_a_reader_that_stops_early_releases_the_file(film: Make) -> None:
    path = film(frames=30)
    for _ in range(20):
        reader = read_frames(path, 1)
        next(reader)
        reader.close()
    descriptors = Path("/proc/self/fd")
    if descriptors.exists():
        assert not any(entry.resolve() == path for entry in descriptors.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "frames", "rate"),
    [("car-detection.mp4", 377, 12.5), ("one-by-one-person-detection.mp4", 1394, 10.0)],
)
def test_real_recordings(footage: Path, name: str, frames: int, rate: float) -> None:
    found, info = every_frame(footage / name)
    assert info.shortfall() is None
    assert len(found) == info.read_frames == frames
    assert found == pytest.approx(np.arange(frames) / rate, abs=0.01)
    assert len(times(footage / name, 2)) == pytest.approx(2 * frames / rate, abs=1)


class WithoutPictures:
    """A decoder that finds frames and can show none of them."""

    def __init__(self, frames: int) -> None:
        self.left = frames

    def grab(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def get(self, _: int) -> float:
        return 0.0

    def retrieve(self) -> tuple[bool, None]:
        return False, None


@pytest.mark.parametrize("frames", [0, 3])
def test_a_recording_that_shows_nothing_is_no_recording(frames: int) -> None:
    with pytest.raises(SourceError, match="no frame of the recording can be decoded"):
        list(_sample(WithoutPictures(frames), Path("a.mp4"), 2, VideoInfo()))
