#!/usr/bin/env python3
"""examples/sweeps/slurm.sh as an array of Slurm: one shard that comes late, a merge that waits for all, and the bytes of a run by threads.

  tests/contract/slurm_test.py COMMAND FOLDER [--with-slurm]

FOLDER is that of the script. Without Slurm, a loop gives the script what an array gives it. With it, a controller and a node of this machine run for
the length of the test, with their files in a temporary folder; exits with 77 where they are missing or do not start, so that ctest can skip.
"""
import getpass
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PATIENCE = 60  # seconds until something that has to happen is given up; machines may be busy
STUDY = {
    "format": "delassus-sweep-1",
    "scene": "incline:20",
    "seconds": 0.02,
    "cases": 300,
    "parameters": {"friction": {"uniform": [0.2, 0.6]}},
    "keep": {"final": ["speed"]},
}
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm:
    """A cluster of one node. Nobody is asked who he is: it is there for seconds, and listens to this machine."""

    def __init__(self, folder):
        self.folder, self.name, user = pathlib.Path(folder), socket.gethostname().split(".")[0], getpass.getuser()
        for each in ("state", "spool"):
            (self.folder / each).mkdir()
        # Groups of control need rights and mounts that a test has not; all else is as small as it gets. All shards
        # run at once, be there cores for them or not: who has to wait is started once a second.
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=test
SlurmctldHost={self.name}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName={self.name} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []
        for words in (["slurmctld", "-D", "-c"], ["slurmd", "-D"]):
            with open(self.folder / f"{words[0]}.log", "w", encoding="utf-8") as log:
                self.daemons.append(subprocess.Popen(words, env=self.environment, stdout=log, stderr=log))

    def run(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)

    def is_ready(self):
        """Whether the node takes jobs before patience ends."""
        end = time.monotonic() + PATIENCE / 2
        while time.monotonic() < end and all(daemon.poll() is None for daemon in self.daemons):
            if self.run("sinfo", "-h", "-o", "%T").stdout.strip() == "idle":
                return True
            time.sleep(0.1)
        return False

    def submit(self, *words):
        done = self.run("sbatch", "--parsable", *map(str, words))
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def wait(self):
        """Until no job is left. `sbatch --wait` would look every ten seconds."""
        end = time.monotonic() + PATIENCE
        while self.run("squeue", "-h").stdout.strip():
            assert time.monotonic() < end, self.run("squeue").stdout + self.logs()
            time.sleep(0.1)

    def logs(self):
        return "".join(f"--- {path.name}\n{path.read_text()}" for path in sorted(self.folder.glob("*.log")))

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


class Script(unittest.TestCase):
    """What both ways share: the study, what threads make of it, and the state of the folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="delassus sweep "))  # names may have spaces
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.study, self.results = self.folder / "study.json", self.folder / "study.npz"
        self.study.write_text(json.dumps(STUDY))
        self.environment = {**os.environ, "PATH": f"{COMMAND.parent}:{os.environ['PATH']}"}

    def delassus(self, *words):
        done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def missing(self):
        return json.loads(self.delassus("sweep", "status", self.results, "--json"))["missing"]

    def assert_as_by_threads(self):
        by_threads = self.folder / "threads.npz"
        self.delassus("sweep", self.study, "-o", by_threads, "--quiet")
        self.assertEqual(self.results.read_bytes(), by_threads.read_bytes())


class Loop(Script):
    def shard(self, k):
        subprocess.run(["sh", FOLDER / "slurm.sh", self.study, self.results], check=True, timeout=PATIENCE,
                       capture_output=True, env={**self.environment, "SLURM_ARRAY_TASK_ID": str(k)})

    def test_same_bytes_in_any_order(self):
        for k in (6, 0, 4, 1, 5, 2):
            self.shard(k)
        self.assertEqual(self.missing(), [[128, 171]])  # 300 cases in 7 shards: 300 · 3/7 and 300 · 4/7, rounded down
        self.shard(3)
        self.assertEqual(self.missing(), [])
        self.delassus("sweep", "merge", self.results)
        self.assert_as_by_threads()


class Array(Script):
    def test_same_bytes_after_a_shard_that_comes_late(self):
        here = ("--chdir", self.folder, "--export", "ALL,PATH=" + self.environment["PATH"])
        script = (FOLDER / "slurm.sh", self.study, self.results)
        SLURM.submit(*here, "--array=0-2,4-6", *script)
        SLURM.wait()
        self.assertEqual(self.missing(), [[128, 171]], SLURM.logs())
        late = SLURM.submit(*here, "--array=3", *script)
        SLURM.submit(*here, f"--dependency=afterok:{late}", f"--wrap=delassus sweep merge '{self.results}'")
        SLURM.wait()
        self.assertFalse(pathlib.Path(f"{self.results}.parts").exists(), SLURM.logs())
        self.assert_as_by_threads()
        self.assertEqual(len(list(self.folder.glob("sweep-*-*.log"))), 7)  # one of each task, as the script says

    def test_a_task_that_is_alone_needs_no_mpi(self):
        """srun tells each task how to find the others, in words that the MPI of the command need not know."""
        known = SLURM.run("srun", "--mpi=list")
        for way in {"none", "pmi2", "pmix"} & set((known.stdout + known.stderr).split()):
            results = self.folder / f"{way}.npz"
            done = SLURM.run("srun", f"--mpi={way}", "-n", "1", str(COMMAND), "sweep", str(self.study), "-o", str(results),
                             "--shard", "1/3", "--quiet")
            self.assertEqual(done.returncode, 0, way + done.stderr)
            self.assertIn("100 of 300 cases are done", done.stdout)


if __name__ == "__main__":
    with_slurm = "--with-slurm" in sys.argv
    if with_slurm:
        sys.argv.remove("--with-slurm")
    COMMAND, FOLDER = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
    if not with_slurm:
        unittest.main(defaultTest="Loop")
    os.environ["PATH"] += ":/usr/sbin"  # where daemons are
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        print("Slurm is not there: " + ", ".join(absent))
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="slurm-") as place:
        SLURM = Slurm(place)
        try:
            if not SLURM.is_ready():
                print("Slurm does not run here\n" + SLURM.logs())
                sys.exit(77)
            unittest.main(defaultTest="Array")
        finally:
            SLURM.stop()
