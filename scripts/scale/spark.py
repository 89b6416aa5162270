"""The same plan under an engine that few have: Spark, by its recipe in deploy/."""
import importlib.util
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def without_spark():
    """Why Spark cannot run here; nil when it can."""
    if importlib.util.find_spec("pyspark") is None:
        return "pip install pyspark"
    return None if shutil.which("java") else "apt-get install openjdk-17-jre-headless"


def by_spark(load, plan, folder, shards, workspace):
    """A master and two workers, as processes of their own, on loopback."""
    import pyspark
    home = os.path.dirname(pyspark.__file__)
    environment = {
        **load.environment, "SPARK_HOME": home, "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(sys.path), "SPARK_LOCAL_IP": "127.0.0.1",
        "FIRETALLY_WORKSPACE": workspace,
        "FIRETALLY_LOCAL": os.path.join(load.folder, "spark-local"),
        "FIRETALLY_RUN_SHARD": os.path.join(ROOT, "deploy", "run-shard.sh")}

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
