# Intervals are made of the counts of the objects; without them the same parts cannot be joined.
sh "$CLI/make_sweep.sh" > s.yaml
for part in 1 2; do "$DENSEVAL" sweep s.yaml --bootstrap 9 --cells $part/2 --out $part --quiet > /dev/null; done
rm 1/object_counts.h5 2/object_counts.h5
"$DENSEVAL" sweep merge 1 2 --plots none --out out
status=$?
ls out 2> /dev/null
exit $status
