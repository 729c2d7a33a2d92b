# The proposal that an object was assigned is drawn, void is neither, and predictions are resized as they were scored.
"$PYTHON" "$CLI/make_masks.py" truth/a 20x20 3 3:4,4,8,8 255:4,14,8,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 9:2,2,4,7
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --resize nearest --worst 1 --out out --json | $JSON sequences.0.objects.0.matched_id worst
"$PYTHON" "$CLI/jf/pixels.py" out/worst/a_00000_3.png 6,6 6,12 6,15
"$DENSEVAL" jf --truth truth --pred pred --single-object --resize nearest --worst 1 --out single --json | $JSON worst.0.id worst.0.j
"$PYTHON" "$CLI/jf/pixels.py" single/worst/a_00001_1.png 6,15
