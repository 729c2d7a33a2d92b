sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out --plots none --threads 1 --quiet > table.txt
$JSON resources.threads restarts skipped_images < out/resources.json
grep wall_s out/results.json || echo none
