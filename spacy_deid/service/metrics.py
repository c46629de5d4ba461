"""Counts and times for Prometheus: no label has anything that a client has sent."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from .crew import Crew

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The metrics of a service."""

    def __init__(self, crew: Crew) -> None:
        self.registry = own = CollectorRegistry()

        def name(what: str) -> str:
            return f"spacy_deid_{what}"

        self.requests = Counter(
            name("requests"), "Requests.", ["path", "status"], registry=own
        )
        self.seconds = Histogram(
            name("request_seconds"), "Time.", ["path"], buckets=SECONDS, registry=own
        )
        self.documents = Counter(
            name("documents"), "Documents.", ["path", "outcome"], registry=own
        )
        self.characters = Counter(
            name("characters"), "Characters of the documents.", ["path"], registry=own
        )
        for what, told, value in (
            ("waiting_documents", "Documents that wait.", lambda: crew.waiting),
            ("workers_ready", "Workers that are ready.", lambda: len(crew.ready)),
            ("worker_restarts", "Workers started anew.", lambda: crew.restarts),
        ):
            Gauge(name(what), told, registry=own).set_function(value)
