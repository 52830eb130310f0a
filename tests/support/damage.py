"""What happens to files on disks: pages that are not what was written."""

import apsw


def pages_of(path, *names):
    """The numbers of the pages that tables or indexes lie on; the file itself may be in use."""
    database = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = [
            number
            for name in names
            for (number,) in database.execute("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (name,))
        ]
        return found, int(database.pragma("page_size"))
    finally:
        database.close()


def overwrite(path, *names, which=None):
    """Overwrite leaf pages of some tables or indexes, or ``which`` of them, with bytes that are no page."""
    numbers, size = pages_of(path, *names)
    chosen = numbers if which is None else [numbers[at] for at in which]
    assert chosen, f"no page of {names}"
    with path.open("r+b") as file:
        for number in chosen:
            file.seek((number - 1) * size)
            file.write(b"\xee" * size)
