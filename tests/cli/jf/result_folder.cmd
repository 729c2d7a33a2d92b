"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 3 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" pred/a 4x4 3 1:0,0,4,3
"$PYTHON" "$CLI/make_masks.py" truth/b 4x4 4 2:0,0,2,2
"$PYTHON" "$CLI/make_masks.py" pred/b 4x4 4 2:0,0,2,2
"$DENSEVAL" jf --truth truth --pred pred --out out >/dev/null
ls out
cd out
head global_results.csv per-sequence_results.csv per-frame.csv
$JSON schema command j_mean settings.protocol sequences.1.objects.0.id <results.json
$JSON schema command resources.threads settings.backend <resources.json >/dev/null
grep -c '"resources"\|"backend"' results.json
