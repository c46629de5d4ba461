"""Hides torch from the programs that tests start: see `start_without_torch`."""

raise ImportError("torch is hidden, as if only the core were installed")
