"""The same plan under engines other than Slurm, by the recipes of deploy/."""
import importlib.util
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def all_engines(with_spark):
    """Name, what makes the shards, and why it cannot, of each."""
    yield ("GNU parallel", by_parallel,
           None if shutil.which("parallel") else "apt-get install parallel")
    if with_spark:
        missing = None
        if importlib.util.find_spec("pyspark") is None:
            missing = "pip install pyspark"
        elif not shutil.which("java"):
            missing = "apt-get install openjdk-17-jre-headless"
        yield "Spark", by_spark, missing


def by_parallel(load, plan, folder, shards, workspace):
    # Beside each other as many as there are shards: they wait for the server.
    subprocess.run(
        ["parallel", "--will-cite", "--jobs", str(shards), "--retries", "4", load.program, "shard",
         "run", plan, "--to", folder, "-C", workspace, "--shard", f"{{}}/{shards}",
         ":::", *map(str, range(1, shards + 1))],
        env=load.environment, check=True, stdout=subprocess.DEVNULL)


def by_spark(load, plan, folder, shards, workspace):
    """A master and two workers, as processes of their own, on loopback."""
    import pyspark
    home = os.path.dirname(pyspark.__file__)
    environment = {
        **load.environment, "SPARK_HOME": home, "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(sys.path), "SPARK_LOCAL_IP": "127.0.0.1",
        "FIRETALLY_WORKSPACE": workspace}
    def start(name, *arguments):
        log = open(os.path.join(load.folder, f"{name}.log"), "ab")
        return subprocess.Popen(
            [os.path.join(home, "bin", "spark-class"), *arguments], env=environment, stdout=log,
            stderr=log)

    address = "spark://127.0.0.1:17077"
    daemons = [start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1",
                     "--port", "17077", "--webui-port", "17078")]
    for number in (1, 2):
        daemons.append(start(
            f"worker-{number}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1",
            "--cores", str((shards + 1) // 2), "--memory", "1g", "--webui-port", "0",
            "--work-dir", os.path.join(load.folder, f"spark-{number}"), address))
    try:
        subprocess.run(
            [os.path.join(home, "bin", "spark-submit"), "--master", address, "--conf",
             "spark.driver.host=127.0.0.1", "--conf", "spark.executor.memory=512m",
             os.path.join(ROOT, "deploy", "spark", "load.py"), plan, folder],
            env=environment, check=True, timeout=600, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
    finally:
        for daemon in daemons[::-1]:
            daemon.terminate()
            daemon.wait()
