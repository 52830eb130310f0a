"""A disk that takes no more: a small one of its own where this machine lets us make one, or a limit on how large files may be."""

import contextlib
import subprocess

import pytest


@contextlib.contextmanager
def small_disk(folder, size):
    """A file system of so many bytes, mounted at a folder; the test is skipped where that is not allowed."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False, timeout=20)
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if done.returncode:
        pytest.skip(f"a file system cannot be mounted here: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=20)


@contextlib.contextmanager
def largest_file(size):
    """No file of this process grows beyond so many bytes."""
    resource = pytest.importorskip("resource", reason="this system limits no files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
