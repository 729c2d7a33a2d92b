# They are ignored, and their pixels counted.
"$PYTHON" "$CLI/make_masks.py" truth/a 20x20 2 1:0,0,5,5
"$PYTHON" "$CLI/make_masks.py" pred/a 20x20 2 21:0,0,5,5 20:0,0,1,5
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --json | $JSON j_mean sequences.0.objects.0.matched_id ignored_pixels extra_ids
