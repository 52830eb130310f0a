"""Time that stands still until a test lets it pass, or is ahead as far as a test says."""

import time


class Moved:
    """The time of another clock, and how far a test has moved it."""

    def __init__(self, real):
        self._real = real
        self.ahead = 0

    def now(self):
        return self._real.now() + self.ahead


class TestClock:
    """Starts at the machine's time. ``advance`` wakes whoever waited for a moment that has come."""

    __test__ = False

    def __init__(self):
        self._now = time.time_ns() // 1_000_000
        self._alarms = []

    def now(self):
        return self._now

    def at(self, moment, call):
        alarm = (moment, call)
        self._alarms.append(alarm)
        return lambda: self._alarms.remove(alarm) if alarm in self._alarms else None

    def advance(self, seconds):
        self._now += round(seconds * 1000)
        for alarm in sorted((a for a in self._alarms if a[0] <= self._now), key=lambda a: a[0]):
            if alarm in self._alarms:
                self._alarms.remove(alarm)
                alarm[1]()

    @property
    def waiting(self):
        """The moments somebody waits for."""
        return sorted(moment for moment, _ in self._alarms)
