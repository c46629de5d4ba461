"""Counts and times for Prometheus: no label has anything that a client has sent."""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from .crew import Crew

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The metrics of a service."""

    def __init__(self, crew: Crew) -> None:
        self.registry = CollectorRegistry()
        own: Any = {"namespace": "spacy_deid", "registry": self.registry}
        self.requests = Counter("requests", "Requests.", ["path", "status"], **own)
        buckets: Any = {"buckets": SECONDS, **own}
        self.seconds = Histogram("request_seconds", "Time.", ["path"], **buckets)
        self.documents = Counter("documents", "Documents.", ["path", "outcome"], **own)
        told = "Characters of the documents."
        self.characters = Counter("characters", told, ["path"], **own)
        for what, told, value in (
            ("waiting_documents", "Documents that wait.", lambda: crew.waiting),
            ("workers_ready", "Workers that are ready.", lambda: len(crew.ready)),
            ("worker_restarts", "Workers started anew.", lambda: crew.restarts),
        ):
            Gauge(what, told, **own).set_function(value)
