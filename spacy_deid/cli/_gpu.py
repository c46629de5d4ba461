"""The GPU that a command computes on."""

from __future__ import annotations

from typing import Annotated

import typer

from ._errors import CliError

GpuId = Annotated[int, typer.Option("--gpu-id", "-g", help="GPU, -1 for none")]


def use_gpu(gpu_id: int, n_process: int = 1) -> None:
    """Compute on a GPU from here on. To be called before a pipeline is loaded.

    gpu_id (int): Its number; below 0 nothing is done.
    n_process (int): Processes of the command.
    RAISES (CliError): If there is no such GPU, or it would have to serve several
        processes.
    """
    if gpu_id < 0:
        return
    if n_process != 1:
        raise CliError("--gpu-id and --n-process: a GPU serves one process")
    import spacy

    try:
        spacy.require_gpu(gpu_id)
    except Exception as error:
        raise CliError(
            f"--gpu-id {gpu_id}: no such GPU, or a package for it is missing (CuPy, as "
            "in spacy[cuda12x]); without --gpu-id the CPU is used"
        ) from error
