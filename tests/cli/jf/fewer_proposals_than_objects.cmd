# What is short are empty proposals; the object that is rarely there gets one.
"$PYTHON" "$CLI/make_masks.py" truth/a 20x20 4 1:0,0,5,5 2:10,10,5,5@0-0
"$PYTHON" "$CLI/make_masks.py" pred/a 20x20 4 1:0,0,5,5
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2017-unsup --json | $JSON j_mean sequences.0.objects.0.matched_id sequences.0.objects.1.matched_id sequences.0.objects.1.j
