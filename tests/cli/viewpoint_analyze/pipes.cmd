# Inputs are regular files: nobody waits for a pipe that has no writer.
mkfifo results.csv
mkdir part
ln -s ../results.csv part/results.json
for command in "viewpoint analyze --results results.csv" "sweep results.csv" "sweep merge part"; do
    timeout --signal=KILL 20 "$DENSEVAL" $command --out out
    echo "$?"
done
timeout --signal=KILL 20 "$DENSEVAL" info results.csv
echo "$?"
ls out 2> /dev/null || echo nothing
