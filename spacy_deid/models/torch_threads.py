"""Torch in processes forked from one that has used it."""

from __future__ import annotations

import os
from functools import cache
from typing import Any


def import_torch() -> Any:
    """Torch, fit for being forked: OpenMP's threads do not survive a fork, and a child
    that asked for them would wait for ever (`nlp.pipe` forks for `n_process=2`), so a
    child computes with one thread, as the workers of torch's own data loader do.

    RAISES (ImportError): If torch is not installed.
    """
    import torch

    watch_forks()
    return torch


@cache
def watch_forks() -> None:
    """Let every child forked from now on compute with one thread of torch."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_compute_in_one_thread)


def _compute_in_one_thread() -> None:
    import torch

    torch.set_num_threads(1)
