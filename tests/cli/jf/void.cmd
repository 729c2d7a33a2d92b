"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 1 1:0,0,4,2 255:0,2,4,1
"$PYTHON" "$CLI/make_masks.py" pred/a 4x4 1 1:0,0,4,3
for void in background ignore protocol; do "$DENSEVAL" jf --truth truth --pred pred --ends none --void $void --json | $JSON j_mean settings.void; done
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --json | $JSON j_mean settings.void ignored_pixels
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --void background --json | $JSON j_mean settings.void
