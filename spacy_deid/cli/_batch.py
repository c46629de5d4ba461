"""What the commands that read many documents and can go on later share."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import typer

from ..processes import WorkerDied
from ._errors import INTERRUPTED, CliError, describe_os_error, say
from ._io import Item, Reader, Source
from ._output import Target, Writer


def check_n_process(n_process: int) -> None:
    """Refuse numbers of processes that mean nothing.

    n_process (int): The option.
    RAISES (CliError): If it is neither positive nor -1.
    """
    if n_process < 1 and n_process != -1:
        raise CliError("--n-process has to be at least 1, or -1 for one a core")


def show_documents(n: int, verb: str = "", verbs: str = "") -> str:
    """A number of documents in words.

    n (int): The number.
    verb (str): What follows one document.
    verbs (str): What follows several.
    RETURNS (str): For example `2 documents were`.
    """
    return (
        f"1 document {verb}".rstrip() if n == 1 else f"{n} documents {verbs}".rstrip()
    )


def resume(writer: Writer, skipped: int) -> None:
    """Take up an interrupted run, and say so; also say which files are not read.

    writer (Writer): The output.
    skipped (int): Files of kinds that are not read.
    """
    if writer.resume():
        done = writer.state.docs + writer.state.failed
        say(f"Going on after {show_documents(done)}")
    if skipped:
        say(f"{skipped} files of other kinds than .txt, .jsonl and .csv are left out")


def read_all(
    sources: list[Source],
    writer: Writer,
    text_field: str,
    id_field: str,
    keep_raw: bool = False,
) -> Iterator[Item]:
    """Items of all sources from the writer's state on, each source with its end.

    sources (list[Source]): What to read.
    writer (Writer): The output; gets the format of each source.
    text_field (str): Field or column of the text.
    id_field (str): Field or column of the id.
    keep_raw (bool): Whether items that are written to a file of the same kind have their
        bytes, too.
    YIELDS (Item): The items.
    """
    first, skip = writer.state.source, writer.state.items
    for index in range(first, len(sources)):
        source = sources[index]
        same = writer.target.kind in (None, source.kind)
        reader = Reader(source, index, text_field, id_field, keep_raw and same)
        # Filled in while reading, before any item comes out.
        writer.formats[index] = reader.format
        for n, item in enumerate(reader):
            if index > first or n >= skip:
                yield item
        yield Item(index, sources[index].name, end=True)


def make_bar(sources: list[Source], title: str) -> Any:
    """A progress bar on stderr, in bytes.

    sources (list[Source]): What is read.
    title (str): What is done.
    RETURNS (tqdm): The bar.
    """
    from tqdm import tqdm

    # Its thread would be in the way of processes that are forked.
    tqdm.monitor_interval = 0
    return tqdm(
        total=sum(source.size for source in sources) or None,
        unit="B",
        unit_scale=True,
        desc=title,
        file=sys.stderr,
        # A log file needs no more than a line now and then.
        mininterval=0.2 if sys.stderr.isatty() else 10,
        dynamic_ncols=sys.stderr.isatty(),
    )


@contextlib.contextmanager
def saving(writer: Writer, target: Target) -> Iterator[None]:
    """Save how far the writer is when what it writes comes to a halt.

    writer (Writer): The output.
    target (Target): Where it goes.
    RAISES (CliError): In place of an error of the operating system, or if a worker
        died.
    RAISES (typer.Exit): If the user interrupts.
    """
    done = False
    try:
        yield
        done = True
    except KeyboardInterrupt:
        _save_quietly(writer)
        again = "; run the same command to go on" if target.resumable else ""
        say(f"Interrupted after {show_documents(writer.state.docs)}{again}")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        _save_quietly(writer)
        raise CliError(describe_os_error(error)) from error
    except WorkerDied as error:
        _save_quietly(writer)
        raise CliError(
            f"{error} (out of memory?); run the same command again to go on, perhaps "
            "with a smaller --n-process"
        ) from error
    except CliError:
        _save_quietly(writer)
        raise
    finally:
        if not done:
            writer.stop()


def _save_quietly(writer: Writer) -> None:
    """Save the state once more; the last one saved will do if that fails."""
    with contextlib.suppress(OSError):
        writer.save()
