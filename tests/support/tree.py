"""What lies in a folder: to say that a refusal changed nothing."""


def tree(folder, *, without=("lock",)):
    """Every file below a folder with its bytes and every folder, by path; empty where there is none."""
    found = {}
    for path in sorted(folder.rglob("*")) if folder.exists() else ():
        name = str(path.relative_to(folder))
        if name not in without:
            found[name] = path.read_bytes() if path.is_file() else None
    return found
