"""The command ``vision-ctx``: reads options, calls the library, prints.

Results go to stdout, progress and warnings to stderr.  Exit codes: 0 done; 1 done but some sources
failed, or an error that the message explains; 2 wrong usage.  Heavy packages are imported inside the
commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vision_ctx import VisionCtxError, __version__
from vision_ctx.errors import ArgumentError

if TYPE_CHECKING:
    from vision_ctx.search.filters import Kind

DEFAULT_INDEX = "vision-ctx-index"
EXIT_FAILED = 1


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="vision-ctx")
def main() -> None:
    """Ask your cameras and your reports.

    Index footage and documents into one folder, then search it in plain words:

    \b
      vision-ctx index recordings/ reports/
      vision-ctx search "red truck at the gate in the morning"
    """


def _friendly(command: Callable[..., None]) -> Callable[..., None]:
    """Turns the library's errors into one line and an exit code."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - click decides
        try:
            command(*args, **kwargs)
        except BrokenPipeError:  # the reader of a pipe (head, less) has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except (VisionCtxError, OSError) as error:  # OSError: a full disk, a folder of another user
            click.echo(f"vision-ctx: {_visible(error)}", err=True)
            sys.exit(EXIT_FAILED)
        except ArgumentError as error:
            raise click.UsageError(_visible(error)) from error
        except KeyboardInterrupt:
            click.echo("vision-ctx: stopped; what was done is kept, run again to go on", err=True)
            sys.exit(130)

    return run


def _visible(error: Exception) -> str:
    from vision_ctx.terminal import visible

    return visible(str(error))


_index_option = click.option(
    "--index",
    "folder",
    type=click.Path(path_type=Path),
    envvar="VISION_CTX_INDEX",
    default=Path(DEFAULT_INDEX),
    show_default=f"./{DEFAULT_INDEX}",
    help="Folder of the index; or set VISION_CTX_INDEX.",
)
_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@main.command("index")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@_index_option
@click.option("--camera", metavar="ID", help="Camera of the footage; else configured or by folder.")
@click.option("--timezone", metavar="TZ", help="Zone of the footage, such as Europe/Amsterdam.")
@click.option("--start-time", metavar="ISO", help="Start of the one recording that is given.")
@click.option("--fps", type=float, help="Frames to look at for each second of video.  [default: 2]")
@click.option(
    "--min-confidence", type=float, help="Least confidence of a detection.  [default: 0.25]"
)
@click.option(
    "--track/--no-track",
    default=None,
    help="One record for an object, or one for every sighting.  [default: track]",
)
@click.option("--models", type=click.Choice(["default", "samples"]), help="Sets both models.")
@click.option("--detector", metavar="NAME|PATH", help="Any ultralytics name, .pt, ONNX, OpenVINO.")
@click.option("--embedder", metavar="NAME/TAG|PATH", help="Any open_clip model, or a local folder.")
@_json_option
@_friendly
def index_command(
    sources: tuple[Path, ...],
    folder: Path,
    camera: str | None,
    timezone: str | None,
    start_time: str | None,
    fps: float | None,
    min_confidence: float | None,
    track: bool | None,
    models: str | None,
    detector: str | None,
    embedder: str | None,
    as_json: bool,
) -> None:
    """Index files and folders; run it again and only what changed is done.

    \b
      vision-ctx index recordings/ reports/ --timezone Europe/Amsterdam
      vision-ctx index clip.mp4 --camera dock --start-time 2026-03-03T07:15
    """
    from vision_ctx.terminal import progress_bar, show_report

    chosen = {"detector": detector or models, "embedder": embedder or models}
    settings = {"fps": fps, "min_confidence": min_confidence, "track": track}
    index = _open_or_create(folder, chosen, settings)
    with progress_bar() as on_progress:
        report = index.add(
            *sources,
            camera=camera,
            timezone=timezone,
            start_time=start_time,
            on_progress=on_progress,
        )
    if as_json:
        _print_json(report.to_dict())
    else:
        show_report(report, folder)
    if report.failures:
        sys.exit(EXIT_FAILED)


@main.command("search")
@click.argument("query", default="")
@click.option(
    "--image", type=click.Path(path_type=Path), help="A picture to look for, alone or with words."
)
@click.option("-k", default=10, show_default=True, help="Number of hits.")
@click.option(
    "--kind",
    type=click.Choice(["all", "crops", "chunks"]),
    default="all",
    show_default=True,
    help="Only crops of footage or only passages of documents.",
)
@click.option("--camera", metavar="ID", help="Only crops of this camera.")
@click.option("--label", metavar="L", help="Only crops with this label, such as person or scene.")
@click.option("--after", metavar="T", help="Only crops from this time on (camera's local time).")
@click.option("--before", metavar="T", help="Only crops before this time.")
@_index_option
@_json_option
@_friendly
def search_command(
    query: str,
    image: Path | None,
    k: int,
    kind: Kind,
    camera: str | None,
    label: str | None,
    after: str | None,
    before: str | None,
    folder: Path,
    as_json: bool,
) -> None:
    """Search footage and documents in plain words, or by a picture.

    \b
      vision-ctx search "person beside a bus" --camera gate -k 5
      vision-ctx search --image suspect.jpg --after 2026-03-03 --before 2026-03-04
    """
    from vision_ctx.index import Index
    from vision_ctx.terminal import show_result

    result = Index.open(folder).search(
        query,
        image=image,
        k=k,
        kind=kind,
        camera=camera,
        label=label,
        after=after,
        before=before,
    )
    if as_json:
        _print_json(result.to_dict())
    else:
        show_result(result, folder)


@main.command("status")
@_index_option
@_json_option
@_friendly
def status_command(folder: Path, as_json: bool) -> None:
    """Show what an index holds: counts, cameras, time span, models, failures, disk.

    \b
      vision-ctx status --index site-a
    """
    from vision_ctx.index import Index
    from vision_ctx.terminal import show_status

    state = Index.open(folder).status()
    if as_json:
        _print_json(state)
    else:
        show_status(state)


@main.command("eval")
@click.argument("queries", type=click.Path(path_type=Path))
@click.option("--split", metavar="NAME", help="Only questions of this split, such as test.")
@click.option("--plot", type=click.Path(path_type=Path), help="Also draw the rows into this file.")
@_index_option
@_json_option
@_friendly
def eval_command(
    queries: Path, split: str | None, plot: Path | None, folder: Path, as_json: bool
) -> None:
    """Measure how well questions with known answers are answered.

    \b
      vision-ctx eval queries.jsonl --split test
    """
    from vision_ctx.evaluate import evaluate, read_queries
    from vision_ctx.index import Index
    from vision_ctx.terminal import show_evaluation

    questions = read_queries(queries, split)
    index = Index.open(folder)
    measured = evaluate(index.snapshot(), index.embedder, questions)
    if plot is not None:
        from vision_ctx.plot import plot_rows

        plot_rows(measured["rows"], plot)
    if as_json:
        _print_json(measured)
    else:
        show_evaluation(measured)


@main.command("demo")
@click.option(
    "--index",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("vision-ctx-demo"),
    show_default="./vision-ctx-demo",
    help="Folder of the demonstration's index.",
)
@_friendly
def demo_command(folder: Path) -> None:
    """Index the sample site with its small models and ask it a few questions.

    \b
      vision-ctx demo
    """
    from vision_ctx import demo
    from vision_ctx.terminal import progress_bar, show_report, show_result

    with progress_bar() as on_progress:
        index, report = demo.build(folder, on_progress)
    show_report(report, folder)
    answers = []
    for search in demo.searches():
        result = index.search(search.query, k=demo.HITS)
        answers.append((search, result))
        click.echo(f"\n{search.title}\n$ vision-ctx search {search.query!r} --index {folder}")
        show_result(result, folder)
    click.echo(f"\nContact sheet: {demo.write_contact_sheet(index, answers)}")
    if report.failures:
        sys.exit(EXIT_FAILED)


def _open_or_create(folder: Path, chosen: dict[str, str | None], settings: dict[str, Any]) -> Any:  # noqa: ANN401 - Index is imported late
    from vision_ctx.index import Index
    from vision_ctx.sources.discover import INDEX_MARK

    if (folder / INDEX_MARK).exists():
        return Index.open(folder, **chosen, **settings)  # type: ignore[arg-type]
    models = {role: spec or "default" for role, spec in chosen.items()}
    return Index.create(folder, **models, **settings)  # type: ignore[arg-type]


def _print_json(value: dict[str, Any]) -> None:
    # In ASCII: no stream is too narrow for it, and no file name in it can steer a terminal.
    click.echo(json.dumps(value, indent=2))


if __name__ == "__main__":
    main()
