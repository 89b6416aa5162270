"""A Slurm of one controller and two node daemons, in a folder of its own, on loopback.

Debian's packages, with their own munge and their own ports: nothing of the machine's configuration
is read or changed, and only processes that were started here are ended.
"""
import os
import shutil
import signal
import socket
import subprocess
import time

PACKAGES = ("slurm-wlm", "munge", "parallel", "sqlite3")
PROGRAMS = (
    "slurmctld", "slurmd", "munged", "mungekey", "sbatch", "scontrol", "parallel", "sqlite3")
# Statuses that deploy/slurm wants to be tried again: unreachable, later, and the signals: ended in
# order, killed, ended.
REQUEUED = (69, 75, 130, 137, 143)
CONFIGURATION = """\
ClusterName=fire
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/log/jobcomp.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
JobRequeue=1
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
RequeueExit={requeued}
SlurmdTimeout=6
KillWait=3
SlurmdParameters=config_overrides
MinJobAge=3600
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs={cpus} RealMemory=8192 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs={cpus} RealMemory=8192 State=UNKNOWN
"""


def cannot_run():
    """Why Slurm, GNU parallel and sqlite3 cannot run here, after an attempt to install it; nil when it can."""
    if all(map(shutil.which, PROGRAMS)):
        return None if os.geteuid() == 0 else "Slurm's daemons need root"
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return f"{' and '.join(PACKAGES)} are not all installed, and only root on Debian can install it"
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"],
                    ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES]):
        result = subprocess.run(
            ["flock", "/tmp/apt.lock", *command], env=environment, capture_output=True, text=True)
    if result.returncode != 0 or not all(map(shutil.which, PROGRAMS)):
        reason = (result.stderr.strip().splitlines() or ["no reason was given"])[-1]
        return f"Debian's {' and '.join(PACKAGES)} cannot be installed: {reason}"
    return None


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def wait_until(what, seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"{what} took more than {seconds} s")


def read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


class Cluster:
    """Started with `with`; ends what it started."""

    def __init__(self, folder, cpus=4, environment=None):
        self.folder = folder
        self.daemons = {}
        self.hurried = set()
        for name in ("munge", "state", "spool/n1", "spool/n2", "log"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        # munged refuses a socket in a folder that others could write to.
        os.chmod(os.path.join(folder, "munge"), 0o755)
        port, first, second = free_ports(3)
        self.configuration = os.path.join(folder, "slurm.conf")
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION.format(
                host=socket.gethostname(), folder=folder, port=port, first=first, second=second,
                cpus=cpus, requeued=",".join(map(str, REQUEUED))))
        self.environment = {**(environment or os.environ), "SLURM_CONF": self.configuration}

    def __enter__(self):
        try:
            munge = os.path.join(self.folder, "munge")
            key = os.path.join(munge, "munge.key")
            subprocess.run(["mungekey", "--create", "--keyfile", key], check=True)
            self.start("munged", [
                "munged", "--foreground", "--force", f"--key-file={key}",
                f"--socket={munge}/munge.socket", f"--pid-file={munge}/munged.pid",
                f"--seed-file={munge}/munged.seed", f"--log-file={munge}/munged.log"])
            wait_until("munge", 5, lambda: os.path.exists(f"{munge}/munge.socket"))
            self.start("slurmctld", ["slurmctld", "-D", "-f", self.configuration])
            for node in ("n1", "n2"):
                self.start_node(node)
            wait_until("Slurm", 20, lambda: self.call("sinfo", "-h", "-o", "%t %D") == "idle 2")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in list(self.daemons)[::-1]:
            self.end(name, signal.SIGTERM)
        self.kill_tasks()

    def start(self, name, command):
        with open(os.path.join(self.folder, "log", f"{name}.out"), "ab") as log:
            self.daemons[name] = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def start_node(self, node):
        self.start(node, ["slurmd", "-D", "-N", node, "-f", self.configuration])

    def end(self, name, number):
        daemon = self.daemons.pop(name)
        daemon.send_signal(number)
        try:
            daemon.wait(10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def lose(self, node):
        """Kills the node's daemon and all that it started, as if the machine were off."""
        daemon = self.daemons.pop(node)
        daemon.kill()
        daemon.wait()
        self.kill_tasks(node)

    def kill_tasks(self, node=None):
        """Kills what the node daemons left to init: the keepers of steps, and their tasks.

        A keeper tells no node: it is known by the script below it.
        """
        of_cluster = f"SLURM_CONF={self.configuration}\0"
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        ours = {pid for pid in pids if of_cluster in read(pid, "environ") + "\0"}
        ours -= {daemon.pid for daemon in self.daemons.values()} | {os.getpid()}
        parents = {pid: int((read(pid, "stat").rpartition(")")[2].split() or [0, 0])[1]) for pid in pids}
        place = f"/spool/{node}/" if node else "/spool/"
        scripts = {pid for pid in pids if self.folder + place in read(pid, "cmdline")}
        keepers = {parents[pid] for pid in scripts if parents[pid] in ours}
        tasks = {pid for pid in ours if parents[pid] in scripts}
        # Keepers first: one that sees its script die tells the controller that the task failed.
        for pid in [*keepers, *(scripts | tasks) - keepers]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def is_down(self, node):
        return self.call("sinfo", "-h", "-n", node, "-o", "%t").startswith("down")

    def call(self, *command):
        """What the command prints; empty when it fails, as while the controller starts."""
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return result.stdout.strip() if result.returncode == 0 else ""

    def submit(self, folder, *arguments):
        """Submits a batch and returns at once: the number of the job."""
        job = subprocess.run(
            ["sbatch", "--parsable", *arguments], env=self.environment, cwd=folder,
            capture_output=True, text=True)
        if job.returncode != 0:
            raise RuntimeError(f"sbatch: {job.stderr.strip()}")
        return job.stdout.strip()

    def states(self, job):
        """The tasks of an array: the index, the state and the restarts of each."""
        found = {}
        for record in self.call("scontrol", "show", "job", job, "-o").splitlines():
            fields = dict(word.split("=", 1) for word in record.split() if "=" in word)
            # Those that wait are one record: 0,2-3%4.
            for part in fields.get("ArrayTaskId", "0").split("%")[0].split(","):
                first, _, last = part.partition("-")
                for index in range(int(first), int(last or first) + 1):
                    found[index] = (
                        fields["JobState"], int(fields.get("Restarts", 0)), fields["ExitCode"])
        return found

    def ended(self, job, count):
        """The states of so many tasks once all have ended; nil before.

        A task that is to be requeued shows as failed for a moment, and then for one not at all.
        """
        states = self.states(job)
        is_over = len(states) == count and all(
            state == "COMPLETED" or state == "FAILED" and int(code.split(":")[0]) not in REQUEUED
            for state, _, code in states.values())
        return states if is_over else None

    def hurry(self, job):
        """Starts requeued tasks soon, which Slurm lets wait.

        Not at once: within the second in which its first run was revoked, a task fails with 1.
        """
        for index, (state, restarts, _) in self.states(job).items():
            if state == "PENDING" and restarts and (job, index, restarts) not in self.hurried:
                self.hurried.add((job, index, restarts))
                self.call("scontrol", "update", f"JobId={job}_{index}", "StartTime=now+2")
