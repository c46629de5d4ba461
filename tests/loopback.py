"""Web servers on loopback, whose answers can be spoilt."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Fault(NamedTuple):
    """What comes in the place of an answer: another body than the true one, a share of
    it, whose headers may promise more; late, or in single bytes with pauses between; or
    nothing, until the server is closed."""

    status: int = 200
    headers: dict = {}  # noqa: RUF012
    body: bytes | None = None
    keep: float = 1.0
    cut: bool = False
    hang: bool = False
    delay: float = 0.0
    drip: float = 0.0


class Loopback:
    """A subclass has `handle`, which gets a request and its query."""

    def __init__(self):
        self.requests, self.lock = [], threading.Lock()
        self.closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                outer.handle(self, self.path.partition("?")[2])

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.handle(self, body.decode())

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.host = f"127.0.0.1:{self.http.server_port}"
        # Polls often: stopping it should not take long.
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *args):
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    def send(self, request, fault, answer, kind="application/json"):
        """An answer (bytes by a function), or what a fault makes of it."""
        if fault.hang:
            self.closing.wait(30)
        else:
            time.sleep(fault.delay)
            body = answer() if fault.body is None else fault.body
            part = body[: int(len(body) * fault.keep)]
            headers = {"Content-Type": kind, **fault.headers}
            headers["Content-Length"] = str(len(part) + 999 * fault.cut)
            # Unlike `send_response` without a date of its own.
            request.send_response_only(fault.status)
            for name, value in headers.items():
                request.send_header(name, value)
            request.end_headers()
            try:
                for piece in [bytes([b]) for b in part] if fault.drip else [part]:
                    request.wfile.write(piece)
                    request.wfile.flush()
                    self.closing.wait(fault.drip)
            except OSError:
                # The client has given up.
                request.close_connection = True
        request.close_connection |= fault.hang or fault.cut
