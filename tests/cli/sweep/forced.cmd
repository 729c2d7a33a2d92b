# The same work leaves the same bytes.
sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out --plots none --quiet > table.txt
cp -r out first
"$DENSEVAL" sweep s.yaml --out out --plots none --force --threads 1 --backend reference --block-images 3 --quiet > again.txt
cmp table.txt again.txt
for file in results.json results.csv object_counts.h5; do cmp "first/$file" "out/$file"; done
