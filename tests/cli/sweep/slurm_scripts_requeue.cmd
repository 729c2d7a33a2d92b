# When a script sends its job back to the queue: a program that ends as it is told to, and a Slurm that says what it is told to.
mkdir bin out
cat > bin/denseval <<'END'
#!/bin/sh
[ "$1" != --version ] || { [ -z "$EARLY" ] || kill -USR1 $PPID; echo denseval 9; exit; }
[ -z "$EARLY" ] || { echo started; exit; }
[ -z "$BLOCK" ] || echo block >> out/run.journal
trap "exit 75" USR1
[ -z "$DEAF" ] || trap 'trap "exit 75" USR1' USR1 # as if it had not been loaded yet
[ "$TOLD" ] || exit 75
kill -USR1 $PPID # which hands it on
while :; do sleep 0.01; done
END
cat > bin/scontrol <<'END'
#!/bin/sh
[ "$1" != requeue ] || echo "  requeue $2"
[ "$1" = requeue ] || echo "JobId=7 JobName=x $STATE Dependency=(null)"
END
chmod +x bin/*
touch s.yaml
export PATH="$PWD/bin:$PATH" CONFIG=s.yaml OUT=out DENSEVAL=denseval SLURM_JOB_ID=7 SLURM_JOB_NODELIST=n1
script=$DATA/../../configs/slurm/one-node.sbatch
start() {
    env "$@" bash "$script"
    [ $? = 75 ] || echo another status
}
start TOLD=1 BLOCK=1 'STATE=JobState=RUNNING Reason=None'
start TOLD=1 BLOCK=  'STATE=JobState=RUNNING Reason=None' SLURM_RESTART_COUNT=1
start TOLD=  BLOCK=  'STATE=JobState=RUNNING Reason=None' SLURM_RESTART_COUNT=200 SLURM_ARRAY_JOB_ID=6 SLURM_ARRAY_TASK_ID=3
start TOLD=1 BLOCK=1 'STATE=JobState=RUNNING Reason=None' SLURM_RESTART_COUNT=200
start TOLD=1 BLOCK=  'STATE=JobState=RUNNING Reason=None' SLURM_RESTART_COUNT=100
start TOLD=1 BLOCK=1 'STATE=JobState=RUNNING Reason=None' EARLY=1
start TOLD=1 BLOCK=1 'STATE=JobState=RUNNING Reason=None' DEAF=1
start TOLD=1 BLOCK=1 'STATE=JobState=COMPLETING Reason=TimeLimit'
start TOLD=1 BLOCK=1 'STATE=JobState=COMPLETING Reason=None'
start TOLD=1 BLOCK=1 'STATE=JobState=COMPLETING Reason=None PreemptTime=2026-01-31T10:00:00'
