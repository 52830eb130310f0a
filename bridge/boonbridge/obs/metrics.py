"""Numbers for the operator. Labels are kinds and codes only, never a person, an actor, a total or a face."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The metrics of one server, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.connections = Gauge("boonbridge_connections", "Open websocket connections.", registry=self.registry)
        self.frames = Counter("boonbridge_frames", "Frames received.", ["kind"], registry=self.registry)
        self.answers = Counter(
            "boonbridge_answers", "Commands answered, by what came of them.", ["outcome"], registry=self.registry
        )
        self.closed = Counter("boonbridge_closed", "Connections closed by the bridge.", ["code"], registry=self.registry)
        self.limited = Counter("boonbridge_limited", "What was not done for haste, by kind.", ["kind"], registry=self.registry)
        self.backed_up = Gauge(
            "boonbridge_backup_timestamp_seconds", "When the last daily backup was made, or found there.", registry=self.registry
        )
        self.backup_failing = Gauge(
            "boonbridge_backup_failing", "1 while the last try at a daily backup failed.", registry=self.registry
        )
        self.seconds = Histogram(
            "boonbridge_command_seconds",
            "From a command's arrival to its answer.",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
            registry=self.registry,
        )

    def answered(self, outcome: str, seconds: float) -> None:
        """A command was answered with ``ack`` or the code of its refusal."""
        self.answers.labels(outcome).inc()
        self.seconds.observe(seconds)

    def backup(self, at: int, made: bool) -> None:  # noqa: FBT001 - what came of it
        """The server looked after its daily backup at a time in Unix milliseconds, and there is one now, or there is none."""
        self.backup_failing.set(0 if made else 1)
        if made:
            self.backed_up.set(at / 1000)

    def render(self) -> bytes:
        """The text that Prometheus scrapes."""
        return generate_latest(self.registry)
