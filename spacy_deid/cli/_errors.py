"""Errors of the command line: one line on stderr, never a traceback.

A traceback shows source lines, messages of other packages, and with some settings
local variables: any of these may hold the text of a document.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeVar

import typer
from tqdm import tqdm

from ..disclosure import describe

F = TypeVar("F", bound=Callable[..., Any])

FAILED, INTERRUPTED = 1, 130
# What errors of standard output have for the name of a file.
STDOUT = "stdout"


class CliError(Exception):
    """A problem the user can solve; its message is shown as it is."""


def say(message: str) -> None:
    """Write a line without document text to stderr, around a progress bar if any."""
    # Names of files and fields may hold characters that a terminal cannot show.
    encoding = sys.stderr.encoding or "utf-8"
    message = message.encode(encoding, "backslashreplace").decode(encoding)
    tqdm.write(message, file=sys.stderr)


def describe_os_error(error: OSError) -> str:
    """Reason and file name of an error of the operating system."""
    reason = os.strerror(error.errno) if error.errno else type(error).__name__
    name = f": {error.filename}" if error.filename is not None else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        reason += " (nothing is lost: free some space and run the same command again)"
    return f"{reason}{name}"


@contextlib.contextmanager
def shown(*kinds: type[Exception], at: str = "") -> Iterator[None]:
    """Show errors of these kinds by their messages, which quote no document."""
    try:
        yield
    except kinds as error:
        raise CliError(f"{at}: {error}" if at else str(error)) from None


def clean_errors(function: F) -> F:
    """Decorate a command that returns its exit status (None for 0) so that every error
    ends in one line and an exit status."""

    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> NoReturn:
        try:
            status = function(*args, **kwargs)
        except CliError as error:
            say(f"Error: {error}")
            status = FAILED
        except OSError as error:
            # The reader of our output may be gone, which is no error of ours.
            if not isinstance(error, BrokenPipeError):
                say(f"Error: {describe_os_error(error)}")
            if isinstance(error, BrokenPipeError) or error.filename == STDOUT:
                # Python would flush what is left once more at exit, with a status of
                # its own.
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            status = FAILED
        except KeyboardInterrupt:
            say("Interrupted.")
            status = INTERRUPTED
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:
            say(f"Error: unexpected {describe(error)}")
            status = FAILED
        raise typer.Exit(status or 0)

    return command  # type: ignore[return-value]
