"""A Slurm of its own in a folder of its own: munge, a controller and two nodes of six CPUs and four GPUs, all on this machine, on
free ports, for as long as a `with` lasts. Needs neither root nor systemd; what Debian's packages munge and slurm-wlm bring."""
import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SKIP = 77  # the exit status that ctest shows as skipped
WAIT_S = 90
DAEMONS = ("munged", "slurmctld", "slurmd")
NODES = ("n1", "n2")

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmUser={user}
SlurmdUser={user}
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdSpoolDir={folder}/spool.%n
SlurmdParameters=config_overrides
SlurmdTimeout=10
StateSaveLocation={folder}/state
TmpFS={folder}/tmp.%n
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobs.txt
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=2
{gpus}
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=6 RealMemory=4000 {node_gpus}
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=6 RealMemory=4000 {node_gpus}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
"""


def missing_daemon():
    """The first of Slurm's programs that is not here; None: all are."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return next((name for name in DAEMONS if not shutil.which(name, path=path)), None)


def end_with_parent():
    """For a child: should this test be killed, the kernel ends its daemons."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_for(what, is_so, seconds=WAIT_S):
    """Asks again and again; gives the answer once it is not empty."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = is_so()
        if answer:
            return answer
        time.sleep(0.1)
    raise SystemExit(f"waited {seconds} s in vain: {what}")


class Cluster:
    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(f"ended by signal {number}"))
        self.folder = tempfile.mkdtemp(prefix="denseval-slurm-")
        os.chmod(self.folder, 0o755)  # munged wants a socket that all can reach
        self.daemons = {}
        self.queued_again = {}
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH"))}
        self.environment["SLURM_CONF"] = f"{self.folder}/slurm.conf"
        self.environment["PATH"] += ":/usr/sbin:/sbin"
        try:
            self.write_files()
            self.start()
        except BaseException:
            self.show_logs()
            self.stop()
            raise
        return self

    def __exit__(self, kind, value, trace):
        if kind:
            self.show_logs()
        self.stop()

    def write_files(self):
        host = socket.gethostname().split(".")[0]
        self.has_gpus = self.make_gpus()
        with open(f"{self.folder}/slurm.conf", "w") as file:
            file.write(CONFIGURATION.format(folder=self.folder, host=host, user=getpass.getuser(), ports=free_ports(3),
                                            gpus="GresTypes=gpu" if self.has_gpus else "",
                                            node_gpus="Gres=gpu:4" if self.has_gpus else ""))
        with open(f"{self.folder}/munge.key", "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(f"{self.folder}/munge.key", 0o600)
        for name in ("state", *(f"tmp.{node}" for node in NODES)):  # nodes that shared a /tmp would trip over PMIx's folder
            os.mkdir(f"{self.folder}/{name}")

    def make_gpus(self):
        """Slurm hands out GPUs as device files; where none can be made there are none."""
        try:
            for i in range(4):
                os.mknod(f"{self.folder}/gpu{i}", 0o20666, os.makedev(1, 3))
        except PermissionError:
            return False
        with open(f"{self.folder}/gres.conf", "w") as file:
            file.write(f"Name=gpu File={self.folder}/gpu[0-3]\n")
        return True

    def launch(self, name, *command):
        log = open(f"{self.folder}/{name}.out", "ab")
        self.daemons[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, start_new_session=True,
                                              preexec_fn=end_with_parent)

    def start(self):
        files = [f"--{name}={self.folder}/munge.{end}" for name, end in (("socket", "sock"), ("key-file", "key"))]
        files += [f"--{name}-file={self.folder}/munged.{name}" for name in ("pid", "log", "seed")]
        self.launch("munged", "munged", "--foreground", *files)
        wait_for("the socket of munged", lambda: os.path.exists(f"{self.folder}/munge.sock"))
        self.launch("slurmctld", "slurmctld", "-D")
        for node in NODES:
            self.start_node(node)
        wait_for("both nodes idle", lambda: self.tell("sinfo", "-h", "-N", "-o", "%T").split() == ["idle"] * 2)

    def start_node(self, node):
        self.launch(node, "slurmd", "-D", "-N", node)

    def kill_node(self, node):
        self.daemons[node].kill()
        self.daemons[node].wait()

    def kill_jobs(self, node):
        """What runs of jobs on a node. First their keepers: these would still tell the controller how the jobs ended."""
        for process in self.steps(node) + list(self.ours(f"SLURMD_NODENAME={node}".encode())):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def steps(self, node):
        """The keepers of its jobs: their sockets lie in the node's spool folder."""
        found = []
        for name in os.listdir(f"{self.folder}/spool.{node}"):
            numbers = name.rsplit("_", 1)[-1].split(".")
            if len(numbers) == 2 and numbers[0].isdigit():
                found += [process for process in self.ours() if self.title(process).startswith(f"slurmstepd: [{numbers[0]}.")]
        return found

    @staticmethod
    def title(process):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                return file.read().split(b"\0")[0].decode(errors="replace")
        except OSError:
            return ""

    def ours(self, also=b""):
        """Processes of this cluster, its jobs included: they carry its configuration in their environment."""
        mark = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/environ", "rb") as file:
                    variables = file.read().split(b"\0")
                if mark in variables and (not also or also in variables):
                    yield int(number)
            except OSError:
                continue  # ended meanwhile, or another user's

    def stop(self):
        if "slurmctld" in self.daemons and self.daemons["slurmctld"].poll() is None:
            self.tell("scancel", "--user", getpass.getuser(), "--full", "--signal=KILL")
            self.tell("scancel", "--user", getpass.getuser())
        for daemon in self.daemons.values():
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process in list(self.ours()):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def show_logs(self):
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".out")):
                with open(f"{self.folder}/{name}", errors="replace") as file:
                    print(f"---- {name}\n" + "".join(file.readlines()[-200:]))

    def tell(self, *command):
        """Standard output of a command of Slurm's; empty where it fails, as it may while the controller starts."""
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=WAIT_S)
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout if done.returncode == 0 else ""

    def call(self, *command, cwd=None, **environment):
        done = subprocess.run(command, env={**self.environment, **environment}, cwd=cwd, capture_output=True, text=True,
                              timeout=WAIT_S)
        if done.returncode != 0:
            raise SystemExit(f"exit {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def jobs(self):
        """{"12_3" or "12": (state, restarts, number)} of all jobs that Slurm still knows. The number of an array's last task is
        the array's own, which in a command means all of them: call tasks by their names."""
        found = {}
        for line in self.tell("scontrol", "-o", "show", "jobs").splitlines():
            facts = dict(word.split("=", 1) for word in line.split() if "=" in word)
            if "JobState" not in facts:
                continue
            name = facts["JobId"]
            if "ArrayTaskId" in facts:
                name = f"{facts['ArrayJobId']}_{facts['ArrayTaskId']}"
            found[name] = (facts["JobState"], int(facts.get("Restarts", 0)), facts["JobId"])
        return found

    def start_now(self):
        """A job that was queued again would wait for two minutes. Some seconds it must: a node refuses one that it was told to end
        in the same second."""
        for name, (state, restarts, _) in self.jobs().items():
            if state == "PENDING" and restarts > 0:
                seen = self.queued_again.setdefault((name, restarts), time.monotonic())
                if time.monotonic() - seen > 2.5:
                    self.tell("scontrol", "update", f"jobid={name}", "StartTime=now")

    def ended(self, job):
        """The state in which a job, every task of an array, has ended; None: it has not."""
        states = {state for name, (state, _, _) in self.jobs().items() if name.split("_")[0] == job}
        if not states or states & {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED", "SUSPENDED"}:
            return None
        return states

    def wait_end(self, job):
        return wait_for(f"job {job} ends; now {self.jobs()}", lambda: self.start_now() or self.ended(job))
