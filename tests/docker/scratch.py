"""Runs the steps of a Dockerfile as they stand, in folders that serve as roots: for machines without a Docker engine.

The image that FROM names cannot be fetched then. In its place stands a root with this machine's own programs and Python, to be
read only; everything that a step writes goes into the folder. Needs root and Linux, for mounts and chroot.
"""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docker.dockerfile import context

LENT = (
    "/usr",
    "/etc/ssl",
    "/etc/alternatives",
    "/etc/xdg/pip",
    "/etc/pip.conf",
    "/etc/resolv.conf",
    "/etc/login.defs",
    "/etc/hosts",
    "/opt/wheels",
    "/opt/pypi",
)
"""What is lent from this machine, as far as it is there: programs and libraries, and how its pip finds packages."""

PYTHON = Path(sys.base_prefix)


class Root:
    """A folder as the root of a stage, as it is while the stage is built."""

    def __init__(self, place):
        self.place = place
        self.environment = {"PATH": f"{PYTHON}/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        self.environment |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        self.folder = "/"
        self.user = None
        for name in ("dev", "proc", "tmp", "root", "etc", "var/tmp", "run"):
            (place / name).mkdir(parents=True)
        for name in ("tmp", "var/tmp"):
            (place / name).chmod(0o1777)
        for name in ("bin", "sbin", "lib", "lib64"):
            if (Path("/") / name).is_symlink():
                (place / name).symlink_to(f"usr/{name}")
        for name, text in (("passwd", "root:x:0:0::/root:/bin/sh\n"), ("group", "root:x:0:\n"), ("shadow", ""), ("gshadow", "")):
            (place / "etc" / name).write_text(text, encoding="ascii")

    def inside(self, path):
        """Where a path of the root is on this machine."""
        return self.place / str(path).lstrip("/")

    def command(self, words, *, user=None, sealed=None):
        """The words that run a command in the root. ``sealed``: its one folder that can be written to; otherwise all of it can.

        As a container has it: with processes of its own, and none of root's capabilities where a user is named.
        """
        place = shlex.quote(str(self.place))
        script = ["set -e", f"mount --bind {place} {place}", f"mount --make-rprivate {place}", f"mount -t proc proc {place}/proc"]
        lent = [Path(path) for path in LENT] + ([] if PYTHON.is_relative_to("/usr") else [PYTHON])
        script += [f"mount --rbind /dev {place}/dev"]
        for path in lent:
            if path.exists():
                target = self.inside(path)
                if path.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.touch()
                quoted = shlex.quote(str(target))
                script += [f"mount --bind {shlex.quote(str(path.resolve()))} {quoted}", f"mount -o remount,bind,ro {quoted}"]
        if sealed is not None:
            volume = shlex.quote(str(self.inside(sealed)))
            script += [f"mount --bind {volume} {volume}", f"mount -o remount,bind,ro {place}"]
        environment = [f"{name}={value}" for name, value in self.environment.items()]
        run = ["env", "-i", *environment, *words]
        if user is not None:
            drop = ["--reuid", user.split(":")[0], "--regid", user.split(":")[1], "--clear-groups", "--no-new-privs"]
            run = ["setpriv", *drop, "--bounding-set=-all", "--inh-caps=-all", *run]
        jump = 'cd "$1" && shift && exec "$@"'
        script.append(f"exec chroot {place} /bin/sh -c {shlex.quote(jump)} sh {shlex.join([self.folder, *run])}")
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", "\n".join(script)]


def build(stages, root, ignore, place):
    """Carry out every stage; the root of the last one, and what was run, line by line."""
    done, ran = {}, []
    files = context(root, ignore)
    for number, stage in enumerate(stages):
        here = Root(place / f"stage{number}")
        for step in stage.steps:
            _carry_out(step, here, done=done, root=root, files=files, ran=ran)
        done[stage.name] = here
    return here, ran


def _carry_out(step, here, *, done, root, files, ran):
    match step.name:
        case "ENV":
            here.environment |= dict(word.split("=", 1) for word in step.words)
            if "PATH" in step.text:  # the image's Python is in /usr/local/bin, this machine's wherever it is
                here.environment["PATH"] = here.environment["PATH"].replace("/usr/local/bin", f"{PYTHON}/bin:/usr/local/bin")
        case "WORKDIR":
            here.folder = step.words[0]
            here.inside(here.folder).mkdir(parents=True, exist_ok=True)
        case "USER":
            here.user = step.words[0]
        case "COPY":
            _copy(step, here, done, root, files)
        case "RUN":
            ran.append(step.text)
            command = here.command(["/bin/sh", "-c", step.text], user=here.user)
            made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
            assert made.returncode == 0, (step.text, made.stdout, made.stderr)


def _copy(step, here, done, root, files):
    *sources, target = step.words
    whole = here.inside(target if target.startswith("/") else f"{here.folder}/{target}")
    for source in sources:
        if (stage := step.flags.get("from")) is not None:
            found = done[stage].inside(source)
            shutil.copytree(found, whole, symlinks=True, dirs_exist_ok=True)
            continue
        given = [file for file in files if file.as_posix() == source or file.is_relative_to(source)]
        assert given, f"{source} is not in the context"
        for file in given:
            folder = target.endswith("/")
            inner = file.name if file.as_posix() == source else file.relative_to(source)
            to = whole / inner if folder or file.as_posix() != source else whole
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / file, to)


@contextlib.contextmanager
def process(command, log):
    """A process while the block lasts; ended with SIGTERM, as an engine does."""
    with log.open("wb") as out:
        child = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        yield child
    finally:
        if child.poll() is None:
            child.kill()
            child.wait(20)


def can():
    """Why this machine cannot do it; empty where it can."""
    if sys.platform != "linux" or os.getuid() != 0:
        return "a scratch root needs root on Linux"
    tried = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True, check=False)
    return tried.stderr.strip() if tried.returncode else ""
