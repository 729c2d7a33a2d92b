sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --plots none --out out > whole.txt
mv out whole
for part in 1 2; do "$DENSEVAL" sweep s.yaml --cells $part/2 --out $part --quiet > /dev/null; done
"$DENSEVAL" sweep merge 2 1 --plots none --out out > merged.txt
diff whole.txt merged.txt && diff -rq whole out
$JSON parts < out/resources.json
