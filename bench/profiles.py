"""Where the time of a measured process goes: samples of Linux's perf, in at most eight lines."""
import os
import re
import shutil
import subprocess
import sys

MOST_LINES = 8
SAMPLES_A_SECOND = 1_999
# In the order in which they are tried: the first that matches a symbol, or its library, names it.
PARTS = (
    ("kernel", r"^\[(kernel|guest)"), ("SQLite", r"libsqlite3"), ("libcurl", r"libcurl"),
    ("TLS and checksums", r"lib(ssl|crypto)"), ("zlib", r"libz\."), ("libxml2", r"libxml2"),
    ("dynamic linker", r"^ld-"),
    ("Swift runtime", r"\bswift_|\bswift::|_swift_|^\$ss|^\$sS[a-z]"), ("C library", r"libc\.so"),
)


def available():
    return shutil.which("perf") is not None


def recorded(command, path):
    """The command as perf runs it, leaving its samples in a file."""
    return ["perf", "record", "--quiet", "--event", "cpu-clock",
            "--freq", str(SAMPLES_A_SECOND), "--output", path, "--", *command]


def demangled(names):
    run = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(names), text=True, check=True,
        stdout=subprocess.PIPE)
    return run.stdout.splitlines()


def part(library, symbol):
    for name, pattern in PARTS:
        if re.search(pattern, library) or re.search(pattern, symbol):
            return name
    return None


def lines(path):
    """At most eight lines: a share, and the function or the library that it went to."""
    report = subprocess.run(
        ["perf", "report", "--input", path, "--stdio", "--no-children", "--call-graph", "none",
         "--sort", "dso,symbol", "--field-separator", "\t", "--percent-limit", "0.05"],
        text=True, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    rows = [row.split("\t") for row in report.splitlines() if row and not row.startswith("#")]
    samples = [
        (float(row[0].strip().rstrip("%")), row[1].strip(), re.sub(r"^\[[k.]\]\s+", "", row[2].strip()))
        for row in rows if len(row) >= 3]
    if not samples:
        sys.exit(f"bench: perf took no sample into {path}; is cpu-clock allowed here?")
    shares = {}
    names = demangled([symbol for _, _, symbol in samples])
    for (share, library, symbol), name in zip(samples, names):
        place = part(library, symbol) or name.partition("(")[0][:70]
        shares[place] = shares.get(place, 0) + share
    ranked = sorted(shares.items(), key=lambda item: -item[1])
    shown = ranked if len(ranked) <= MOST_LINES else ranked[:MOST_LINES - 1]
    rest = 100 - sum(share for _, share in shown)
    if len(shown) < len(ranked):
        shown.append((f"{len(ranked) - len(shown)} others", rest))
    return [f"{share:5.1f} %  {place}" for place, share in shown]


class Recorder:
    """Keeps the samples of one process a label, the last one's."""

    def __init__(self, folder):
        self.folder = folder
        self.paths = {}

    def command(self, command, label):
        path = os.path.join(self.folder, re.sub(r"\W+", "-", label) + ".perf")
        self.paths[label] = path
        return recorded(command, path)

    def show(self):
        for label, path in self.paths.items():
            print(label)
            for line in lines(path):
                print("  " + line)
