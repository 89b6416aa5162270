"""The replay row of bench/run: `firetally limits replay` beside a Python script that does the same."""
import filecmp
import itertools
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "python", "replay.py")

FULL_WORKLOAD = 3_000_000
USERS_SHARE = 10
# Python reads this part of the file: its rate does not depend on the length.
SAMPLE_SHARE = 10
LEAST_RATIO = 4
MOST_MEGABYTES = 80


def generate(cache, attempts):
    """The file, and the sample of its beginning; made once for each number of attempts."""
    path = os.path.join(cache, f"attempts-{attempts}.ndjson")
    sample = os.path.join(cache, f"attempts-{attempts}-sample.ndjson")
    if not os.path.exists(path):
        print(f"bench: writing {attempts:,} attempts into {path}", file=sys.stderr)
        subprocess.run(
            [sys.executable, os.path.join(HERE, "make_attempts.py"), path + ".part",
             "--lines", str(attempts), "--users", str(max(1, attempts // USERS_SHARE))], check=True)
        with open(path + ".part") as lines, open(sample, "w") as beginning:
            beginning.writelines(itertools.islice(lines, max(1, attempts // SAMPLE_SHARE)))
        os.rename(path + ".part", path)
    # Every measurement reads the file from memory, the first as well.
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass
    return path, sample


class Replay:
    """The measurements of one call of the bench, and the rows that come of them."""

    def __init__(self, firetally, cache, folder, measurement, arguments):
        self.attempts = arguments.attempts
        self.sampled = max(1, arguments.attempts // SAMPLE_SHARE)
        self.file, self.sample = generate(cache, arguments.attempts)
        self.firetally = firetally
        # A folder without a workspace: the built-in settings, as the script has them.
        self.folder = folder
        self.measurement = measurement
        self.skips_python = arguments.skip_python
        self.ours, self.python = [], []
        if not self.skips_python:
            self.parser = self.check_sample()

    def command(self, file):
        return [self.firetally, "limits", "replay", file, "--quiet"]

    def run(self):
        """One measurement of each, its output thrown away."""
        self.ours.append(self.measure(self.command(self.file)))
        if not self.skips_python:
            self.python.append(self.measure([sys.executable, SCRIPT, self.sample]))

    def measure(self, command):
        return self.measurement(command, stdout=subprocess.DEVNULL, cwd=self.folder)

    def check_sample(self):
        """Ends the bench unless both print the same; returns the script's JSON parser."""
        outputs = [os.path.join(self.folder, name) for name in ("ours.ndjson", "python.ndjson")]
        commands = (self.command(self.sample), [sys.executable, SCRIPT, self.sample])
        for path, command in zip(outputs, commands):
            with open(path, "wb") as file:
                run = subprocess.run(
                    command, stdout=file, stderr=subprocess.PIPE, cwd=self.folder, text=True)
            if run.returncode != 0:
                sys.exit(f"bench: {' '.join(command)} ended with {run.returncode}:\n{run.stderr}")
        if not filecmp.cmp(*outputs, shallow=False):
            sys.exit("bench: the replay and the Python script decide differently")
        for path in outputs:
            os.remove(path)
        return run.stderr.strip()

    def rate(self):
        """Decisions a second of CPU time: what one core does, however busy the machine."""
        return self.attempts / statistics.median(run.cpu for run in self.ours)

    def add_rows(self, table, seconds):
        is_judged = self.attempts >= FULL_WORKLOAD and self.python
        taken = statistics.median(run.seconds for run in self.ours)
        megabytes = max(run.megabytes for run in self.ours)
        baseline, ratio, is_met = "", "", False
        if self.python:
            python = statistics.median(run.cpu for run in self.python)
            rate = self.sampled / python
            baseline = f"Python, {self.parser} {rate:,.0f}/s"
            ratio = f"{self.rate() / rate:.1f} times as fast"
            is_met = self.rate() / rate >= LEAST_RATIO and megabytes < MOST_MEGABYTES
        table.add(
            "replay", seconds(taken), seconds(self.attempts / self.rate()),
            f"{megabytes:.0f} MB", baseline, ratio,
            f">= {LEAST_RATIO}, < {MOST_MEGABYTES} MB",
            ("yes" if is_met else "NO") if is_judged else "")

    def summary(self):
        return f"replay {self.attempts:,} attempts; {self.rate():,.0f} decisions a second of one core"
