"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 4 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" truth/b 4x4 3 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" pred/a 4x4 4 1:0,0,4,3
rm pred/a/00001.png
"$DENSEVAL" jf --truth truth --pred pred --skip-bad --json | $JSON j_mean sequences.0.frames sequences.1.frames sequences.1.size skipped partial
