"""What somebody who is told frames has on his screen. Folds nothing: it takes entries over as they are given."""


class Screen:
    """``entries`` is the table as told, ``seq`` and ``hash`` the place in the log that was told last."""

    def __init__(self):
        self.entries = {}
        self.seq = 0
        self.hash = None
        self.epoch = 1

    @property
    def last(self):
        """What a hello says to go on from here."""
        return {"epoch": self.epoch, "seq": self.seq, "hash": self.hash}

    def take(self, frame):
        match frame["t"]:
            case "welcome":
                self.epoch = frame["epoch"]
                if frame["from"] is None:
                    self.entries = {}
                    self.seq, self.hash = frame["head"], frame["headHash"]
            case "state":
                self._apply(frame["entries"])
            case "logged" | "hidden":
                self.seq, self.hash = frame["seq"], frame["hash"]
                self._apply(frame.get("changes", ()))

    def _apply(self, entries):
        for entry in entries:
            if entry["value"] is None:
                self.entries.pop(entry["key"], None)
            else:
                self.entries[entry["key"]] = entry["value"]
