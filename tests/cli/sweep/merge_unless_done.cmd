sh "$CLI/make_sweep.sh" > s.yaml
part() { "$DENSEVAL" sweep s.yaml --cells $1/2 --out $1 --unless-done; }
merge() { "$DENSEVAL" sweep merge 1 2 --plots none --out out --unless-done "$@"; }
{ part 1 && part 2 && merge; } > first.txt
part 1
"$DENSEVAL" sweep s.yaml --cells 1/2 --out 2 --unless-done || echo $?
ls -l --full-time out > before.txt
merge
merge --json --quiet | cmp - out/results.json
# To the sweep in one piece it is the same result.
"$DENSEVAL" sweep s.yaml --plots none --out out --unless-done
ls -l --full-time out | cmp - before.txt
EXTRA='k: 7' sh "$CLI/make_sweep.sh" > s.yaml
for part in 1 2; do "$DENSEVAL" sweep s.yaml --cells $part/2 --out $part --force --quiet > /dev/null; done
merge || echo $?
merge --force > /dev/null
merge
